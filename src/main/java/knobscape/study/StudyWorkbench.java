package knobscape.study;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Goal;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.explore.BaselineFirst;
import knobscape.explore.Budget;
import knobscape.explore.Experience;
import knobscape.explore.Explorer;
import knobscape.explore.Subject;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.FeatureEncoder;
import knobscape.space.Sha256;
import knobscape.study.evaluate.StudyTools;
import knobscape.study.source.Study;
import knobscape.study.source.StudyReader;
import knobscape.study.space.StudySpace;
import knobscape.work.Choices;
import knobscape.work.Evaluators;
import knobscape.work.Method;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.Workbench;
import knobscape.work.history.EarlierTasks;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.HistoryUse;
import knobscape.work.history.TuningHistory;

/// A study opened, with the means to search it.
public final class StudyWorkbench implements Workbench {
    private static final String TEMPLATE = "study@1";

    private final StudySettings settings;
    private final WorkLocation place;
    private final Path file;
    private final Study study;
    private final DesignSpace space;
    private final String text;
    private final String sourceHash;

    private StudyWorkbench(StudySettings settings, WorkLocation place, Path file) {
        this.settings = settings;
        this.place = place;
        this.file = file;
        this.text = StudyReader.text(file);
        this.study = StudyReader.parse(file.toString(), text);
        this.space = StudySpace.of(study);
        this.sourceHash = Sha256.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Opens a study. Throws [UserError] naming file and line of what is wrong with it.
    static StudyWorkbench open(WorkLocation place, StudySettings settings) {
        return new StudyWorkbench(settings, place, place.resolve(settings.source()));
    }

    /// The file as it stands.
    public String text() {
        return text;
    }

    /// What the file says.
    public Study study() {
        return study;
    }

    @Override
    public StudySettings settings() {
        return settings;
    }

    @Override
    public DesignSpace space() {
        return space;
    }

    @Override
    public String sourceHash() {
        return sourceHash;
    }

    @Override
    public Choices<Method> methods() {
        return StudyMethods.of(study.positive(), this::earlier);
    }

    @Override
    public List<Evaluators.Plain> evaluators() {
        return new StudyArea().evaluators().all();
    }

    @Override
    public Optional<Configuration> baseline() {
        return StudySpace.baseline(study, space);
    }

    @Override
    public List<String> warnings() {
        return study.stages().isEmpty()
                ? List.of("The study names no program; its results are told (--toolchain told).")
                : List.of();
    }

    /// The study's program, which the file's author chose.
    @Override
    public String starts(RunSettings run) {
        return isTold(run) || study.stages().isEmpty()
                ? run.toolchain()
                : EvaluatorKind.COMMAND.with(study.stages().getFirst().words());
    }

    private static boolean isTold(RunSettings run) {
        return EvaluatorKind.TOLD.isOf(run.toolchain());
    }

    /// A fresh evaluator.
    private Evaluator evaluator(RunSettings run) {
        if (isTold(run)) {
            return StudyTools.told(study);
        }
        if (!run.toolchain().equals(EvaluatorKind.COMMAND.word())) {
            new StudyArea().evaluators().named(run.toolchain());
        }
        if (study.stages().isEmpty()) {
            throw new UserError(study.file()
                    + " names no program under 'measure'; add one, or tell the results yourself (--toolchain told).");
        }
        return StudyTools.command(
                study,
                file.resolveSibling("").toAbsolutePath(),
                run.objectives().isEmpty() ? study.objectives() : run.objectives(),
                settings.tool(),
                place.runsFolder().resolve("tools").resolve(EvaluatorKind.COMMAND.word()));
    }

    @Override
    public Optional<Evaluator> single(RunSettings run) {
        return Optional.of(evaluator(run));
    }

    @Override
    public RunPlan plan(RunSettings run) {
        List<Configuration> suggested = settings.suggestions().stream()
                .map(s -> StudySpace.suggested(study, space, s))
                .distinct()
                .toList();
        return RunPlan.of(this, run, evaluator(run), info -> {
            Explorer all = explorer(run, info);
            for (Configuration c : suggested.reversed()) {
                all = new BaselineFirst(all, c, info.top(), "suggestion");
            }
            return all;
        });
    }

    private Explorer explorer(RunSettings run, EvaluatorInfo info) {
        return methods()
                .named(run.method())
                .factory()
                .create(new Method.Problem(
                        space,
                        new FeatureEncoder(space.knobs()),
                        info,
                        Workbench.objectives(run, info),
                        run.seed(),
                        run.initialDesigns(),
                        Goal.parse(run.goal(), info.metrics(), m -> 1).bounds(),
                        new Budget(run.toolSeconds(), run.steps()),
                        Optional.empty()));
    }

    /// One task per text of the study and device; those of one name help one another.
    @Override
    public List<HistoryTask> historyTasks(RunSettings run, List<Subject> subjects) {
        return List.of(new HistoryTask(
                StudyArea.KIND,
                device(subjects.getFirst().evaluator().info()),
                "",
                false,
                name(),
                sourceHash,
                StudyReader.stem(file),
                "",
                TEMPLATE,
                "bare",
                Optional.of(space.knobs())));
    }

    private String name() {
        return study.name().isEmpty() ? StudyReader.stem(file) : study.name();
    }

    private static String device(EvaluatorInfo info) {
        return StudyTools.hardware(info).orElse(info.name());
    }

    /// What was measured before of studies of this name, as far as the run saw the history.
    private Experience earlier(Method.Problem p, Metric metric) {
        if (settings.history().isEmpty()) {
            return Experience.none(space);
        }
        HistoryUse use = settings.history().get();
        try (TuningHistory history = TuningHistory.existing(Path.of(use.file()))) {
            var earlier = new EarlierTasks(history, use.upTo());
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

    private static double score(Outcome outcome, Metric metric) {
        double v =
                outcome instanceof Outcome.Measured m ? m.value(metric.name()).orElse(0) : 0;
        return v <= 0 ? 0 : metric.direction() == Metric.Direction.MINIMISE ? 1 / v : v;
    }
}
