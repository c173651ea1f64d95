package knobscape.hls.evaluate.estimator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveSpace;
import knobscape.space.Configuration;

/// The built-in estimator as an [Evaluator] with the fidelities `hls`, `syn` and `impl`.
///
/// Metrics: `power` (W), `latency` (cycles), `clock` (ns), `delay` (ns) = latency x clock, `lut`, `ff`, `dsp`,
/// `bram`, `interval` (cycles from one start of the top function to the next). All are reported at every fidelity; at
/// `hls`, power is a rough guess from the report's columns, as
/// no vendor tool gives one there. A design that does not fit the part ends at the stage that finds out,
/// [FailureKind#DOES_NOT_FIT]. Thread-safe.
public final class EstimatorEvaluator implements Evaluator {
    /// Name on the command line and in provenance.
    public static final String NAME = "estimator";
    /// Changes whenever the same configuration may come out differently.
    public static final String VERSION = "7";
    /// Scheduling, lowest fidelity.
    public static final Fidelity HLS = new Fidelity("hls", 0);
    /// Logic synthesis.
    public static final Fidelity SYN = new Fidelity("syn", 1);
    /// Placement and routing, highest fidelity.
    public static final Fidelity IMPL = new Fidelity("impl", 2);

    private static final List<Fidelity> FIDELITIES = List.of(HLS, SYN, IMPL);

    private final Function<Configuration, Design> designs;
    private final EvaluatorInfo info;
    private final Provenance provenance;

    /// The work that is estimated.
    ///
    /// @param estimator of the source that is built
    private record Design(Estimator estimator, List<Directive> directives) {}

    private record Source(DirectiveSpace space, double clockNs) {}

    /// For a directive space, each design by the source that it stands for.
    public EstimatorEvaluator(DirectiveSpace space, EstimatorSettings settings) {
        this(inSpace(space, settings), space.baseline());
    }

    private EstimatorEvaluator(Function<Configuration, Design> designs, Configuration baseline) {
        this(
                designs.apply(baseline).estimator(),
                designs,
                designs.apply(baseline).directives());
    }

    private static Function<Configuration, Design> inSpace(DirectiveSpace space, EstimatorSettings settings) {
        var estimators = new ConcurrentHashMap<Source, Estimator>();
        return c -> {
            DirectiveSpace.Placed built = space.at(c);
            double clock = built.clockNs().orElse(settings.clockNs());
            return new Design(
                    estimators.computeIfAbsent(
                            new Source(built.space(), clock),
                            s -> new Estimator(
                                    s.space().kernel(),
                                    settings.withClockNs(clock),
                                    name -> s.space()
                                            .space()
                                            .knobs()
                                            .indexOf(name)
                                            .isPresent())),
                    built.directives());
        };
    }

    /// For a kernel and any way from a configuration to directives.
    public EstimatorEvaluator(
            Kernel kernel, Function<Configuration, List<Directive>> directives, EstimatorSettings settings) {
        this(new Estimator(kernel, settings), directives);
    }

    private EstimatorEvaluator(Estimator estimator, Function<Configuration, List<Directive>> directives) {
        this(estimator, c -> new Design(estimator, directives.apply(c)), List.of());
    }

    private EstimatorEvaluator(Estimator estimator, Function<Configuration, Design> designs, List<Directive> typical) {
        this.designs = designs;
        EstimatorSettings settings = estimator.settings();
        this.provenance = new Provenance(
                NAME,
                settings.isCalibrated() ? VERSION + "+" + settings.calibration().hash() : VERSION,
                settings.seed(),
                Provenance.Source.BUILT_IN_ESTIMATE);
        this.info = describe(settings, estimator, typical);
    }

    private static EvaluatorInfo describe(EstimatorSettings settings, Estimator estimator, List<Directive> typical) {
        var part = settings.part();
        List<Metric> metrics = List.of(
                new Metric("power", "Power", "W", Metric.Direction.MINIMISE, part.maximumWatts()),
                new Metric("delay", "Delay", "ns", Metric.Direction.MINIMISE, Double.NaN),
                new Metric("lut", "LUT", "", Metric.Direction.MINIMISE, part.lut()),
                new Metric("latency", "Latency", "cycles", Metric.Direction.MINIMISE, Double.NaN),
                new Metric("clock", "Clock period", "ns", Metric.Direction.MINIMISE, Double.NaN),
                new Metric("ff", "FF", "", Metric.Direction.MINIMISE, part.ff()),
                new Metric("dsp", "DSP", "", Metric.Direction.MINIMISE, part.dsp()),
                new Metric("bram", "BRAM", "", Metric.Direction.MINIMISE, part.bram()),
                new Metric("interval", "Interval", "cycles", Metric.Direction.MINIMISE, Double.NaN));
        Set<String> names = Set.copyOf(metrics.stream().map(Metric::name).toList());
        var seconds = new LinkedHashMap<String, Double>();
        List<StageFigures> stages = estimator.estimate(typical, IMPL.rank());
        double[] usual = {25, 300, 270};
        for (Fidelity f : FIDELITIES) {
            seconds.put(
                    f.name(),
                    f.rank() < stages.size() && stages.getLast().misfit().isEmpty()
                            ? stages.get(f.rank()).seconds()
                            : usual[f.rank()]);
        }
        return new EvaluatorInfo(
                        NAME,
                        "Built-in estimate for " + part.name() + " at " + trimmed(settings.clockNs())
                                + " ns; no vendor tool is run"
                                + (settings.isCalibrated()
                                        ? ", calibrated to "
                                                + settings.calibration().from()
                                        : ""),
                        Provenance.Source.BUILT_IN_ESTIMATE,
                        FIDELITIES,
                        metrics,
                        Map.of("hls", names, "syn", names, "impl", names),
                        List.of("power", "delay", "lut"),
                        seconds)
                .simulated();
    }

    private static String trimmed(double x) {
        return x == Math.rint(x) ? Long.toString((long) x) : Double.toString(x);
    }

    @Override
    public EvaluatorInfo info() {
        return info;
    }

    /// Schedules of the loops that a configuration leaves.
    public List<LoopSchedule> schedules(Configuration configuration) {
        Design d = designs.apply(configuration);
        return d.estimator().schedules(d.directives());
    }

    /// Why a configuration comes out as it does.
    public EstimateReport explain(Configuration configuration) {
        Design d = designs.apply(configuration);
        return d.estimator().explain(d.directives());
    }

    @Override
    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
        cancel.throwIfCancelled();
        EstimateReport report = explain(request.configuration());
        List<StageFigures> stages = report.stages();
        for (int i = request.from().rank();
                i < Math.min(stages.size(), request.upTo().rank() + 1);
                i++) {
            StageFigures s = stages.get(i);
            cancel.throwIfCancelled();
            Outcome outcome = s.misfit().isEmpty()
                    ? measured(s, report.interval())
                    : new Outcome.Failure(FailureKind.DOES_NOT_FIT, s.misfit());
            stageDone.accept(
                    new Evaluation(request.configuration(), FIDELITIES.get(i), outcome, s.seconds(), provenance));
        }
    }

    private static Outcome measured(StageFigures s, double interval) {
        var values = new LinkedHashMap<String, Double>();
        values.put("power", s.powerWatts());
        values.put("delay", s.delayNs());
        values.put("lut", s.lut());
        values.put("latency", s.latencyCycles());
        values.put("clock", s.clockNs());
        values.put("ff", s.ff());
        values.put("dsp", s.dsp());
        values.put("bram", s.bram());
        values.put("interval", interval);
        return new Outcome.Measured(values);
    }
}
