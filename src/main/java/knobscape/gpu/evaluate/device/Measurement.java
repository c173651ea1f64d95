package knobscape.gpu.evaluate.device;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import knobscape.gpu.space.nest.Rejection;

/// What came of measuring a schedule. Everything but [Timed] counts as 0 GFLOPS in a search.
public sealed interface Measurement {
    /// AutoTVM's number of the outcome, 0 to 8.
    default int code() {
        return switch (this) {
            case Timed _ -> 0;
            case Rejected _ -> 1;
            case CompileFailed _ -> 3;
            case RunFailed _ -> 4;
            case WrongAnswer _ -> 5;
            case BuildTimedOut _ -> 6;
            case RunTimedOut _ -> 7;
            case Unknown _ -> 8;
        };
    }

    /// One sentence for a person; numbers included.
    default String sentence() {
        return switch (this) {
            case Timed t -> String.format(Locale.ROOT, "It ran in %.4g ms (+- %.2g).", t.mean * 1e3, t.halfWidth * 1e3);
            case Rejected r -> r.rejection.sentence();
            case CompileFailed f -> "The compiler refused it: " + f.reason;
            case RunFailed f -> "It failed on the device: " + f.reason;
            case WrongAnswer w ->
                String.format(Locale.ROOT, "Its result is wrong: error %.3g, allowed %.3g.", w.error, w.tolerance);
            case BuildTimedOut o -> String.format(Locale.ROOT, "The compiler was stopped after %.1f s.", o.costSeconds);
            case RunTimedOut o -> String.format(Locale.ROOT, "It was stopped after %.1f s.", o.costSeconds);
            case Unknown u -> u.reason;
        };
    }

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
    }

    /// The check before the compiler refused it.
    ///
    /// @param rejection why
    /// @param costSeconds seconds that evaluating took
    record Rejected(Rejection rejection, double costSeconds) implements Measurement {}

    /// The device's compiler refused it.
    ///
    /// @param reason what the compiler said, shortened
    /// @param costSeconds seconds that evaluating took
    record CompileFailed(String reason, double costSeconds) implements Measurement {}

    /// It could not be launched, or failed while running.
    ///
    /// @param reason what the device said
    /// @param costSeconds seconds that evaluating took
    record RunFailed(String reason, double costSeconds) implements Measurement {}

    /// It ran and computed something else.
    ///
    /// @param error largest error found, relative to the scale of the result
    /// @param tolerance largest error allowed
    /// @param costSeconds seconds that evaluating took
    record WrongAnswer(double error, double tolerance, double costSeconds) implements Measurement {}

    /// The compiler took too long and was stopped.
    ///
    /// @param costSeconds seconds after which it was stopped
    record BuildTimedOut(double costSeconds) implements Measurement {}

    /// It ran too long and was stopped.
    ///
    /// @param costSeconds seconds after which it was stopped
    record RunTimedOut(double costSeconds) implements Measurement {}

    /// It failed in a way that is none of the others (a record of a file, for example).
    ///
    /// @param reason what is known
    /// @param costSeconds seconds that evaluating took
    record Unknown(String reason, double costSeconds) implements Measurement {}
}
