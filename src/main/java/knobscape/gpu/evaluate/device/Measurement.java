package knobscape.gpu.evaluate.device;

import java.util.List;
import java.util.OptionalDouble;
import knobscape.gpu.space.nest.Rejection;

/// What came of measuring a schedule. Everything but [Timed] counts as 0 GFLOPS in a search.
public sealed interface Measurement {
    /// AutoTVM's number of the outcome, 0 to 8.
    int code();

    /// One sentence for a person; numbers included.
    String sentence();

    /// Seconds that evaluating took, compiling included.
    double costSeconds();

    /// Mean time of a run, where there is one.
    default OptionalDouble seconds() {
        return this instanceof Timed t ? OptionalDouble.of(t.mean()) : OptionalDouble.empty();
    }

    /// GFLOPS for a number of floating-point operations; 0 where it did not run.
    default double gflops(long flops) {
        return seconds().isPresent() ? flops / seconds().getAsDouble() / 1e9 : 0;
    }

    /// It ran.
    ///
    /// @param mean time of a run in seconds
    /// @param halfWidth half the width of the 95 % confidence interval of the mean, in seconds; 0 where there
    /// is no noise
    /// @param repeats mean time of a run in each repeat, in seconds
    /// @param checked whether its result was compared with the reference
    /// @param costSeconds seconds that evaluating took
    record Timed(double mean, double halfWidth, List<Double> repeats, boolean checked, double costSeconds)
            implements Measurement {
        /// Copies the list; throws `IllegalArgumentException` for a time that is not positive.
        public Timed {
            repeats = List.copyOf(repeats);
            if (!(mean > 0) || !Double.isFinite(mean)) {
                throw new IllegalArgumentException("a time must be positive, was " + mean);
            }
        }

        @Override
        public int code() {
            return 0;
        }

        @Override
        public String sentence() {
            return String.format(java.util.Locale.ROOT, "It ran in %.4g ms (+- %.2g).", mean * 1e3, halfWidth * 1e3);
        }
    }

    /// The check before the compiler refused it.
    ///
    /// @param rejection why
    /// @param costSeconds seconds that evaluating took
    record Rejected(Rejection rejection, double costSeconds) implements Measurement {
        @Override
        public int code() {
            return 1;
        }

        @Override
        public String sentence() {
            return rejection.sentence();
        }
    }

    /// The device's compiler refused it.
    ///
    /// @param reason what the compiler said, shortened
    /// @param costSeconds seconds that evaluating took
    record CompileFailed(String reason, double costSeconds) implements Measurement {
        @Override
        public int code() {
            return 3;
        }

        @Override
        public String sentence() {
            return "The compiler refused it: " + reason;
        }
    }

    /// It could not be launched, or failed while running.
    ///
    /// @param reason what the device said
    /// @param costSeconds seconds that evaluating took
    record RunFailed(String reason, double costSeconds) implements Measurement {
        @Override
        public int code() {
            return 4;
        }

        @Override
        public String sentence() {
            return "It failed on the device: " + reason;
        }
    }

    /// It ran and computed something else.
    ///
    /// @param error largest error found, relative to the scale of the result
    /// @param tolerance largest error allowed
    /// @param costSeconds seconds that evaluating took
    record WrongAnswer(double error, double tolerance, double costSeconds) implements Measurement {
        @Override
        public int code() {
            return 5;
        }

        @Override
        public String sentence() {
            return String.format(
                    java.util.Locale.ROOT, "Its result is wrong: error %.3g, allowed %.3g.", error, tolerance);
        }
    }

    /// The compiler took too long and was stopped.
    ///
    /// @param costSeconds seconds after which it was stopped
    record BuildTimedOut(double costSeconds) implements Measurement {
        @Override
        public int code() {
            return 6;
        }

        @Override
        public String sentence() {
            return String.format(java.util.Locale.ROOT, "The compiler was stopped after %.1f s.", costSeconds);
        }
    }

    /// It ran too long and was stopped.
    ///
    /// @param costSeconds seconds after which it was stopped
    record RunTimedOut(double costSeconds) implements Measurement {
        @Override
        public int code() {
            return 7;
        }

        @Override
        public String sentence() {
            return String.format(java.util.Locale.ROOT, "It was stopped after %.1f s.", costSeconds);
        }
    }

    /// It failed in a way that is none of the others (a record of a file, for example).
    ///
    /// @param reason what is known
    /// @param costSeconds seconds that evaluating took
    record Unknown(String reason, double costSeconds) implements Measurement {
        @Override
        public int code() {
            return 8;
        }

        @Override
        public String sentence() {
            return reason;
        }
    }
}
