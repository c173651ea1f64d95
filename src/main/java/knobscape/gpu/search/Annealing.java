package knobscape.gpu.search;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.random.RandomGenerator;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// Parallel simulated annealing over a score, as AutoTVM does it: many chains, each moves by one knob, worse
/// moves are taken with probability `exp(delta / temperature)`, and the best configurations seen by any chain
/// are kept.
public final class Annealing {
    /// Keeps the division by the temperature finite at its end.
    private static final double LEAST_TEMPERATURE = 1e-5;

    /// How long.
    ///
    /// @param chains side by side
    /// @param iterations most steps of every chain
    /// @param startTemperature falls linearly to 0
    /// @param patience steps without change of the kept set after which it ends
    public record Settings(int chains, int iterations, double startTemperature, int patience) {
        /// 128 chains, 500 steps, temperature 1, patience 50.
        public static final Settings AUTO_TVM = new Settings(128, 500, 1, 50);
    }

    /// Scores configurations, larger being better; asked for many at once, and once for each in a run.
    @FunctionalInterface
    public interface Score {
        /// One score per configuration.
        double[] of(List<Configuration> configurations);
    }

    /// The result of the annealing.
    ///
    /// @param best configurations kept, best first
    /// @param scores of each
    /// @param chains where the chains stand, to continue from
    public record Result(List<Configuration> best, double[] scores, List<Configuration> chains) {}

    private record Scored(Configuration configuration, double score, int number) {}

    private final Moves moves;
    private final DesignSpace space;
    private final Settings settings;

    /// @param space where to search
    /// @param settings how long
    public Annealing(DesignSpace space, Settings settings) {
        this.space = space;
        this.moves = new Moves(space);
        this.settings = settings;
    }

    /// Runs once.
    ///
    /// @param start where chains stand; filled up with random members
    /// @param keep how many of the best to keep
    /// @param excluded never kept (but chains walk through them)
    public Result run(
            Score score, List<Configuration> start, int keep, Set<Configuration> excluded, RandomGenerator random) {
        var points = new ArrayList<Configuration>(start.subList(0, Math.min(start.size(), settings.chains)));
        while (points.size() < settings.chains) {
            points.add(space.draw(random));
        }
        // Chains come back to the same neighbours again and again, most of all when they are cold.
        Map<Configuration, Double> known = new HashMap<>();
        double[] scores = scores(score, points, known);
        var heap = new PriorityQueue<Scored>(Comparator.comparingDouble(Scored::score)
                .thenComparing(Comparator.comparingInt(Scored::number).reversed()));
        Set<Configuration> seen = new HashSet<>(excluded);
        int number = 0;
        for (int i = 0; i < scores.length; i++) {
            offer(heap, new Scored(points.get(i), scores[i], number++), keep, seen);
        }
        int changed = 0;
        for (int k = 0; k < settings.iterations && k - changed <= settings.patience; k++) {
            double temperature = settings.startTemperature * (1 - (double) k / settings.iterations);
            var next = new ArrayList<Configuration>(points.size());
            for (Configuration p : points) {
                next.add(moves.step(p, random));
            }
            double[] reached = scores(score, next, known);
            for (int i = 0; i < reached.length; i++) {
                double delta = (reached[i] - scores[i]) / (temperature + LEAST_TEMPERATURE);
                if (delta >= 0 || random.nextDouble() < Math.exp(delta)) {
                    points.set(i, next.get(i));
                    scores[i] = reached[i];
                }
                if (offer(heap, new Scored(next.get(i), reached[i], number++), keep, seen)) {
                    changed = k;
                }
            }
        }
        List<Scored> kept = heap.stream()
                .sorted(Comparator.comparingDouble(Scored::score).reversed().thenComparingInt(Scored::number))
                .toList();
        return new Result(
                kept.stream().map(Scored::configuration).toList(),
                kept.stream().mapToDouble(Scored::score).toArray(),
                List.copyOf(points));
    }

    private static double[] scores(Score score, List<Configuration> wanted, Map<Configuration, Double> known) {
        var fresh = new ArrayList<Configuration>();
        for (Configuration c : wanted) {
            if (known.putIfAbsent(c, Double.NaN) == null) {
                fresh.add(c);
            }
        }
        double[] found = fresh.isEmpty() ? new double[0] : score.of(fresh);
        for (int i = 0; i < found.length; i++) {
            known.put(fresh.get(i), found[i]);
        }
        double[] scores = new double[wanted.size()];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = requireNonNull(known.get(wanted.get(i)));
        }
        return scores;
    }

    private static boolean offer(PriorityQueue<Scored> heap, Scored candidate, int keep, Set<Configuration> seen) {
        boolean better = heap.size() < keep || candidate.score > heap.peek().score;
        if (!better || !seen.add(candidate.configuration)) {
            return false;
        }
        heap.add(candidate);
        if (heap.size() > keep) {
            // What drops out was beaten by `keep` others and cannot come back.
            heap.poll();
        }
        return true;
    }
}
