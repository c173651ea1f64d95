package knobscape.explore.bayes;

import knobscape.numeric.StandardNormal;
import knobscape.surrogate.Posterior;

/// Max-value entropy search (Wang and Jegelka 2017), here for smallest values: by how much a run of a candidate
/// would lower the entropy of an objective's smallest value, summed over objectives taken as independent
/// (Belakaria et al. 2019). Smallest values are drawn from a Gumbel law through the quartiles of `P(min > y) =
/// prod over candidates of P(Y > y)`, at evenly spread quantiles so that nothing is random, and never lie above
/// the smallest value measured.
final class MaxValueEntropy {
    private static final int DRAWS = 10;

    private MaxValueEntropy() {}

    /// Information of a run to level `k` on the smallest values at level `top`, summed over objectives; of a lower
    /// level the share of the variance that it resolves.
    static double[] score(LadderPredictions beliefs, int k, int top, double[] smallest) {
        int m = smallest.length;
        Posterior all = beliefs.objectives(top, new double[m]);
        double[][] share = new double[all.size()][m];
        Posterior resolved = k == top ? all : beliefs.resolved(k);
        for (int i = 0; i < share.length; i++) {
            for (int j = 0; j < m; j++) {
                share[i][j] = Math.min(1, resolved.covariance(i, j, j) / all.covariance(i, j, j));
            }
        }
        return score(all, smallest, share);
    }

    /// One score per candidate.
    ///
    /// @param p beliefs at the highest fidelity
    /// @param smallest by objective the smallest value measured there
    /// @param share by candidate and objective the share of the information that the run gives, 0 to 1
    static double[] score(Posterior p, double[] smallest, double[][] share) {
        double[] scores = new double[p.size()];
        for (int j = 0; j < p.outputs(); j++) {
            double[] minima = minima(p, j, smallest[j]);
            for (int i = 0; i < scores.length; i++) {
                double deviation = p.deviation(i, j);
                if (!(deviation > 0)) {
                    continue;
                }
                double sum = 0;
                for (double y : minima) {
                    sum += information((p.mean(i, j) - y) / deviation);
                }
                scores[i] += share[i][j] * sum / minima.length;
            }
        }
        return scores;
    }

    /// `gamma phi(gamma) / (2 Phi(gamma)) - log Phi(gamma)`: entropy of a normal less that of the normal cut
    /// off `gamma` deviations below its mean; never negative.
    static double information(double gamma) {
        double below = StandardNormal.cumulative(gamma);
        if (!(below > 1e-300)) {
            // The tail: log Phi(g) ~ -g^2/2 - log(-g sqrt(2 pi)), phi/Phi ~ -g - 1/g.
            return Math.log(-gamma * Math.sqrt(2 * Math.PI)) - 0.5;
        }
        return Math.max(0, gamma * StandardNormal.density(gamma) / (2 * below) - Math.log(below));
    }

    /// Smallest values of objective `j` over the candidates.
    static double[] minima(Posterior p, int j, double smallest) {
        double low = smallest;
        double high = smallest;
        for (int i = 0; i < p.size(); i++) {
            low = Math.min(low, p.mean(i, j) - 8 * p.deviation(i, j));
            high = Math.max(high, p.mean(i, j) + 8 * p.deviation(i, j));
        }
        double q1 = quantile(p, j, 0.25, low, high);
        double median = quantile(p, j, 0.5, low, high);
        double q3 = quantile(p, j, 0.75, low, high);
        // P(min > y) = exp(-exp((y - a) / b)).
        double b = Math.max(1e-12, (q3 - q1) / (Math.log(-Math.log(0.25)) - Math.log(-Math.log(0.75))));
        double a = median - b * Math.log(Math.log(2));
        double[] minima = new double[DRAWS];
        for (int k = 0; k < DRAWS; k++) {
            minima[k] = Math.min(smallest, a + b * Math.log(-Math.log(1 - (k + 0.5) / DRAWS)));
        }
        return minima;
    }

    /// The y with `P(min <= y) = share`.
    private static double quantile(Posterior p, int j, double share, double low, double high) {
        double a = low;
        double b = high;
        for (int step = 0; step < 60; step++) {
            double y = (a + b) / 2;
            double log = 0;
            for (int i = 0; i < p.size() && log > -50; i++) {
                double deviation = p.deviation(i, j);
                double z = deviation > 0 ? (p.mean(i, j) - y) / deviation : p.mean(i, j) > y ? 40 : -40;
                log += Math.log(Math.max(1e-300, StandardNormal.cumulative(z)));
            }
            if (1 - Math.exp(log) < share) {
                a = y;
            } else {
                b = y;
            }
        }
        return (a + b) / 2;
    }
}
