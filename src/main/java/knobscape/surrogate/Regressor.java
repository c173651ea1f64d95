package knobscape.surrogate;

/// A finished model of one number per feature vector, without uncertainty.
@FunctionalInterface
public interface Regressor {

    /// The prediction for a feature vector of the length the model was fitted with.
    double predict(double[] x);
}
