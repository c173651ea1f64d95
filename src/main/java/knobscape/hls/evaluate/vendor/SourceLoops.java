package knobscape.hls.evaluate.vendor;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.evaluate.vendor.VendorReport.VendorLoop;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;

/// Loops of the tools' reports joined to those of the source: by the line in the name that Vitis makes for a loop
/// without a label, else by label and function. Of loops that the tool flattened into one (`outer_inner`) it is the
/// inner one.
public final class SourceLoops {
    private SourceLoops() {}

    /// The figures in the reports for loops of the source, by their ids; of several the last.
    public static Map<String, VendorLoop> join(Kernel kernel, List<VendorReport> reports) {
        var found = new LinkedHashMap<String, VendorLoop>();
        reports.stream()
                .flatMap(r -> r.loops().stream())
                .forEach(l -> find(kernel, l).ifPresent(loop -> found.put(loop.id(), l)));
        return found;
    }

    /// The loop of the source that a loop of a report is, where one fits.
    public static Optional<Loop> find(Kernel kernel, VendorLoop l) {
        if (l.line().isPresent()) {
            int line = l.line().getAsInt();
            return kernel.loops().stream()
                    .filter(x -> !x.labelled() && x.keyword().line() == line)
                    .min(Comparator.comparing((Loop x) -> !x.keyword().file().equals(kernel.file()))
                            .thenComparing(x -> !isIn(l.module(), x)));
        }
        return kernel.loops().stream()
                .filter(x -> l.name().equals(x.label()) || l.name().endsWith("_" + x.label()))
                .min(Comparator.comparing((Loop x) -> !isIn(l.module(), x))
                        .thenComparing(x -> !l.name().equals(x.label()))
                        .thenComparingInt(x -> -x.label().length()));
    }

    /// Modules are named by their function, or by it and a loop (`top_Pipeline_inner`).
    private static boolean isIn(String module, Loop loop) {
        return module.equals(loop.function()) || module.startsWith(loop.function() + "_");
    }
}
