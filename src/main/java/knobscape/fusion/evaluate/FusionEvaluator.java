package knobscape.fusion.evaluate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
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
import knobscape.fusion.space.Strategy;
import knobscape.fusion.space.StrategySpace;

/// The cost model as an evaluator. Objectives are latency and peak memory; a strategy that does not fit the
/// buffer is invalid, and the reason says by how much.
public final class FusionEvaluator implements Evaluator {
    /// Its name as a toolchain.
    public static final String NAME = "cost-model";
    /// The only stage.
    public static final Fidelity MODEL = new Fidelity("model", 0);
    /// Latency in microseconds.
    public static final String LATENCY = "latency";
    /// Peak of staged activations in MB.
    public static final String MEMORY = "memory";
    /// Baseline latency over latency.
    public static final String SPEEDUP = "speedup";
    private static final double MICRO = 1e6;
    private static final double MEGA = 1e6;

    private static final Provenance PROVENANCE = new Provenance(NAME, "1", 0, Provenance.Source.MODEL);

    private final FusionCostModel model;
    private final StrategySpace space;
    private final EvaluatorInfo info;

    public FusionEvaluator(FusionCostModel model, StrategySpace space) {
        this.model = model;
        this.space = space;
        var metrics = List.of(
                new Metric(LATENCY, "Latency", "us", Metric.Direction.MINIMISE, model.baselineSeconds() * MICRO),
                new Metric(MEMORY, "Peak memory", "MB", Metric.Direction.MINIMISE, model.budget() / MEGA),
                new Metric(SPEEDUP, "Speedup", "", Metric.Direction.MAXIMISE, Double.NaN),
                new Metric("offchip", "Off-chip traffic", "MB", Metric.Direction.MINIMISE, Double.NaN),
                new Metric("onchip", "On-chip traffic", "MB", Metric.Direction.MINIMISE, Double.NaN));
        this.info = new EvaluatorInfo(
                        NAME,
                        "Analytical cost model of layer fusion.",
                        Provenance.Source.MODEL,
                        List.of(MODEL),
                        metrics,
                        Map.of(
                                MODEL.name(),
                                Set.copyOf(metrics.stream().map(Metric::name).toList())),
                        List.of(LATENCY, MEMORY),
                        Map.of(MODEL.name(), 0.0))
                .pure();
    }

    @Override
    public EvaluatorInfo info() {
        return info;
    }

    @Override
    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
        cancel.throwIfCancelled();
        Outcome outcome = outcome(space.strategy(request.configuration()));
        stageDone.accept(new Evaluation(request.configuration(), MODEL, outcome, 0, PROVENANCE));
    }

    /// The space may be that of a larger batch.
    private Outcome outcome(Strategy strategy) {
        if (strategy.largest() > model.batch()) {
            return new Outcome.Failure(
                    FailureKind.DOES_NOT_FIT,
                    "Needs a batch of " + strategy.largest() + " samples; the batch is " + model.batch() + ".");
        }
        int[] entries = strategy.toArray();
        Cost cost = model.evaluate(entries);
        return model.isValid(cost)
                ? measured(cost)
                : new Outcome.Failure(FailureKind.DOES_NOT_FIT, model.whatDoesNotFit(entries));
    }

    private Outcome measured(Cost cost) {
        var values = new LinkedHashMap<String, Double>();
        values.put(LATENCY, cost.seconds() * MICRO);
        values.put(MEMORY, cost.peakBytes() / MEGA);
        values.put(SPEEDUP, model.speedup(cost.seconds()));
        values.put("offchip", cost.offChipBytes() / MEGA);
        values.put("onchip", cost.onChipBytes() / MEGA);
        return new Outcome.Measured(values);
    }
}
