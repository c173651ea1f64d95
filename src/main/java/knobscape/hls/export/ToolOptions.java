package knobscape.hls.export;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Parameters;
import knobscape.work.parameter.TextList;
import knobscape.work.parameter.ValueType;
import knobscape.work.parameter.Values;

/// The options of a vendor's tool besides the design.
///
/// @param values of [#PARAMETERS]
public record ToolOptions(Values values) {
    /// The tool hands flags on to make and a shell, whose rules for quotes differ by version and system.
    static final Pattern SAFE_FLAG = Pattern.compile("[\\p{L}\\p{N}_./:+=,@%~-]+");

    /// Part of the clock period that C synthesis keeps back, in per cent; the tool's default where nothing is said
    /// (27 in Vitis HLS, 12.5 in Vivado HLS).
    public static final Parameter<Double> UNCERTAINTY = Parameter.of(
                    "tool.options.uncertainty", ValueType.from(0, 100).below(), Optional.<Double>empty())
            .at("tool.uncertainty")
            .none("the tool's own")
            .unit("%")
            .words("Clock uncertainty", "Part of the clock period that C synthesis keeps back")
            .group("Tools");
    /// Flags of the C compiler beyond folders of headers and macros, for the sources and the testbench.
    public static final Parameter<List<String>> C_FLAGS = Parameter.texts(
                    "tool.options.cFlags",
                    new TextList(
                            ValueType.text()
                                    .that(
                                            ToolOptions::isFlag,
                                            "flags that begin with - and have no quotes, separated by blanks (for example -std=c++14 -Isrc)"),
                            " ",
                            false))
            .at("tool.cflags")
            .words("C flags", "Flags of the C compiler, separated by blanks")
            .group("Tools");
    /// Files of the testbench, relative to the project, or absolute.
    public static final Parameter<List<String>> TESTBENCH = Parameter.texts(
                    "tool.options.testbench",
                    new TextList(ValueType.text().at((text, move) -> move.apply(text)), ",", false))
            .at("tool.testbench")
            .words(
                    "Testbench",
                    "Source of a testbench with a main that calls the top: trip counts that depend on data are measured by running it here, and scripts name it; may be repeated")
            .option("--testbench", "FILE")
            .group("Tools");
    /// True if the testbench is run before C synthesis.
    public static final Parameter<Boolean> CSIM = Parameter.flag("tool.options.csim", false)
            .at("tool.csim")
            .words("C simulation", "Whether the testbench is run before C synthesis")
            .group("Tools");
    /// True if it is run with the RTL after C synthesis.
    public static final Parameter<Boolean> COSIM = Parameter.flag("tool.options.cosim", false)
            .at("tool.cosim")
            .words("Cosimulation", "Whether the testbench is run with the RTL after C synthesis")
            .group("Tools");
    /// The script that drives the tool.
    public enum Script {
        /// A Tcl script, which every version takes.
        TCL,
        /// `hls_config.cfg` for `v++ -c --mode hls` and `vitis-run --mode hls`.
        CFG
    }

    /// The file that drives the unified tools (2024.2 and later): a script or a configuration.
    public static final Parameter<Script> SCRIPT = Parameter.choice("tool.script", Script.TCL)
            .words("Script", "What drives the unified tools of 2024.2 and later: a Tcl script or a configuration file")
            .group("Tools");
    /// The flow for the kernel; Vivado HLS knows one only.
    public static final Parameter<Flow> FLOW = Parameter.choice("tool.options.flow", Flow.VIVADO)
            .at("tool.flow")
            .words(
                    "Flow",
                    "What Vitis HLS makes of the kernel, whose defaults differ: vivado, a core for Vivado; vitis, a kernel for the Vitis runtime, whose memories are AXI master ports")
            .option("--flow", "WORD");

    /// The version of the tool that is left to do what it does by itself.
    public static final Parameter<ToolVersion> VERSION = Parameter.of(
                    "tool.options.version",
                    new ValueType.TextForm<>(
                            ToolVersion::of,
                            n -> ToolVersion.of(String.valueOf(n)),
                            ToolVersion::toString,
                            ToolVersion.MUST),
                    Optional.<ToolVersion>empty())
            .at("tool.version")
            .none("only what directives say")
            .words(
                    "Tool version",
                    "Version of the vendor's tool, 2018.2 to 2025.2, that is left to pipeline loops and divide arrays by itself, in estimates and in scripts; without it only what directives say is done")
            .option("--tool-version", "VERSION");

    /// Everything that is declared of them.
    public static final Parameters PARAMETERS = Parameters.of(
                    SCRIPT, FLOW, VERSION, UNCERTAINTY, C_FLAGS, TESTBENCH, CSIM, COSIM)
            .rule(CSIM, v -> !v.get(CSIM) || !v.get(TESTBENCH).isEmpty(), "no, or name the files of the testbench")
            .rule(COSIM, v -> !v.get(COSIM) || !v.get(TESTBENCH).isEmpty(), "no, or name the files of the testbench");

    /// Nothing but the design, for Vivado.
    public static final ToolOptions NONE = new ToolOptions(PARAMETERS.usual());

    /// The same with another value of one setting. Throws [IllegalArgumentException] where it cannot be.
    public <T> ToolOptions with(Parameter<T> parameter, T value) {
        return new ToolOptions(values.with(parameter, value));
    }

    /// Part of the clock period that C synthesis keeps back, in per cent.
    public Optional<Double> uncertainty() {
        return values.find(UNCERTAINTY);
    }

    /// Flags of the C compiler.
    public List<String> cFlags() {
        return values.get(C_FLAGS);
    }

    /// Files of the testbench.
    public List<String> testbench() {
        return values.get(TESTBENCH);
    }

    /// True if the testbench is run before C synthesis.
    public boolean csim() {
        return values.get(CSIM);
    }

    /// True if it is run with the RTL after C synthesis.
    public boolean cosim() {
        return values.get(COSIM);
    }

    /// The flow for the kernel.
    public Flow flow() {
        return values.get(FLOW);
    }

    /// The version that is left to do what it does by itself; empty where only directives count.
    public Optional<ToolVersion> version() {
        return values.find(VERSION);
    }

    /// The tool that files are written for where nobody says which.
    public Dialect dialect() {
        return version().map(ToolVersion::dialect).orElse(Dialect.VITIS_HLS);
    }

    /// True if a tool is left to pipeline loops by itself.
    boolean leavesPipelining(Dialect dialect) {
        return version()
                .filter(v -> v.dialect() == dialect && v.pipelineLoops() > 0)
                .isPresent();
    }

    /// The commands that say what the tool may do by itself.
    ///
    /// @param config whether lines of a configuration file are written in the place of commands
    List<String> unasked(Dialect dialect, boolean config) {
        return version()
                .filter(v -> v.dialect() == dialect)
                .map(v -> v.commands(config))
                .orElseGet(() -> dialect.onlyAsked(config));
    }

    /// True if a tool can be given a flag of the C compiler.
    public static boolean isFlag(String flag) {
        return flag.startsWith("-") && SAFE_FLAG.matcher(flag).matches();
    }

    /// The uncertainty in nanoseconds, the tool's default where none is given: said in every script, as the tools
    /// differ.
    double uncertaintyNs(Dialect dialect, double clockNs) {
        double percent = uncertainty().orElse(dialect == Dialect.VITIS_HLS ? 27.0 : 12.5);
        return Math.round(clockNs * percent * 10) / 1000.0;
    }

    /// The script that drives the unified tools.
    public Script script() {
        return values.get(SCRIPT);
    }
}
