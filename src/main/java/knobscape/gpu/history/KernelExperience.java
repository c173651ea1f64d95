package knobscape.gpu.history;

import java.util.List;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.explore.Experience;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.feature.ScheduleSizes;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.network.task.LayerGroup;
import knobscape.space.Encoder;
import knobscape.work.history.EarlierTasks;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;

/// The experience of a kernel's search: rows of the history of kernels in its group by the same template, or of
/// the same measured set, of devices where the run's is one and of models where it is one.
public final class KernelExperience {
    private KernelExperience() {}

    /// @param upTo number of the newest row that counts: what came after the run began is not seen
    /// @param device the run's own, whose rows come before those of others where there are too many
    /// @param isModel whether a model answers the run
    public static List<Experience.Earlier> earlier(
            TuningHistory history, long upTo, NetworkKernel kernel, String device, boolean isModel) {
        return origins(history.tasks(), kernel, device, isModel).stream()
                .flatMap(o -> earlier(history, upTo, o).stream())
                .toList();
    }

    /// The earlier kernels that a search learns from, each with all its tasks, the run's own device first.
    static List<List<TuningHistory.StoredTuning>> origins(
            List<TuningHistory.StoredTuning> tasks, NetworkKernel kernel, String device, boolean isModel) {
        return EarlierTasks.origins(tasks, t -> isAlike(t, kernel), device, isModel);
    }

    /// The experience of a kernel's search.
    ///
    /// @param earlier kernels like it
    public static Experience of(NetworkKernel kernel, List<Experience.Earlier> earlier) {
        return Experience.of(kernel.space(), derived(kernel.source()), earlier);
    }

    /// The measurements of another kernel of the same run.
    public static Experience.Earlier trace(
            NetworkKernel kernel, String device, boolean isModel, List<Evaluation> measured) {
        return new Experience.Earlier(
                kernel.words(),
                device,
                !isModel,
                kernel.space().knobs(),
                derived(kernel.source()),
                measured.stream().map(Evaluation::configuration).toList(),
                measured.stream().mapToDouble(e -> score(e.outcome())).toArray());
    }

    /// Of each kernel the first that is like it, itself where it is the first: of one group and template.
    public static int[] leaders(List<NetworkKernel> kernels) {
        List<Object> groups = kernels.stream()
                .<Object>map(k -> k.source()
                        .<Object>map(s ->
                                List.of(s.name(), LayerGroup.of(s.workload()).name()))
                        .orElse(k))
                .toList();
        return groups.stream().mapToInt(groups::indexOf).toArray();
    }

    /// True if rows of a task help to tune a kernel.
    public static boolean isAlike(HistoryTask t, NetworkKernel kernel) {
        return t.area().equals(HistoryTasks.AREA)
                && kernel.source()
                        .map(x -> !t.work().isEmpty()
                                && t.template().startsWith(x.name() + "@")
                                && t.group().equals(LayerGroup.of(x.workload()).name()))
                        .orElseGet(() -> kernel.measured()
                                .map(s -> t.group().equals(HistoryTasks.group(s)))
                                .orElse(false));
    }

    private static Encoder derived(Optional<ScheduleSource> source) {
        return source.<Encoder>map(ScheduleSizes::new).orElse(Experience.NOTHING);
    }

    private static Optional<Experience.Earlier> earlier(
            TuningHistory history, long upTo, List<TuningHistory.StoredTuning> tasks) {
        HistoryTask first = tasks.getFirst().task();
        Optional<ScheduleSource> source = HistoryTasks.source(first);
        return source.map(t -> t.space().knobs())
                .or(first::knobs)
                .map(k -> new EarlierTasks(history, upTo).of(tasks, k, derived(source), KernelExperience::score));
    }

    /// Calls per second; 0 for what did not run.
    private static double score(Outcome outcome) {
        double time = outcome instanceof Outcome.Measured m ? m.values().getOrDefault("time", 0.0) : 0;
        return time > 0 ? 1000 / time : 0;
    }
}
