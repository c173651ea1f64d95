package knobscape.gpu.evaluate.device;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import knobscape.evaluate.FailureKind;

/// The outcome of measuring a schedule. A schedule that did not run counts as 0 GFLOPS in a search.
public sealed interface Measurement {
    /// Seconds that evaluating took, compiling included.
    double costSeconds();

    /// AutoTVM's number of the outcome, 0 to 8.
    default int code() {
        return this instanceof Failed f ? f.failure.code : 0;
    }

    /// Mean time of a run, where there is one.
    default OptionalDouble seconds() {
        return this instanceof Timed t ? OptionalDouble.of(t.mean()) : OptionalDouble.empty();
    }

    /// GFLOPS for a number of floating-point operations; 0 where it did not run.
    default double gflops(long flops) {
        return seconds().isPresent() ? flops / seconds().getAsDouble() / 1e9 : 0;
    }

    /// Why a schedule has no time, with AutoTVM's number.
    enum Failure {
        /// The check before the compiler refused it.
        REJECTED(1, FailureKind.REJECTED, "%s"),
        /// The device's compiler refused it.
        COMPILE(3, FailureKind.REJECTED, "The compiler refused it: %s"),
        /// It could not be launched, or failed while running.
        RUN(4, FailureKind.CRASHED, "It failed on the device: %s"),
        /// It ran and computed something else.
        WRONG_RESULT(5, FailureKind.WRONG_RESULT, "Its result is wrong: %s"),
        /// The compiler took too long and was stopped.
        BUILD_TIMEOUT(6, FailureKind.TIMED_OUT, "%s"),
        /// It ran too long and was stopped.
        RUN_TIMEOUT(7, FailureKind.TIMED_OUT, "%s"),
        /// None of the others (a record of a file, for example).
        UNKNOWN(8, FailureKind.CRASHED, "%s");

        private final int code;
        private final FailureKind kind;
        private final String sentence;

        Failure(int code, FailureKind kind, String sentence) {
            this.code = code;
            this.kind = kind;
            this.sentence = sentence;
        }

        /// AutoTVM's number.
        public int code() {
            return code;
        }

        /// The kind of failure that a search sees.
        public FailureKind kind() {
            return kind;
        }
    }

    /// It did not run, or computed something else.
    ///
    /// @param reason what is known, shortened
    record Failed(Failure failure, String reason, double costSeconds) implements Measurement {
        /// One sentence for a person.
        public String sentence() {
            return String.format(Locale.ROOT, failure.sentence, reason);
        }
    }

    /// It ran.
    ///
    /// @param mean time of a run in seconds
    /// @param halfWidth half the width of the 95 % confidence interval of the mean, in seconds; 0 where there
    /// is no noise
    /// @param repeats mean time of a run in each repeat, in seconds
    /// @param checked whether its result was compared with the reference
    record Timed(double mean, double halfWidth, List<Double> repeats, boolean checked, double costSeconds)
            implements Measurement {
        /// Copies the list; throws `IllegalArgumentException` for a time that is not positive.
        public Timed {
            repeats = List.copyOf(repeats);
            if (!(mean > 0) || !Double.isFinite(mean)) {
                throw new IllegalArgumentException("a time must be positive, was " + mean);
            }
        }
    }
}
