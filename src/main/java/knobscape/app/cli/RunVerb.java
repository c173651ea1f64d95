package knobscape.app.cli;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.project.Folders;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.project.RunFiles;
import knobscape.project.RunRecord;
import knobscape.project.RunReference;
import knobscape.project.RunSession;
import knobscape.project.Session;
import knobscape.project.UserHistory;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.Values;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// A run of an area in the terminal, or the rest of one: `explore`, `tune`, `fuse`, and the verb of every further
/// area. Its options are the settings that the area declares.
final class RunVerb extends Verb {
    private static final int MOST_ASSUMPTIONS = 10;

    @Option(
            names = "--resume",
            paramLabel = "RUN",
            description = "Resume a stored run: PROJECT:NUMBER, a project (its newest run) or a folder of results.")
    private Optional<String> resume = Optional.empty();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write the results into this folder; the runs of a source without a project go there too.")
    private Optional<Path> out = Optional.empty();

    @Option(names = "--yes", description = "Start the program that the project names as its own tool, without asking.")
    private boolean yes;

    @Mixin
    private ForceOption overwriting;

    private final Area declared;
    private final RunReport report;
    private final ParameterOptions options;

    private RunVerb(CommandContext context, Area area, RunReport report) {
        super(context);
        this.declared = area;
        this.report = report;
        this.options = new ParameterOptions(area.allParameters());
    }

    /// The verb of an area.
    static CommandSpec of(CommandContext context, Area area) {
        RunReport report = RunReports.of(context, area);
        var verb = new RunVerb(context, area, report);
        CommandSpec spec = CommandSpec.forAnnotatedObject(verb).name(area.verb());
        Area.Help help = area.about().help();
        spec.usageMessage()
                .description(help.purpose() + " Ctrl-C stops; a stopped or killed run can be resumed.")
                .sortOptions(false);
        spec.addPositional(PositionalParamSpec.builder()
                .arity("0..1")
                .index("0")
                .paramLabel(help.sourceLabel())
                .type(String.class)
                .description(help.sourceWords())
                .build());
        new ParameterOptions(area.parameters()).addTo(spec, "What is optimised");
        new ParameterOptions(area.runParameters()).addTo(spec, "How it is searched");
        spec.addMixin("report", CommandSpec.forAnnotatedObject(report));
        report.further(context).forEach(s -> spec.addSubcommand(s.name(), s));
        return spec;
    }

    @Override
    public Integer call() throws InterruptedException {
        Optional<Path> folder = out.map(o -> context().here().resolve(o).normalize());
        folder.filter(_ -> !declared.keepsRunsWithResults()).ifPresent(Folders::writable);
        var parsed = spec().commandLine().getParseResult();
        Map<Parameter<?>, ParameterOptions.OptionUse> given = options.given(parsed);
        Optional<String> source = Optional.ofNullable(parsed.matchedPositionalValue(0, (String) null));
        Optional<Integer> listed = report.listed(this, given);
        if (listed.isPresent()) {
            return listed.get();
        }
        if (resume.isPresent()) {
            return resume(resume.get(), source, given, folder);
        }
        Area area = context().area(declared.kind());
        Optional<String> named = source.or(() -> toolchain(given).flatMap(area::sourceIn));
        if (named.isEmpty()) {
            throw new ParameterException(
                    spec().commandLine(), "Name " + area.about().help().nameOne() + ", or a run with --resume.");
        }
        Source opening = source(area, named.get(), given, folder);
        try (Project project = opening.project()) {
            Area own = project.area();
            if (!own.kind().equals(area.kind())) {
                throw new UserError("The project '" + project.name() + "' is for " + own.title()
                        + "; on the command line it is for 'knobscape " + own.verb() + "'.");
            }
            Area.Work typed = value(() -> ParameterOptions.work(
                    area, opening.work(), project, given, context().here()));
            Area.Work asked = usage(() -> report.settled(typed, given.keySet(), opening.isProject()));
            usage(() -> area.method(asked.run().method()));
            usage(() -> EvaluatorKind.TOLD.isOf(asked.run().toolchain())
                    ? asked
                    : area.evaluators().named(asked.run().toolchain().split(":", 2)[0]));
            Area.Work work = area.begun(asked, UserHistory.file().filter(Files::isRegularFile));
            Session<? extends Workbench> opened = opened(area, project, work.settings());
            opened.bench().warnings().forEach(w -> err().println("Note: " + w));
            var start =
                    new RunReport.Start(opened, work.run(), results(project, folder), guard(opened), Optional.empty());
            Optional<RunReport.Conclusion> instead = value(() -> report.instead(start, given.keySet()));
            if (instead.isPresent()) {
                return tell(instead.get());
            }
            Optional<Integer> outside = told(opened, work.run());
            if (outside.isPresent()) {
                return outside.get();
            }
            consent(
                    project,
                    opened.bench().starts(work.run()),
                    toolchain(given).isPresent() || yes || !opening.isProject());
            return run(start, (runner, watchers) -> runner.start(opened, work.run(), watchers));
        }
    }

    private static Optional<String> toolchain(Map<Parameter<?>, ParameterOptions.OptionUse> given) {
        return given.entrySet().stream()
                .filter(e -> e.getKey().name().equals(RunSettings.TOOLCHAIN.name()))
                .map(e -> e.getValue().values().getLast())
                .findFirst();
    }

    private Integer resume(
            String text,
            Optional<String> source,
            Map<Parameter<?>, ParameterOptions.OptionUse> given,
            Optional<Path> folder)
            throws InterruptedException {
        List<String> can = declared.resumable();
        boolean elsewhere = folder.isPresent() && declared.keepsRunsWithResults();
        if (source.isPresent()
                || elsewhere
                || report.isAsked()
                || given.keySet().stream().anyMatch(p -> !can.contains(p.name()))) {
            throw new ParameterException(
                    spec().commandLine(),
                    "With --resume only "
                            + options.parameters().list().stream()
                                    .filter(p -> can.contains(p.name())
                                            && !p.option().isAbsent())
                                    .map(p -> p.option().name())
                                    .collect(Collectors.joining(", "))
                            + (declared.keepsRunsWithResults() ? "" : ", --out")
                            + " can be given: a run is resumed as it began.");
        }
        Area area = context().area(declared.kind());
        RunReference reference = RunReference.parse(text, context().here());
        try (Project project = reference.open()) {
            RunRecord run = reference.run(project);
            Area own = project.area(run.work());
            if (!own.kind().equals(area.kind())) {
                throw new UserError("Run " + run.id() + " is of '" + own.title()
                        + "'; on the command line it is for 'knobscape " + own.verb() + "'.");
            }
            Values values = usage(() -> ParameterOptions.apply(
                    given,
                    new Area.Work(run.work(), run.settings()).values(),
                    context().here()));
            Parameters work = run.work().values().parameters();
            RunSettings settings =
                    new RunSettings(values.only(run.settings().values().parameters()));
            Session<? extends Workbench> opened =
                    opened(area, project, run.work().of(values.only(work)));
            var start = new RunReport.Start(
                    opened,
                    settings,
                    results(project, folder.or(() -> RunFiles.earlier(project, run))),
                    guard(opened),
                    Optional.of(run));
            consent(project, opened.bench().starts(settings), yes);
            return run(start, (runner, watchers) -> runner.resume(opened, run.id(), settings, watchers));
        }
    }

    private static Session<? extends Workbench> opened(Area area, Project project, WorkSettings settings) {
        return Session.of(project, settings, s -> area.open(s, project));
    }

    private FileGuard guard(Session<? extends Workbench> opened) {
        return overwriting.guard(opened.project(), opened.bench().settings());
    }

    private Optional<Path> results(Project project, Optional<Path> folder) {
        return declared.keepsRunsWithResults() ? Optional.of(project.runsFolder()) : folder;
    }

    /// The named source.
    ///
    /// @param project holds the runs
    /// @param work where no option says otherwise
    /// @param isProject whether it is a project
    private record Source(Project project, Area.Work work, boolean isProject) {
        static Source of(Project project, boolean isProject) {
            return new Source(project, project.file().both(), isProject);
        }

        /// In a folder that other sources may share.
        static Source shared(Area.BareProject bare, Optional<Path> folder) {
            return new Source(Project.shared(bare, folder), bare.work(), false);
        }
    }

    private Source source(
            Area area, String text, Map<Parameter<?>, ParameterOptions.OptionUse> given, Optional<Path> folder) {
        Path path;
        try {
            path = context().here().resolve(text).normalize();
        } catch (InvalidPathException e) {
            throw new UserError("'" + text + "' is not the name of a file.", e);
        }
        boolean isProject = Files.isDirectory(path) || path.endsWith(ProjectFile.FILE_NAME);
        Optional<Area.BareProject> bare =
                isProject ? Optional.empty() : area.named(text, context().here(), Folders.userRuns());
        if (bare.isPresent()) {
            // Work can be opened only with the extents that its file leaves open.
            WorkSettings seen = bare.get().work().settings();
            var open = new java.util.LinkedHashMap<>(given);
            open.keySet().removeIf(p -> !p.name().equals(WorkSettings.DIMS.name()));
            Area.BareProject named = bare.get()
                    .with(seen.of(usage(() -> ParameterOptions.apply(
                            open, seen.values(), context().here()))));
            return area.keepsRunsWithResults()
                    ? Source.shared(named, folder)
                    : Source.of(Project.scratch(named, folder), false);
        }
        Project project = Project.open(path, folder);
        if (!area.keepsRunsWithResults()
                || folder.isEmpty()
                || project.runsFolder().equals(folder.get())) {
            return Source.of(project, isProject);
        }
        try (project) {
            WorkSettings settings = project.file().work();
            return Source.shared(
                    new Area.BareProject(
                            project.name(),
                            folder.get(),
                            new Area.Work(
                                    settings.of(settings.values()
                                            .moved(f -> project.resolve(f).toString())),
                                    project.file().run())),
                    folder);
        }
    }

    private int run(RunReport.Start start, Begin begin) throws InterruptedException {
        start.folder().ifPresent(f -> start.guard().check(f, report.files()));
        Workbench bench = start.opened().bench();
        if (declared.runParameters()
                .usual()
                .get(RunSettings.TOOLCHAIN)
                .equals(start.run().toolchain())) {
            List<String> assumptions = bench.assumptions();
            assumptions.stream()
                    .limit(MOST_ASSUMPTIONS)
                    .forEach(a -> err().println("Note: " + SpaceJson.assumption(a)));
            if (assumptions.size() > MOST_ASSUMPTIONS) {
                err().println("Note: " + (assumptions.size() - MOST_ASSUMPTIONS)
                        + " more assumptions; 'knobscape space' lists them all");
            }
        }
        if (!start.run().goal().isBlank() && start.resumed().isEmpty()) {
            bench.single(start.run().with(RunSettings.GOAL, "")).ifPresent(evaluator -> {
                try (Evaluator e = evaluator) {
                    usage(() -> GoalReport.parse(start.run().goal(), e.info().metrics()));
                }
            });
        }
        report.notes(start).forEach(n -> err().println(n));
        return follow(
                promised(begin, start.folder(), start.guard()),
                report.watchers(start, err(), progress()),
                (session, end) -> end(start, session, end));
    }

    private int end(RunReport.Start start, RunSession session, RunEvent.Finished end) {
        String run = start.project().text(session.id());
        RunReport.Conclusion c = report.conclude(start, session.results(), end);
        int code = tell(new RunReport.Conclusion(c.json(), c.text() + "Run: " + run + "\n", c.note(), c.isOfUse()));
        int ended = ended(end, run);
        return end.ending() == RunEvent.Ending.COMPLETED ? code : ended;
    }

    private int tell(RunReport.Conclusion c) {
        if (isJson()) {
            print(c.json());
        } else {
            out().print(c.text());
            out().flush();
        }
        if (!c.note().isEmpty()) {
            err().println(requireNonNull(c.note()));
            err().flush();
        }
        return c.isOfUse() ? 0 : ErrorReporter.WORK_FAILED;
    }
}
