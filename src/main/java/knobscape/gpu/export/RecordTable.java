package knobscape.gpu.export;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.evaluate.report.DesignCsv;

/// Records as comma-separated values: kernel, index, knobs (empty where a template has no such knob), outcome
/// by name, time, GFLOPS, cost, and whether a device or a model gave the time.
public final class RecordTable {
    private static final List<String> STATUS = List.of(
            "ok",
            "rejected",
            "host compile error",
            "compile error",
            "run error",
            "wrong answer",
            "build timeout",
            "run timeout",
            "unknown");

    private RecordTable() {}

    /// The table with its header line.
    public static String write(List<TuningRecord> records) {
        Set<String> knobs = records.stream()
                .flatMap(r -> r.configuration().toMap().keySet().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        var b = new StringBuilder("kernel,index,")
                .append(knobs.stream().map(k -> DesignCsv.cell(k) + ",").collect(Collectors.joining()))
                .append("status,time_ms,gflops,cost_s,source\n");
        for (TuningRecord r : records) {
            Map<String, String> own = r.configuration().toMap();
            b.append(DesignCsv.cell(r.source().id()))
                    .append(',')
                    .append(r.source().space().indexOf(r.configuration()))
                    .append(',');
            knobs.forEach(k -> b.append(DesignCsv.cell(own.getOrDefault(k, ""))).append(','));
            b.append(STATUS.get(r.measurement().code()))
                    .append(',')
                    .append(
                            r.measurement().seconds().isPresent()
                                    ? String.format(
                                            Locale.ROOT,
                                            "%.9g",
                                            r.measurement().seconds().getAsDouble() * 1e3)
                                    : "")
                    .append(',')
                    .append(String.format(
                            Locale.ROOT,
                            "%.6g",
                            r.measurement().gflops(r.source().workload().flops())))
                    .append(',')
                    .append(String.format(Locale.ROOT, "%.6g", r.measurement().costSeconds()))
                    .append(r.origin().model() ? ",model\n" : ",measured\n");
        }
        return b.toString();
    }
}
