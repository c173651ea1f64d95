package knobscape.network.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.evaluate.replay.CsvTable;
import knobscape.gpu.space.operator.Templates;
import knobscape.network.Arithmetic;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.task.Workload.Conv2d;
import knobscape.network.zoo.Zoo;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TuningTasksTest {
    /// Distinct convolutions of the networks that the GPU tuning papers use, and how often they occur.
    @ParameterizedTest
    @CsvSource({
        "alexnet, 5, 5",
        "vgg16, 9, 13",
        "resnet18-tvm, 12, 21",
        "resnet34-tvm, 12, 37",
        "mobilenet_v1, 19, 27",
        "squeezenet_v1.1, 18, 26",
        "inception_v3, 43, 94",
        "resnet18, 11, 20"
    })
    void tasksAreThoseOfThePapers(String name, int tasks, int convolutions) {
        TuningTasks found = TuningTasks.of(Zoo.named(name).network(1));

        assertThat(found.convolutions()).hasSize(tasks);
        assertThat(found.convolutions().stream().mapToInt(TuningTask::count).sum())
                .isEqualTo(convolutions);
        assertThat(found.others()).isEmpty();
    }

    /// Every column of the published layer table, networks by network.
    @ParameterizedTest
    @CsvSource({
        "alexnet, alexnet",
        "vgg16, vgg16",
        "resnet18, resnet18-tvm",
        "resnet34, resnet34-tvm",
        "mobilenet_v1, mobilenet_v1",
        "squeezenet_v1.1, squeezenet_v1.1",
        "inception_v3, inception_v3"
    })
    void everyTaskOfThePublishedTableIsFoundAndNoOther(String table, String zoo) {
        Path file = Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/gpu/networks.csv");
        Assumptions.assumeTrue(Files.exists(file), "the optional folder with measured data is not here");
        CsvTable csv = CsvTable.read(file);
        var expected = new HashMap<Conv2d, Integer>();
        var winograd = new HashMap<Conv2d, Boolean>();
        for (int row = 0; row < csv.rowCount(); row++) {
            if (text(csv, row, "network").equals(table)) {
                var conv = new Conv2d(
                        ElementType.FLOAT32,
                        number(csv, row, "N"),
                        number(csv, row, "C"),
                        number(csv, row, "H"),
                        number(csv, row, "W"),
                        number(csv, row, "K"),
                        new Conv2d.Taps(
                                number(csv, row, "R"),
                                number(csv, row, "S"),
                                number(csv, row, "stride"),
                                number(csv, row, "stride"),
                                1,
                                1),
                        new Conv2d.Padding(
                                number(csv, row, "pad_h"),
                                number(csv, row, "pad_w"),
                                number(csv, row, "pad_h"),
                                number(csv, row, "pad_w")),
                        number(csv, row, "groups"));
                expected.put(conv, number(csv, row, "count"));
                winograd.put(conv, !text(csv, row, "space_winograd").isEmpty());
                assertThat(conv.outHeight()).isEqualTo(number(csv, row, "OH"));
                assertThat(conv.outWidth()).isEqualTo(number(csv, row, "OW"));
                assertThat(conv.macs()).isEqualTo(Long.parseLong(text(csv, row, "macs")));
                assertThat(conv.isDepthwise()).isEqualTo(text(csv, row, "op").equals("depthwise_conv2d"));
            }
        }
        Map<Conv2d, Integer> found = new HashMap<>();
        TuningTasks.of(Zoo.named(zoo).network(1))
                .convolutions()
                .forEach(t -> found.put((Conv2d) t.workload(), t.count()));

        assertThat(found).isEqualTo(expected);
        found.keySet()
                .forEach(c -> assertThat(c.isWinogradEligible()).as(c.id()).isEqualTo(winograd.get(c)));
    }

    private static String text(CsvTable csv, int row, String column) {
        return csv.cell(row, csv.column(column).orElseThrow());
    }

    private static int number(CsvTable csv, int row, String column) {
        return Integer.parseInt(text(csv, row, column));
    }

    @ParameterizedTest
    @EnumSource
    void noWorkIsLost(Zoo zoo) {
        Network n = zoo.network(2);
        TuningTasks tasks = TuningTasks.of(n);

        assertThat(tasks.tasks().stream()
                        .mapToLong(t -> t.workload().flops() * t.count())
                        .sum())
                .isEqualTo(2 * Arithmetic.macs(n));
        assertThat(tasks.tasks()).extracting(TuningTask::name).doesNotHaveDuplicates();
        assertThat(tasks.tasks()).extracting(t -> t.workload().id()).doesNotHaveDuplicates();
    }

    @Test
    void matrixProductsAreTasksToo() {
        TuningTasks tasks = TuningTasks.of(Zoo.ALEXNET.network(4));

        assertThat(tasks.tasks())
                .extracting(TuningTask::workload)
                .contains(
                        new Workload.Dense(ElementType.FLOAT32, 4, 4096, 9216),
                        new Workload.Dense(ElementType.FLOAT32, 4, 1000, 4096));
        assertThat(tasks.tasks().getLast().workload().id()).isEqualTo("dense_4x1000x4096");
        assertThat(tasks.tasks().getFirst().workload().id()).isEqualTo("conv2d_4x3x224x224_k64_11x11_s4_p2");
    }

    @Test
    void attentionGivesDenseAndBatchedProducts() {
        var b = new NetworkBuilder("attention", ElementType.FLOAT16);
        String x = b.input("x", Shape.of(2, 12, 128, 64));
        String k = b.add("k", new Operator.MatMul(), x, b.weight("wk", 64, 32));
        String q = b.add("q", new Operator.MatMul(), x, b.weight("wq", 64, 32));
        String kt = b.add("kt", new Operator.Transpose(List.of(0, 1, 3, 2)), k);
        b.output(b.add("scores", new Operator.MatMul(), q, kt));

        assertThat(TuningTasks.of(b.build()).tasks())
                .extracting(TuningTask::workload, TuningTask::count)
                .containsExactly(
                        tuple(new Workload.Dense(ElementType.FLOAT16, 2 * 12 * 128, 32, 64), 2),
                        tuple(new Workload.BatchMatmul(ElementType.FLOAT16, 24, 128, 128, 32), 1));
    }

    @Test
    void whatHasNoTemplateIsListedWithTheReason() {
        var b = new NetworkBuilder("odd", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(1, 8, 16, 16));
        String y = b.add("grouped", new Operator.Conv(Window.square(3, 1, 1), 4), x, b.weight("w1", 8, 2, 3, 3));
        y = b.add(
                "up",
                new Operator.TransposedConv(Window.square(2, 2, 0), 1, List.of(0, 0)),
                y,
                b.weight("w2", 8, 8, 2, 2));
        b.output(y);
        TuningTasks tasks = TuningTasks.of(b.build());

        assertThat(tasks.tasks())
                .extracting(t -> t.workload().id())
                .containsExactly("grouped_conv2d_1x8x16x16_k8_3x3_s1_p1_g4");
        assertThat(Templates.obstacle(tasks.tasks().getFirst().workload()))
                .hasValueSatisfying(w -> assertThat(w).contains("groups"));
        assertThat(tasks.others()).extracting(o -> o.subgraph().name()).containsExactly("up");
    }

    @Test
    void aMarginOfZerosCountsAsPadding() {
        var b = new NetworkBuilder("padded", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(1, 3, 30, 30));
        String p = b.add("pad", new Operator.Pad(List.of(0L, 0L, 0L, 1L), List.of(0L, 0L, 1L, 1L), "constant", 0), x);
        b.output(b.add("conv", new Operator.Conv(Window.square(3, 2, 0), 1), p, b.weight("w", 8, 3, 3, 3)));

        assertThat(TuningTasks.of(b.build()).tasks().getFirst().workload())
                .isEqualTo(new Conv2d(
                        ElementType.FLOAT32,
                        1,
                        3,
                        30,
                        30,
                        8,
                        new Conv2d.Taps(3, 3, 2, 2, 1, 1),
                        new Conv2d.Padding(0, 1, 1, 1),
                        1));
        assertThat(TuningTasks.of(b.build()).tasks().getFirst().workload().id())
                .isEqualTo("conv2d_1x3x30x30_k8_3x3_s2_p0-1-1-1");
    }
}
