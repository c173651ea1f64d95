package knobscape.surrogate;

import java.util.Arrays;

/// A model of one output without uncertainty, which takes no notice of lower fidelities.
@FunctionalInterface
public interface Regressor extends Model {

    /// The prediction for a feature vector of the length the model was fitted with.
    double predict(double[] x);

    @Override
    default int outputs() {
        return 1;
    }

    @Override
    default double[] score(double[][] x) {
        return Arrays.stream(x).mapToDouble(this::predict).toArray();
    }

    @Override
    default Posterior posterior(double[][] x, Posterior lower) {
        return new GaussianPosterior(x.length, 1, score(x), new double[x.length], new double[x.length]);
    }
}
