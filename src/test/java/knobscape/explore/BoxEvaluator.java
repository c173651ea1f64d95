package knobscape.explore;

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
import knobscape.space.Configuration;

/// A tool of three stages with a known answer: more unrolling costs area and power and saves delay, every stage
/// bends the curve a little more, and where all knobs stand at their highest the design does not fit. For tests
/// of everything above it.
public class BoxEvaluator implements Evaluator {
    public static final Fidelity HLS = new Fidelity("hls", 0);
    public static final Fidelity SYN = new Fidelity("syn", 1);
    public static final Fidelity IMPL = new Fidelity("impl", 2);
    private static final double[] STAGE_SECONDS = {60, 240, 600};

    @Override
    public EvaluatorInfo info() {
        var metrics = List.of(
                new Metric("power", "Power", "W", Metric.Direction.MINIMISE, 10),
                new Metric("delay", "Delay", "ns", Metric.Direction.MINIMISE, Double.NaN),
                new Metric("lut", "LUT", "", Metric.Direction.MINIMISE, 100_000),
                new Metric("clock", "Clock", "ns", Metric.Direction.NEUTRAL, Double.NaN));
        var all = Set.of("power", "delay", "lut", "clock");
        return new EvaluatorInfo(
                "box",
                "A tool with a known answer.",
                Provenance.Source.MODEL,
                List.of(HLS, SYN, IMPL),
                metrics,
                Map.of("hls", all, "syn", all, "impl", all),
                List.of("power", "delay", "lut"),
                Map.of("hls", 60.0, "syn", 240.0, "impl", 600.0));
    }

    @Override
    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
        Configuration c = request.configuration();
        for (Fidelity f : info().fidelities()
                .subList(request.from().rank(), request.upTo().rank() + 1)) {
            cancel.throwIfCancelled();
            Outcome outcome = outcome(c, f.rank());
            stageDone.accept(new Evaluation(
                    c, f, outcome, STAGE_SECONDS[f.rank()], new Provenance("box", "1", 0, Provenance.Source.MODEL)));
            if (!(outcome instanceof Outcome.Measured)) {
                break;
            }
        }
    }

    private static Outcome outcome(Configuration c, int rank) {
        double work = 1;
        double area = 0;
        boolean highest = true;
        for (int i = 0; i < c.knobs().size(); i++) {
            int level = c.level(i);
            highest &= level == c.knobs().get(i).domain().size() - 1;
            work *= 1 + level;
            area += Math.pow(1 + level, 1 + 0.1 * i + 0.05 * rank);
        }
        if (highest && rank > 0) {
            return new Outcome.Failure(FailureKind.REJECTED, "needs more LUTs than the part has");
        }
        var values = new LinkedHashMap<String, Double>();
        values.put("power", 0.2 + 0.05 * area + 0.01 * rank);
        values.put("delay", 10_000 / work * (1 + 0.02 * rank * area));
        values.put("lut", 500 * area * (1 + 0.1 * Math.sin(work * (rank + 1))));
        values.put("clock", 8.0 + rank);
        return new Outcome.Measured(values);
    }
}
