package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.explore.Guess;
import knobscape.numeric.Parallel;
import knobscape.pareto.ParetoFront;
import knobscape.space.Configuration;

/// The values that a [Guess] expects: decimal logarithms of the objectives at the highest fidelity, as columns behind
/// a design's features. The surrogate of the lowest fidelity takes them for what lies below it, with slope 1 for the
/// objective that is guessed: a prior mean, from which the process learns the difference.
///
/// A design of which the guess says nothing (it does not fit, it is too large) counts as the worst of a sample.
final class PriorMean {
    private static final int CHUNK = 16;

    private final Guess guess;
    private final int objectives;
    private final Fidelity at;
    private final Map<Configuration, Optional<double[]>> known = new ConcurrentHashMap<>();
    private double[] worst = new double[0];

    private PriorMean(Guess guess, int objectives, Fidelity at) {
        this.guess = guess;
        this.objectives = objectives;
        this.at = at;
    }

    /// A guess as prior mean; empty where an objective has no logarithm of which less is better.
    static Optional<PriorMean> of(Guess guess, List<Metric> objectives, Fidelity at) {
        return objectives.stream().allMatch(m -> m.direction() != Metric.Direction.MAXIMISE)
                ? Optional.of(new PriorMean(guess, objectives.size(), at))
                : Optional.empty();
    }

    /// Number of columns, one an objective.
    int columns() {
        return objectives;
    }

    /// Learns from a sample what the worst is. Called once, before [#of(Configuration)].
    void measure(List<Configuration> sample) {
        ask(sample);
        double[] high = new double[objectives];
        Arrays.fill(high, Double.NEGATIVE_INFINITY);
        sample.stream().flatMap(c -> said(c).stream()).forEach(y -> {
            for (int j = 0; j < high.length; j++) {
                high[j] = Math.max(high[j], y[j]);
            }
        });
        for (int j = 0; j < high.length; j++) {
            high[j] = Double.isFinite(high[j]) ? high[j] : 0;
        }
        worst = high;
    }

    /// Asks for many at once, side by side.
    void ask(List<Configuration> all) {
        Parallel.chunks(all.size(), CHUNK, (from, to) -> {
            for (int i = from; i < to; i++) {
                said(all.get(i));
            }
        });
    }

    private Optional<double[]> said(Configuration c) {
        return known.computeIfAbsent(
                c,
                k -> guess.at(k, at)
                        .filter(y -> Arrays.stream(y).allMatch(v -> v > 0))
                        .map(y -> Arrays.stream(y).map(Math::log10).toArray()));
    }

    /// The columns of a design.
    double[] of(Configuration c) {
        return said(c).orElse(worst);
    }

    /// Up to `count` designs of a pool that the guess calls good: those nothing else dominates, then the next such
    /// layer; of a layer that is too large the extremes and the farthest apart.
    List<Configuration> promising(List<Configuration> pool, int count) {
        ask(pool);
        List<Configuration> left =
                new ArrayList<>(pool.stream().filter(c -> said(c).isPresent()).toList());
        Set<Configuration> chosen = new LinkedHashSet<>();
        while (chosen.size() < count && !left.isEmpty()) {
            List<Configuration> rest = left;
            List<Configuration> layer = IntStream.of(
                            ParetoFront.nonDominated(left.stream().map(this::of).toArray(double[][]::new)))
                    .mapToObj(rest::get)
                    .toList();
            chosen.addAll(layer.size() <= count - chosen.size() ? layer : spread(layer, count - chosen.size()));
            left = new ArrayList<>(left);
            left.removeAll(new LinkedHashSet<>(layer));
        }
        return List.copyOf(chosen);
    }

    private List<Configuration> spread(List<Configuration> layer, int count) {
        double[][] y = layer.stream().map(this::of).toArray(double[][]::new);
        List<Integer> picked = new ArrayList<>();
        for (int j = 0; j < objectives && picked.size() < count; j++) {
            int column = j;
            IntStream.range(0, y.length)
                    .boxed()
                    .min((a, b) -> Double.compare(y[a][column], y[b][column]))
                    .filter(i -> !picked.contains(i))
                    .ifPresent(picked::add);
        }
        while (picked.size() < count) {
            picked.add(ScreenedStart.farthest(y, picked));
        }
        return picked.stream().map(layer::get).toList();
    }
}
