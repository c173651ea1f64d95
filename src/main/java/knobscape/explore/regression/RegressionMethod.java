package knobscape.explore.regression;

import knobscape.surrogate.Regressor;

/// How one objective is learned from the initial designs.
@FunctionalInterface
public interface RegressionMethod {

    /// A finished model; `x` is n x d in [0,1], `y` n targets of order one.
    Regressor fit(double[][] x, double[] y, long seed);
}
