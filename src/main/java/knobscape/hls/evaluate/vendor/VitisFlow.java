package knobscape.hls.evaluate.vendor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.hls.export.HlsExporter;
import knobscape.hls.export.ToolOptions;
import knobscape.space.Configuration;
import knobscape.work.tool.ToolFlow;
import knobscape.work.tool.ToolProcess;
import knobscape.work.tool.ToolProcess.ProcessExit;

/// Drives Vivado HLS or Vitis HLS: C synthesis, then export with logic synthesis, then with implementation, each stage
/// continuing in the project that the stage before left. Success is a whole report, never the exit status.
final class VitisFlow implements ToolFlow {
    private static final double[] TYPICAL_SECONDS = {60, 400, 900};
    private static final Duration FIRST_START = Duration.ofMinutes(2);
    private static final String CLEANED = ".knobscape-cleaned";
    private static final Pattern KEPT = Pattern.compile(".*\\.(rpt|xml|log|json|tcl|cfg)|\\.knobscape.*");

    private final Supplier<VendorTool> finder;
    private final ToolWork work;
    private volatile Optional<VendorTool> found = Optional.empty();
    private final EvaluatorInfo info;

    private final int jobs;
    private final Path folder;
    private volatile Optional<Path> vivado = Optional.empty();

    /// @param jobs that run at once
    /// @param folder holds the designs' folders
    VitisFlow(Supplier<VendorTool> finder, ToolWork work, int jobs, Path folder) {
        this.jobs = jobs;
        this.folder = folder;
        this.finder = finder;
        this.work = work;
        this.info = work.info(
                VendorTools.VITIS.word(),
                "AMD's HLS tool for " + work.part().orderingName() + " at " + work.clockNs() + " ns",
                TYPICAL_SECONDS);
    }

    @Override
    public synchronized void open() {
        if (found.isEmpty()) {
            VendorTool t = finder.get();
            if (isConfig() && !t.takesConfig()) {
                throw new UserError(
                        t.words() + " takes no configuration files (2024.2 and later do); set \"script\": \"tcl\".");
            }
            vivado = t.vivado(System.getenv().getOrDefault("PATH", ""));
            vivado.ifPresent(this::startOnce);
            found = Optional.of(t);
        }
    }

    private VendorTool tool() {
        return found.orElseThrow(() -> new IllegalStateException("the tool was not looked for yet"));
    }

    private String project() {
        return work.space().kernel().top() + "_" + tool().dialect().command();
    }

    /// Files that Vivado sets up at its first start are not set up by many at once.
    private void startOnce(Path program) {
        Path log = folder.resolve("vivado.log");
        try {
            Files.createDirectories(folder);
            ToolProcess.run(
                    new ToolProcess.Job(
                            folder + "#vivado",
                            List.of(program.toString(), "-version"),
                            folder,
                            Map.of("LC_ALL", "C"),
                            log,
                            FIRST_START),
                    new CancellationSignal());
        } catch (IOException e) {
            throw new UserError("The folder " + folder + " cannot be used: " + UserError.reason(e) + ".", e);
        }
    }

    private boolean isConfig() {
        return work.options().script() == ToolOptions.Script.CFG;
    }

    @Override
    public EvaluatorInfo info() {
        return info;
    }

    @Override
    public String version() {
        return tool().kind().program() + " " + tool().version();
    }

    @Override
    public String inputs(Configuration configuration, Fidelity stage) {
        return work.inputs(configuration, tool().dialect()) + "\n" + version();
    }

    @Override
    public ToolFlow.Command prepare(
            Configuration configuration, Fidelity stage, Path folder, CancellationSignal cancel) {
        work.write(configuration, stage, tool().dialect(), folder);
        if (isConfig()) {
            work.writeConfig(configuration, stage, folder);
        }
        FileOutput.write(
                folder.resolve("home/.Xilinx/Vivado/Vivado_init.tcl"),
                "set_param general.maxThreads " + threads(Runtime.getRuntime().availableProcessors(), jobs) + "\n");
        Path solution = folder.resolve(project()).resolve(isConfig() ? "hls" : "solution");
        boolean cleaned = remove(folder.resolve(CLEANED));
        var steps = new ArrayList<List<String>>();
        if (stage.name().equals("hls")) {
            removeReports(solution.resolve("syn"));
            if (isConfig()) {
                addConfigured(steps, work.options().csim() ? "--csim" : "");
                steps.add(tool().compile(HlsExporter.CONFIG, project()));
                addConfigured(steps, work.options().cosim() ? "--cosim" : "");
            } else {
                steps.add(tool().command("run_hls.tcl"));
            }
            return new ToolFlow.Command(steps, environment());
        }
        // A cleaned folder has its reports, but no project to continue in.
        boolean synthesised =
                !cleaned && VendorFigures.find(solution.resolve("syn"), "hls").isPresent();
        removeReports(solution.resolve("impl"));
        if (isConfig()) {
            if (!synthesised) {
                steps.add(tool().compile(HlsExporter.CONFIG, project()));
            }
            addConfigured(steps, "--impl");
        } else {
            String script = "run_" + stage.name() + ".tcl";
            FileOutput.write(folder.resolve(script), script(stage.name(), synthesised));
            steps.add(tool().command(script));
        }
        if (stage.name().equals("syn") && vivado.isPresent()) {
            FileOutput.write(folder.resolve("power_syn.tcl"), power(folder.relativize(solution)));
            steps.add(List.of(
                    vivado.get().toString(), "-mode", "batch", "-nojournal", "-nolog", "-source", "power_syn.tcl"));
        }
        return new ToolFlow.Command(steps, environment());
    }

    private void addConfigured(List<List<String>> steps, String what) {
        if (!what.isEmpty()) {
            steps.add(tool().configured(what, HlsExporter.CONFIG, project()));
        }
    }

    /// Power of the netlist: export stops after synthesis without a report of it.
    private static String power(Path solution) {
        return """
                # Power after logic synthesis, from the largest checkpoint that the export left.
                proc checkpoints {folder} {
                    set found [glob -nocomplain -directory $folder *.dcp]
                    foreach f [glob -nocomplain -type d -directory $folder *] { set found [concat $found [checkpoints $f]] }
                    return $found
                }
                set largest ""
                foreach f [checkpoints {%1$s/impl}] {
                    if {$largest eq "" || [file size $f] > [file size $largest]} { set largest $f }
                }
                if {$largest eq ""} { puts "no checkpoint was left"; exit 0 }
                open_checkpoint $largest
                file mkdir {%1$s/impl/report}
                report_power -file {%1$s/impl/report/power_syn.rpt}
                exit
                """.formatted(solution.toString().replace('\\', '/'));
    }

    /// Threads of a job, so that all that run at once have the processors among them.
    static int threads(int processors, int jobs) {
        return Math.max(1, Math.min(8, processors / Math.min(processors, jobs)));
    }

    /// A job has a home of its own; a licence in the person's home must be found all the same.
    private static Map<String, String> environment() {
        Path own = Path.of(System.getProperty("user.home"), ".Xilinx");
        return System.getenv("XILINXD_LICENSE_FILE") == null && Files.isDirectory(own)
                ? Map.of("XILINXD_LICENSE_FILE", own.toString())
                : Map.of();
    }

    /// A later stage opens the project again; where the folder was cleaned, it is made anew first.
    private String script(String stage, boolean synthesised) {
        var b = new StringBuilder("# Run it with: ");
        b.append(String.join(
                        " ",
                        tool().command("run_" + stage + ".tcl")
                                .subList(1, tool().command("x").size())))
                .append('\n');
        b.append("cd [file dirname [file normalize [info script]]]\n");
        if (synthesised) {
            b.append("open_project \"").append(project()).append("\"\nopen_solution \"solution\"\n");
        } else {
            // run_hls.tcl ends with exit, which must not end this script.
            b.append("rename exit knobscape_exit\nproc exit {args} {}\nsource run_hls.tcl\n")
                    .append("rename exit {}\nrename knobscape_exit exit\n");
        }
        b.append("export_design -flow ").append(stage).append(" -rtl verilog -format ip_catalog");
        if (tool().needsCoreVersion()) {
            b.append(" -version 1.0.0");
        }
        return b.append("\nexit\n").toString();
    }

    @Override
    public Result read(Configuration configuration, Fidelity stage, Path folder, String log, ProcessExit ended) {
        OptionalDouble seconds = ToolLog.seconds(log);
        ToolLog.testbench(log).filter(_ -> work.options().csim()).ifPresent(why -> {
            throw new UserError("The testbench fails in C simulation, before any directive: " + why + " (see "
                    + folder.resolve(stage.name() + ".log") + ").");
        });
        Optional<String> wrong = ToolLog.wrong(log).filter(_ -> work.options().cosim());
        if (wrong.isPresent()) {
            return new Result(new Outcome.Failure(FailureKind.WRONG_RESULT, wrong.get()), seconds);
        }
        Optional<Map<String, Double>> values = VendorFigures.find(folder.resolve(project()), stage.name());
        if (values.isEmpty()) {
            return new Result(
                    ToolLog.failure(log)
                            .orElseGet(() -> new Outcome.Failure(
                                    FailureKind.CRASHED,
                                    "no whole report was written"
                                            + ToolLog.error(log)
                                                    .map(e -> ": " + e)
                                                    .orElse(""))),
                    seconds);
        }
        var found = new LinkedHashMap<>(values.get());
        Optional<String> misfit = misfit(found);
        if (misfit.isPresent() && !stage.name().equals("hls")) {
            return new Result(new Outcome.Failure(FailureKind.DOES_NOT_FIT, misfit.get(), found), seconds);
        }
        if (!found.containsKey("delay")) {
            return new Result(
                    new Outcome.Failure(
                            FailureKind.REJECTED,
                            "the latency is undefined: a trip count depends on data; state it in the source"
                                    + " (#pragma HLS LOOP_TRIPCOUNT)",
                            found),
                    seconds);
        }
        if (stage.equals(info.top()) && !found.containsKey("power")) {
            return new Result(new Outcome.Failure(FailureKind.CRASHED, "no report of the power was written"), seconds);
        }
        return new Result(new Outcome.Measured(found), seconds);
    }

    private Optional<String> misfit(Map<String, Double> v) {
        var part = work.part();
        return Stream.of(
                        over(v, "lut", part.lut()),
                        over(v, "ff", part.ff()),
                        over(v, "dsp", part.dsp()),
                        over(v, "bram", part.bram()))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> over(Map<String, Double> v, String metric, int has) {
        Double used = v.get(metric);
        return used == null || used <= has
                ? Optional.empty()
                : Optional.of(metric.toUpperCase(java.util.Locale.ROOT) + ": " + used.longValue() + " of " + has);
    }

    private static boolean remove(Path file) {
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UserError("Cannot remove " + file + ": " + UserError.reason(e) + ".", e);
        }
    }

    private static void removeReports(Path folder) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path f : all.filter(Files::isRegularFile)
                    .filter(f -> f.toString().endsWith(".rpt") || f.toString().endsWith(".xml"))
                    .toList()) {
                Files.delete(f);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new UserError("Earlier reports in " + folder + " cannot be removed: " + e.getMessage() + ".", e);
        }
    }

    /// Keeps scripts, logs and reports; checkpoints and netlists go.
    @Override
    public void clean(Path folder) {
        FileOutput.write(folder.resolve(CLEANED), "projects and checkpoints were removed\n");
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path f : all.sorted(Comparator.reverseOrder()).toList()) {
                boolean keep = Files.isDirectory(f)
                        ? isFilled(f)
                        : KEPT.matcher(f.getFileName().toString()).matches() || f.startsWith(folder.resolve("src"));
                if (!keep && !f.equals(folder)) {
                    Files.delete(f);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // Left over files cost disk, not results.
            org.slf4j.LoggerFactory.getLogger(VitisFlow.class).warn("{} cannot be cleaned: {}", folder, e.toString());
        }
    }

    private static boolean isFilled(Path folder) throws IOException {
        try (Stream<Path> inside = Files.list(folder)) {
            return inside.findAny().isPresent();
        }
    }
}
