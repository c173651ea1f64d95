package knobscape.app.ui.designs;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.explore.Objectives;
import knobscape.explore.Prediction;
import knobscape.explore.Promise;
import knobscape.project.Design;
import knobscape.project.RunResults.TracePoint;
import knobscape.space.KnobSet;

/// All designs of one run at one moment; immutable, so that the background may read it while the run is active.
/// Designs are addressed by index `0 .. size()-1`; design `#n` has index `n - 1`.
///
/// @param terms what the run searches, and for what
/// @param designs by index; not copied, not to be changed
/// @param standings ordinal of the [DesignStanding] of each design; not copied, not to be changed
/// @param baseline the design without directives, evaluated for comparison
/// @param twin number of the design of the run that is the baseline, [Results#BASELINE] where none is
/// @param repeats indexes of members of the front to that of the first member with equal objectives
/// @param trace one point per completed step
/// @param promise what the method last expected of the next hour of tool time, where it says so
/// @param columns shown values that were asked for as a whole
public record DesignSet(
        Terms terms,
        Design[] designs,
        byte[] standings,
        Optional<Design> baseline,
        int twin,
        Map<Integer, Integer> repeats,
        List<TracePoint> trace,
        Optional<Promise> promise,
        Columns columns) {
    /// The knobs and objectives of a run.
    ///
    /// @param info what the evaluator offers; empty before a run
    /// @param objectives the metrics explored, in order
    /// @param scales scales and reference point, once fixed
    /// @param knobs in order
    public record Terms(
            Optional<EvaluatorInfo> info, List<Metric> objectives, Optional<Objectives> scales, KnobSet knobs) {
        public Terms {
            objectives = List.copyOf(objectives);
        }
    }

    /// Shown values by metric, NaN where there is none; each is found once. Of any thread.
    static final class Columns {
        private final Map<String, double[]> found = new ConcurrentHashMap<>();
    }

    /// The number of a design as a metric: what a plot of one objective has across.
    public static final Metric NUMBER = new Metric("#", "Design", "", Metric.Direction.MINIMISE, Double.NaN);

    private static final DesignStanding[] STANDINGS = DesignStanding.values();
    private static final DesignSet NONE = new DesignSet(
            new DesignSet.Terms(Optional.empty(), List.of(), Optional.empty(), new KnobSet(List.of())),
            new Design[0],
            new byte[0],
            Optional.empty(),
            Results.BASELINE,
            Map.of(),
            List.of(),
            Optional.empty(),
            new Columns());

    public DesignSet {
        repeats = Map.copyOf(repeats);
        trace = List.copyOf(trace);
    }

    /// The offer of the evaluator; empty before a run.
    public Optional<EvaluatorInfo> info() {
        return terms.info;
    }

    /// The metrics explored, in order.
    public List<Metric> objectives() {
        return terms.objectives;
    }

    /// Scales and reference point, once fixed.
    public Optional<Objectives> scales() {
        return terms.scales;
    }

    /// The knobs, in order.
    public KnobSet knobs() {
        return terms.knobs;
    }

    /// No run, no designs.
    public static DesignSet none() {
        return NONE;
    }

    /// How many designs.
    public int size() {
        return designs.length;
    }

    /// The design at `index`.
    public Design get(int index) {
        return designs[index];
    }

    /// Where the design at `index` stands.
    public DesignStanding standing(int index) {
        return STANDINGS[standings[index]];
    }

    /// How many designs stand there.
    public int count(DesignStanding standing) {
        int n = 0;
        for (byte s : standings) {
            n += s == standing.ordinal() ? 1 : 0;
        }
        return n;
    }

    /// Different points of the front.
    public int frontSize() {
        return count(DesignStanding.FRONT) - repeats.size();
    }

    /// Tool time spent, of designs of several runs that of each evaluation once.
    public double toolSeconds() {
        return trace.isEmpty()
                ? Arrays.stream(designs).mapToDouble(Design::toolSeconds).sum()
                : trace.getLast().toolSeconds();
    }

    /// True if a design is the baseline, as itself or as one of the run.
    public boolean isBaseline(int number) {
        return number == Results.BASELINE || number == twin;
    }

    /// Numbers of the other members of the front with the objectives of one of them.
    public List<Integer> same(int number) {
        Integer first = repeats.getOrDefault(number - 1, number - 1);
        return Stream.concat(
                        Stream.of(first),
                        repeats.entrySet().stream()
                                .filter(e -> e.getValue().equals(first))
                                .map(Map.Entry::getKey))
                .filter(i -> i != number - 1)
                .map(i -> i + 1)
                .sorted()
                .toList();
    }

    /// The design with this number: 0 is the baseline.
    public Optional<Design> byNumber(int number) {
        if (number == 0) {
            return baseline;
        }
        return number >= 1 && number <= designs.length ? Optional.of(designs[number - 1]) : Optional.empty();
    }

    /// Index of the design with this number, where it is one of the run.
    public OptionalInt indexOf(int number) {
        return number >= 1 && number <= designs.length ? OptionalInt.of(number - 1) : OptionalInt.empty();
    }

    /// Value of a metric where a plot or table shows the design: measured at the highest fidelity that reports
    /// it; for a design that has not reached the top but has a prediction of it, the predicted median.
    public OptionalDouble shownValue(int index, String metric) {
        double v = shownOrNaN(index, metric);
        return Double.isNaN(v) ? OptionalDouble.empty() : OptionalDouble.of(v);
    }

    /// True if a plot or table has a value of a metric to show of the design.
    public boolean shows(int index, Metric metric) {
        return !Double.isNaN(shownOrNaN(index, metric.name()));
    }

    /// As [#shownValue], NaN where there is none; makes no object, for who looks at all designs.
    public double shownOrNaN(int index, String metric) {
        double[] known = columns.found.get(metric);
        return known == null ? find(index, metric) : known[index];
    }

    /// The shown values of a metric of all designs by index, NaN where there is none; not to be changed. For figures,
    /// which are drawn of the same designs many times.
    public double[] column(Metric metric) {
        return columns.found.computeIfAbsent(
                metric.name(),
                name -> IntStream.range(0, size())
                        .mapToDouble(i -> find(i, name))
                        .toArray());
    }

    private double find(int index, String metric) {
        if (metric.equals(NUMBER.name())) {
            return index + 1;
        }
        Design d = designs[index];
        if (standing(index) == DesignStanding.PREDICTED) {
            Optional<Prediction.Interval> predicted =
                    d.prediction().map(p -> p.metrics().get(metric));
            if (predicted.isPresent()) {
                return predicted.get().median();
            }
        }
        return d.valueOrNaN(metric);
    }

    /// The word that says where the shown values of the design come from (`impl, built-in estimate`;
    /// `predicted`).
    public String source(int index) {
        if (standing(index) == DesignStanding.PREDICTED) {
            return Provenance.Source.PREDICTED.words();
        }
        return source(designs[index]);
    }

    /// The word that says where the values of a design come from.
    public static String source(Design design) {
        for (int i = design.evaluations().size() - 1; i >= 0; i--) {
            Evaluation e = design.evaluations().get(i);
            if (e.isMeasured()) {
                return e.fidelity().name() + ", " + e.provenance().source().words();
            }
        }
        return "";
    }

    /// Why a design is invalid or failed, in words.
    public static Optional<String> reason(Design design) {
        return design.highest().map(Evaluation::outcome).flatMap(o -> switch (o) {
            case Outcome.Measured m -> Optional.empty();
            case Outcome.Failure f ->
                Optional.of(
                        f.kind().isInvalid()
                                ? f.reason()
                                : "The tool failed (" + f.kind().words() + "): " + f.reason());
        });
    }

    /// A source without its stage where there is one stage only.
    public String shownSource(String source) {
        return info().filter(i -> i.fidelities().size() == 1)
                .map(i -> i.top().name() + ", ")
                .filter(source::startsWith)
                .map(stage -> source.substring(stage.length()))
                .orElse(source);
    }

    /// The word for the numbers of this run's evaluator, empty before a run.
    public String sourceWords() {
        return info().map(i -> i.source().words()).orElse("");
    }
}
