package knobscape.gpu.space.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import knobscape.evaluate.replay.CsvTable;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.operator.Templates;
import knobscape.network.ElementType;
import knobscape.network.task.TuningTasks;
import knobscape.network.task.Workload;
import knobscape.network.zoo.Zoo;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Spaces and validity against public records and published figures.
class RecordsTest {
    private static final Path SHARED =
            Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/gpu");

    private static CsvTable table(String file) {
        Path at = SHARED.resolve(file);
        Assumptions.assumeTrue(Files.isReadable(at), () -> "no measured data at " + at);
        return CsvTable.read(at);
    }

    /// AutoTVM's own index of each record names the configuration that the record holds.
    @ParameterizedTest
    @CsvSource({
        "T4_batch_matmul_b12_m128_n128_k64, batch-matmul, 128, 128, 64",
        "T4_dense_large_batch_b1_m128_n3072_k768, dense-large, 128, 3072, 768",
        "T4_dense_large_batch_b1_m128_n768_k3072, dense-large, 128, 768, 3072",
        "T4_dense_large_batch_b1_m128_n768_k768, dense-large, 128, 768, 768",
        "T4_dense_small_batch_b1_m128_n768_k3072, dense-small, 128, 768, 3072",
        "T4_dense_small_batch_b1_m1_n768_k768, dense-small, 1, 768, 768"
    })
    void indicesAreThoseOfMeasuredRecords(String file, String template, long m, long n, long k) {
        CsvTable t = table("autotvm_t4_bert/" + file + ".csv.gz");
        Workload w = template.equals("batch-matmul")
                ? new Workload.BatchMatmul(ElementType.FLOAT32, 12, m, n, k)
                : new Workload.Dense(ElementType.FLOAT32, m, n, k);
        Template of = Templates.of(w, template);

        assertThat(t.rowCount()).isPositive();
        for (int row = 0; row < t.rowCount(); row++) {
            Configuration c = of.space().at(Long.parseLong(cell(t, row, "index")));
            var levels = new TreeMap<String, String>();
            for (ScheduleKnob knob : of.space().scheduleKnobs()) {
                switch (knob) {
                    case ScheduleKnob.Split s -> {
                        long[] factors = of.space().factors(c, s.name());
                        for (int i = 0; i < factors.length; i++) {
                            levels.put(s.name() + "_" + i, String.valueOf(factors[i]));
                        }
                    }
                    case ScheduleKnob.Option o ->
                        levels.put(o.name(), String.valueOf(of.space().option(c, o.name())));
                }
            }
            for (Map.Entry<String, String> e : levels.entrySet()) {
                assertThat(cell(t, row, e.getKey()))
                        .as(e.getKey() + " of record " + row)
                        .isEqualTo(e.getValue());
            }
            // What ran on the device passes the check, but for the defect of the dense template, which is not
            // copied.
            if (cell(t, row, "status").equals("ok")) {
                assertThat(of.schedule(c).check(DeviceLimits.NVIDIA)).isEmpty();
            }
        }
    }

    @Test
    void sizesAreThoseOfTheLayerTable() {
        CsvTable t = table("networks.csv");
        int winograd = 0;
        for (int row = 0; row < t.rowCount(); row++) {
            int c = number(t, row, "C");
            int groups = number(t, row, "groups");
            int padH = number(t, row, "pad_h");
            int padW = number(t, row, "pad_w");
            int stride = number(t, row, "stride");
            var w = new Workload.Conv2d(
                    ElementType.FLOAT32,
                    1,
                    c,
                    number(t, row, "H"),
                    number(t, row, "W"),
                    number(t, row, "K"),
                    new Workload.Conv2d.Taps(number(t, row, "R"), number(t, row, "S"), stride, stride, 1, 1),
                    new Workload.Conv2d.Padding(padH, padW, padH, padW),
                    groups);
            String place = cell(t, row, "network") + " " + cell(t, row, "task");
            assertThat(Templates.of(w).getFirst().space().count())
                    .as(place)
                    .isEqualTo(Long.parseLong(cell(t, row, "space_direct")));
            if (!cell(t, row, "space_winograd").isEmpty()) {
                winograd++;
                assertThat(Templates.of(w, "winograd").space().count())
                        .as(place)
                        .isEqualTo(Long.parseLong(cell(t, row, "space_winograd")));
            }
        }
        assertThat(winograd).isPositive();
    }

    /// Best known configurations of NVIDIA parts are valid, and their knobs are found in the space.
    @ParameterizedTest
    @CsvSource({
        "1080ti_conv2d_nchw, direct",
        "v100_conv2d_nchw, direct",
        "tx2_conv2d_nchw, direct",
        "1080ti_depthwise_conv2d_nchw, depthwise",
        "1080ti_conv2d_nchw_winograd, winograd"
    })
    void bestKnownConfigurationsAreMembersAndValid(String file, String template) {
        CsvTable t = table("tophub_best/" + file + ".csv.gz");
        int members = 0;
        for (int row = 0; row < t.rowCount(); row++) {
            var w = new Workload.Conv2d(
                    ElementType.FLOAT32,
                    number(t, row, "N"),
                    number(t, row, "C"),
                    number(t, row, "H"),
                    number(t, row, "W"),
                    number(t, row, "K"),
                    new Workload.Conv2d.Taps(
                            number(t, row, "R"),
                            number(t, row, "S"),
                            number(t, row, "stride_h"),
                            number(t, row, "stride_w"),
                            1,
                            1),
                    new Workload.Conv2d.Padding(
                            number(t, row, "pad_t"),
                            number(t, row, "pad_l"),
                            number(t, row, "pad_b"),
                            number(t, row, "pad_r")),
                    template.equals("depthwise") ? number(t, row, "C") : 1);
            Template of = Templates.of(w, template);
            int[] levels = new int[of.space().scheduleKnobs().size()];
            for (int i = 0; i < levels.length; i++) {
                levels[i] = switch (of.space().scheduleKnobs().get(i)) {
                    case ScheduleKnob.Split s -> {
                        long[] factors = new long[s.parts()];
                        for (int p = 0; p < factors.length; p++) {
                            factors[p] = number(t, row, s.name() + "_" + p);
                        }
                        yield s.levelOf(factors);
                    }
                    case ScheduleKnob.Option o -> o.values().indexOf(number(t, row, o.name()));
                };
            }
            // A few records are older than the template: their tiles multiply to another length.
            if (java.util.Arrays.stream(levels).allMatch(l -> l >= 0)) {
                members++;
                assertThat(of.schedule(Configuration.of(of.space().knobs(), levels))
                                .check(DeviceLimits.NVIDIA))
                        .as(file + " row " + row)
                        .isEmpty();
            }
        }
        assertThat(members).isGreaterThan(t.rowCount() * 9 / 10);
    }

    /// Share of uniformly random points that pass the check, against an independent Monte Carlo of the same
    /// rules (48 KiB, 1024 threads).
    @ParameterizedTest
    @CsvSource({
        "vgg16, 0.44",
        "mobilenet_v1, 0.49",
        "alexnet, 0.58",
        "resnet18-tvm, 0.60",
        "inception_v3, 0.63",
        "squeezenet_v1.1, 0.77"
    })
    void shareOfValidPoints(String network, double published) {
        var random = new Random(11);
        double[] shares = TuningTasks.of(Zoo.named(network).network(1)).convolutions().stream()
                .mapToDouble(task -> {
                    Template t = Templates.of(task.workload()).getFirst();
                    int valid = 0;
                    for (int i = 0; i < 300; i++) {
                        valid += t.schedule(t.space().draw(random))
                                        .check(DeviceLimits.NVIDIA)
                                        .isEmpty()
                                ? 1
                                : 0;
                    }
                    return valid / 300.0;
                })
                .toArray();

        assertThat(java.util.Arrays.stream(shares).average().orElseThrow())
                .isBetween(published - 0.03, published + 0.03);
        assertThat(java.util.Arrays.stream(shares).min().orElseThrow()).isGreaterThan(0.15);
    }

    /// Shared floats and accumulators by the published formulas.
    @Test
    void buffersOfTheDirectTemplate() {
        var random = new Random(2);
        Workload.Conv2d w = ScheduleSpaceTest.conv(64, 56, 128, 3, 2, 1);
        Template t = Templates.of(w).getFirst();
        for (int i = 0; i < 500; i++) {
            Configuration c = t.space().draw(random);
            long[] f = t.space().factors(c, "tile_f");
            long[] y = t.space().factors(c, "tile_y");
            long[] x = t.space().factors(c, "tile_x");
            long rc = t.space().factors(c, "tile_rc")[1];
            long ry = t.space().factors(c, "tile_ry")[1];
            long rx = t.space().factors(c, "tile_rx")[1];
            LoopNest nest = t.schedule(c).main();

            assertThat(nest.sharedBytes())
                    .isEqualTo(4
                            * (rc * ((y[1] * y[2] * y[3] - 1) * 2 + ry) * ((x[1] * x[2] * x[3] - 1) * 2 + rx)
                                    + f[1] * f[2] * f[3] * rc * ry * rx));
            assertThat(nest.localFloats()).isEqualTo(f[1] * y[1] * x[1] * f[3] * y[3] * x[3]);
            assertThat(nest.threads()).isEqualTo(f[2] * y[2] * x[2]);
            assertThat(nest.blocks()).isEqualTo(f[0] * y[0] * x[0]);
        }
    }

    private static String cell(CsvTable t, int row, String column) {
        return t.cell(row, t.column(column).orElseThrow());
    }

    private static int number(CsvTable t, int row, String column) {
        return Integer.parseInt(cell(t, row, column));
    }
}
