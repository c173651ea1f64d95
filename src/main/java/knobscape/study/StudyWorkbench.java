package knobscape.study;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.explore.Explorer;
import knobscape.explore.Subject;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.FeatureEncoder;
import knobscape.space.Sha256;
import knobscape.study.evaluate.StudyTools;
import knobscape.study.source.OwnKernel;
import knobscape.study.source.ResultTable;
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
import knobscape.work.device.ComputeDevice.Language;
import knobscape.work.history.HistoryTask;

/// A study or a table of results opened, with the means to search it.
public final class StudyWorkbench implements Workbench {
    private static final int MAX_KNOWN = 200_000;

    private final StudySettings settings;
    private final WorkLocation place;
    private final Path file;
    private final Study study;
    private final DesignSpace space;
    private final String text;
    private final String sourceHash;

    private final Optional<ReplaySet> table;

    private StudyWorkbench(
            StudySettings settings,
            WorkLocation place,
            Path file,
            Study study,
            DesignSpace space,
            String text,
            String sourceHash,
            Optional<ReplaySet> table) {
        this.settings = settings;
        this.place = place;
        this.file = file;
        this.study = study;
        this.space = space;
        this.text = text;
        this.sourceHash = sourceHash;
        this.table = table;
    }

    /// Opens a study or a table of results. Throws [UserError] naming file and line of what is wrong with it.
    static StudyWorkbench open(WorkLocation place, StudySettings settings) {
        Path file = place.resolve(settings.source());
        if (ReplaySet.isNamed(settings.source()) && !StudyReader.isStudy(file)) {
            Path corrected = place.runsFolder().resolve(ResultTable.COLUMNS);
            ResultTable t = ResultTable.open(
                    file,
                    settings.mapping()
                            .map(place::resolve)
                            .or(() -> Optional.of(corrected).filter(Files::isRegularFile)));
            return new StudyWorkbench(
                    settings,
                    place,
                    file,
                    t.study(),
                    t.set().space(),
                    t.set().mappingText(),
                    t.hash(),
                    Optional.of(t.set()));
        }
        StudySource source = StudySource.of(file);
        Study study = StudyReader.parse(source.file().toString(), source.text());
        return new StudyWorkbench(
                settings,
                place,
                file,
                study,
                StudySpace.of(study),
                source.text(),
                Sha256.of(source.text().getBytes(StandardCharsets.UTF_8)),
                Optional.empty());
    }

    /// The study file as it stands; of a table what explains its columns.
    public String text() {
        return text;
    }

    /// The table that is searched; empty where something is measured.
    public Optional<ReplaySet> table() {
        return table;
    }

    /// The contents of the file.
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
        return StudyMethods.of(study.positive(), history());
    }

    @Override
    public List<Evaluators.Plain> evaluators() {
        return new StudyArea()
                .evaluators().all().stream()
                        .filter(e -> e.name().equals(EvaluatorKind.REPLAY.word()) == table.isPresent())
                        .toList();
    }

    @Override
    public Optional<Configuration> baseline() {
        // No row of a table of results is what the others started from.
        return table.isPresent() ? Optional.empty() : StudySpace.baseline(study, space);
    }

    @Override
    public Stream<List<Evaluation>> known() {
        return table.filter(t -> t.rows() <= MAX_KNOWN).stream().flatMap(ReplaySet::all);
    }

    @Override
    public List<String> warnings() {
        return Stream.concat(notes().stream(), untold().stream()).toList();
    }

    /// Metrics of a kernel that its kind of device does not tell are said before their column stays empty.
    private Optional<String> untold() {
        List<String> empty = study.stages().stream()
                .flatMap(s -> s.kernel().stream())
                .filter(k -> k.code().language() == Language.OPENCL)
                .flatMap(_ -> study.metrics().stream().map(Metric::name).filter(OwnKernel.OF_CUDA::contains))
                .distinct()
                .toList();
        return empty.isEmpty()
                ? Optional.empty()
                : Optional.of("OpenCL devices do not tell " + String.join(" and ", empty) + "; only CUDA does.");
    }

    private List<String> notes() {
        return table.isPresent()
                ? table.get().notes()
                : study.stages().isEmpty()
                        ? List.of("The study names no program; its results are told (--toolchain told).")
                        : StudyReader.isStudy(file) || Files.exists(Path.of(study.file()))
                                ? List.of()
                                : List.of("The sizes of the work and what is right are drafted from "
                                        + file.getFileName() + "; to look at them and change them: knobscape study new "
                                        + file + ".");
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
        if (table.isPresent()) {
            return replay(table.get(), run.toolchain());
        }
        if (isTold(run)) {
            return StudyTools.told(study);
        }
        if (EvaluatorKind.REPLAY.isOf(run.toolchain())) {
            throw new UserError(
                    study.file() + " measures by itself; name the table in its place, or leave out --toolchain "
                            + run.toolchain() + ".");
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

    private Evaluator replay(ReplaySet set, String toolchain) {
        EvaluatorKind.REPLAY
                .argument(toolchain)
                .map(place::resolve)
                .filter(other -> !other.equals(file) && !other.equals(set.file()))
                .ifPresent(other -> {
                    throw new UserError("Two tables are named, " + file + " and " + other + "; name one.");
                });
        if (!EvaluatorKind.REPLAY.isOf(toolchain)) {
            throw new UserError(set.file() + " holds results, for which only the table itself can answer; leave out"
                    + " --toolchain " + toolchain + ".");
        }
        return set.evaluator();
    }

    @Override
    public Optional<Evaluator> single(RunSettings run) {
        return Optional.of(evaluator(run));
    }

    @Override
    public List<Configuration> given() {
        return settings.suggestions().stream()
                .map(s -> StudySpace.suggested(study, space, s))
                .distinct()
                .toList();
    }

    @Override
    public RunPlan plan(RunSettings run) {
        return RunPlan.of(this, run, evaluator(run), info -> {
            Explorer search = methods()
                    .named(run.method())
                    .factory()
                    .create(Method.Problem.of(run, space, new FeatureEncoder(space.knobs()), info, Optional.empty()));
            return isTold(run) ? search : StudyMethods.finished(study, search, run, info);
        });
    }

    /// One task per text of the study and device; those of one name help one another.
    @Override
    public List<HistoryTask> historyTasks(RunSettings run, List<Subject> subjects) {
        return List.of(history().task(subjects.getFirst().evaluator().info()));
    }

    private StudyHistory history() {
        return new StudyHistory(file, study, space, sourceHash, settings.history());
    }
}
