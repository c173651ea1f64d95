package knobscape.surrogate;

import java.util.Map;

/// A fitted model of one fidelity. Immutable and safe to ask from several threads. What it predicts are the noise-free outputs,
/// in the units of its training data.
public interface Surrogate {

    /// Number of outputs M.
    int outputs();

    /// Beliefs at a batch of inputs.
    ///
    /// @param x features, k x d
    /// @param lower beliefs about the next lower fidelity at the same inputs (k inputs, g outputs; g is 0 at the lowest fidelity). Where they
    ///     are uncertain the uncertainty is carried through: the result has the total mean and covariance
    Posterior posterior(double[][] x, Posterior lower);

    /// As [#posterior] for sorting out many inputs: the uncertainty of the lower fidelity carried through by fewer draws, covariances between outputs left out where that saves time.
    default Posterior rough(double[][] x, Posterior lower) {
        return posterior(x, lower);
    }

    /// Beliefs at the lowest or only fidelity.
    default Posterior posterior(double[][] x) {
        return posterior(x, GaussianPosterior.blank(x.length, 0));
    }

    /// Variance of the observation noise of each output.
    double[] noise();

    /// The same hyper-parameters given other data: for fantasies about designs in flight.
    Surrogate given(TrainingData data);

    /// The hyper-parameters, to start the next fit from.
    double[] parameters();

    /// What was maximised to get here, log marginal likelihood plus log prior, per observed value.
    double fitness();

    /// Figures of the fit for plots and logs, name to values.
    Map<String, double[]> diagnostics();
}
