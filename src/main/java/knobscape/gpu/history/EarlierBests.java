package knobscape.gpu.history;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import knobscape.evaluate.Outcome;
import knobscape.gpu.export.KernelState;
import knobscape.work.history.HistoryRow;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;

/// The best earlier results for the kernels of a network on the same device.
///
/// @param kernels by kernel; empty for those that were not tuned there
public record EarlierBests(List<Optional<Earlier>> kernels) {
    /// Times this much above another count as reaching it.
    private static final double NEAR = 1.01;

    /// An earlier kernel.
    ///
    /// @param milliseconds the best time
    /// @param measurements how many were made
    public record Earlier(double milliseconds, int measurements) {}

    public EarlierBests {
        kernels = List.copyOf(kernels);
    }

    /// @param upTo number of the newest row that counts
    /// @param tasks of the kernels, in their order
    public static EarlierBests of(TuningHistory history, long upTo, List<HistoryTask> tasks) {
        List<TuningHistory.StoredTuning> stored = history.tasks();
        return new EarlierBests(tasks.stream()
                .map(t -> earlier(stored.stream()
                        .filter(s -> isSame(s.task(), t))
                        .flatMap(s -> history.rows(s.id(), upTo).stream())
                        .mapToDouble(EarlierBests::time)
                        .toArray()))
                .toList());
    }

    private static boolean isSame(HistoryTask a, HistoryTask b) {
        return a.area().equals(b.area())
                && a.device().equals(b.device())
                && a.isModel() == b.isModel()
                && a.subject().equals(b.subject())
                && a.template().equals(b.template())
                && a.tail().equals(b.tail());
    }

    private static double time(HistoryRow r) {
        double time = r.outcome() instanceof Outcome.Measured m ? m.values().getOrDefault("time", 0.0) : 0;
        return time > 0 ? time : Double.POSITIVE_INFINITY;
    }

    private static Optional<Earlier> earlier(double[] times) {
        double best = Arrays.stream(times).min().orElse(Double.POSITIVE_INFINITY);
        return best == Double.POSITIVE_INFINITY ? Optional.empty() : Optional.of(new Earlier(best, times.length));
    }

    /// A sentence about how the kernels stand beside then, and after how many measurements they were as fast; empty
    /// where none was tuned there before, or one of those that were has not run yet.
    ///
    /// @param states of the kernels, in their order
    /// @param turns the kernel of each of their measurements, in order of arrival
    public Optional<String> words(List<KernelState> states, List<Integer> turns) {
        int[] known = IntStream.range(0, Math.min(kernels.size(), states.size()))
                .filter(k -> kernels.get(k).isPresent())
                .toArray();
        double then = 0;
        double now = 0;
        int measuredThen = 0;
        int measuredNow = 0;
        int reached = 0;
        for (int k : known) {
            Earlier e = kernels.get(k).orElseThrow();
            KernelState s = states.get(k);
            then += s.kernel().count() * e.milliseconds;
            now += s.kernel().count() * s.bestMilliseconds();
            measuredThen += e.measurements;
            measuredNow += s.trials();
            reached += s.bestMilliseconds() <= NEAR * e.milliseconds ? 1 : 0;
        }
        if (known.length == 0 || Double.isNaN(now)) {
            return Optional.empty();
        }
        OptionalInt after = now <= NEAR * then ? after(states, turns, known, NEAR * then) : OptionalInt.empty();
        return Optional.of(String.format(
                Locale.ROOT,
                "%d of %d kernels were tuned on this device before: together %.4g ms after %d trials then, %.4g ms"
                        + " after %d now (%d of them as fast, within 1 %%)%s.",
                known.length,
                states.size(),
                then,
                measuredThen,
                now,
                measuredNow,
                reached,
                after.isPresent()
                        ? String.format(
                                Locale.ROOT,
                                "; the earlier quality was reached after %d, %.0f %% of the trials then",
                                after.getAsInt(),
                                100.0 * after.getAsInt() / measuredThen)
                        : ""));
    }

    /// Measurements of some kernels after which they together first took no longer than `enough` milliseconds.
    private static OptionalInt after(List<KernelState> states, List<Integer> turns, int[] among, double enough) {
        int[] measured = new int[states.size()];
        double[] times = new double[states.size()];
        Arrays.stream(among).forEach(k -> times[k] = Double.POSITIVE_INFINITY);
        int count = 0;
        for (int k : turns) {
            if (times[k] > 0) {
                KernelState s = states.get(k);
                times[k] = s.kernel().count() * s.millisecondsAfter(++measured[k]);
                count++;
                if (Arrays.stream(times).sum() <= enough) {
                    return OptionalInt.of(count);
                }
            }
        }
        return OptionalInt.empty();
    }
}
