package knobscape.work.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import knobscape.evaluate.Outcome;
import knobscape.explore.Experience;
import knobscape.space.Configuration;
import knobscape.space.Encoder;
import knobscape.space.KnobSet;
import knobscape.work.history.TuningHistory.StoredTuning;

/// Tasks of the history that a search learns from, as far as it saw the history.
///
/// @param upTo number of the newest row that counts: what came after the run began is not seen
public record EarlierTasks(TuningHistory history, long upTo) {
    /// Most rows of an earlier task.
    public static final int MAX_ROWS = 4000;
    /// Most earlier tasks.
    static final int MAX_ORIGINS = 20;

    /// Those that are like the one at hand, each with other tails and drivers of it, the run's own device first, then
    /// those with the most rows.
    ///
    /// @param alike whether a task helps
    /// @param device the run's own
    /// @param isModel whether a model answers the run: its values and measured ones are never mixed
    public static List<List<StoredTuning>> origins(
            List<StoredTuning> tasks, Predicate<HistoryTask> alike, String device, boolean isModel) {
        var origins = new LinkedHashMap<List<String>, List<StoredTuning>>();
        tasks.stream()
                .filter(t -> alike.test(t.task()) && t.task().isModel() == isModel)
                .forEach(t -> origins.computeIfAbsent(
                                List.of(t.task().device(), t.task().subject()), _ -> new ArrayList<>())
                        .add(t));
        return origins.values().stream()
                .sorted(Comparator.comparing((List<StoredTuning> o) ->
                                !o.getFirst().task().device().equals(device))
                        .thenComparingLong(
                                o -> -o.stream().mapToLong(StoredTuning::rows).sum()))
                .limit(MAX_ORIGINS)
                .toList();
    }

    /// The measurements of one origin, the better half of [#MAX_ROWS] and an even sample of the others, in their
    /// order.
    ///
    /// @param tasks of [#origins]
    /// @param knobs of its configurations; those that are none of these are left out
    /// @param derived see [Experience.Earlier]
    /// @param score of a measurement, as in [Experience.Row]
    public Experience.Earlier of(
            List<StoredTuning> tasks, KnobSet knobs, Encoder derived, ToDoubleFunction<Outcome> score) {
        HistoryTask first = tasks.getFirst().task();
        Map<Configuration, Double> scores = new LinkedHashMap<>();
        for (StoredTuning t : tasks) {
            for (HistoryRow r : history.rows(t.id(), upTo)) {
                try {
                    scores.merge(
                            Configuration.parse(knobs, r.configuration()), score.applyAsDouble(r.outcome()), Math::max);
                } catch (IllegalArgumentException _) {
                    // Of a space that has changed since.
                }
            }
        }
        List<Map.Entry<Configuration, Double>> kept = bounded(List.copyOf(scores.entrySet()));
        return new Experience.Earlier(
                first.words(),
                first.device(),
                !first.isModel(),
                knobs,
                derived,
                kept.stream().map(Map.Entry::getKey).toList(),
                kept.stream().mapToDouble(Map.Entry::getValue).toArray());
    }

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
