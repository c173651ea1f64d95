package knobscape.lab.bench;

import java.util.LinkedHashMap;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.gpu.evaluate.replay.MeasuredSet;

/// A measured set as a device whose measurements differ each time: log-normal factors on the times.
final class NoisyReplay implements Evaluator {
    private final Evaluator inner;
    private final double deviation;
    private final SplittableRandom random;

    /// @param deviation of the logarithm of a time
    NoisyReplay(MeasuredSet set, double deviation, long seed) {
        this.inner = set.evaluator();
        this.deviation = deviation;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public EvaluatorInfo info() {
        EvaluatorInfo i = inner.info();
        return new EvaluatorInfo(
                i.name(),
                i.description(),
                Provenance.Source.MEASURED,
                i.fidelities(),
                i.metrics(),
                i.reported(),
                i.objectives(),
                i.typicalSeconds());
    }

    @Override
    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
        inner.evaluate(request, e -> stageDone.accept(disturbed(e)), cancel);
    }

    private Evaluation disturbed(Evaluation e) {
        if (!(e.outcome() instanceof Outcome.Measured m)) {
            return e;
        }
        double factor = Math.exp(deviation * random.nextGaussian());
        var values = new LinkedHashMap<>(m.values());
        values.replaceAll((name, v) -> name.equals("time") ? v * factor : v / factor);
        return new Evaluation(
                e.configuration(), e.fidelity(), new Outcome.Measured(values), e.costSeconds(), e.provenance());
    }
}
