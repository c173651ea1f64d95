package knobscape.work.parameter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import knobscape.evaluate.report.JsonFields;
import tools.jackson.databind.node.ObjectNode;

/// The settings of a kind of work or of its runs, in the order shown.
///
/// @param list all of them, each name once
/// @param rules what must hold between them
public record Parameters(List<Parameter<?>> list, List<Rule> rules) {
    /// Copies the lists.
    public Parameters {
        list = List.copyOf(list);
        rules = List.copyOf(rules);
        if (list.stream().map(Parameter::name).distinct().count() != list.size()) {
            throw new IllegalArgumentException("a setting is declared twice");
        }
    }

    /// The rule between several settings.
    ///
    /// @param about the setting that is wrong where it does not hold
    /// @param holds whether it does
    /// @param must what that setting must then be (`no, or name the files of the testbench`)
    public record Rule(Parameter<?> about, Predicate<Values> holds, String must) {}

    /// Settings without rules.
    public static Parameters of(Parameter<?>... all) {
        return new Parameters(List.of(all), List.of());
    }

    /// The same with a rule.
    public Parameters rule(Parameter<?> about, Predicate<Values> holds, String must) {
        return new Parameters(
                list,
                Stream.concat(rules.stream(), Stream.of(new Rule(about, holds, must)))
                        .toList());
    }

    /// The same, some of them applying under a further condition.
    public Parameters when(Predicate<Parameter<?>> some, Predicate<Values> holds, String otherwise) {
        return new Parameters(
                list.stream()
                        .<Parameter<?>>map(p -> some.test(p) ? p.when(holds, otherwise) : p)
                        .toList(),
                rules);
    }

    /// These and others.
    public Parameters and(Parameters others) {
        return new Parameters(
                Stream.concat(list.stream(), others.list.stream()).toList(),
                Stream.concat(rules.stream(), others.rules.stream()).toList());
    }

    /// The setting of this name.
    public Optional<Parameter<?>> find(String name) {
        return list.stream().filter(p -> p.name().equals(name)).findFirst();
    }

    /// Everything by default.
    public Values usual() {
        return Values.of(this);
    }

    /// The values in a project file, everything else by default. Throws [UserError] naming file and key.
    ///
    /// @param project the whole file
    /// @param others keys of the file that are no settings
    public Values project(JsonFields project, Collection<String> others) {
        known(project, "", others);
        return read(project, Parameter::key);
    }

    /// The same of a file that another area wrote; keys that are no settings here are passed over.
    public Values ofOther(JsonFields project) {
        return read(project, Parameter::key);
    }

    private void known(JsonFields in, String path, Collection<String> others) {
        Set<String> keys = new LinkedHashSet<>(others);
        Set<String> inner = new LinkedHashSet<>();
        for (Parameter<?> p : list) {
            if (!p.key().isEmpty() && p.key().startsWith(path)) {
                String rest = p.key().substring(path.length());
                int dot = rest.indexOf('.');
                keys.add(dot < 0 ? rest : rest.substring(0, dot));
                if (dot >= 0) {
                    inner.add(rest.substring(0, dot));
                }
            }
        }
        in.onlyKnown(keys);
        inner.forEach(key -> in.object(key).ifPresent(o -> known(o, path + key + ".", List.of())));
    }

    /// The values in a stored run, everything else by default; settings of other versions are passed over.
    public Values stored(JsonFields stored) {
        return read(stored, Parameter::name);
    }

    private Values read(JsonFields root, Function<Parameter<?>, String> path) {
        Values values = usual();
        for (Parameter<?> p : list) {
            values = read(values, p, root, path.apply(p));
        }
        return values;
    }

    private static <T> Values read(Values values, Parameter<T> p, JsonFields root, String path) {
        if (path.isEmpty()) {
            return values;
        }
        int last = path.lastIndexOf('.');
        Optional<JsonFields> in = Optional.of(root);
        for (String key :
                last < 0 ? List.<String>of() : List.of(path.substring(0, last).split("\\."))) {
            in = in.flatMap(o -> o.object(key));
        }
        return in.flatMap(o -> p.read(o, path.substring(last + 1)))
                .map(v -> values.with(p, v))
                .orElse(values);
    }

    /// Writes what [#project] reads. Inner objects but `run` hold only what differs from the defaults.
    public void writeProject(Values values, ObjectNode project) {
        for (Parameter<?> p : list) {
            boolean quiet = values.isUsual(p)
                    && (values.isNone(p) || (p.key().contains(".") && !p.key().startsWith("run.")));
            if (!quiet) {
                write(values, p, project, p.key());
            }
        }
    }

    /// Writes what [#stored] reads.
    public void writeStored(Values values, ObjectNode stored) {
        list.forEach(p -> write(values, p, stored, p.name()));
    }

    private static <T> void write(Values values, Parameter<T> p, ObjectNode root, String path) {
        values.find(p).filter(_ -> !path.isEmpty()).ifPresent(v -> {
            ObjectNode in = root;
            int last = path.lastIndexOf('.');
            for (String key : last < 0
                    ? List.<String>of()
                    : List.of(path.substring(0, last).split("\\."))) {
                in = in.get(key) instanceof ObjectNode inner ? inner : in.putObject(key);
            }
            p.type().write(in, path.substring(last + 1), v);
        });
    }

    /// The groups its settings stand in, in order.
    public List<String> groups() {
        return new ArrayList<>(
                new LinkedHashSet<>(list.stream().map(p -> p.words().group()).toList()));
    }
}
