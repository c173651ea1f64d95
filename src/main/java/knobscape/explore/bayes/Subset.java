package knobscape.explore.bayes;

import knobscape.surrogate.Posterior;

/// Some inputs of a posterior.
///
/// @param all the posterior
/// @param rows positions there
record Subset(Posterior all, int[] rows) implements Posterior {
    static Posterior of(Posterior all, int[] rows) {
        return new Subset(all, rows);
    }

    @Override
    public int size() {
        return rows.length;
    }

    @Override
    public int outputs() {
        return all.outputs();
    }

    @Override
    public double mean(int i, int j) {
        return all.mean(rows[i], j);
    }

    @Override
    public double covariance(int i, int j, int k) {
        return all.covariance(rows[i], j, k);
    }

    @Override
    public double inherited(int i, int j, int k) {
        return all.inherited(rows[i], j, k);
    }
}
