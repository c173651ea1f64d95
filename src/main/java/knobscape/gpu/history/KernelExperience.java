package knobscape.gpu.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.explore.Experience;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.feature.ScheduleSizes;
import knobscape.gpu.space.template.ScheduleSource;
import knobscape.network.task.LayerGroup;
import knobscape.space.Configuration;
import knobscape.space.Encoder;
import knobscape.space.KnobSet;
import knobscape.work.history.HistoryRow;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;

/// What a kernel's search learns from: rows of the history of kernels in its group by the same template, or of
/// the same measured set, of devices where the run's is one and of models where it is one.
public final class KernelExperience {
    /// Most rows of an earlier kernel.
    static final int MAX_ROWS = 4000;
    /// Most earlier kernels.
    static final int MAX_ORIGINS = 20;

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
        // Other tails and drivers of a kernel are one origin.
        var origins = new LinkedHashMap<List<String>, List<TuningHistory.StoredTuning>>();
        tasks.stream()
                .filter(t -> isAlike(t.task(), kernel) && t.task().isModel() == isModel)
                .forEach(t -> origins.computeIfAbsent(
                                List.of(t.task().device(), t.task().subject()), _ -> new ArrayList<>())
                        .add(t));
        return origins.values().stream()
                .sorted(Comparator.comparing((List<TuningHistory.StoredTuning> o) ->
                                !o.getFirst().task().device().equals(device))
                        .thenComparingLong(o -> -o.stream()
                                .mapToLong(TuningHistory.StoredTuning::rows)
                                .sum()))
                .limit(MAX_ORIGINS)
                .toList();
    }

    /// What a kernel's search learns from.
    ///
    /// @param earlier kernels like it
    public static Experience of(NetworkKernel kernel, List<Experience.Earlier> earlier) {
        return Experience.of(kernel.space(), derived(kernel.source()), earlier);
    }

    /// What was measured of another kernel of the same run.
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

    /// Whether rows of a task help to tune a kernel.
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
        Optional<KnobSet> knobs = source.map(t -> t.space().knobs()).or(first::knobs);
        if (knobs.isEmpty()) {
            return Optional.empty();
        }
        Map<Configuration, Double> scores = new LinkedHashMap<>();
        for (TuningHistory.StoredTuning t : tasks) {
            for (HistoryRow r : history.rows(t.id(), upTo)) {
                try {
                    scores.merge(Configuration.parse(knobs.get(), r.configuration()), score(r.outcome()), Math::max);
                } catch (IllegalArgumentException _) {
                    // Of a space that has changed since.
                }
            }
        }
        List<Map.Entry<Configuration, Double>> kept = bounded(List.copyOf(scores.entrySet()));
        return Optional.of(new Experience.Earlier(
                first.words(),
                first.device(),
                !first.isModel(),
                knobs.get(),
                derived(source),
                kept.stream().map(Map.Entry::getKey).toList(),
                kept.stream().mapToDouble(Map.Entry::getValue).toArray()));
    }

    /// Calls per second; 0 for what did not run.
    private static double score(Outcome outcome) {
        double time = outcome instanceof Outcome.Measured m ? m.values().getOrDefault("time", 0.0) : 0;
        return time > 0 ? 1000 / time : 0;
    }

    /// The better half of [#MAX_ROWS] and an even sample of the others, in their order.
    private static List<Map.Entry<Configuration, Double>> bounded(List<Map.Entry<Configuration, Double>> all) {
        if (all.size() <= MAX_ROWS) {
            return all;
        }
        List<Integer> order = IntStream.range(0, all.size())
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -all.get(i).getValue()))
                .toList();
        int half = MAX_ROWS / 2;
        List<Integer> rest = order.subList(half, order.size());
        return IntStream.concat(
                        order.subList(0, half).stream().mapToInt(i -> i),
                        IntStream.range(0, half).map(i -> rest.get((int) ((long) i * rest.size() / half))))
                .sorted()
                .mapToObj(all::get)
                .toList();
    }
}
