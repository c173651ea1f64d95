package knobscape.explore.bayes;

import java.util.Arrays;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Posterior;

/// The worth of a run stopped after a lower stage: the right to run further where the stage's result does not
/// disappoint (Weitzman's Pandora rule, here as a rate of gain per tool time).
final class StagedRate {
    private StagedRate() {}

    /// The largest expected gain per expected tool time of screening first: with the equally likely `gains`
    /// that continuing would have after each outcome of the screening, `max over r of (sum of the r largest /
    /// S) / (now + r/S later)`.
    ///
    /// @param gains expected gain of running further, by outcome of the screening
    /// @param now tool time of the screening
    /// @param later tool time of continuing
    static double of(double[] gains, double now, double later) {
        double[] sorted = gains.clone();
        Arrays.sort(sorted);
        double sum = 0;
        double best = 0;
        for (int r = 1; r <= sorted.length; r++) {
            sum += sorted[sorted.length - r];
            best = Math.max(best, sum / (sorted.length * now + r * later));
        }
        return best;
    }

    /// Beliefs about input `i` after each of S outcomes of a screening: the mean moved within what the
    /// screening resolves, the covariance what it leaves.
    ///
    /// @param all beliefs now
    /// @param resolved covariance that the screening would resolve
    /// @param normals S x M
    static Posterior outcomes(Posterior all, Posterior resolved, int i, double[][] normals) {
        int m = all.outputs();
        double[][] means = new double[normals.length][m];
        resolved.draw(i, normals, means);
        GaussianPosterior p = GaussianPosterior.blank(normals.length, m);
        for (int s = 0; s < normals.length; s++) {
            for (int a = 0; a < m; a++) {
                p.means()[s * m + a] = means[s][a];
                for (int b = 0; b < m; b++) {
                    double left = all.covariance(i, a, b) - resolved.covariance(i, a, b);
                    p.covariances()[(s * m + a) * m + b] = a == b ? Math.max(left, 1e-12) : left;
                }
            }
        }
        return p;
    }
}
