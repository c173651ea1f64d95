package knobscape.study;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.evaluate.report.JsonFields;
import knobscape.explore.Experience;
import knobscape.network.table.TableImport;
import knobscape.study.source.Study;
import knobscape.study.source.StudyReader;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Evaluators;
import knobscape.work.Method;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import knobscape.work.WorkSettings;
import knobscape.work.history.HistoryUse;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.Values;

/// The area of studies: any program with parameters of its own, and tables of what was measured elsewhere.
public record StudyArea() implements Area {
    /// Name in files.
    public static final String KIND = "study";

    private static final Help HELP = new Help(
            "Search the parameters of any program for the best configuration, as a study file declares them, or among those of a table of results.",
            "STUDY|KERNEL|TABLE",
            "A study file (NAME.study.yaml or .json), an OpenCL or CUDA kernel (.cl, .cu; a study is drafted of it where none lies beside it), a table of results (CSV, a storage of Optuna, a file of Kernel Tuner and others) or a project folder. Runs go to --out, else to NAME.knobscape beside the file.",
            "a study file, a kernel, a table of results or a project");
    /// Under this name files of earlier versions keep tables, and the evaluator they name.
    private static final String EARLIER = "hls";

    @Override
    public About about() {
        return new About(KIND, "Studies", "study", "\"NAME.study.yaml\"", HELP);
    }

    @Override
    public Choices<Method> methods() {
        return StudyMethods.of(List.of(), (p, _) -> Experience.none(p.space()));
    }

    @Override
    public Choices<Evaluators.Plain> evaluators() {
        return Evaluators.of(
                new Evaluators.Plain(
                        EvaluatorKind.COMMAND.word(),
                        "The study's program",
                        "Starts the program that the study names, once per configuration and stage."),
                new Evaluators.Plain(
                        EvaluatorKind.TOLD.word(),
                        "Told by you",
                        "You measure the configurations and tell the results (knobscape ask, knobscape tell)."),
                new Evaluators.Plain(
                        EvaluatorKind.REPLAY.word(),
                        "The table",
                        "Answers with the results that a table holds; nothing is run."));
    }

    @Override
    public Parameters parameters() {
        return StudySettings.PARAMETERS;
    }

    @Override
    public Parameters runParameters() {
        return StudySettings.RUN;
    }

    @Override
    public StudySettings settings(Values values) {
        return new StudySettings(values);
    }

    /// A table that the evaluator names is what is searched, and answers by itself.
    @Override
    public Values arranged(Values all) {
        Optional<String> named = EvaluatorKind.REPLAY.argument(all.get(RunSettings.TOOLCHAIN));
        Values with = all.find(WorkSettings.SOURCE).isEmpty() ? all.with(WorkSettings.SOURCE, named) : all;
        return StudySettings.isTable(with.find(WorkSettings.SOURCE).orElse("")) && with.isUsual(RunSettings.TOOLCHAIN)
                ? with.with(RunSettings.TOOLCHAIN, EvaluatorKind.REPLAY.word())
                : with;
    }

    @Override
    public Optional<String> sourceIn(String toolchain) {
        return EvaluatorKind.REPLAY.argument(toolchain);
    }

    @Override
    public boolean accepts(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return isMeasured(file)
                || (name.matches(".*\\.csv(\\.gz)?") ? !TableImport.isLayers(file) : ReplaySet.recognises(file));
    }

    /// True if what a file names is started: a study, or a kernel.
    public static boolean isMeasured(Path file) {
        return StudyReader.isStudy(file) || StudySource.isKernel(file);
    }

    /// Tables were work of the FPGA area once, named as the source or by the evaluator alone.
    @Override
    public boolean tookOver(String kind, JsonFields work) {
        Optional<String> source = work.text(WorkSettings.SOURCE.name());
        return kind.equals(EARLIER)
                && (source.filter(ReplaySet::isNamed).isPresent()
                        || replayed(work).isPresent());
    }

    private static Optional<String> replayed(JsonFields project) {
        return project.object("run")
                .flatMap(r -> r.text(RunSettings.TOOLCHAIN.name()))
                .flatMap(EvaluatorKind.REPLAY::argument);
    }

    @Override
    public Work read(JsonFields project) {
        if (!tookOver(project.text("kind").orElse(EARLIER), project)) {
            return Area.super.read(project);
        }
        Values all = earlier(allParameters().ofOther(project), project);
        boolean isTable = ReplaySet.isNamed(all.find(WorkSettings.SOURCE).orElse(""));
        return work(isTable ? all : all.with(WorkSettings.SOURCE, replayed(project)));
    }

    @Override
    public StudySettings readStored(JsonFields stored) {
        return settings(earlier(parameters().stored(stored), stored));
    }

    /// The explanation of the columns was called directives once.
    private static Values earlier(Values values, JsonFields from) {
        Optional<String> mapping = from.text("directives");
        return values.find(StudySettings.MAPPING).isEmpty()
                        && mapping.isPresent()
                        && ReplaySet.isNamed(values.find(WorkSettings.SOURCE).orElse(""))
                ? values.with(StudySettings.MAPPING, mapping)
                : values;
    }

    /// The settings of a run that a study file gives are its defaults.
    @Override
    public BareProject bare(Path file) {
        return isMeasured(file) ? ofStudy(file) : ofTable(file);
    }

    /// A table keeps its ending in the folder's name: what it was measured of may lie beside it.
    private static BareProject ofTable(Path file) {
        String name = String.valueOf(file.getFileName());
        return new BareProject(
                name.replaceFirst("(?i)(\\.\\w+)?(\\.gz)?$", ""),
                file.resolveSibling(name + ".knobscape"),
                new Work(
                        StudySettings.of(file.toString()),
                        new RunSettings(
                                StudySettings.RUN.usual().with(RunSettings.TOOLCHAIN, EvaluatorKind.REPLAY.word()))));
    }

    private static BareProject ofStudy(Path file) {
        StudySource source = StudySource.of(file);
        Study study = StudyReader.parse(source.file().toString(), source.text());
        Values run = StudySettings.RUN.usual();
        for (var e : study.run().entrySet()) {
            Parameter<?> p = requireNonNull(StudySettings.RUN_KEYS.get(e.getKey()));
            run = given(run, p, study.file() + ": run." + e.getKey(), e.getValue());
        }
        String stem = StudyReader.stem(file);
        return new BareProject(
                stem,
                file.resolveSibling(stem + ".knobscape"),
                new Work(StudySettings.of(file.toString()), new RunSettings(run)));
    }

    private static <T> Values given(Values run, Parameter<T> p, String called, String text) {
        return run.with(p, p.parse(called, text));
    }

    /// Fixes which rows of the history the run begins with; methods that learn from none do not depend on the file.
    @Override
    public Work begun(Work work, Optional<Path> history) {
        Values asked = work.settings().values();
        return new Work(
                settings(HistoryUse.put(
                        asked,
                        work.run().method().equals(StudyMethods.TRANSFER)
                                ? HistoryUse.now(asked, history)
                                : Optional.empty())),
                work.run());
    }

    @Override
    public StudyWorkbench open(WorkSettings settings, WorkLocation place) {
        return StudyWorkbench.open(place, (StudySettings) settings);
    }
}
