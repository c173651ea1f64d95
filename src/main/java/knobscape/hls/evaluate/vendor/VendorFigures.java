package knobscape.hls.evaluate.vendor;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.vendor.VendorReport.Figure;
import knobscape.hls.evaluate.vendor.VendorReport.Stage;

/// Metrics of a stage from the reports in a tool's folder: latency and interval from C synthesis, clock and area of the
/// stage
/// itself, power where a report of it is there.
public final class VendorFigures {
    private static final List<Figure> AREA = List.of(Figure.LUT, Figure.FF, Figure.DSP, Figure.BRAM);

    private VendorFigures() {}

    /// The metrics, empty where there is no whole report of that stage.
    public static Optional<Map<String, Double>> find(Path folder, String stage) {
        List<VendorReport> all;
        try {
            all = ReportReader.readFolder(folder).stream()
                    .map(ReportReader.ReportMatch::report)
                    .toList();
        } catch (UserError e) {
            return Optional.empty(); // None there, or one that was written only in part.
        }
        Optional<Stage> wanted = java.util.Arrays.stream(Stage.values())
                .filter(s -> s.fidelity().equals(stage))
                .findFirst();
        Optional<VendorReport> own = all.stream()
                .filter(r -> wanted.filter(r.stage()::equals).isPresent())
                .filter(r -> r.figure(Figure.LUT).isPresent() && r.clock().isPresent())
                .findFirst();
        return own.map(r -> metrics(r, all));
    }

    private static Map<String, Double> metrics(VendorReport own, List<VendorReport> all) {
        var values = new LinkedHashMap<String, Double>();
        OptionalDouble latency = all.stream()
                .filter(r -> r.stage() == Stage.HLS)
                .map(VendorReport::latency)
                .filter(OptionalDouble::isPresent)
                .findFirst()
                .orElse(OptionalDouble.empty());
        double clock = own.clock().orElseThrow();
        values.put("clock", clock);
        latency.ifPresent(l -> {
            values.put("latency", l);
            // What takes no cycle is still done only when the period is over.
            values.put("delay", Math.max(1, l) * clock);
        });
        all.stream()
                .filter(r -> r.stage() == Stage.HLS)
                .map(r -> r.figure(Figure.INTERVAL_MAX))
                .filter(OptionalDouble::isPresent)
                .findFirst()
                .ifPresent(i -> values.put("interval", i.getAsDouble()));
        AREA.forEach(f -> own.figure(f).ifPresent(v -> values.put(f.name().toLowerCase(Locale.ROOT), v)));
        all.stream()
                .filter(r -> r.stage() == own.stage())
                .map(r -> r.figure(Figure.POWER))
                .filter(OptionalDouble::isPresent)
                .findFirst()
                .ifPresent(p -> values.put("power", p.getAsDouble()));
        return values;
    }
}
