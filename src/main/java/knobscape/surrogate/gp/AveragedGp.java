package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.Map;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.Surrogate;
import knobscape.surrogate.TrainingData;

/// The even mixture of a plain process and one on learned features, by the mixture's mean and covariance: where the two disagree about a mean the variance grows by it, so that features that went
/// astray cannot be sure of themselves alone.
final class AveragedGp implements Surrogate {
    private final Surrogate plain;
    private final Surrogate deep;

    AveragedGp(Surrogate plain, Surrogate deep) {
        this.plain = plain;
        this.deep = deep;
    }

    @Override
    public int outputs() {
        return plain.outputs();
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        return mixture(plain.posterior(x, lower), deep.posterior(x, lower));
    }

    @Override
    public Posterior rough(double[][] x, Posterior lower) {
        return mixture(plain.rough(x, lower), deep.rough(x, lower));
    }

    private static Posterior mixture(Posterior p, Posterior q) {
        int m = p.outputs();
        GaussianPosterior all = GaussianPosterior.blank(p.size(), m);
        for (int i = 0; i < p.size(); i++) {
            for (int a = 0; a < m; a++) {
                double apart = p.mean(i, a) - q.mean(i, a);
                all.means()[i * m + a] = p.mean(i, a) - apart / 2;
                for (int b = 0; b < m; b++) {
                    int at = (i * m + a) * m + b;
                    all.covariances()[at] = (p.covariance(i, a, b) + q.covariance(i, a, b)) / 2 + apart * (p.mean(i, b) - q.mean(i, b)) / 4;
                    all.inherited()[at] = (p.inherited(i, a, b) + q.inherited(i, a, b)) / 2;
                }
            }
        }
        return all;
    }

    @Override
    public double[] noise() {
        double[] noise = plain.noise();
        double[] other = deep.noise();
        for (int a = 0; a < noise.length; a++) {
            noise[a] = (noise[a] + other[a]) / 2;
        }
        return noise;
    }

    @Override
    public Surrogate given(TrainingData data) {
        return new AveragedGp(plain.given(data), deep.given(data));
    }

    /// Those of the plain process, then those of the other.
    @Override
    public double[] parameters() {
        double[] first = plain.parameters();
        double[] second = deep.parameters();
        double[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    @Override
    public double fitness() {
        return deep.fitness();
    }

    /// Those of the learned features.
    @Override
    public Map<String, double[]> diagnostics() {
        return deep.diagnostics();
    }
}
