package knobscape.explore;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
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

/// A made-up FPGA flow over six knobs (parallelism, pipelining, three partitionings, a binding) for tests:
/// three fidelities, three objectives that pull against one another, non-linear differences between fidelities,
/// some invalid designs, no power at the lowest fidelity.
public final class SyntheticFlow implements Evaluator {
    /// The space it evaluates: 6 x 3 x 4 x 4 x 4 x 2 = 2304 designs.
    public static final GridSpace SPACE = GridSpace.of(6, 3, 4, 4, 4, 2);

    private static final List<Fidelity> FIDELITIES =
            List.of(new Fidelity("hls", 0), new Fidelity("syn", 1), new Fidelity("impl", 2));
    private final EvaluatorInfo info;

    /// @param powerAtHls whether the lowest fidelity reports power
    public SyntheticFlow(boolean powerAtHls) {
        info = new EvaluatorInfo(
                "synthetic",
                "A made-up flow.",
                Provenance.Source.MODEL,
                FIDELITIES,
                List.of(
                        new Metric("power", "Power", "W", Metric.Direction.MINIMISE, 10),
                        new Metric("delay", "Delay", "ns", Metric.Direction.MINIMISE, Double.NaN),
                        new Metric("lut", "LUT", "", Metric.Direction.MINIMISE, 100_000)),
                Map.of(
                        "hls",
                        powerAtHls ? Set.of("power", "delay", "lut") : Set.of("delay", "lut"),
                        "syn",
                        Set.of("power", "delay", "lut"),
                        "impl",
                        Set.of("power", "delay", "lut")),
                List.of("power", "delay", "lut"),
                Map.of("hls", 100.0, "syn", 600.0, "impl", 900.0));
    }

    @Override
    public EvaluatorInfo info() {
        return info;
    }

    /// Objectives that no run has to guess, for comparing runs: delay in units of 2 ms.
    public Objectives objectives() {
        return new Objectives(info.metrics(), List.of(10.0, 2e6, 100_000.0), List.of(1.1, 1.1, 1.1));
    }

    @Override
    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
        cancel.throwIfCancelled();
        Configuration c = request.configuration();
        for (Fidelity f :
                FIDELITIES.subList(request.from().rank(), request.upTo().rank() + 1)) {
            Outcome outcome = outcome(c, f);
            stageDone.accept(new Evaluation(
                    c,
                    f,
                    outcome,
                    List.of(100.0, 600.0, 900.0).get(f.rank()) * (1 + 0.2 * c.level(0)),
                    new Provenance("synthetic", "1", 0, Provenance.Source.MODEL)));
            if (!(outcome instanceof Outcome.Measured)) {
                break;
            }
        }
    }

    private Outcome outcome(Configuration c, Fidelity f) {
        double unroll = 1 << c.level(0);
        double ii = c.level(1) == 0 ? 8 : c.level(1) == 1 ? 2 : 1;
        double ports = Math.min(unroll, 2.0 * (1 << Math.min(c.level(2), c.level(3))));
        double banks = (1 << c.level(2)) + (1 << c.level(3)) + (1 << c.level(4));
        boolean dsp = c.level(5) == 1;
        double parallel = ports / Math.max(1, Math.min(ii, 2));
        double cycles = 4e5 / parallel * (c.level(1) == 0 ? 1.8 : 1) + 2000 * c.level(4);
        double lut = 1500 + 900 * unroll * (dsp ? 0.35 : 1) * (3 / (1 + 0.5 * ii)) + 260 * banks;
        double clock = 7.2;
        if (f.rank() >= 1) {
            lut *= 0.55 + 0.25 * Math.tanh(banks / 10) - (dsp ? 0.05 : 0);
            clock = 5 + 0.5 * Math.log(lut) / Math.log(10) + 0.02 * banks;
        }
        if (f.rank() == 2) {
            double congestion = lut / 60_000 + 0.01 * banks;
            clock += 4 * congestion * congestion + 0.8 * Math.sin(3 * c.level(2) + c.level(3)) * congestion;
            lut *= 0.93;
            if (lut > 34_000) {
                return new Outcome.Failure(FailureKind.REJECTED, "does not fit");
            }
        }
        if (banks > 22) {
            return new Outcome.Failure(FailureKind.REJECTED, "too many banks");
        }
        double noise = new SplittableRandom(c.hashCode() * 31L + f.rank()).nextDouble(-0.01, 0.01);
        double power = 0.3 + lut / 100_000 * 20 / clock * (0.7 + 0.3 / ii) + (dsp ? 0.02 * unroll : 0);
        var values = new LinkedHashMap<String, Double>();
        if (info.reports(f, "power")) {
            values.put("power", power * (1 + noise));
        }
        values.put("delay", cycles * clock * (1 + noise / 2));
        values.put("lut", Math.rint(lut * (1 + noise)));
        return new Outcome.Measured(values);
    }
}
