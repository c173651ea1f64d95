package knobscape.hls.export;

import java.util.List;
import java.util.Optional;
import knobscape.work.parameter.Parameter;

/// Options of tools for tests, checked as a person's are.
public final class ToolOptionSamples {
    private ToolOptionSamples() {}

    /// Options for Vivado.
    public static ToolOptions of(
            Optional<Double> uncertainty, List<String> flags, List<String> testbench, boolean csim, boolean cosim) {
        var options = new ToolOptions(ToolOptions.PARAMETERS
                .usual()
                .with(ToolOptions.UNCERTAINTY, uncertainty)
                .with(ToolOptions.C_FLAGS, flags)
                .with(ToolOptions.TESTBENCH, testbench)
                .with(ToolOptions.CSIM, csim)
                .with(ToolOptions.COSIM, cosim));
        options.values().check(Parameter::name);
        return options;
    }
}
