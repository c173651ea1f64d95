package knobscape.gpu.history;

import java.util.List;
import java.util.stream.Collectors;
import knobscape.gpu.source.NetworkKernel;
import knobscape.network.task.LayerGroup;
import knobscape.work.history.EarlierTasks;
import knobscape.work.history.TuningHistory;

/// A history's offer to the tuning of a kernel: what a search that learns from it would begin with.
///
/// @param kernel what is tuned
/// @param group of its layers; empty for a measured set
/// @param own rows of the device that it will run on
/// @param others rows of other devices
/// @param start what the search would begin with, in words; empty where there is nothing
public record Offer(NetworkKernel kernel, String group, long own, long others, String start) {
    private static final int NAMED = 3;

    /// @param tasks of the history
    /// @param device that it will run on, as the history calls it
    /// @param isModel whether that is a model: its times and measured ones are never mixed
    public static Offer of(
            List<TuningHistory.StoredTuning> tasks, NetworkKernel kernel, String device, boolean isModel) {
        List<List<TuningHistory.StoredTuning>> origins = KernelExperience.origins(tasks, kernel, device, isModel);
        return new Offer(
                kernel,
                kernel.source().map(s -> LayerGroup.of(s.workload()).name()).orElse(""),
                origins.stream()
                        .filter(o -> isOf(device, o))
                        .mapToLong(Offer::rows)
                        .sum(),
                origins.stream()
                        .filter(o -> !isOf(device, o))
                        .mapToLong(Offer::rows)
                        .sum(),
                origins.stream()
                                .limit(NAMED)
                                .map(o -> rows(o) + " of "
                                        + o.getFirst().task().words() + " on "
                                        + o.getFirst().task().device())
                                .collect(Collectors.joining("; "))
                        + (origins.size() > NAMED ? "; " + (origins.size() - NAMED) + " more" : ""));
    }

    private static boolean isOf(String device, List<TuningHistory.StoredTuning> origin) {
        return origin.getFirst().task().device().equals(device);
    }

    /// Rows that count: no more of one kernel than [EarlierTasks#MAX_ROWS].
    private static long rows(List<TuningHistory.StoredTuning> origin) {
        return Math.min(
                EarlierTasks.MAX_ROWS,
                origin.stream().mapToLong(TuningHistory.StoredTuning::rows).sum());
    }
}
