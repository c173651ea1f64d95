package knobscape.study.space;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.Formula;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.evaluate.YamlNode;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Diagrams;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import knobscape.study.source.Study;
import knobscape.study.source.Study.Constraint;

/// The space of a study, counted exactly: every draw keeps every constraint.
public final class StudySpace {
    /// Combinations of one constraint's parameters that are tried.
    private static final long MOST_COMBINATIONS = 20_000_000;
    private static final int MOST_NODES = 4_000_000;

    private StudySpace() {}

    /// Makes the space. Throws [knobscape.evaluate.UserError] naming the line of a constraint that nothing keeps, that
    /// has no value somewhere, or that ties too many combinations.
    public static DesignSpace of(Study study) {
        KnobSet knobs = knobs(study);
        if (study.constraints().isEmpty()) {
            return new CartesianSpace(knobs);
        }
        try {
            var diagrams = new Diagrams(
                    MOST_NODES,
                    knobs.list().stream().mapToInt(k -> k.domain().size()).toArray());
            var all = diagrams.everything();
            for (Constraint c : study.constraints()) {
                int[] variables = variables(study, knobs, c);
                var row = new Values(knobs, variables);
                var kept = diagrams.relation(variables, levels -> row.value(c, levels) == 1);
                var missing = all.and(diagrams.relation(variables, levels -> Double.isNaN(row.value(c, levels))));
                if (!missing.equals(diagrams.nothing())) {
                    throw missing(
                            study, c, space(diagrams, knobs, missing, List.of()).at(BigInteger.ZERO));
                }
                var both = all.and(kept);
                if (both.equals(diagrams.nothing())) {
                    throw YamlNode.error(
                            study.file(),
                            c.line(),
                            kept.equals(diagrams.nothing())
                                    ? "no configuration keeps the constraint " + c.formula()
                                    : "no configuration keeps the constraint " + c.formula()
                                            + " together with those before it");
                }
                all = both;
            }
            return diagrams.space(knobs, all, IntStream.range(0, knobs.size()).toArray(), groups(study, knobs));
        } catch (Diagrams.TooLargeException e) {
            throw YamlNode.error(
                    study.file(),
                    study.constraints().getFirst().line(),
                    "the constraints tie too many values to one another to be counted; give the parameters in them"
                            + " fewer values");
        }
    }

    private static DesignSpace space(Diagrams diagrams, KnobSet knobs, Diagrams.Diagram set, List<int[]> groups) {
        return diagrams.space(knobs, set, IntStream.range(0, knobs.size()).toArray(), groups);
    }

    private static UserError missing(Study study, Constraint c, Configuration where) {
        return YamlNode.error(
                study.file(),
                c.line(),
                "the constraint " + c.formula() + " has no value where "
                        + c.formula().columns().stream()
                                .sorted()
                                .map(n -> n + " = "
                                        + where.value(where.knobs().indexOf(n).orElseThrow()))
                                .collect(Collectors.joining(", "))
                        + "; there it divides by zero, is too large or compares a word with a number, which a"
                        + " condition before it may rule out");
    }

    /// The parameters as knobs, in the order of the file.
    public static KnobSet knobs(Study study) {
        return new KnobSet(study.parameters().stream()
                .map(p -> new Knob(p.name(), p.domain()))
                .toList());
    }

    /// The configuration that results are compared with: every parameter at its default, the first value where it has
    /// none; empty where no parameter has a default, or the constraints are not kept.
    public static Optional<Configuration> baseline(Study study, DesignSpace space) {
        if (study.parameters().stream().allMatch(p -> p.usual().isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(Configuration.of(space.knobs(), defaults(study))).filter(space::contains);
    }

    /// The level of every parameter's default, of the first value where it has none.
    public static int[] defaults(Study study) {
        return study.parameters().stream()
                .mapToInt(p -> p.usual().map(p.domain()::levelOf).orElse(0))
                .toArray();
    }

    /// A configuration that somebody proposes, the parameters it does not name as in [#baseline]. Throws [UserError] in
    /// one sentence for a name or value that there is none of, and where a constraint is not kept.
    ///
    /// @param text `NAME=VALUE;NAME=VALUE`
    public static Configuration suggested(Study study, DesignSpace space, String text) {
        KnobSet knobs = space.knobs();
        int[] levels = defaults(study);
        for (String part : text.split(";")) {
            String[] sides = part.split("=", 2);
            String name = sides[0].strip();
            int knob = knobs.indexOf(name)
                    .orElseThrow(() -> new UserError("The suggestion '" + text + "' names '" + name
                            + "', which is no parameter of " + study.file()
                            + NameSuggestions.didYouMean(
                                    name, knobs.list().stream().map(Knob::name).toList())
                            + "."));
            String value = sides.length == 1 ? "" : sides[1].strip();
            levels[knob] = study.parameters()
                    .get(knob)
                    .level(value)
                    .orElseThrow(() -> new UserError("The suggestion '" + text + "' gives " + name + " '" + value
                            + "', which is none of its values: "
                            + words(study.parameters().get(knob).domain()) + "."));
        }
        Configuration c = Configuration.of(knobs, levels);
        if (!space.contains(c)) {
            throw new UserError("The suggestion '" + text + "' does not keep the constraints of " + study.file()
                    + " (it is " + c.text().replace(";", ", ") + ").");
        }
        return c;
    }

    private static int[] variables(Study study, KnobSet knobs, Constraint c) {
        int[] variables = c.formula().columns().stream()
                .mapToInt(n -> knobs.indexOf(n).orElseThrow())
                .sorted()
                .toArray();
        double combinations = 1;
        for (int v : variables) {
            combinations *= knobs.get(v).domain().size();
        }
        if (combinations > MOST_COMBINATIONS) {
            throw YamlNode.error(
                    study.file(),
                    c.line(),
                    String.format(
                            java.util.Locale.ROOT,
                            "the constraint %s ties %.2g combinations of values; give its parameters fewer (a step, or"
                                    + " a list)",
                            c.formula(),
                            combinations));
        }
        return variables;
    }

    /// Parameters that a constraint ties may change together.
    private static List<int[]> groups(Study study, KnobSet knobs) {
        Set<BitSet> groups = new HashSet<>();
        for (Constraint c : study.constraints()) {
            var group = new BitSet();
            c.formula().columns().forEach(n -> group.set(knobs.indexOf(n).orElseThrow()));
            if (group.cardinality() > 1) {
                groups.add(group);
            }
        }
        return groups.stream().map(g -> g.stream().toArray()).toList();
    }

    /// The values of a constraint's parameters, by what the diagram tries.
    private static final class Values implements Formula.Row {
        private final KnobSet knobs;
        private final int[] variables;
        private int[] levels = new int[0];

        Values(KnobSet knobs, int[] variables) {
            this.knobs = knobs;
            this.variables = variables;
        }

        /// 1 where it holds, 0 where not, NaN where it has no value.
        double value(Constraint c, int[] tried) {
            levels = tried;
            OptionalDouble v = c.formula().value(this);
            return v.isEmpty() ? Double.NaN : v.getAsDouble() != 0 ? 1 : 0;
        }

        private String label(int i) {
            return knobs.get(variables[i]).domain().label(levels[i]);
        }

        private int position(String name) {
            int knob = knobs.indexOf(name).orElseThrow();
            int i = 0;
            while (variables[i] != knob) {
                i++;
            }
            return i;
        }

        @Override
        public OptionalDouble apply(String name) {
            int i = position(name);
            return ConfigurationRow.number(knobs.get(variables[i]).domain(), levels[i]);
        }

        @Override
        public Optional<String> text(String name) {
            return Optional.of(label(position(name)));
        }
    }

    /// The values as macros of a compiler, `-DNAME=value`, a switch as 0 or 1; a name that is none of C's is left out.
    public static List<String> macros(Configuration c) {
        return IntStream.range(0, c.knobs().size())
                .filter(i -> c.knobs().get(i).name().matches("[A-Za-z_]\\w*"))
                .mapToObj(i -> "-D" + c.knobs().get(i).name() + "="
                        + (c.knobs().get(i).domain() instanceof Domain.Toggle ? c.level(i) : c.value(i)))
                .toList();
    }

    /// A parameter's values, for a person: `8, 16, 32` or `1e-5 to 0.1, logarithmic`.
    public static String words(Domain d) {
        if (d.size() <= 12) {
            return String.join(", ", d.labels());
        }
        String ends = d.label(0) + " to " + d.label(d.size() - 1);
        return d instanceof Domain.Numbers n
                ? ends + (n.isLogarithmic() ? ", logarithmic" : "")
                : d instanceof Domain.Factors ? ends + ", " + d.size() + " values" : String.join(", ", d.labels());
    }
}
