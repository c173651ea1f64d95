package knobscape.hls.evaluate.estimator;

/// Which number of iterations counts for a loop whose number depends on data.
public enum TripBasis {
    /// The mean where one was stated or measured, else the largest.
    USUAL,
    /// The largest, stated or known: the worst case that the tool's reports print.
    WORST,
    /// The mean that was stated or measured, else the middle of the smallest and the largest.
    MEAN,
    /// The smallest, stated or known: the best case that the tool's reports print.
    BEST;

    /// Iterations, from 0.
    ///
    /// @param mean that was stated or measured, negative for none
    double of(double least, double most, double mean) {
        return switch (this) {
            case USUAL -> mean >= 0 ? mean : most;
            case WORST -> most;
            case MEAN -> mean >= 0 ? mean : (least + most) / 2;
            case BEST -> least;
        };
    }
}
