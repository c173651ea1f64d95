package knobscape.work.parameter;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// How the command line names a setting.
///
/// @param names its spellings (`-I`, `--include`); none where it has no option with a value
/// @param value what stands behind it in help (`DIR`)
/// @param adds whether what is given comes to what the project says, instead of replacing it
/// @param shorthands options without a value
public record CommandOption(List<String> names, String value, boolean adds, List<Shorthand> shorthands) {
    /// No option.
    static final CommandOption NONE = new CommandOption(List.of(), "", false, List.of());

    /// Copies the lists.
    public CommandOption {
        names = List.copyOf(names);
        shorthands = List.copyOf(shorthands);
    }

    /// An option without a value that stands for one (`--bare`).
    ///
    /// @param name its spelling
    /// @param text the value it stands for, as typed
    /// @param help one sentence without a full stop
    public record Shorthand(String name, String text, String help) {}

    /// True if the command line cannot say it.
    public boolean isAbsent() {
        return names.isEmpty() && shorthands.isEmpty();
    }

    /// The spelling that errors and repeated command lines use.
    public String name() {
        return names.isEmpty() ? shorthands.getFirst().name() : names.getLast();
    }

    <T> Stream<String> words(ValueType<T> type, T value, Optional<T> before) {
        if (isAbsent()) {
            return Stream.empty();
        }
        String text = type.text(value);
        for (Shorthand s : shorthands) {
            if (s.text().equals(type.typed(value))) {
                return Stream.of(s.name());
            }
        }
        if (names.isEmpty()) {
            return Stream.empty();
        }
        return switch (type) {
            case TextList t
            when !t.splits() ->
                repeated(((Collection<?>) value)
                        .stream()
                                .filter(v -> !adds
                                        || before.filter(b -> ((Collection<?>) b).contains(v))
                                                .isEmpty())
                                .map(Object::toString));
            case NamedValues<?> p ->
                repeated(((Map<?, ?>) value)
                        .entrySet().stream()
                                .filter(e -> !adds
                                        || before.filter(b -> e.getValue().equals(((Map<?, ?>) b).get(e.getKey())))
                                                .isEmpty())
                                .map(e -> e.getKey() + "=" + e.getValue()));
            case ValueType.Choice<?> _, ValueType.Flag _ -> Stream.of(name(), type.typed(value));
            default -> Stream.of(name(), text);
        };
    }

    private Stream<String> repeated(Stream<String> values) {
        return values.flatMap(v -> Stream.of(name(), v));
    }
}
