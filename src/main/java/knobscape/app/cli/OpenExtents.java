package knobscape.app.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/// Extents that a network's file leaves open.
final class OpenExtents {
    @Option(
            names = "--dim",
            paramLabel = "NAME=N",
            description = "An extent that the ONNX file leaves open, by its name or as INPUT:AXIS; may be repeated.")
    private Map<String, Long> dims = new LinkedHashMap<>();

    /// By name, or by input and axis.
    Map<String, Long> dims() {
        return dims;
    }
}
