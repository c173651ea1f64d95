package knobscape.gpu.evaluate.device;

/// How kernels are measured.
///
/// Runs are timed one by one until the 95 % confidence interval of their mean (the fastest and the slowest left
/// out) is narrow enough, or a bound is reached.
///
/// @param warmUps runs that are not counted, at least 1
/// @param minRuns least counted runs, at least 3
/// @param maxRuns most counted runs
/// @param halfWidth half the interval's width as a share of the mean at which measuring stops
/// @param maxSeconds time after which measuring stops with what there is
/// @param buildSeconds time after which a compiler is stopped
/// @param runSeconds time after which running (warm-up and check included) is stopped
/// @param flush whether caches are flushed before each run
/// @param checkEvery one result in so many is compared with the reference, besides those within a quarter of the best
/// time; 1 for all
/// @param seed of the inputs and of what is sampled
public record MeasureSettings(
        int warmUps,
        int minRuns,
        int maxRuns,
        double halfWidth,
        double maxSeconds,
        double buildSeconds,
        double runSeconds,
        boolean flush,
        int checkEvery,
        long seed) {
    /// 2 % of the mean, 5 to 50 runs, at most a second of them; 15 s to compile and 10 s to run; flushed; 1 in
    /// 16 checked.
    public static final MeasureSettings DEFAULT = new MeasureSettings(1, 5, 50, 0.02, 1, 15, 10, true, 16, 1);

    public MeasureSettings {
        if (warmUps < 1 || minRuns < 3 || maxRuns < minRuns || checkEvery < 1) {
            throw new IllegalArgumentException("needs a warm-up and at least 3 runs");
        }
    }
}
