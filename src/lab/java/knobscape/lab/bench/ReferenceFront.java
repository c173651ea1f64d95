package knobscape.lab.bench;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.pareto.ParetoFront;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// The front that explorers are held against: of the whole space where it is small, else of a seeded uniform
/// sample.
///
/// @param metrics objectives in order
/// @param vectors its points, k x M, minimised, raw units (a maximised metric is negated, which the relative
/// distance does not take)
record ReferenceFront(String subject, List<Metric> metrics, double[][] vectors) {
    /// Largest space that is evaluated as a whole, and size of the sample of a larger one.
    static final int SAMPLE = 100_000;

    private static final int BATCH = 2_000;

    static ReferenceFront of(
            String subject,
            DesignSpace space,
            Evaluator evaluator,
            List<Metric> metrics,
            int limit,
            long seed,
            CancellationSignal cancel) {
        EvaluatorInfo info = evaluator.info();
        boolean whole = space.size().bitLength() < 31 && space.size().intValue() <= limit;
        List<Configuration> all = whole ? space.enumerate().toList() : sample(space, limit, seed);
        var front = new ParetoFront<Configuration>(metrics.size());
        for (int from = 0; from < all.size(); from += BATCH) {
            cancel.throwIfCancelled();
            List<Configuration> batch = all.subList(from, Math.min(all.size(), from + BATCH));
            // In order, so that the front is the same however the work is spread.
            List<Optional<double[]>> values = IntStream.range(0, batch.size())
                    .parallel()
                    .mapToObj(i -> {
                        List<Evaluation> stages = evaluator.evaluate(batch.get(i), info.top(), cancel);
                        return stages.getLast().fidelity().rank() == info.top().rank()
                                ? vector(stages.getLast(), metrics)
                                : Optional.<double[]>empty();
                    })
                    .toList();
            for (int i = 0; i < batch.size(); i++) {
                int at = i;
                values.get(i).ifPresent(y -> front.add(y, batch.get(at)));
            }
        }
        if (front.size() == 0) {
            throw new UserError(
                    "No configuration of " + subject + " is valid, so there is no front to hold explorers against.");
        }
        return new ReferenceFront(subject, metrics, front.vectors());
    }

    private static List<Configuration> sample(DesignSpace space, int count, long seed) {
        var random = new SplittableRandom(seed);
        Set<Configuration> drawn = new LinkedHashSet<>();
        Stream.generate(() -> space.draw(random))
                .takeWhile(c -> {
                    drawn.add(c);
                    return drawn.size() < count;
                })
                .forEach(c -> {});
        return List.copyOf(drawn);
    }

    /// The vector of an evaluation, where every objective was measured.
    Optional<double[]> vector(Evaluation evaluation) {
        return vector(evaluation, metrics);
    }

    private static Optional<double[]> vector(Evaluation evaluation, List<Metric> metrics) {
        if (!(evaluation.outcome() instanceof Outcome.Measured m)) {
            return Optional.empty();
        }
        double[] y = new double[metrics.size()];
        for (int j = 0; j < y.length; j++) {
            var v = m.value(metrics.get(j).name());
            if (v.isEmpty()) {
                return Optional.empty();
            }
            y[j] = metrics.get(j).direction() == Metric.Direction.MAXIMISE ? -v.getAsDouble() : v.getAsDouble();
        }
        return Optional.of(y);
    }
}
