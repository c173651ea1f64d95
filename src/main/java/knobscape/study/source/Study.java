package knobscape.study.source;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Formula;
import knobscape.evaluate.Metric;
import knobscape.space.Domain;
import knobscape.study.text.Numerals;

/// The contents of a study file.
///
/// @param file name, for messages
/// @param name by which studies of the same program know one another; empty for the file's
/// @param parameters at least one, with names that differ
/// @param constraints that a configuration keeps
/// @param metrics what is reported, objectives first
/// @param objectives names of the metrics explored
/// @param positive names of the metrics that are always above 0
/// @param stages how a configuration is measured, the cheapest first; none where results are only told
/// @param run settings of a run that the file gives, as an option would be written (`method` to `bo`)
public record Study(
        String file,
        String name,
        List<StudyParameter> parameters,
        List<Constraint> constraints,
        List<Metric> metrics,
        List<String> objectives,
        List<String> positive,
        List<Stage> stages,
        Map<String, String> run) {
    public Study {
        parameters = List.copyOf(parameters);
        constraints = List.copyOf(constraints);
        metrics = List.copyOf(metrics);
        objectives = List.copyOf(objectives);
        positive = List.copyOf(positive);
        stages = List.copyOf(stages);
        run = Map.copyOf(run);
    }

    /// A parameter.
    ///
    /// @param name letters, digits, `_`, `.` and `-`
    /// @param domain its values
    /// @param usual the value that results are compared with
    /// @param line where it stands, from 1
    public record StudyParameter(String name, Domain domain, Optional<String> usual, int line) {
        /// The level that a word means: its own, or the nearest step of a range that holds it.
        public OptionalInt level(String word) {
            String label = domain instanceof Domain.Toggle ? toggle(word) : word;
            int own = domain.levelOf(label);
            Optional<Double> v = Numerals.number(word);
            if (own >= 0 || !(domain instanceof Domain.Numbers n) || v.isEmpty()) {
                return own < 0 ? OptionalInt.empty() : OptionalInt.of(own);
            }
            List<Double> steps = n.values();
            return v.get() < steps.getFirst() || v.get() > steps.getLast()
                    ? OptionalInt.empty()
                    : IntStream.range(0, steps.size())
                            .reduce((a, b) ->
                                    Math.abs(steps.get(b) - v.get()) < Math.abs(steps.get(a) - v.get()) ? b : a);
        }

        private static String toggle(String word) {
            return StudyReader.isYes(word) ? "on" : List.of("false", "no").contains(word) ? "off" : word;
        }
    }

    /// A condition over parameters.
    ///
    /// @param formula above 0 where it holds
    /// @param line where it stands, from 1
    public record Constraint(Formula formula, int line) {}

    /// A way of measuring.
    ///
    /// @param name lower-case letters and digits
    /// @param build program and arguments run before it; none for nothing to build
    /// @param command program and arguments, in which `{name}` stands for a parameter's value
    /// @param check program and arguments that end with status 0 where the result is right; none for no check
    /// @param environment variables of both, with the same placeholders
    /// @param patterns by metric, a regular expression whose first group is its value in what is printed
    /// @param limitSeconds longest time; infinite where the file says nothing
    /// @param kernel what is measured in place of a command; empty where a command measures
    /// @param line where the command or kernel stands, from 1
    public record Stage(
            String name,
            List<String> build,
            List<String> command,
            List<String> check,
            Map<String, String> environment,
            Map<String, java.util.regex.Pattern> patterns,
            double limitSeconds,
            Optional<OwnKernel> kernel,
            int line) {
        public Stage {
            build = List.copyOf(build);
            command = List.copyOf(command);
            check = List.copyOf(check);
            environment = Map.copyOf(environment);
            patterns = Map.copyOf(patterns);
        }

        /// The started program, for a person.
        public String words() {
            return kernel.map(k ->
                            "kernel " + k.code().function() + " of " + k.code().file())
                    .orElseGet(() -> String.join(" ", command));
        }

        /// The measurer, in a word or few.
        public String measurer() {
            return kernel.isPresent() ? "the " + words() : command.getFirst();
        }

        /// The commands that are run, in order; none for a kernel.
        public List<List<String>> steps() {
            return Stream.of(build, command, check).filter(s -> !s.isEmpty()).toList();
        }
    }
}
