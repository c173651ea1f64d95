package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.Core;
import knobscape.hls.space.Directive.PartitionType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import smile.math.MathEx;

/// The estimator against the measured designs of `fudan_machsuite/gemm_ncubed` (Vitis 2022.1, xc7vx485t-2, 10
/// ns), where the optional data folder is there. The kernel is our own with the same structure.
class MeasuredGemmTest {
    private static final Path FILE =
            Path.of(System.getProperty("knobscape.shared", "../shared"), "data/hls/fudan_machsuite/gemm_ncubed.csv");
    private static final List<Row> ROWS = new ArrayList<>();

    private record Row(Map<String, String> cells, List<StageFigures> estimate) {
        double measured(String column) {
            String text = cells.getOrDefault(column, "");
            return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
        }
    }

    @BeforeAll
    static void read() throws Exception {
        assumeTrue(Files.isRegularFile(FILE), "the optional data folder is absent: " + FILE);
        var estimators = new EnumMap<Core, Estimator>(Core.class);
        for (Core adder : List.of(Core.FABRIC, Core.DSP)) {
            estimators.put(
                    adder,
                    new Estimator(
                            Kernels.gemm(Kernels.DOUBLE, 64),
                            EstimatorSettings.defaults().withFloatAdder(adder).withUnasked(ToolDefaults.VITIS)));
        }
        List<String> lines = Files.readAllLines(FILE);
        String[] header = lines.getFirst().split(",", -1);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            var row = new HashMap<String, String>();
            for (int i = 0; i < header.length; i++) {
                row.put(header[i], cells[i]);
            }
            if (row.get("stage").equals("none")) {
                continue;
            }
            Core adder = core(row.get("bind_op@gemm/inner/sum/dadd"));
            ROWS.add(new Row(row, estimators.get(adder).estimate(directives(row), 2)));
        }
    }

    private static Core core(String name) {
        return name.equals("fabric") ? Core.FABRIC : Core.DSP;
    }

    private static List<Directive> directives(Map<String, String> row) {
        var list = new ArrayList<Directive>();
        list.add(new Directive.BindMultiplier("gemm", core(row.get("bind_op@gemm/inner/mult/dmul"))));
        for (String loop : List.of("inner", "middle")) {
            String p = row.get("pipeline@gemm/" + loop);
            if (!p.equals("none")) {
                list.add(new Directive.Pipeline("gemm/" + loop, !p.equals("off"), 0));
            }
        }
        for (String loop : List.of("inner", "middle", "outer")) {
            int factor = Integer.parseInt(row.get("unroll@gemm/" + loop));
            if (factor > 1) {
                list.add(new Directive.Unroll("gemm/" + loop, factor));
            }
        }
        if (row.get("flatten@gemm/outer").equals("off")) {
            list.add(new Directive.Flatten("gemm/outer", false));
        }
        for (String array : List.of("m1", "m2", "prod")) {
            String partition = row.get("partition_type@gemm/" + array);
            if (!partition.equals("none")) {
                list.add(new Directive.Partition(
                        "gemm/" + array,
                        1,
                        PartitionType.valueOf(partition.toUpperCase(java.util.Locale.ROOT)),
                        Integer.parseInt(row.get("partition_factor@gemm/" + array))));
            }
            String reshape = row.get("reshape_type@gemm/" + array);
            if (!reshape.equals("none")) {
                list.add(new Directive.Reshape(
                        "gemm/" + array,
                        1,
                        PartitionType.valueOf(reshape.toUpperCase(java.util.Locale.ROOT)),
                        Integer.parseInt(row.get("reshape_factor@gemm/" + array))));
            }
        }
        return list;
    }

    private static double spearman(String column, int stage, java.util.function.ToDoubleFunction<StageFigures> figure) {
        var a = new ArrayList<Double>();
        var b = new ArrayList<Double>();
        var ratios = new ArrayList<Double>();
        for (Row r : ROWS) {
            double m = r.measured(column);
            if (!Double.isNaN(m) && r.estimate().size() > stage) {
                double e = figure.applyAsDouble(r.estimate().get(stage));
                a.add(m);
                b.add(e);
                if (m > 0) {
                    ratios.add(e / m);
                }
            }
        }
        ratios.sort(null);
        double rho = MathEx.spearman(
                a.stream().mapToDouble(v -> v).toArray(),
                b.stream().mapToDouble(v -> v).toArray());
        System.out.printf(
                java.util.Locale.ROOT,
                "gemm_ncubed %-24s n %4d  Spearman %.3f  estimate/measured p10 %.2f median %.2f p90 %.2f%n",
                column,
                a.size(),
                rho,
                ratios.get(ratios.size() / 10),
                ratios.get(ratios.size() / 2),
                ratios.get(ratios.size() * 9 / 10));
        return rho;
    }

    @Test
    void ranksLatencyAndArea() {
        assertThat(spearman("hls_latency_cycles", 0, StageFigures::latencyCycles))
                .isGreaterThan(0.9);
        assertThat(spearman("hls_lut", 0, StageFigures::lut)).isGreaterThan(0.8);
        spearman("hls_ff", 0, StageFigures::ff);
        spearman("hls_clock_ns", 0, StageFigures::clockNs);
        spearman("hls_dsp", 0, StageFigures::dsp);
        spearman("syn_lut", 1, StageFigures::lut);
        spearman("syn_ff", 1, StageFigures::ff);
        spearman("syn_clock_ns", 1, StageFigures::clockNs);
        assertThat(spearman("impl_lut", 2, StageFigures::lut)).isGreaterThan(0.8);
        spearman("impl_ff", 2, StageFigures::ff);
        spearman("impl_dsp", 2, StageFigures::dsp);
        spearman("impl_clock_ns", 2, StageFigures::clockNs);
        spearman("impl_power_w", 2, StageFigures::powerWatts);
        dump();
    }

    @Test
    void latenciesAreMostlyExact() {
        List<Double> errors = ROWS.stream()
                .filter(r -> !Double.isNaN(r.measured("hls_latency_cycles")))
                .map(r -> Math.abs(r.estimate().getFirst().latencyCycles() / r.measured("hls_latency_cycles") - 1))
                .toList();
        long exact = ROWS.stream()
                .filter(r -> Math.abs(r.measured("hls_latency_cycles")
                                - r.estimate().getFirst().latencyCycles())
                        < 0.5)
                .count();
        double near = errors.stream().filter(e -> e <= 0.02).count() / (double) errors.size();
        System.out.printf(
                java.util.Locale.ROOT,
                "gemm_ncubed latencies: %d exact of %d, %.1f %% within 2 %%%n",
                exact,
                errors.size(),
                100 * near);
        assertThat(exact).isGreaterThan(250);
        assertThat(near).isGreaterThanOrEqualTo(0.9);
    }

    private static void dump() {
        if (!Boolean.getBoolean("estimator.dump")) {
            return;
        }
        for (Row r : ROWS) {
            StageFigures h = r.estimate().getFirst();
            System.out.println("ROW," + r.cells().get("pipeline@gemm/inner") + ","
                    + r.cells().get("pipeline@gemm/middle") + "," + r.cells().get("unroll@gemm/inner")
                    + r.cells().get("unroll@gemm/middle") + r.cells().get("unroll@gemm/outer") + ","
                    + r.cells().get("design") + "," + r.measured("hls_latency_cycles")
                    + "," + h.latencyCycles() + "," + r.measured("hls_lut") + "," + h.lut() + "," + r.measured("hls_ff")
                    + "," + h.ff() + "," + r.measured("hls_dsp")
                    + "," + h.dsp() + "," + r.measured("impl_lut") + ","
                    + r.estimate().getLast().lut() + "," + r.measured("impl_clock_ns") + ","
                    + r.estimate().getLast().clockNs() + "," + r.measured("impl_ff") + ","
                    + r.estimate().getLast().ff());
        }
    }
}
