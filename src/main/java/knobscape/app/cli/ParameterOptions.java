package knobscape.app.cli;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.work.Area;
import knobscape.work.WorkLocation;
import knobscape.work.WorkSettings;
import knobscape.work.parameter.CommandOption;
import knobscape.work.parameter.NamedValues;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.TextList;
import knobscape.work.parameter.Values;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// The options of declared settings on a verb: their help by groups, and their values as given.
///
/// @param parameters the settings; those without an option are passed over
record ParameterOptions(Parameters parameters) {

    /// Adds the options to a verb.
    ///
    /// @param heading of those that stand in no group
    void addTo(CommandSpec verb, String heading) {
        for (String group : parameters.groups()) {
            List<OptionSpec> options = parameters.list().stream()
                    .filter(p -> p.words().group().equals(group))
                    .flatMap(p -> options(p).stream())
                    .toList();
            if (!options.isEmpty()) {
                var section = ArgGroupSpec.builder()
                        .validate(false)
                        .heading("%n" + (group.isEmpty() ? heading : group) + ":%n");
                options.forEach(section::addArg);
                verb.addArgGroup(section.build());
            }
        }
    }

    private static List<OptionSpec> options(Parameter<?> p) {
        var all = new ArrayList<OptionSpec>();
        CommandOption option = p.option();
        if (!option.names().isEmpty()) {
            var spec = OptionSpec.builder(option.names().toArray(String[]::new))
                    .paramLabel(option.value())
                    .completionCandidates(p.type().spellings())
                    .description(help(p).replace("%", "%%"));
            all.add(
                    isRepeated(p)
                            ? spec.type(List.class).auxiliaryTypes(String.class).build()
                            : spec.type(String.class).build());
        }
        for (CommandOption.Shorthand s : option.shorthands()) {
            all.add(OptionSpec.builder(s.name())
                    .type(boolean.class)
                    .description(s.help().replace("%", "%%") + ".")
                    .build());
        }
        return all;
    }

    private static boolean isRepeated(Parameter<?> p) {
        return switch (p.type()) {
            case TextList t -> !t.splits();
            case NamedValues<?> _ -> true;
            default -> false;
        };
    }

    /// One sentence with the unit and the default.
    private static String help(Parameter<?> p) {
        var more = new ArrayList<String>();
        if (!p.words().unit().isEmpty() && !p.words().unit().startsWith("%")) {
            more.add(p.words().unit());
        }
        if (p.type().spellings().size() > 1) {
            more.add(p.must());
        }
        String none = p.words().none();
        if (!none.isEmpty() && p.type().none().equals("0")) {
            more.add("0: " + none);
        }
        String usual = usual(p);
        if (!usual.isEmpty() && !(isRepeated(p) && p.option().adds())) {
            more.add("default: " + (p.key().isEmpty() ? "" : "the project's, else ") + usual);
        }
        return p.words().help() + (more.isEmpty() ? "" : " (" + String.join("; ", more) + ")") + ".";
    }

    private static <T> String usual(Parameter<T> p) {
        boolean isNumber = p.type().none().equals("0");
        return p.usual()
                .filter(v -> isNumber || p.words().none().isEmpty() || !p.type().isNone(v))
                .map(p.type()::typed)
                .filter(t -> !t.isEmpty())
                .orElse(p.words().none());
    }

    /// The options given on a command line, in its words.
    Map<Parameter<?>, OptionUse> given(ParseResult parsed) {
        var all = new LinkedHashMap<Parameter<?>, OptionUse>();
        for (Parameter<?> p : parameters.list()) {
            CommandOption option = p.option();
            for (CommandOption.Shorthand s : option.shorthands()) {
                if (parsed.hasMatchedOption(s.name())) {
                    all.put(p, new OptionUse(s.name(), List.of(s.text())));
                }
            }
            if (!option.names().isEmpty() && parsed.hasMatchedOption(option.name())) {
                all.put(
                        p,
                        new OptionUse(
                                option.name(),
                                parsed.matchedOption(option.name()).stringValues()));
            }
        }
        return all;
    }

    /// A setting that was given.
    ///
    /// @param option as spelt
    /// @param values one, or more of an option that may be repeated
    record OptionUse(String option, List<String> values) {}

    /// Values with what was given in their place; files that it names are looked for in `here`. Throws
    /// [IllegalArgumentException] with one sentence for a value that cannot be.
    static Values apply(Map<Parameter<?>, OptionUse> given, Values to, Path here) {
        Values values = to;
        try {
            for (Map.Entry<Parameter<?>, OptionUse> e : given.entrySet()) {
                values = apply(e.getKey(), e.getValue(), values, here);
            }
        } catch (UserError e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return values;
    }

    private static <T> Values apply(Parameter<T> p, OptionUse given, Values to, Path here) {
        Optional<T> value = Optional.empty();
        if (isRepeated(p)) {
            for (String each : given.values()) {
                value = merged(value, p.parse(given.option(), each));
            }
        } else {
            value = p.parse(given.option(), given.values().getLast());
        }
        Optional<T> moved = value.equals(to.find(p))
                ? value
                : value.map(v -> p.moved(
                        v, f -> here.resolve(f).toAbsolutePath().normalize().toString()));
        return to.with(p, p.option().adds() ? merged(to.find(p), moved) : moved);
    }

    @SuppressWarnings("unchecked") // lists to lists and maps to maps
    private static <T> Optional<T> merged(Optional<T> first, Optional<T> second) {
        if (first.isEmpty() || second.isEmpty()) {
            return first.or(() -> second);
        }
        if (first.get() instanceof List<?> a) {
            var both = new ArrayList<Object>(a);
            both.addAll((List<?>) second.get());
            return Optional.of((T) List.copyOf(both));
        }
        var both = new LinkedHashMap<Object, Object>((Map<?, ?>) first.get());
        both.putAll((Map<?, ?>) second.get());
        return Optional.of((T) java.util.Collections.unmodifiableMap(both));
    }

    /// The work of a project with what was given in place of what the project says. Throws
    /// [IllegalArgumentException] for a value that cannot be, [UserError] for a setting that means nothing here and
    /// for files that cannot be read.
    ///
    /// @param said what the project says
    /// @param place of the project
    static Area.Work work(
            Area area, Area.Work said, WorkLocation place, Map<Parameter<?>, OptionUse> given, Path here) {
        Area.Work asked = area.work(apply(given, said.values(), here));
        WorkSettings effective = area.effective(asked, place);
        Values values = effective.equals(asked.settings())
                ? asked.values()
                : area.arranged(apply(given, effective.values().and(asked.run().values()), here));
        check(area, given, values);
        return area.work(values);
    }

    /// Throws [UserError] for the first setting given that means nothing beside the others.
    private static void check(Area area, Map<Parameter<?>, OptionUse> given, Values values) {
        given.forEach((p, g) -> {
            if (!values.applies(p) && !says(p, g, area.arranged(values.without(p)))) {
                throw new UserError(
                        g.option() + " does not apply: " + p.condition().otherwise() + ".");
            }
        });
        values.check(p -> given.containsKey(p) ? requireNonNull(given.get(p)).option() : p.name());
    }

    /// True if a value is what holds anyway.
    private static <T> boolean says(Parameter<T> p, OptionUse given, Values values) {
        return p.parse(given.option(), given.values().getLast()).equals(values.find(p));
    }
}
