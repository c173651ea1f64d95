package knobscape.project;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.explore.Objectives;
import knobscape.pareto.ParetoFront;

/// Everything stored of one run at one moment.
///
/// @param run the run
/// @param designs by number; those still in flight have no evaluations
/// @param trace one point per completed step, the initial designs being step 0
/// @param events the log, oldest first
public record RunResults(RunRecord run, List<Design> designs, List<TracePoint> trace, List<LogLine> events) {
    public RunResults {
        designs = List.copyOf(designs);
        trace = List.copyOf(trace);
        events = List.copyOf(events);
    }

    /// The designs whose top-fidelity objectives no other design dominates, by number; empty before the objectives are fixed.
    public List<Design> front() {
        return run.objectives().map(o -> {
            var measured = designs.stream().filter(d -> vector(d, o).isPresent()).toList();
            double[][] vectors = measured.stream().map(d -> vector(d, o).orElseThrow()).toArray(double[][]::new);
            return vectors.length == 0 ? List.<Design>of() : Arrays.stream(ParetoFront.nonDominated(vectors)).mapToObj(measured::get).toList();
        }).orElse(List.of());
    }

    private Optional<double[]> vector(Design design, Objectives objectives) {
        return design.at(run.info().top()).flatMap(objectives::vector);
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
    /// @param diagnostics what the explorer told of how it chose, name to values ([knobscape.explore.Explorer#diagnostics()]); empty where it told nothing
    public record TracePoint(int step, double hypervolume, int frontSize, double toolSeconds, double algorithmSeconds, Map<String, double[]> diagnostics) {
        public TracePoint {
            diagnostics = Map.copyOf(diagnostics);
        }

        /// A point without diagnostics.
        public TracePoint(int step, double hypervolume, int frontSize, double toolSeconds, double algorithmSeconds) {
            this(step, hypervolume, frontSize, toolSeconds, algorithmSeconds, Map.of());
        }
    }

    /// A line of the log.
    ///
    /// @param at when
    /// @param text what
    public record LogLine(java.time.Instant at, String text) { }
}
