package knobscape.gpu.search;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/// Scores a kernel by the process of its own measurements ([StatementProcess]), and until there are enough of them by
/// what leads before. [SketchEvolution] goes by what the process expects; of what it comes by, expected improvement
/// chooses.
/// Not thread-safe.
final class ProcessScorer implements ScheduleScorer.Scorer {
    private final List<List<RunRecords.Row>> rows;
    private final int few;
    private final IntFunction<Optional<StatementProcess.Prior>> prior;
    private final ScheduleScorer.Scorer before;
    private final long seed;
    private final Map<Integer, StatementProcess> processes = new HashMap<>();

    /// @param rows measured, by kernel
    /// @param few measurements of a kernel from which its process begins
    /// @param prior by kernel
    /// @param before what leads until then
    ProcessScorer(
            List<List<RunRecords.Row>> rows,
            int few,
            IntFunction<Optional<StatementProcess.Prior>> prior,
            ScheduleScorer.Scorer before,
            long seed) {
        this.rows = rows;
        this.few = few;
        this.prior = prior;
        this.before = before;
        this.seed = seed;
    }

    /// Fitted when it is first asked for: a run has many kernels, and a turn is of one.
    private Optional<StatementProcess> process(int kernel) {
        List<RunRecords.Row> own = rows.get(kernel);
        return own.size() < few || own.stream().noneMatch(r -> r.score() > 0)
                ? Optional.empty()
                : Optional.of(processes.computeIfAbsent(kernel, k -> new StatementProcess(own, prior.apply(k), seed)));
    }

    @Override
    public boolean knows(int kernel) {
        return process(kernel).isPresent() || before.knows(kernel);
    }

    @Override
    public double[] score(int kernel, List<ScheduleFeatures> schedules) {
        return process(kernel)
                .map(p -> {
                    double best = p.best();
                    return Arrays.stream(p.means(schedules))
                            .map(m -> Math.exp(best - m))
                            .toArray();
                })
                .orElseGet(() -> before.score(kernel, schedules));
    }

    @Override
    public int[] pick(int kernel, List<ScheduleFeatures> schedules, int count) {
        return process(kernel)
                .map(p -> p.pick(schedules, count))
                .orElseGet(() -> before.pick(kernel, schedules, count));
    }

    @Override
    public double milliseconds(int kernel, ScheduleFeatures schedule) {
        return process(kernel)
                .map(p -> Math.exp(p.means(List.of(schedule))[0]))
                .orElseGet(() -> before.milliseconds(kernel, schedule));
    }

    @Override
    public Map<String, double[]> diagnostics(int kernel, List<ScheduleFeatures> schedules) {
        return before.diagnostics(kernel, schedules);
    }
}
