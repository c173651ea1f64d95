package knobscape.surrogate;

import java.util.Map;

/// A model whose prior mean is another model, one of comparable data: what is learned is by how much the
/// outputs differ from the other's mean. Far from its own data it predicts what the other does, with the
/// other's uncertainty on top of its own.
///
/// @param prior what is believed beforehand, of the same features and outputs
/// @param difference a model of outputs less the prior's means
public record PriorMean(Model prior, Model difference) implements Model {

    /// Trains the difference with `trainer`.
    public static Trainer trainer(Model prior, Trainer trainer) {
        return (data, warmStart, seed) -> new PriorMean(prior, trainer.fit(less(prior, data), warmStart, seed));
    }

    private static TrainingData less(Model prior, TrainingData data) {
        if (prior.outputs() != data.outputs()) {
            throw new IllegalArgumentException(
                    "the prior has " + prior.outputs() + " outputs and the data " + data.outputs());
        }
        Posterior p = prior.posterior(data.x(), GaussianPosterior.known(data.lower(), data.lowerOutputs()));
        double[][] y = new double[data.size()][data.outputs()];
        for (int i = 0; i < y.length; i++) {
            for (int j = 0; j < y[i].length; j++) {
                y[i][j] = data.y()[i][j] - p.mean(i, j);
            }
        }
        return new TrainingData(data.x(), data.lower(), y, data.lowerOf());
    }

    @Override
    public int outputs() {
        return difference.outputs();
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        return sum(prior.posterior(x, lower), difference.posterior(x, lower));
    }

    @Override
    public Posterior screen(double[][] x, Posterior lower) {
        return sum(prior.screen(x, lower), difference.screen(x, lower));
    }

    private static Posterior sum(Posterior p, Posterior q) {
        int m = p.outputs();
        GaussianPosterior all = GaussianPosterior.blank(p.size(), m);
        for (int i = 0; i < p.size(); i++) {
            for (int a = 0; a < m; a++) {
                all.means()[i * m + a] = p.mean(i, a) + q.mean(i, a);
                for (int b = 0; b < m; b++) {
                    all.covariances()[(i * m + a) * m + b] = p.covariance(i, a, b) + q.covariance(i, a, b);
                    all.inherited()[(i * m + a) * m + b] = p.inherited(i, a, b) + q.inherited(i, a, b);
                }
            }
        }
        return all;
    }

    @Override
    public double[] noise() {
        return difference.noise();
    }

    @Override
    public Model given(TrainingData data) {
        return new PriorMean(prior, difference.given(less(prior, data)));
    }

    @Override
    public double[] parameters() {
        return difference.parameters();
    }

    @Override
    public double fitness() {
        return difference.fitness();
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return difference.diagnostics();
    }
}
