package knobscape.explore.bayes;

/// The gain expected of more tool time: by how much the front found would come relatively nearer to the true one
/// on average.
///
/// @param gain expected
/// @param low 5 % quantile over what the design it is expected of may turn out to be
/// @param high 95 % quantile
record ExpectedGain(double gain, double low, double high) {
    static final ExpectedGain UNKNOWN = new ExpectedGain(Double.NaN, Double.NaN, Double.NaN);
    /// Share of outcomes below, and above, the range.
    private static final double TAIL = 0.05;

    /// Of a full run.
    ///
    /// @param gain expected
    /// @param byDraw gains over draws of what a candidate may turn out to be
    /// @param chance that it comes to anything
    /// @param share of a full run that it takes
    static ExpectedGain of(double gain, double[] byDraw, double chance, double share) {
        return new ExpectedGain(
                gain,
                FrontCover.quantile(byDraw, chance, TAIL) / share,
                FrontCover.quantile(byDraw, chance, 1 - TAIL) / share);
    }

    /// With the gain of something that promises more.
    ExpectedGain orMore(double other) {
        return other > gain ? new ExpectedGain(other, low, high) : this;
    }

    /// A share of it.
    ExpectedGain times(double factor) {
        return new ExpectedGain(factor * gain, factor * low, factor * high);
    }

    /// Of several full runs, or of a part of one ([PromiseRecord#ofRuns]). A screening may promise more than any
    /// outcome
    /// of a full run at once.
    ///
    /// @param runs full runs
    /// @param left distance to the front that is believed
    ExpectedGain ofRuns(double runs, double left) {
        return new ExpectedGain(
                PromiseRecord.ofRuns(gain, runs, left),
                PromiseRecord.ofRuns(low, runs, left),
                PromiseRecord.ofRuns(Math.max(high, gain), runs, left));
    }
}
