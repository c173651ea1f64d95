package knobscape.surrogate;

import java.util.Map;
import java.util.Optional;
import knobscape.numeric.Sobol;

/// A fitted model: a posterior for rows of features, and scores for sorting out many of them. Immutable and
/// safe to ask from several threads. What it predicts are the noise-free outputs, in the units of its training
/// data. Processes, trees and networks implement it; [FidelityLadder], [IndependentOutputs] and
/// [Average] make models of models.
///
/// A model that is trained once and asked for one number per row is a [Regressor], and needs to answer nothing
/// but that.
public interface Model {

    /// Number of outputs M.
    int outputs();

    /// Beliefs at a batch of inputs.
    ///
    /// @param x features, k x d
    /// @param lower beliefs about the next lower fidelity at the same inputs (k inputs, g outputs; g is 0 at
    /// the lowest fidelity). Where they
    ///     are uncertain the uncertainty is carried through: the result has the total mean and covariance
    Posterior posterior(double[][] x, Posterior lower);

    /// As [#posterior], for sorting out many inputs: faster where the model can, to a few digits, covariances
    /// between outputs left out.
    default Posterior screen(double[][] x, Posterior lower) {
        return posterior(x, lower);
    }

    /// Beliefs at the lowest or only fidelity.
    default Posterior posterior(double[][] x) {
        return posterior(x, GaussianPosterior.blank(x.length, 0));
    }

    /// Draws of the outputs at all inputs together: draws x k x M. By default all inputs of a draw share its normals;
    /// models that know how inputs hang together draw functions.
    ///
    /// @param x features, k x d
    /// @param lower by draw the lower outputs at the inputs, draws x k x g
    default double[][][] paths(double[][] x, double[][][] lower, long seed) {
        double[][] normals = Sobol.normals(lower.length, outputs(), seed);
        double[][][] values = new double[lower.length][x.length][];
        for (int s = 0; s < lower.length; s++) {
            int width = x.length == 0 ? 0 : lower[s][0].length;
            Posterior p = posterior(x, GaussianPosterior.known(lower[s], width));
            double[][] one = new double[1][outputs()];
            for (int i = 0; i < x.length; i++) {
                p.draw(i, new double[][] {normals[s]}, one);
                values[s][i] = one[0].clone();
            }
        }
        return values;
    }

    /// One number per row, in the order of the means of output 0, and by the fastest way to them.
    default double[] score(double[][] x) {
        Posterior p = screen(x, GaussianPosterior.blank(x.length, 0));
        double[] scores = new double[x.length];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = p.mean(i, 0);
        }
        return scores;
    }

    /// Variance of the observation noise of each output; 0 where the model has no notion of it.
    default double[] noise() {
        return new double[outputs()];
    }

    /// The same hyper-parameters given other data: for fantasies about designs in flight. A model without
    /// beliefs to update stays as it is.
    default Model given(TrainingData data) {
        return this;
    }

    /// The hyper-parameters, to start the next fit from; none where fits always start afresh.
    default double[] parameters() {
        return new double[0];
    }

    /// The maximised value, log marginal likelihood plus log prior, per observed value; NaN where it
    /// was something else.
    default double fitness() {
        return Double.NaN;
    }

    /// Figures of the fit for plots and logs, name to values.
    default Map<String, double[]> diagnostics() {
        return Map.of();
    }

    /// Fits models; knows nothing of what they are for. Deterministic: same data, start and seed, same model.
    @FunctionalInterface
    interface Trainer {

        /// Fits one fidelity.
        ///
        /// @param data what was observed
        /// @param warmStart hyper-parameters of an earlier fit of the same shape; ignored where the shape does
        /// not fit
        /// @param seed of further starts, of weights, of whatever is drawn
        Model fit(TrainingData data, Optional<double[]> warmStart, long seed);

        /// Fits without a warm start.
        default Model fit(TrainingData data, long seed) {
            return fit(data, Optional.empty(), seed);
        }
    }
}
