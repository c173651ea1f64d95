package knobscape.work.parameter;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import org.jspecify.annotations.Nullable;

/// A value of every setting, checked and immutable. Two are equal where the same settings have the same values.
public final class Values {
    private final Parameters parameters;
    private final Map<String, Object> all;

    private Values(Parameters parameters, Map<String, Object> all) {
        this.parameters = parameters;
        this.all = Collections.unmodifiableMap(all);
    }

    /// Everything by default.
    static Values of(Parameters parameters) {
        var all = new LinkedHashMap<String, Object>();
        parameters.list().forEach(p -> p.usual().ifPresent(v -> all.put(p.name(), v)));
        return new Values(parameters, all);
    }

    /// The settings.
    public Parameters parameters() {
        return parameters;
    }

    /// The value of a setting that has a default or was given one. Settings are told apart by name.
    public <T> T get(Parameter<T> parameter) {
        return find(parameter)
                .orElseThrow(() -> new IllegalArgumentException("'" + parameter.name() + "' has no value"));
    }

    /// The value of a setting, empty where nothing is said.
    @SuppressWarnings("unchecked") // with() takes values of the setting's kind only
    public <T> Optional<T> find(Parameter<T> parameter) {
        return Optional.ofNullable((T) all.get(parameter.name()));
    }

    /// The same with another value. Throws [IllegalArgumentException] naming the setting where it cannot be.
    public <T> Values with(Parameter<T> parameter, T value) {
        try {
            own(parameter).type().check(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    parameter.name() + " must be " + e.getMessage() + ", not '" + value + "'", e);
        }
        return put(parameter, value);
    }

    /// The area's own declaration of a setting, which may be stricter than the one it was asked by.
    @SuppressWarnings("unchecked") // settings of one name have values of one kind
    private <T> Parameter<T> own(Parameter<T> asked) {
        return parameters.find(asked.name()).map(p -> (Parameter<T>) p).orElse(asked);
    }

    /// The same with another value, or with nothing said.
    public <T> Values with(Parameter<T> parameter, Optional<T> value) {
        return value.isPresent() ? with(parameter, value.get()) : without(parameter);
    }

    /// The same with nothing said of a setting: by default again.
    public <T> Values without(Parameter<T> parameter) {
        return put(
                parameter,
                parameters.find(parameter.name()).flatMap(Parameter::usual).orElse(null));
    }

    private Values put(Parameter<?> parameter, @Nullable Object value) {
        if (parameters.find(parameter.name()).isEmpty()) {
            throw new IllegalArgumentException("'" + parameter.name() + "' is not a setting here");
        }
        var changed = new LinkedHashMap<>(all);
        if (value == null) {
            changed.remove(parameter.name());
        } else {
            changed.put(parameter.name(), value);
        }
        return new Values(parameters, changed);
    }

    /// The same with a value as a person typed it. Throws [UserError] with one sentence.
    ///
    /// @param called how the person knows the setting (`--clock`, `Clock`)
    public <T> Values typed(Parameter<T> parameter, String called, String text) {
        return with(parameter, parameter.parse(called, text));
    }

    /// A value as a person reads and types it.
    public <T> String text(Parameter<T> parameter) {
        return parameter.text(find(parameter));
    }

    /// True if a setting means anything beside the others.
    public boolean applies(Parameter<?> parameter) {
        return parameter.condition().holds().test(this);
    }

    /// True if a setting has its default.
    public boolean isUsual(Parameter<?> parameter) {
        return parameter.usual().equals(find(parameter));
    }

    /// True if a setting says nothing: absent, 0 where that has words, empty.
    public <T> boolean isNone(Parameter<T> parameter) {
        Optional<T> value = find(parameter);
        return value.isEmpty()
                || (parameter.type().isNone(value.get())
                        && (!parameter.words().none().isEmpty() || !(value.get() instanceof Number)));
    }

    /// These and values of other settings.
    public Values and(Values others) {
        var both = new LinkedHashMap<>(all);
        both.putAll(others.all);
        return new Values(parameters.and(others.parameters), both);
    }

    /// The values of some of these settings.
    public Values only(Parameters some) {
        var kept = new LinkedHashMap<String, Object>();
        some.list().forEach(p -> Optional.ofNullable(all.get(p.name())).ifPresent(v -> kept.put(p.name(), v)));
        return new Values(some, kept);
    }

    /// The same with the files that it names moved.
    public Values moved(UnaryOperator<String> move) {
        Values moved = this;
        for (Parameter<?> p : parameters.list()) {
            moved = moved(moved, p, move);
        }
        return moved;
    }

    private static <T> Values moved(Values values, Parameter<T> p, UnaryOperator<String> move) {
        return values.find(p).map(v -> values.put(p, p.moved(v, move))).orElse(values);
    }

    /// Throws [UserError] for the first rule between settings that does not hold.
    ///
    /// @param called how the person knows a setting
    public void check(Function<Parameter<?>, String> called) {
        for (Parameters.Rule rule : parameters.rules()) {
            if (!rule.holds().test(this)) {
                throw new UserError(called.apply(rule.about()) + " must be " + rule.must() + ".");
            }
        }
    }

    /// The difference from other values, as words of the command line (`--clock`, `5`). A setting that they do
    /// not have is spelt out, unless it says nothing.
    ///
    /// @param others what holds without these words
    public List<String> command(Values others) {
        return parameters.list().stream().flatMap(p -> command(p, others)).toList();
    }

    private <T> Stream<String> command(Parameter<T> p, Values others) {
        Optional<T> value = find(p);
        Optional<T> before = others.find(p);
        return value.equals(before) || (before.isEmpty() && isNone(p) && isUsual(p)) || !applies(p)
                ? Stream.empty()
                : value.map(v -> p.command(v, before)).orElse(Stream.empty());
    }

    /// Labels and values of some settings, as tables and reports name them beside a run; those that say nothing or
    /// do not apply are left out.
    public Map<String, String> facts(Parameter<?>... some) {
        var facts = new LinkedHashMap<String, String>();
        for (Parameter<?> p : some) {
            if (!isNone(p) && applies(p)) {
                facts.put(
                        p.words().label().toLowerCase(java.util.Locale.ROOT),
                        text(p)
                                + (p.words().unit().isEmpty()
                                        ? ""
                                        : " " + p.words().unit()));
            }
        }
        return facts;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Values v && v.all.equals(all);
    }

    @Override
    public int hashCode() {
        return all.hashCode();
    }

    @Override
    public String toString() {
        return all.toString();
    }
}
