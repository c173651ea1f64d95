package knobscape.work.parameter;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;

/// A setting of a work or a run. Everything that shows, reads or writes it follows from this declaration.
///
/// @param name identity within an area, and its path in stored runs (`tool.options.csim`)
/// @param type what values it has
/// @param usual value where nothing is said; empty where nothing said is a value of its own (a guessed top function)
/// @param key path in the project file (`run.evaluations`), empty where the file does not hold it
/// @param words what a person reads
/// @param option how the command line names it
/// @param condition when it means anything
/// @param <T> kind of value
public record Parameter<T>(
        String name,
        ValueType<T> type,
        Optional<T> usual,
        String key,
        ParameterText words,
        CommandOption option,
        Condition condition) {

    /// A setting without words, option and condition, whose key is its name.
    public static <T> Parameter<T> of(String name, ValueType<T> type, Optional<T> usual) {
        return new Parameter<>(name, type, usual, name, ParameterText.NONE, CommandOption.NONE, Condition.ALWAYS);
    }

    /// A count within bounds.
    public static Parameter<Integer> count(String name, int usual, int least, int most) {
        return of(name, ValueType.count(least, most), Optional.of(usual));
    }

    /// Any whole number.
    public static Parameter<Long> whole(String name, long usual) {
        return of(name, ValueType.whole(Long.MIN_VALUE, Long.MAX_VALUE), Optional.of(usual));
    }

    /// A number.
    public static Parameter<Double> real(String name, double usual, ValueType.Real bounds) {
        return of(name, bounds, Optional.of(usual));
    }

    /// Yes or no.
    public static Parameter<Boolean> flag(String name, boolean usual) {
        return of(name, new ValueType.Flag("no", "yes", List.of("no", "yes")), Optional.of(usual));
    }

    /// One of an enum's constants.
    ///
    /// @param labels what a person reads, in the order of the constants; their words in files where there are none
    public static <E extends Enum<E>> Parameter<E> choice(String name, E usual, String... labels) {
        return of(name, ValueType.choice(usual.getDeclaringClass(), labels), Optional.of(usual));
    }

    /// Any text, absent where nothing is said.
    public static Parameter<String> text(String name) {
        return of(name, ValueType.text(), Optional.empty());
    }

    /// The name of a file or folder, absent where nothing is said.
    public static Parameter<String> file(String name) {
        return of(name, ValueType.text().at((text, move) -> move.apply(text)), Optional.empty());
    }

    /// Several texts, none where nothing is said.
    public static Parameter<List<String>> texts(String name, TextList type) {
        return of(name, type, Optional.of(List.of()));
    }

    /// The same under another key of the project file; none where empty.
    public Parameter<T> at(String projectKey) {
        return new Parameter<>(name, type, usual, projectKey, words, option, condition);
    }

    /// The same with a label and one sentence without a full stop that explains it.
    public Parameter<T> words(String label, String help) {
        return words(new ParameterText(label, help, words.unit(), words.none(), words.group(), words.further()));
    }

    /// The same with a unit (`ns`).
    public Parameter<T> unit(String unit) {
        return words(
                new ParameterText(words.label(), words.help(), unit, words.none(), words.group(), words.further()));
    }

    /// The same with words for 0 or for nothing said (`no limit`).
    public Parameter<T> none(String none) {
        return words(
                new ParameterText(words.label(), words.help(), words.unit(), none, words.group(), words.further()));
    }

    /// The same in a group of settings (`Tools`).
    public Parameter<T> group(String group) {
        return words(
                new ParameterText(words.label(), words.help(), words.unit(), words.none(), group, words.further()));
    }

    /// The same, which a form folds away at first: few people change it.
    public Parameter<T> further() {
        return words(new ParameterText(words.label(), words.help(), words.unit(), words.none(), words.group(), true));
    }

    private Parameter<T> words(ParameterText other) {
        return new Parameter<>(name, type, usual, key, other, option, condition);
    }

    /// The same with an option of the command line.
    ///
    /// @param value what stands behind it in help (`N`)
    public Parameter<T> option(String spelling, String value) {
        return option(new CommandOption(List.of(spelling), value, false, List.of()));
    }

    /// The same with an option of the command line.
    public Parameter<T> option(CommandOption other) {
        return new Parameter<>(name, type, usual, key, words, other, condition);
    }

    /// The same, applying under a further condition.
    ///
    /// @param otherwise why it does not apply where it does not, a clause (`a measured set has no loop nest`)
    public Parameter<T> when(Predicate<Values> holds, String otherwise) {
        Condition all = new Condition(condition.holds().and(holds), otherwise);
        return new Parameter<>(name, type, usual, key, words, option, all);
    }

    /// The same with another default.
    public Parameter<T> usually(T value) {
        return new Parameter<>(name, type, Optional.of(value), key, words, option, condition);
    }

    /// The same with values of another kind.
    public Parameter<T> type(ValueType<T> other) {
        return new Parameter<>(name, other, usual, key, words, option, condition);
    }

    /// The same, shown nowhere and in no project file: only stored with a run.
    public Parameter<T> hidden() {
        return new Parameter<>(name, type, usual, "", ParameterText.NONE, CommandOption.NONE, condition);
    }

    /// True if a form of the window has a field for it.
    public boolean hasField() {
        return !words.label().isEmpty();
    }

    /// Label with its unit (`Clock (ns)`).
    public String label() {
        return words.unit().isEmpty() ? words.label() : words.label() + " (" + words.unit() + ")";
    }

    /// A value as a person reads and types it; empty text, or the words for it, where there is none.
    public String text(Optional<T> value) {
        return value.filter(v -> words.none().isEmpty() || !type.isNone(v))
                .map(type::text)
                .orElse(words.none());
    }

    /// A typed value; empty for nothing said. Throws [UserError] with one sentence.
    ///
    /// @param called how the person knows this setting (`--clock`, `Clock`)
    public Optional<T> parse(String called, String text) {
        String typed = text.strip();
        try {
            if (!words.none().isEmpty() && (typed.equalsIgnoreCase(words.none()) || typed.isEmpty())) {
                return usual.isEmpty() ? Optional.empty() : Optional.of(type.parse(type.none()));
            }
            return typed.isEmpty() && usual.isEmpty() ? Optional.empty() : Optional.of(type.parse(typed));
        } catch (IllegalArgumentException e) {
            throw new UserError(called + " must be " + e.getMessage() + ", not '" + typed + "'.", e);
        }
    }

    /// The requirement on a value, in words (`a whole number from 1 to 4096`).
    public String must() {
        return type.must();
    }

    /// Reads a key of an object, empty where it is absent. Throws [UserError] naming file and key.
    Optional<T> read(JsonFields in, String last) {
        return in.get(last).map(_ -> type.read(in, last));
    }

    /// The default as a person reads it; the words for nothing said where there is none.
    public String usualText() {
        String text = text(usual);
        return text.isEmpty() ? words.none() : text;
    }

    /// A value with the files it names moved.
    public T moved(T value, UnaryOperator<String> move) {
        return type.moved(value, move);
    }

    /// The words of the command line that give it a value (`--clock`, `5`); none where it has no option.
    ///
    /// @param before what holds without them, which options that add need not repeat
    Stream<String> command(T value, Optional<T> before) {
        return option.words(type, value, before);
    }
}
