package knobscape.surrogate;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// The even mixture of several models' beliefs, by its mean and covariance: where they disagree about a mean
/// the variance grows by it, so that one that went astray cannot be sure of itself alone. The score is the sum
/// of theirs. What concerns a fit is told by the last of them.
///
/// @param models of the same outputs, at least one
public record Average(List<Model> models) implements Model {
    public Average {
        models = List.copyOf(models);
        if (models.isEmpty()) {
            throw new IllegalArgumentException("an average needs at least one model");
        }
    }

    /// Trains `count` models with `single`, each on as many rows drawn with replacement (bagging, Breiman
    /// 1996).
    public static Trainer bagging(Trainer single, int count) {
        return (data, warmStart, seed) -> {
            var random = new SplittableRandom(seed);
            int[][] drawn = new int[count][];
            long[] seeds = new long[count];
            for (int g = 0; g < count; g++) {
                drawn[g] = IntStream.range(0, data.size())
                        .map(i -> random.nextInt(data.size()))
                        .toArray();
                seeds[g] = random.nextLong();
            }
            return new Average(IntStream.range(0, count)
                    .parallel()
                    .mapToObj(g -> single.fit(data.rows(drawn[g]), warmStart, seeds[g]))
                    .toList());
        };
    }

    @Override
    public int outputs() {
        return models.getFirst().outputs();
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        return mixture(models.stream().map(m -> m.posterior(x, lower)).toList());
    }

    @Override
    public Posterior screen(double[][] x, Posterior lower) {
        return mixture(models.stream().map(m -> m.screen(x, lower)).toList());
    }

    private static Posterior mixture(List<Posterior> parts) {
        int m = parts.getFirst().outputs();
        double share = 1.0 / parts.size();
        GaussianPosterior all = GaussianPosterior.blank(parts.getFirst().size(), m);
        double[] means = all.means();
        for (int i = 0; i < all.size(); i++) {
            for (Posterior p : parts) {
                for (int a = 0; a < m; a++) {
                    means[i * m + a] += share * p.mean(i, a);
                }
            }
            for (Posterior p : parts) {
                for (int a = 0; a < m; a++) {
                    for (int b = 0; b < m; b++) {
                        int at = (i * m + a) * m + b;
                        all.covariances()[at] += share
                                * (p.covariance(i, a, b)
                                        + (p.mean(i, a) - means[i * m + a]) * (p.mean(i, b) - means[i * m + b]));
                        all.inherited()[at] += share * p.inherited(i, a, b);
                    }
                }
            }
        }
        return all;
    }

    @Override
    public double[] score(double[][] x) {
        double[] sum = new double[x.length];
        models.forEach(m -> add(sum, m.score(x)));
        return sum;
    }

    private static void add(double[] sum, double[] more) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += more[i];
        }
    }

    @Override
    public double[] noise() {
        double[] sum = new double[outputs()];
        models.forEach(m -> add(sum, m.noise()));
        return DoubleStream.of(sum).map(v -> v / models.size()).toArray();
    }

    @Override
    public Model given(TrainingData data) {
        return new Average(models.stream().map(m -> m.given(data)).toList());
    }

    /// Those of all models, one after another.
    @Override
    public double[] parameters() {
        return models.stream()
                .flatMapToDouble(m -> DoubleStream.of(m.parameters()))
                .toArray();
    }

    @Override
    public double fitness() {
        return models.getLast().fitness();
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return models.getLast().diagnostics();
    }
}
