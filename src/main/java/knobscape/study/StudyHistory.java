package knobscape.study;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.explore.Experience;
import knobscape.space.DesignSpace;
import knobscape.study.evaluate.StudyTools;
import knobscape.study.source.Study;
import knobscape.study.source.StudyReader;
import knobscape.work.Method;
import knobscape.work.history.EarlierTasks;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.HistoryUse;
import knobscape.work.history.TuningHistory;

/// A study in the tuning history: the task that its runs are kept as, and what earlier ones of its name measured.
///
/// @param file of the study or table
/// @param sourceHash SHA-256 of the study's text
/// @param use the history and how far the run saw it; empty where none is used
record StudyHistory(Path file, Study study, DesignSpace space, String sourceHash, Optional<HistoryUse> use)
        implements BiFunction<Method.Problem, Metric, Experience> {
    private static final String TEMPLATE = "study@1";

    /// The task on the device that an evaluator stands for.
    HistoryTask task(EvaluatorInfo info) {
        return new HistoryTask(
                StudyArea.KIND,
                new HistoryTask.Measurer(device(info), "", false),
                name(),
                sourceHash,
                StudyReader.stem(file),
                "",
                TEMPLATE,
                "bare",
                Optional.of(space.knobs()));
    }

    private String name() {
        return study.name().isEmpty() ? StudyReader.stem(file) : study.name();
    }

    private static String device(EvaluatorInfo info) {
        return StudyTools.hardware(info).orElse(EvaluatorKind.of(info.name()).word());
    }

    /// The earlier measurements of one metric by studies of this name, as far as the run saw the history.
    @Override
    public Experience apply(Method.Problem p, Metric metric) {
        if (use.isEmpty()) {
            return Experience.none(space);
        }
        try (TuningHistory history = TuningHistory.existing(Path.of(use.get().file()))) {
            var earlier = new EarlierTasks(history, use.get().upTo());
            List<Experience.Earlier> found =
                    EarlierTasks.origins(history.tasks(), t -> isAlike(t, p.info()), device(p.info()), false).stream()
                            .map(o -> earlier.of(
                                    o,
                                    o.getFirst().task().knobs().orElseThrow(),
                                    Experience.NOTHING,
                                    outcome -> score(outcome, metric)))
                            // Another unit or objective of the same name of a study is no help.
                            .filter(e -> Arrays.stream(e.scores()).anyMatch(s -> s > 0))
                            .toList();
            return Experience.of(space, Experience.NOTHING, found);
        }
    }

    private boolean isAlike(HistoryTask t, EvaluatorInfo info) {
        return t.area().equals(StudyArea.KIND)
                && t.group().equals(name())
                && (info.fidelities().size() == 1
                        ? t.template().equals(TEMPLATE)
                        : t.template().equals(TEMPLATE + "/" + info.top().name()))
                && t.knobs().isPresent();
    }

    /// Larger is better; 0 where it did not run.
    static double score(Outcome outcome, Metric metric) {
        double v =
                outcome instanceof Outcome.Measured m ? m.value(metric.name()).orElse(0) : 0;
        return v <= 0 ? 0 : metric.direction() == Metric.Direction.MINIMISE ? 1 / v : v;
    }
}
