package knobscape.gpu.evaluate.device;

/// How kernels are measured.
///
/// @param buildSeconds time after which a compiler is stopped
/// @param runSeconds time after which running (warm-up and check included) is stopped
/// @param flush whether caches are flushed before each run
/// @param checkEvery one result in so many is compared with the reference, besides those within a quarter of the best
/// time; 1 for all
/// @param seed of the inputs and of what is sampled
public record MeasureSettings(
        Repetitions repetitions, double buildSeconds, double runSeconds, boolean flush, int checkEvery, long seed) {
    /// 2 % of the mean, 5 to 50 runs, at most a second of them; 15 s to compile and 10 s to run; flushed; 1 in
    /// 16 checked.
    public static final MeasureSettings DEFAULT =
            new MeasureSettings(new Repetitions(1, 5, 50, 0.02, 1), 15, 10, true, 16, 1);

    public MeasureSettings {
        if (checkEvery < 1) {
            throw new IllegalArgumentException("one result in so many is checked, at least 1");
        }
    }

    /// How often a kernel runs. Runs are timed one by one until the 95 % confidence interval of their mean (the fastest
    /// and the slowest left out) is narrow enough, or a bound is reached.
    ///
    /// @param warmUps runs that are not counted, at least 1
    /// @param least counted runs, at least 3
    /// @param most counted runs
    /// @param halfWidth half the interval's width as a share of the mean at which measuring stops
    /// @param maxSeconds time after which measuring stops with what there is
    public record Repetitions(int warmUps, int least, int most, double halfWidth, double maxSeconds) {
        public Repetitions {
            if (warmUps < 1 || least < 3 || most < least) {
                throw new IllegalArgumentException("needs a warm-up and at least 3 runs");
            }
        }
    }
}
