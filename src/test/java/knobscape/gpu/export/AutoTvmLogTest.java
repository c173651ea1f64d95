package knobscape.gpu.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import knobscape.evaluate.UserError;
import knobscape.gpu.codegen.WorkSamples;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.export.TuningRecord.Origin;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Template;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AutoTvmLogTest {
    @TempDir
    Path folder;

    private static Measurement failed(Measurement.Failure failure, double cost) {
        return new Measurement.Failed(failure, "The log does not say why it failed.", cost);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("log.json"), text);
    }

    @Test
    void recordsOfEveryTemplateComeBack() throws IOException {
        var random = new Random(9);
        var records = new ArrayList<TuningRecord>();
        WorkSamples.work().forEach((name, works) -> {
            for (Workload w : works) {
                // A log has no place for dilated or unevenly padded work of other groups than these samples
                // have.
                Template t = Templates.of(w, name);
                records.add(new TuningRecord(
                        t,
                        t.space().draw(random),
                        new Measurement.Timed(2e-3, 0, List.of(1e-3, 3e-3), false, 1.5),
                        1_600_000_000,
                        Origin.UNKNOWN));
                records.add(new TuningRecord(
                        t,
                        t.space().draw(random),
                        failed(Measurement.Failure.RUN_TIMEOUT, 4),
                        1_600_000_001,
                        Origin.UNKNOWN));
            }
        });

        AutoTvmLog.LogContent back = AutoTvmLog.read(file(AutoTvmLog.write(records, "cuda")));

        assertThat(back.left()).isEmpty();
        assertThat(back.records()).hasSameSizeAs(records);
        for (int i = 0; i < records.size(); i++) {
            assertThat(back.records().get(i).source().id())
                    .isEqualTo(records.get(i).source().id());
            assertThat(back.records().get(i).configuration())
                    .isEqualTo(records.get(i).configuration());
            assertThat(back.records().get(i).measurement())
                    .isEqualTo(records.get(i).measurement());
            assertThat(back.records().get(i).seconds()).isEqualTo(records.get(i).seconds());
        }
    }

    /// A record as TVM 0.6 writes it, made up here.
    @Test
    void recordsOfOldVersionsAreRead() throws IOException {
        String line =
                "{\"i\": [\"cuda -model=1080ti\", \"topi_nn_conv2d\", [[\"TENSOR\", [1, 64, 56, 56], \"float32\"], [\"TENSOR\", [64, 64, 1, 1], \"float32\"], [1, 1], [0, 0], [1, 1], "
                        + "\"NCHW\", \"float32\"], {}, [\"conv2d\", 0], {\"i\": 17, \"t\": \"direct\", \"c\": null, \"e\": [[\"tile_f\", \"sp\", [-1, 1, 16, 4]], [\"tile_y\", \"sp\", [-1, 1, 2, 1]], "
                        + "[\"tile_x\", \"sp\", [-1, 1, 56, 1]], [\"tile_rc\", \"sp\", [-1, 4]], [\"tile_ry\", \"sp\", [-1, 1]], [\"tile_rx\", \"sp\", [-1, 1]], "
                        + "[\"auto_unroll_max_step\", \"ot\", 512], [\"unroll_explicit\", \"ot\", 1]]}], \"r\": [[2.5e-05], 0, 3.1, 1530000000.5], \"v\": 0.1}\n";

        AutoTvmLog.LogContent read = AutoTvmLog.read(file(line));

        assertThat(read.records()).singleElement().satisfies(r -> {
            assertThat(r.source().id()).isEqualTo("conv2d_1x64x56x56_k64_1x1_s1_p0/direct");
            assertThat(r.source().space().factors(r.configuration(), "tile_f")).containsExactly(1, 1, 16, 4);
            assertThat(r.measurement().seconds()).hasValue(2.5e-5);
        });
    }

    @Test
    void damagedLinesAreCountedAndTheRestIsRead() throws IOException {
        Template t = Templates.of(WorkSamples.work().get("direct").getFirst()).getFirst();
        String good = AutoTvmLog.write(
                List.of(new TuningRecord(
                        t, t.space().at(5), failed(Measurement.Failure.UNKNOWN, 1), 0, Origin.UNKNOWN)),
                "cuda");

        AutoTvmLog.LogContent read =
                AutoTvmLog.read(file("{\n" + good + "[]\n" + good.replace("\"tile_f\"", "\"tile_q\"")
                        + good.replace("float32", "int8") + good.replace("conv2d_nchw.cuda", "pool.cuda")
                        + good.replace("[1,6,12,12]", "[1,6,-12,12]") + "{\n"));

        assertThat(read.records()).hasSize(1);
        assertThat(read.left())
                .extracting(l -> l.reason() + " " + l.count() + " " + l.line())
                .containsExactly(
                        "is not JSON 2 1",
                        "has not the form of a record 1 3",
                        "has other knobs than the template 1 4",
                        "is of another element type than float32 1 5",
                        "is of work that no template here computes (pool.cuda) 1 6",
                        "has extents that do not fit together 1 7");
        assertThatThrownBy(() -> AutoTvmLog.read(file("[]\n")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 1 has not the form of a record");
        assertThatThrownBy(() -> AutoTvmLog.read(file("[" + "1,".repeat(100_000))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 1 is longer than 64 KiB");
        assertThatThrownBy(() -> AutoTvmLog.read(folder.resolve("none")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("There is no file");
        assertThatThrownBy(() -> AutoTvmLog.read(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("it is a folder");
    }

    @Test
    void tableHasARowForEachRecord() {
        Template t =
                Templates.of(WorkSamples.work().get("dense-small").getFirst()).getFirst();
        String table = RecordTable.write(List.of(
                new TuningRecord(
                        t, t.space().at(1), new Measurement.Timed(1e-3, 0, List.of(), true, 2), 0, Origin.UNKNOWN),
                new TuningRecord(t, t.space().at(2), failed(Measurement.Failure.COMPILE, 1), 0, Origin.UNKNOWN)));

        assertThat(table.lines())
                .containsExactly(
                        "kernel,index,tile_k,status,time_ms,gflops,cost_s,source",
                        "dense_1x10x60/dense-small,1,30x2,ok,1.00000000,0.00120000,2.00000,measured",
                        "dense_1x10x60/dense-small,2,20x3,compile error,,0.00000,1.00000,measured");
    }

    private static AutoTvmLog.LogContent real(String name) throws Exception {
        return AutoTvmLog.read(Path.of(
                AutoTvmLogTest.class.getResource("/knobscape/gpu/logs/" + name).toURI()));
    }

    /// One line per form that TVM 0.6 and before wrote; see the README beside the files.
    @Test
    void logsOfVersion06AreRead() throws Exception {
        AutoTvmLog.LogContent read = real("tvm06.log");

        assertThat(read.left()).isEmpty();
        assertThat(read.records())
                .extracting(r -> r.source().id())
                .containsExactly(
                        "conv2d_1x8x8x8_k16_3x1_s1_p1-0/direct",
                        "conv2d_1x8x8x8_k16_3x3_s1_p1/direct",
                        "conv2d_1x8x8x8_k16_3x3_s1_p1/winograd",
                        "depthwise_conv2d_1x8x8x8_k8_3x3_s1_p1/depthwise",
                        "dense_64x16x32/dense-large");
        TuningRecord oldest = read.records().getFirst();
        assertThat(oldest.source().space().factors(oldest.configuration(), "tile_ry"))
                .containsExactly(1, 3);
        assertThat(oldest.origin()).isEqualTo(new Origin("cuda -model=1080ti", "bare", false));
        assertThat(read.records().getLast().measurement().code()).isEqualTo(1);
    }

    @Test
    void logsOfVersions07To14AreRead() throws Exception {
        assertThat(real("tvm07.log").left()).isEmpty();
        assertThat(real("tvm07.log").records())
                .extracting(r -> r.source().id())
                .containsExactly(
                        "dense_64x16x32/dense-large",
                        "dense_1x16x32/dense-small",
                        "batch_matmul_2x16x8x32/batch-matmul",
                        "conv2d_1x8x8x8_k16_3x3_s1_p1/direct");
        AutoTvmLog.LogContent read = real("tvm08.log");
        assertThat(read.records())
                .extracting(r -> r.source().id())
                .containsExactly(
                        "dense_64x16x32/dense-large",
                        "dense_1x16x32/dense-small",
                        "batch_matmul_2x16x8x32/batch-matmul",
                        "batch_matmul_2x16x8x32/batch-matmul",
                        "batch_matmul_2x16x8x32/batch-matmul");
        assertThat(read.left())
                .extracting(AutoTvmLog.SkippedRecords::reason)
                .containsExactly(
                        "is of work that no template here computes (conv2d_transpose_nchw.cuda)",
                        "is of another element type than float32");
    }

    @Test
    void namesAndFlagsAreThoseOfVersion08AndWhatIsNotABareMeasurementIsMarked() throws Exception {
        Template product =
                Templates.of(WorkSamples.work().get("batch-matmul").getFirst()).getFirst();
        Template dense =
                Templates.of(WorkSamples.work().get("dense-small").getFirst()).getFirst();
        var timed = new Measurement.Timed(1e-3, 0, List.of(), true, 2);
        String log = AutoTvmLog.write(
                List.of(
                        new TuningRecord(product, product.space().at(1), timed, 0, Origin.UNKNOWN),
                        new TuningRecord(dense, dense.space().at(1), timed, 0, new Origin("", "bias-relu", true))),
                "cuda");
        List<String> lines = log.lines().toList();

        Workload.BatchMatmul w = (Workload.BatchMatmul) product.workload();
        assertThat(lines.getFirst())
                .contains("[\"TENSOR\",[" + w.batch() + "," + w.k() + "," + w.n() + "],\"float32\"]")
                .contains("\"float32\",0,0]")
                .doesNotContain("knobscape");
        assertThat(lines.getLast())
                .contains("\"dense_small_batch.gpu\"")
                .contains("\"knobscape\":{\"fused\":\"bias-relu\",\"source\":\"model\"}");
        assertThat(AutoTvmLog.read(file(log)).records().getLast().origin())
                .isEqualTo(new Origin("cuda", "bias-relu", true));
    }
}
