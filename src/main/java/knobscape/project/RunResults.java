package knobscape.project;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.pareto.ParetoFront;
import knobscape.work.StoredEvaluation;

/// Everything stored of one run at one moment.
///
/// @param run the run
/// @param designs by number; those still in flight have no evaluations
/// @param trace one point per completed step, in the order they were completed, the initial designs being step
/// 0
/// @param events the log, oldest first
/// @param damaged how many stored rows could not be read and are left out
public record RunResults(
        RunRecord run, List<Design> designs, List<TracePoint> trace, List<LogLine> events, int damaged) {
    public RunResults {
        designs = List.copyOf(designs);
        trace = List.copyOf(trace);
        events = List.copyOf(events);
    }

    /// The designs whose top-fidelity objectives no other design of their subject dominates, by subject and
    /// number; none of a subject before its objectives are fixed.
    public List<Design> front() {
        return run.subjects().stream().flatMap(s -> front(s.number()).stream()).toList();
    }

    /// The front of one subject.
    public List<Design> front(int subject) {
        StoredSubject s = run.subjects().get(subject);
        return s.objectives()
                .map(o -> {
                    record Measured(Design design, double[] vector) {}
                    List<Measured> measured = designs.stream()
                            .filter(d -> d.subject() == subject)
                            .flatMap(d -> d.at(s.info().top()).flatMap(o::vector).map(v -> new Measured(d, v)).stream())
                            .toList();
                    double[][] vectors = measured.stream().map(Measured::vector).toArray(double[][]::new);
                    return vectors.length == 0
                            ? List.<Design>of()
                            : Arrays.stream(ParetoFront.nonDominated(vectors))
                                    .mapToObj(i -> measured.get(i).design())
                                    .toList();
                })
                .orElse(List.of());
    }

    /// Every evaluation, by design.
    public Stream<StoredEvaluation> found() {
        return designs.stream()
                .flatMap(d -> d.evaluations().stream().map(e -> new StoredEvaluation(d.subject(), d.step(), e)));
    }

    /// The design of a number (27 or #27) or identifier. Throws [UserError] where there is none.
    public Design named(String id) {
        String bare = id.startsWith("#") ? id.substring(1) : id;
        return designs.stream()
                .filter(d -> Integer.toString(d.number()).equals(bare)
                        || d.configuration().id().equals(bare.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError(
                        "Run " + run.id() + " has no design " + id + "; it has #1 to #" + designs.size() + "."));
    }

    /// The design numbered `number`, if there is one.
    public Optional<Design> design(int number) {
        return designs.stream().filter(d -> d.number() == number).findFirst();
    }

    /// State of the run after a completed step.
    ///
    /// @param step 0 after the initial designs
    /// @param hypervolume of the top-fidelity front in normalised objectives
    /// @param frontSize designs on it
    /// @param toolSeconds tool time spent up to then
    /// @param algorithmSeconds time of the explorer up to then
    /// @param diagnostics what the explorer told of how it chose, name to values
    /// ([knobscape.explore.Explorer#diagnostics()]); empty where it told nothing
    /// @param subject index of the subject
    public record TracePoint(
            int step,
            double hypervolume,
            int frontSize,
            double toolSeconds,
            double algorithmSeconds,
            Map<String, double[]> diagnostics,
            int subject) {
        public TracePoint {
            diagnostics = Map.copyOf(diagnostics);
        }

        /// A point of the first subject.
        public TracePoint(
                int step,
                double hypervolume,
                int frontSize,
                double toolSeconds,
                double algorithmSeconds,
                Map<String, double[]> diagnostics) {
            this(step, hypervolume, frontSize, toolSeconds, algorithmSeconds, diagnostics, 0);
        }

        /// A point without diagnostics.
        public TracePoint(int step, double hypervolume, int frontSize, double toolSeconds, double algorithmSeconds) {
            this(step, hypervolume, frontSize, toolSeconds, algorithmSeconds, Map.of());
        }
    }

    /// When an evaluation came back.
    ///
    /// @param at when
    /// @param subject index of the subject
    /// @param step that asked for it, 0 for an initial design
    /// @param position of its proposal in the step
    /// @param design number
    /// @param rank of its fidelity
    public record Arrival(Instant at, int subject, int step, int position, int design, int rank) {}

    /// A line of the log.
    ///
    /// @param at when
    /// @param text what
    public record LogLine(Instant at, String text) {}
}
