package knobscape.hls.export;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a vendor's tool is told besides the design.
///
/// @param uncertainty part of the clock period that C synthesis keeps back, in per cent; the tool's default
/// where empty (27 in Vitis HLS, 12.5 in Vivado HLS)
/// @param cFlags flags of the C compiler beyond folders of headers and macros, for the sources and the testbench
/// @param testbench files of the testbench, relative to the project, or absolute
/// @param csim whether the testbench is run before C synthesis
/// @param cosim whether it is run with the RTL after C synthesis
/// @param flow what is made of the kernel; Vivado HLS knows one only
public record ToolOptions(
        Optional<Double> uncertainty,
        List<String> cFlags,
        List<String> testbench,
        boolean csim,
        boolean cosim,
        Flow flow) {
    /// For Vivado.
    public ToolOptions(
            Optional<Double> uncertainty, List<String> cFlags, List<String> testbench, boolean csim, boolean cosim) {
        this(uncertainty, cFlags, testbench, csim, cosim, Flow.VIVADO);
    }

    /// Nothing but the design.
    public static final ToolOptions NONE = new ToolOptions(Optional.empty(), List.of(), List.of(), false, false);

    /// The tool hands flags on to make and a shell, whose rules for quotes differ by version and system.
    static final Pattern SAFE_FLAG = Pattern.compile("[\\p{L}\\p{N}_./:+=,@%~-]+");

    /// Throws [IllegalArgumentException] for what cannot be.
    public ToolOptions {
        uncertainty = Objects.requireNonNullElse(uncertainty, Optional.empty());
        cFlags = List.copyOf(Objects.requireNonNullElse(cFlags, List.of()));
        testbench = List.copyOf(Objects.requireNonNullElse(testbench, List.of()));
        // Runs of earlier versions have none.
        flow = Objects.requireNonNullElse(flow, Flow.VIVADO);
        uncertainty.ifPresent(u -> {
            if (!(u >= 0 && u < 100)) {
                throw new IllegalArgumentException(
                        "the clock uncertainty is a share of the period in per cent, not " + u);
            }
        });
        for (String f : cFlags) {
            if (!isFlag(f)) {
                throw new IllegalArgumentException(
                        "'" + f + "' is no flag of the C compiler without blanks and quotes (for example -std=c++14)");
            }
        }
        if (testbench.isEmpty() && (csim || cosim)) {
            throw new IllegalArgumentException("csim and cosim need a testbench; name its files as \"testbench\"");
        }
    }

    /// Whether a tool can be given a flag of the C compiler.
    public static boolean isFlag(String flag) {
        return flag.startsWith("-") && SAFE_FLAG.matcher(flag).matches();
    }

    /// The same with other places of flags and files.
    public ToolOptions with(List<String> flags, List<String> files) {
        return new ToolOptions(uncertainty, flags, files, csim, cosim, flow);
    }

    /// The same for another flow.
    public ToolOptions with(Flow other) {
        return new ToolOptions(uncertainty, cFlags, testbench, csim, cosim, other);
    }

    /// The uncertainty in nanoseconds, the tool's default where none is given: said in every script, as the tools
    /// differ.
    double uncertaintyNs(Dialect dialect, double clockNs) {
        double percent = uncertainty.orElse(dialect == Dialect.VITIS_HLS ? 27.0 : 12.5);
        return Math.round(clockNs * percent * 10) / 1000.0;
    }
}
