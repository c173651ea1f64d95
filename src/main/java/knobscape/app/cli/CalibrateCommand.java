package knobscape.app.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.evaluate.report.FileOutput;
import knobscape.hls.HlsArea;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.MeasuredDirectives;
import knobscape.hls.evaluate.estimator.Calibration;
import knobscape.hls.evaluate.estimator.Calibration.Law;
import knobscape.hls.evaluate.estimator.CalibrationFit;
import knobscape.hls.evaluate.estimator.Estimator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/// `knobscape calibrate`: fits the built-in estimator to designs that one's own tool has measured.
@Command(
        name = "calibrate",
        description =
                "Fit the built-in estimator to measured designs of a kernel: a run of your own tool, or a CSV file. The fit is kept with the project's runs and used wherever they are estimated.")
final class CalibrateCommand extends Verb {
    private static final List<String> STAGES = CalibrationFit.STAGES;
    private static final long SEED = 1;

    @Parameters(paramLabel = "PROJECT|SOURCE", description = "A project folder, or a C or C++ source file.")
    private Path source;

    private static final ParameterOptions KERNEL = new ParameterOptions(HlsSettings.KERNEL);

    @Option(
            names = "--designs",
            paramLabel = "RUN|FILE",
            description =
                    "Measured designs: PROJECT:NUMBER, or a CSV file whose columns have the names of the knobs (what 'export --as csv' writes, published sets). Without it, show what is fitted.")
    private Optional<String> designs = Optional.empty();

    @Option(names = "--remove", description = "Forget the calibration.")
    private boolean remove;

    private CalibrateCommand(CommandContext context) {
        super(context);
    }

    /// The verb with the options of a kernel's settings.
    static CommandSpec of(CommandContext context) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new CalibrateCommand(context));
        KERNEL.addTo(spec, "Kernel");
        return spec;
    }

    /// A design as the tool saw it.
    private record MeasuredDesign(Map<String, String> knobs, List<Evaluation> stages) {}

    private HlsSettings kernel(Project project) {
        // A project of another kind says so.
        project.file().work(HlsSettings.class);
        var area = new HlsArea(context().tools().get());
        return area.settings(value(() -> ParameterOptions.work(
                        area,
                        project.file().both(),
                        project,
                        KERNEL.given(spec().commandLine().getParseResult()),
                        context().here()))
                .settings()
                .values());
    }

    @Override
    public Integer call() {
        try (Project project = Project.open(context().here().resolve(source).normalize())) {
            Path file = project.runsFolder().resolve(Calibration.FILE_NAME);
            if (remove) {
                remove(file);
            } else if (designs.isPresent()) {
                Calibration made = fit(project, designs.get());
                FileOutput.write(file, made.json());
                show(made, file);
            } else {
                show(Calibration.in(project.runsFolder()), file);
            }
            return 0;
        }
    }

    private Calibration fit(Project project, String from) {
        HlsWorkbench bench =
                HlsWorkbench.open(project, kernel(project), context().tools().get());
        EstimatorSettings settings =
                bench.settings().estimator(SEED, project.runsFolder()).withCalibration(Calibration.NONE);
        var estimator = new Estimator(bench.kernel(), settings);
        var directives = new MeasuredDirectives(bench.kernel());
        var fit = new CalibrationFit(settings.part());
        List<MeasuredDesign> measured = measured(from);
        measured.forEach(m -> fit.add(estimator.estimate(directives.of(m.knobs()), STAGES.size() - 1), m.stages()));
        sayTaken(from, measured);
        Calibration made =
                fit.fit(measured.size() + " designs of " + Path.of(from).getFileName());
        if (made.isNone()) {
            throw new UserError(
                    from
                            + " has no two designs with a latency, clock, area or power that a fit would tell better than the estimator does; nothing was changed.");
        }
        return made;
    }

    /// Says what stages without a known name are taken for.
    private void sayTaken(String from, List<MeasuredDesign> measured) {
        measured.stream()
                .flatMap(m -> m.stages().stream())
                .map(Evaluation::fidelity)
                .filter(f -> !STAGES.contains(f.name().toLowerCase(Locale.ROOT)) && f.rank() < STAGES.size())
                .distinct()
                .forEach(f -> err().println("Stage '" + f.name() + "' of " + from + " is taken for "
                        + STAGES.get(CalibrationFit.stage(f))
                        + "; a mapping (--mapping) names it otherwise (hls, syn, impl)."));
        err().flush();
    }

    private void remove(Path file) {
        try {
            err().println(
                            Files.deleteIfExists(file)
                                    ? "The calibration is forgotten."
                                    : "There is no calibration in " + file.getParent() + ".");
            err().flush();
        } catch (IOException e) {
            throw new UserError("Cannot delete " + file + ": " + UserError.reason(e) + ".", e);
        }
    }

    private List<MeasuredDesign> measured(String from) {
        Path csv = context().here().resolve(from);
        if (ReplaySet.isNamed(from) && Files.isRegularFile(csv)) {
            return ReplaySet.open(csv)
                    .all()
                    .filter(s -> !s.isEmpty())
                    .map(s -> new MeasuredDesign(s.getFirst().configuration().toMap(), s))
                    .toList();
        }
        RunReference reference = RunReference.parse(from, context().here());
        try (Project other = reference.open()) {
            RunRecord record = reference.run(other);
            Provenance.Source kind = record.info().source();
            if (kind != Provenance.Source.MEASURED && kind != Provenance.Source.REPLAYED) {
                throw new UserError(
                        from + " was not measured (" + kind.words() + "); name a run of your own tool, or a CSV file.");
            }
            return other.runs().stream()
                    .flatMap(r -> r.results(record.id()).designs().stream())
                    .filter(d -> !d.evaluations().isEmpty())
                    .map(d -> new MeasuredDesign(d.configuration().toMap(), d.evaluations()))
                    .toList();
        }
    }

    private void show(Calibration c, Path file) {
        if (isJson()) {
            print(JsonMapper.builder().build().readTree(c.json()));
            return;
        }
        if (c.isNone()) {
            out().println("The estimator is not calibrated here (there is no " + file
                    + "); name measured designs with --designs.");
            out().flush();
            return;
        }
        var table =
                new TextTable("stage", "figure", ">designs", ">factor", "90 %", ">exponent", ">error before", ">after");
        for (Law l : c.laws()) {
            table.add(
                    STAGES.get(l.stage()),
                    l.figure().equals("dynamic") ? "dynamic power" : l.figure(),
                    Integer.toString(l.designs()),
                    decimals(l.factor()),
                    decimals(l.low()) + " .. " + decimals(l.high()),
                    decimals(l.exponent()),
                    percent(l.errors().before()),
                    percent(l.errors().after()));
        }
        out().print(table.text());
        out().println(
                        "Fitted to " + c.from()
                                + "; error: median over the designs, after: each estimated by the others. Other figures stay as they are.");
        out().println("Kept in " + file + ".");
        out().flush();
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String percent(double logarithm) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * Math.expm1(logarithm));
    }
}
