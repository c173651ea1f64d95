package knobscape.explore;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The progress of a run: what it has spent, and how long it will still take. Only the run's thread uses it.
final class RunProgress {
    private static final double NANO = 1e-9;

    private final LongSupplier nanoClock;
    private final Exploration.Settings settings;
    private final RemainingTime stepTimes = new RemainingTime(2);
    private final RemainingTime proposalTimes = new RemainingTime(3);
    /// The time that a second of tool time takes.
    private final RemainingTime toolTimes = new RemainingTime(2);
    private double toolSeconds;
    private double algorithmSeconds;
    private long startedNanos;
    private long pausedNanos;
    private long stepNanos;
    private double stepToolSeconds;

    RunProgress(LongSupplier nanoClock, Exploration.Settings settings) {
        this.nanoClock = nanoClock;
        this.settings = settings;
    }

    void start() {
        startedNanos = nanoClock.getAsLong();
        stepNanos = startedNanos;
    }

    void paused(long nanos) {
        pausedNanos += nanos;
    }

    /// Tool time that a stage took.
    void spent(double seconds) {
        toolSeconds += seconds;
    }

    double toolSeconds() {
        return toolSeconds;
    }

    double algorithmSeconds() {
        return algorithmSeconds;
    }

    /// Takes the algorithm time of an earlier start.
    void replayed(double algorithm) {
        algorithmSeconds = Math.max(algorithmSeconds, algorithm);
    }

    /// Takes no notice any more of how long what was told so far took: it is of earlier starts.
    void resumed() {
        stepToolSeconds = toolSeconds;
    }

    /// Does work that counts as the explorer's.
    <T> T thinking(Supplier<T> work) {
        long before = nanoClock.getAsLong();
        try {
            return work.get();
        } finally {
            algorithmSeconds += (nanoClock.getAsLong() - before) * NANO;
        }
    }

    void answered(DispatchedProposal flight) {
        proposalTimes.add((nanoClock.getAsLong() - flight.sentNanos()) * NANO);
    }

    void stepTook(int step) {
        long now = nanoClock.getAsLong() - pausedNanos;
        if (step > 0) {
            stepTimes.add((now - stepNanos) * NANO);
            toolTimes.add((now - stepNanos) * NANO, toolSeconds - stepToolSeconds);
        }
        stepNanos = now;
        stepToolSeconds = toolSeconds;
    }

    /// Wall-clock seconds of this start, pauses excluded.
    double elapsed() {
        return (nanoClock.getAsLong() - startedNanos - pausedNanos) * NANO;
    }

    /// From measured steps; until two of them are known, from the time of the proposals answered so far. A
    /// limit of evaluations says more than one of steps; of steps, tool time and time the nearest counts.
    ///
    /// @param done steps
    /// @param initialOpen initial designs not answered
    /// @param unsent proposals that may still be sent, or are in flight
    double secondsLeft(int done, int initialOpen, int unsent) {
        // Where steps are not limited, they say nothing.
        double stepsLeft =
                settings.maxSteps() == Integer.MAX_VALUE ? Double.NaN : Math.max(0, settings.maxSteps() - done);
        double bySteps = stepTimes.forUnits(stepsLeft);
        double left = !Double.isNaN(bySteps)
                ? bySteps
                : proposalTimes.forUnits((double) initialOpen / settings.parallel() + stepsLeft);
        if (settings.maxEvaluations() > 0) {
            left = proposalTimes.forUnits((double) unsent / settings.parallel());
        }
        double minutes = settings.maxMinutes() > 0 ? Math.max(0, settings.maxMinutes() * 60 - elapsed()) : Double.NaN;
        double byTools = settings.maxToolSeconds() < Double.POSITIVE_INFINITY
                ? toolTimes.forUnits(Math.max(0, settings.maxToolSeconds() - toolSeconds))
                : Double.NaN;
        return nearer(nearer(left, byTools), minutes);
    }

    /// The smaller; the other of one that is not known.
    private static double nearer(double a, double b) {
        return Double.isNaN(b) || a < b ? a : b;
    }
}
