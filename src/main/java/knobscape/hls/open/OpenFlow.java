package knobscape.hls.open;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.hls.evaluate.vendor.ToolWork;
import knobscape.hls.export.Dialect;
import knobscape.hls.export.TclWriter;
import knobscape.hls.rtl.Verilog;
import knobscape.hls.rtl.build.HardwareDesign;
import knobscape.hls.rtl.build.NotBuildable;
import knobscape.space.Configuration;
import knobscape.work.tool.Engine;
import knobscape.work.tool.ToolEvaluator;
import knobscape.work.tool.ToolFlow;
import knobscape.work.tool.ToolProcess;
import knobscape.work.tool.ToolProcess.ProcessExit;
import knobscape.work.tool.ToolResult;
import knobscape.work.tool.ToolSettings;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The open flow: stage `hls` is this program's own (schedule, Verilog, a run cycle by cycle against the kernel), `syn`
/// is
/// Yosys, `place` is nextpnr without routing, `impl` routes what it placed. A stage whose program is not installed is
/// not offered.
///
/// Metrics: `delay` (ns) = cycles x clock, `latency` (cycles, as simulated on random inputs), `clock` (ns: the target,
/// from `place` on the longest path), `registers` (bits of registers before synthesis), and `lut`, `ff`, `dsp`, `bram`
/// with the arguments' memories: of ECP5 counted at `hls` ([PredictedArea], the estimate of this family, made on the
/// schedule that the hardware has), then as Yosys tells.
public final class OpenFlow implements ToolFlow {
    /// Name on the command line.
    public static final EvaluatorKind OPEN = new EvaluatorKind("open");

    /// The design as Verilog, in its folder.
    public static final String DESIGN = "design.v";

    private static final String HLS = "hls";
    private static final String SYN = "syn";
    private static final String PLACE = "place";
    private static final String IMPL = "impl";
    private static final String RESULT = "hls.json";
    private static final String STATISTICS = "statistics.txt";
    private static final String NETLIST = "netlist.json";
    private static final String PLACED_NETLIST = "placed.json";
    /// Factor by which counts before synthesis may be too large.
    private static final double MARGIN = 1.5;

    /// LUTs up to which place and route takes minutes, by nextpnr as a program and in its Python package.
    private static final int PLACED = 25_000;

    private static final int PLACED_BY_PACKAGE = 8_000;

    private static final long MOST_STATISTICS = 1 << 20;
    /// The first start of the Python packages compiles them.
    private static final Duration ANSWER = Duration.ofMinutes(10);

    private static final Pattern FREQUENCY = Pattern.compile("Max frequency for clock\\s+'[^']*':\\s+([\\d.]+) MHz");
    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+[\\w.+-]*");
    private static final Pattern NUMBERS = Pattern.compile(" (\\d{1,6})\\.(\\d{1,6})");
    /// The first Yosys 0.x that reads `no_rw_check`.
    private static final int OLDEST = 17;
    private static final Pattern ERROR = Pattern.compile("(?m)^(?:ERROR|Error): *(.+)$");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final OpenTools tools;
    private final ToolWork work;
    private final Path scratch;
    private final EvaluatorInfo info;
    private volatile Optional<OpenKernel> kernel = Optional.empty();
    private volatile String version = OpenKernel.VERSION;

    /// @param scratch folder for what programs answer
    OpenFlow(OpenTools tools, ToolWork work, Path scratch) {
        this.tools = tools;
        this.work = work;
        this.scratch = scratch;
        this.info = info(tools, work);
    }

    /// The evaluator.
    ///
    /// @param argument what stands behind `open:`, a fabric, the folder of the tools, or both with a comma between
    /// @param here relative paths start here
    /// @param folder holds the designs' folders
    public static Evaluator evaluator(String argument, Path here, ToolWork work, ToolSettings limits, Path folder) {
        String path = System.getenv().getOrDefault("PATH", "");
        return new ToolEvaluator(
                new OpenFlow(OpenTools.find(argument, here, path), work, folder), Engine.of(limits), limits, folder);
    }

    /// The hardware of a design with a testbench, as texts by name of the file. Throws [UserError] where it cannot be
    /// built, or where other hardware was measured.
    ///
    /// @param argument what stands behind `open:`
    /// @param folder holds the designs' folders
    public static Map<String, String> export(
            Configuration configuration, String argument, Path here, ToolWork work, Path folder) {
        try {
            OpenKernel.Checked c = new OpenKernel(work.space(), work.clockNs(), new CancellationSignal())
                    .checked(configuration, new CancellationSignal());
            Optional<String> wrong = c.run().difference();
            if (wrong.isPresent()) {
                throw new UserError(
                        "The hardware of this design is wrong, a fault of this program: " + wrong.get() + ".");
            }
            Map<String, String> files = VerilogFiles.of(
                    c,
                    new TclWriter(Dialect.VITIS_HLS)
                            .write(work.space(), configuration)
                            .commands(),
                    work.clockNs(configuration),
                    OpenTools.find(argument, here, "").fabric());
            Path measured = folder.resolve(configuration.id()).resolve(DESIGN);
            if (Files.exists(measured) && !Files.readString(measured).equals(files.get(DESIGN))) {
                throw new UserError("What was measured is other hardware (" + measured
                        + "): the source, the clock or the program has changed since. Explore again, or copy"
                        + " that file.");
            }
            return files;
        } catch (NotBuildable e) {
            throw new UserError("This design cannot be built: " + e.getMessage() + ".", e);
        } catch (IOException e) {
            throw new UserError(
                    "The measured design in " + folder + " cannot be read: " + UserError.reason(e) + ".", e);
        }
    }

    /// The words beside its figures (`Open flow, ECP5`); empty for another evaluator.
    ///
    /// @param evaluator its name in a run
    public static Optional<String> label(String evaluator) {
        return fabric(evaluator).map(f -> "Open flow, " + f.label());
    }

    /// The fabric that an evaluator makes hardware for; empty for another evaluator.
    ///
    /// @param evaluator its name in a run
    public static Optional<Fabric> fabric(String evaluator) {
        return OPEN.isOf(evaluator)
                ? Optional.of(OPEN.argument(evaluator).stream()
                        .flatMap(a -> Stream.of(a.split(",")))
                        .flatMap(w -> Fabric.named(w.strip()).stream())
                        .findFirst()
                        .orElse(Fabric.ECP5))
                : Optional.empty();
    }

    private static EvaluatorInfo info(OpenTools tools, ToolWork work) {
        Fabric f = tools.fabric();
        List<Metric> own = List.of(
                metric("delay", "Delay", "ns", Double.NaN),
                metric("latency", "Latency", "cycles", Double.NaN),
                metric("clock", "Clock period", "ns", Double.NaN),
                metric("registers", "Register bits", "", Double.NaN));
        FabricArea room = f.room();
        List<Metric> area = List.of(
                metric("lut", "LUT", "", room.lut()),
                metric("ff", "FF", "", room.ff()),
                metric("dsp", "DSP", "", room.dsp()),
                metric("bram", "BRAM", "", room.bram()));
        boolean synthesised = !tools.yosys().isEmpty();
        boolean placed = synthesised && tools.nextpnr().isPresent();
        // Of the other fabric nothing is counted.
        boolean counted = f == Fabric.ECP5;
        List<Metric> all = synthesised || counted
                ? Stream.concat(own.stream(), area.stream()).toList()
                : own;
        Set<String> whole = names(all);
        Set<String> cheap = counted ? whole : names(own);
        var stages = new ArrayList<>(List.of(new Fidelity(HLS, 0)));
        if (synthesised) {
            stages.add(new Fidelity(SYN, 1));
        }
        if (placed) {
            stages.add(new Fidelity(PLACE, 2));
            stages.add(new Fidelity(IMPL, 3));
        }
        String begun = counted ? "area counted" : synthesised ? "" : "no area";
        String what = synthesised
                ? (counted ? ", then by Yosys" : "area by Yosys")
                        + (placed
                                ? ", clock by nextpnr for the " + f.device() + ", one seed"
                                : ", the clock is the target" + (f.isPlaced() ? " (no nextpnr-ecp5 was found)" : ""))
                : ", the clock is the target (no Yosys was found)";
        return new EvaluatorInfo(
                OPEN.with(f.word()),
                "Open flow, " + f.label() + " at "
                        + (work.space().at(work.space().baseline()).clockNs().isPresent()
                                ? "each design's clock"
                                : work.clockNs() + " ns")
                        + ": own schedule and Verilog, cycles by simulation on random inputs; " + begun + what,
                Provenance.Source.MEASURED,
                stages,
                all,
                Map.of(HLS, cheap, SYN, whole, PLACE, whole, IMPL, whole),
                List.of("delay", synthesised || counted ? "lut" : "registers"),
                Map.of(HLS, 1.0, SYN, 15.0, PLACE, 25.0, IMPL, 20.0));
    }

    private static Metric metric(String name, String label, String unit, double most) {
        return new Metric(name, label, unit, Metric.Direction.MINIMISE, most);
    }

    private static Set<String> names(List<Metric> metrics) {
        return Set.copyOf(metrics.stream().map(Metric::name).toList());
    }

    /// Refuses a kernel that cannot be built before anything is run.
    @Override
    public synchronized void open() {
        if (kernel.isPresent()) {
            return;
        }
        OpenKernel made = kernel(work);
        version = Stream.of(
                        Optional.of(OpenKernel.VERSION),
                        tools.yosys().isEmpty()
                                ? Optional.<String>empty()
                                : Optional.of(newEnough(answer(yosys("-V")))),
                        tools.nextpnr().map(n -> answer(List.of(n.toString(), "--version"))))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(", "));
        kernel = Optional.of(made);
    }

    /// Compiles the kernel and builds its design without directives. Throws [UserError] with line and reason where that
    /// is not possible.
    static OpenKernel kernel(ToolWork work) {
        try {
            var made = new OpenKernel(work.space(), work.clockNs(), new CancellationSignal());
            made.probe();
            return made;
        } catch (NotBuildable e) {
            throw new UserError(
                    "The open flow cannot build " + work.space().kernel().top() + ": " + e.getMessage() + ".", e);
        }
    }

    /// Name and version of a program.
    private String answer(List<String> command) {
        String answer = ToolProcess.answer(command, scratch, ANSWER);
        Matcher m = VERSION.matcher(answer);
        if (!m.find()) {
            throw new UserError(command.getFirst() + " does not tell its version" + ToolResult.tellingLine(answer)
                    + "; " + OpenTools.ADVICE + ".");
        }
        String name = command.contains(OpenTools.PYOSYS)
                ? "pyosys"
                : Path.of(command.getFirst()).getFileName().toString();
        return name + " " + m.group();
    }

    /// Older ones take no memory whose reads and writes may meet.
    private static String newEnough(String yosys) {
        Matcher m = NUMBERS.matcher(yosys);
        if (m.find()) {
            int major = Integer.parseInt(m.group(1));
            int minor = Integer.parseInt(m.group(2));
            if (major == 0 && minor < OLDEST) {
                throw new UserError(yosys + " is too old: the open flow needs Yosys 0." + OLDEST + " or newer; "
                        + OpenTools.ADVICE + ".");
            }
        }
        return yosys;
    }

    @Override
    public EvaluatorInfo info() {
        return info;
    }

    @Override
    public String version() {
        return version;
    }

    /// The Python packages keep what they compiled in the person's own home.
    @Override
    public boolean hasOwnHome() {
        return false;
    }

    @Override
    public String inputs(Configuration configuration, Fidelity stage) {
        return work.inputs(configuration, Dialect.VITIS_HLS) + "\n" + info.name() + " " + version;
    }

    @Override
    public Command prepare(Configuration configuration, Fidelity stage, Path folder, CancellationSignal cancel) {
        if (stage.name().equals(HLS) || !Files.exists(folder.resolve(DESIGN))) {
            build(configuration, folder, cancel);
        }
        if (!Files.exists(folder.resolve(DESIGN))) {
            return new Command(List.of(), Map.of());
        }
        var steps = new ArrayList<List<String>>();
        boolean routed = stage.name().equals(IMPL);
        boolean placed = stage.name().equals(PLACE) || (routed && !Files.exists(folder.resolve(PLACED_NETLIST)));
        if (stage.name().equals(SYN) || (placed && !Files.exists(folder.resolve(NETLIST)))) {
            remove(folder, STATISTICS, NETLIST);
            var script = new ArrayList<>(List.of("read_verilog " + DESIGN));
            script.addAll(tools.fabric().synthesis(top()));
            script.add("tee -o " + STATISTICS + " stat");
            FileOutput.write(folder.resolve("synthesis.ys"), String.join("\n", script) + "\n");
            // Relative: the Python packages see the folder they run in, and no other.
            steps.add(yosys("-s", "synthesis.ys"));
        }
        if (placed) {
            remove(folder, PLACED_NETLIST);
            steps.add(nextpnr(configuration, NETLIST, "--no-route", "--write", PLACED_NETLIST));
        }
        if (routed) {
            steps.add(nextpnr(configuration, PLACED_NETLIST, "--no-pack", "--no-place"));
        }
        return new Command(steps, Map.of());
    }

    private List<String> nextpnr(Configuration configuration, String netlist, String... stage) {
        return Stream.concat(
                        Stream.of(
                                tools.nextpnr().orElseThrow().toString(),
                                "--85k",
                                "--json",
                                netlist,
                                "--freq",
                                String.format(Locale.ROOT, "%.3f", 1000 / work.clockNs(configuration)),
                                "--seed",
                                "1",
                                "--out-of-context",
                                "--timing-allow-fail"),
                        Stream.of(stage))
                .toList();
    }

    /// The sentence of a design that is too large to be placed.
    private Optional<String> tooLarge(double lut, double margin) {
        return tools.nextpnr().map(n -> n.getFileName().toString()).flatMap(name -> {
            int most = name.startsWith("yowasp") ? PLACED_BY_PACKAGE : PLACED;
            return lut / margin > most
                    ? Optional.of("too large to be placed within minutes: " + Math.round(lut) + " LUT, " + name
                            + " is given at most " + most)
                    : Optional.empty();
        });
    }

    private List<String> yosys(String... arguments) {
        return Stream.concat(tools.yosys().stream(), Stream.of(arguments)).toList();
    }

    private String top() {
        return OpenKernel.moduleName(work.space().kernel());
    }

    /// Stage `hls`: what it found is a result like that of a program of one's own.
    private void build(Configuration configuration, Path folder, CancellationSignal cancel) {
        remove(folder, RESULT, DESIGN, STATISTICS, NETLIST, PLACED_NETLIST);
        var directives = new TclWriter(Dialect.VITIS_HLS).write(work.space(), configuration);
        FileOutput.write(folder.resolve("directives.tcl"), directives.text());
        long begun = System.nanoTime();
        var n = JSON.createObjectNode();
        try {
            HardwareDesign design = kernel.orElseThrow().build(configuration);
            ObjectNode values = JSON.createObjectNode()
                    .put("clock", work.clockNs(configuration))
                    .put("registers", OpenKernel.registers(design.module()));
            Optional<String> unfit = Optional.empty();
            boolean placeable = true;
            if (info.reports(info.fidelities().getFirst(), "lut")) {
                FabricArea a = PredictedArea.of(design.module());
                values.put("lut", Math.rint(a.lut()))
                        .put("ff", a.ff())
                        .put("dsp", a.dsp())
                        .put("bram", a.bram());
                unfit = a.scaled(1 / MARGIN).over(tools.fabric().room());
                placeable = unfit.isEmpty() && tooLarge(a.lut(), MARGIN).isEmpty();
            }
            // What no later stage takes is not run either, which would take the longest of all: a search is told what
            // its schedule says.
            Optional<OpenKernel.Checked> run = placeable
                    ? Optional.of(kernel.orElseThrow().check(configuration, design, cancel))
                    : Optional.empty();
            Optional<String> difference = run.flatMap(c -> c.run().difference());
            if (difference.isPresent()) {
                n.put("status", FailureKind.WRONG_RESULT.status())
                        .put("kind", FailureKind.WRONG_RESULT.words())
                        .put("reason", "a fault of the hardware builder: " + difference.get());
            } else {
                if (placeable) {
                    FileOutput.write(folder.resolve(DESIGN), Verilog.of(design.module()));
                }
                long cycles = run.map(c -> c.run().cycles())
                        .orElseGet(() -> kernel.orElseThrow().scheduled(configuration, design));
                n.set("values", values.put("latency", cycles).put("delay", cycles * work.clockNs(configuration)));
                unfit.ifPresent(over -> n.put("status", FailureKind.DOES_NOT_FIT.status())
                        .put("kind", FailureKind.DOES_NOT_FIT.words())
                        .put(
                                "reason",
                                "by far too large for the " + tools.fabric().device()
                                        + ", so it is not synthesised: counted " + over));
            }
        } catch (NotBuildable e) {
            n.put("status", FailureKind.REJECTED.status())
                    .put("kind", FailureKind.REJECTED.words())
                    .put("reason", e.getMessage());
        }
        n.put("seconds", (System.nanoTime() - begun) * 1e-9);
        FileOutput.write(folder.resolve(RESULT), JSON.writeValueAsString(n));
    }

    private static void remove(Path folder, String... names) {
        for (String name : names) {
            try {
                Files.deleteIfExists(folder.resolve(name));
            } catch (IOException e) {
                throw new UserError("Earlier results in " + folder + " cannot be removed: " + e.getMessage() + ".", e);
            }
        }
    }

    @Override
    public Result read(Configuration configuration, Fidelity stage, Path folder, String log, ProcessExit ended) {
        Result own =
                ToolResult.read(folder.resolve(RESULT), info, info.fidelities().getFirst(), _ -> {});
        if (stage.name().equals(HLS) || !(own.outcome() instanceof Outcome.Measured(Map<String, Double> values))) {
            return own;
        }
        Optional<String> large = tooLarge(values.getOrDefault("lut", 0.0), MARGIN);
        if (large.isPresent()) {
            return rejected(large.get() + ", counted", values);
        }
        if (ended.status().orElse(0) != 0) {
            return failed(log, ended);
        }
        Optional<FabricArea> area = area(folder);
        if (area.isEmpty()) {
            return crashed((Files.exists(folder.resolve(STATISTICS))
                            ? "Yosys left half a report of the area"
                            : "Yosys left no statistics")
                    + ToolResult.tellingLine(log));
        }
        var all = new LinkedHashMap<>(values);
        FabricArea a = area.get();
        all.putAll(Map.of("lut", a.lut(), "ff", a.ff(), "dsp", a.dsp(), "bram", a.bram()));
        Optional<String> over = a.over(tools.fabric().room());
        if (over.isPresent()) {
            return new Result(
                    new Outcome.Failure(
                            FailureKind.DOES_NOT_FIT,
                            over.get() + " of the " + tools.fabric().device(),
                            all),
                    OptionalDouble.empty());
        }
        Optional<String> tooLarge = tooLarge(a.lut(), 1);
        if (tooLarge.isPresent()) {
            return rejected(tooLarge.get(), all);
        }
        if (!stage.name().equals(SYN)) {
            Matcher m = FREQUENCY.matcher(log);
            double mhz = 0;
            // The first is after placement, the last after routing.
            while (m.find()) {
                mhz = Double.parseDouble(m.group(1));
            }
            if (mhz <= 0) {
                return crashed("nextpnr told no frequency" + ToolResult.tellingLine(log));
            }
            all.put("clock", 1000 / mhz);
            all.merge("delay", 1000 / mhz / work.clockNs(configuration), (delay, factor) -> delay * factor);
        }
        return ToolResult.of(stage.name() + " of " + folder.getFileName(), all, OptionalDouble.empty(), info, stage);
    }

    private Optional<FabricArea> area(Path folder) {
        Path file = folder.resolve(STATISTICS);
        try {
            return Files.exists(file)
                    ? tools.fabric()
                            .area(new String(
                                    InputFile.bytes(file, MOST_STATISTICS), java.nio.charset.StandardCharsets.UTF_8))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Result failed(String log, ProcessExit ended) {
        Matcher m = ERROR.matcher(log);
        String said =
                m.find() ? m.group(1).strip() : ToolResult.tellingLine(log).replaceFirst("^: ", "");
        if (said.matches("(?i).*(failed to place|unable to (find|place)|not enough|no BELs remaining).*")) {
            return new Result(new Outcome.Failure(FailureKind.DOES_NOT_FIT, said), OptionalDouble.empty());
        }
        if (said.matches("(?i).*(unable to route|failed to route|routing).*")) {
            return new Result(new Outcome.Failure(FailureKind.ROUTING, said), OptionalDouble.empty());
        }
        int status = ended.status().orElse(0);
        return crashed((said.isEmpty() ? "the tool ended" : said) + " (exit status " + status
                + (status == 137 ? ", killed, perhaps for want of memory)" : ")"));
    }

    private static Result rejected(String why, Map<String, Double> values) {
        return new Result(new Outcome.Failure(FailureKind.REJECTED, why, values), OptionalDouble.empty());
    }

    private static Result crashed(String why) {
        return new Result(new Outcome.Failure(FailureKind.CRASHED, why), OptionalDouble.empty());
    }

    /// Netlists are large; Verilog, scripts, statistics and logs stay.
    @Override
    public void clean(Path folder) {
        remove(folder, NETLIST, PLACED_NETLIST);
    }
}
