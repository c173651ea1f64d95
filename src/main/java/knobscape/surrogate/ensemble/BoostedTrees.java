package knobscape.surrogate.ensemble;

import java.util.stream.IntStream;
import knobscape.surrogate.Model;
import knobscape.surrogate.Regressor;
import smile.base.cart.Loss;
import smile.data.DataFrame;
import smile.data.formula.Formula;
import smile.data.vector.DoubleVector;
import smile.regression.GradientTreeBoost;

/// Gradient-boosted regression trees (Friedman 2001), Smile's implementation with least squares and no row
/// sampling, so that the result does not depend on chance.
public final class BoostedTrees implements Regressor {
    private static final String TARGET = "y";

    /// How to train.
    ///
    /// @param trees number of trees
    /// @param depth most splits from root to leaf
    /// @param rate shrinkage of each tree
    public record Options(int trees, int depth, double rate) {
        public Options {
            if (trees < 1 || depth < 1 || rate <= 0 || rate > 1) {
                throw new IllegalArgumentException(
                        "boosting needs at least one tree of depth one and a rate in (0, 1]");
            }
        }
    }

    private final GradientTreeBoost model;
    private final String[] names;

    private BoostedTrees(GradientTreeBoost model, String[] names) {
        this.model = model;
        this.names = names;
    }

    /// Trains on one output; seeds and warm starts mean nothing to it.
    public static Model.Trainer trainer(Options options) {
        return (rows, warmStart, seed) -> fit(rows.x(), rows.target(), options);
    }

    private static BoostedTrees fit(double[][] x, double[] y, Options options) {
        String[] names = new String[x[0].length];
        for (int i = 0; i < names.length; i++) {
            names[i] = "x" + i;
        }
        var data = DataFrame.of(x, names).merge(DoubleVector.of(TARGET, y));
        int nodes = 1 << Math.min(options.depth, 20);
        var model = GradientTreeBoost.fit(
                Formula.lhs(TARGET), data, Loss.ls(), options.trees, options.depth + 1, nodes, 2, options.rate, 1.0);
        return new BoostedTrees(model, names);
    }

    @Override
    public double predict(double[] x) {
        return score(new double[][] {x})[0];
    }

    @Override
    public double[] score(double[][] x) {
        if (x.length == 0) {
            return new double[0];
        }
        var data = DataFrame.of(x, names).merge(DoubleVector.of(TARGET, new double[x.length]));
        return IntStream.range(0, x.length)
                .mapToDouble(i -> model.predict(data.get(i)))
                .toArray();
    }
}
