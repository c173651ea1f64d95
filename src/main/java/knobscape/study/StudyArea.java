package knobscape.study;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.EvaluatorKind;
import knobscape.explore.Experience;
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

/// The area of studies: any program with parameters of its own.
public record StudyArea() implements Area {
    /// Name in files.
    public static final String KIND = "study";

    private static final Help HELP = new Help(
            "Search the parameters of any program for the best configuration, as a study file declares them.",
            "STUDY",
            "A study file (NAME.study.yaml or .json) or a project folder. Runs go to --out, else to NAME.knobscape beside the file.",
            "a study file or a project");

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
                        "You measure the configurations and tell the results (knobscape ask, knobscape tell)."));
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

    @Override
    public boolean accepts(Path file) {
        return StudyReader.isStudy(file);
    }

    /// The settings of a run that the file gives are its defaults.
    @Override
    public BareProject bare(Path file) {
        Study study = StudyReader.read(file);
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
