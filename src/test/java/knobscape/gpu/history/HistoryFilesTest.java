package knobscape.gpu.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.explore.Experience;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.export.AutoTvmLog;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.work.history.HistoryRow;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryFilesTest {
    @TempDir
    Path folder;

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(
                HistoryFilesTest.class.getResource("/knobscape/gpu/" + name).toURI());
    }

    @Test
    void cachesOfKernelTunerAreMeasuredSets() throws Exception {
        MeasuredSet set = MeasuredSet.open(resource("kernel_tuner/cache.json"));

        assertThat(set.device()).isEqualTo("NVIDIA A100-PCIE-40GB");
        assertThat(set.kind().name()).isEqualTo("convolution_kernel");
        assertThat(set.space().knobs().list())
                .extracting(k -> k.name())
                .containsExactly("block_size_x", "block_size_y", "mode");
        assertThat(set.space().size()).isEqualTo(5);
        assertThat(set.bestSpeed()).isEqualTo(1000 / 3.5);
        // A run that was killed left its cache open.
        assertThat(MeasuredSet.open(resource("kernel_tuner/open.json")).space().size())
                .isEqualTo(2);
        assertThat(MeasuredSet.open(resource("kernel_tuner/t4.json")).space().size())
                .isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"formatVersion": 1, "kind": "gpu"}                                  | a project of Knobscape
            {"ConfigurationSpace": {}, "General": {}}                            | a T1 file
            [{"i": [["workload"]]}]                                              | an Ansor log
            {"i": [["[1, 2]", "llvm"], []], "r": [[1], 0, 1, 1], "v": "v0.6"}    | an Ansor log
            {"8": {"BLOCK_SIZE_M": 16, "num_warps": 4}, "triton_version": "3.4"}  | the best configurations of vLLM for a mixture of experts, which say no times
            [0, [[[["GetSBlock", [], ["C", "main"], ["b0"]]], []], [1e-5], {}, []]] | a record of TVM's MetaSchedule
            {"rocket": 1, "wheel": 2}                                            | JSON of another program, with the fields rocket, wheel
            17                                                                   | a JSON value
            """)
    void aForeignJsonIsNamedForWhatItIs(String text, String words) throws IOException {
        Path file = Files.writeString(folder.resolve("x.json"), text);

        assertThatThrownBy(() -> MeasuredSet.open(file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(words);
    }

    private HistoryImport.ImportCount add(TuningHistory h, String name) throws URISyntaxException {
        return HistoryImport.add(h, resource(name));
    }

    /// As `triton.runtime.autotuner` of version 3.4 writes it.
    @Test
    void whatTritonMeasuredComesIn() throws Exception {
        Path file = Files.writeString(folder.resolve("matmul_kernel.autotune.json"), """
                {"key": [512, 512, 256, "torch.float16"], "configs_timings": [
                 [{"kwargs": {"BLOCK_M": 64, "BLOCK_N": 128}, "num_warps": 4, "num_ctas": 1, "num_stages": 3, "maxnreg": null, "pre_hook": null, "ir_override": null}, [0.25, 0.24, 0.27]],
                 [{"kwargs": {"BLOCK_M": 128, "BLOCK_N": 128}, "num_warps": 8, "num_ctas": 1, "num_stages": 3, "maxnreg": null, "pre_hook": null, "ir_override": null}, [0.125, 0.12, 0.13]],
                 [{"kwargs": {"BLOCK_M": 256, "BLOCK_N": 256}, "num_warps": 8, "num_ctas": 1, "num_stages": 5, "maxnreg": null, "pre_hook": null, "ir_override": null}, [Infinity, Infinity, Infinity]]]}
                """);
        try (TuningHistory h = TuningHistory.open(folder.resolve("h.db"))) {
            assertThat(HistoryImport.add(h, file).added()).isEqualTo(3);
            assertThat(HistoryImport.add(h, file).added()).isZero();
            TuningHistory.StoredTuning task = h.tasks().getFirst();
            assertThat(task.task().subject()).isEqualTo("matmul_kernel (512, 512, 256, torch.float16)");
            assertThat(task.task().device()).isEqualTo("unknown");
            List<HistoryRow> rows = h.rows(task.id(), Long.MAX_VALUE);
            assertThat(rows)
                    .extracting(HistoryRow::configuration)
                    .contains("BLOCK_M=128;BLOCK_N=128;num_warps=8;num_ctas=1;num_stages=3");
            assertThat(rows.stream().filter(r -> r.outcome() instanceof Outcome.Measured))
                    .hasSize(2);
        }
        Path lines = Files.writeString(folder.resolve("database_workload.json"), "[\"1\", \"a\"]\n[\"2\", \"b\"]\n");
        assertThatThrownBy(() -> MeasuredSet.open(lines)).hasMessageContaining("workloads of TVM's MetaSchedule");
    }

    /// Records of MetaSchedule as TVM 0.27 writes them: one work, schedules of two kinds, one of which failed once.
    @Test
    void recordsOfMetaScheduleAreMeasuredKernels() throws Exception {
        try (TuningHistory h = TuningHistory.open(folder.resolve("h.db"))) {
            assertThat(add(h, "logs/database_tuning_record.json").added()).isEqualTo(6);
            assertThat(add(h, "logs/database_tuning_record.json").added()).isZero();
            assertThat(h.tasks())
                    .extracting(t -> t.task().subject())
                    .hasSize(2)
                    .allMatch(s -> s.startsWith("C (32x32 float32, 32x32 float32, 32x32 float32), schedule "));
            assertThat(h.tasks()).extracting(t -> t.task().device()).containsOnly("llvm");
            List<HistoryRow> rows = h.rows(h.tasks().getFirst().id(), Long.MAX_VALUE);
            assertThat(rows)
                    .extracting(HistoryRow::configuration)
                    .contains("PerfectTile2=1x1x8x4;PerfectTile4=32x1;Categorical6=0");
            assertThat(rows.stream().filter(r -> r.outcome() instanceof Outcome.Measured))
                    .hasSize(3);
        }
    }

    /// Records of Ansor (TVM 0.8 to 0.20): tile sizes and unrolling are knobs; what is no whole record is counted.
    @Test
    void recordsOfAnsorAreMeasuredKernels() throws Exception {
        String record = """
                {"i": [["[\\"matmul_add\\", 128, 128, 64]", "cuda -keys=cuda,gpu -arch=sm_75 -model=t4", [40, 64, 64, 49152, 1024, 8, 32], "", 0, []], [[], [["CHW", 2, "local"], ["SP", 2, 0, 128, [%s], 1], ["SP", 2, 5, 128, [2, 4], 1], ["RE", 2, [0, 3, 1, 2]], ["PR", 2, 0, "auto_unroll_max_step$%d"]]]], "r": [[%s], %d, 1.5, 1650000000], "v": "v0.6"}
                """;
        Path file = Files.writeString(
                folder.resolve("ansor.json"),
                record.formatted("1, 8, 2", 16, "0.0002, 0.0004", 0)
                        + record.formatted("2, 4, 4", 512, "1e10", 4)
                        + record.formatted("4, 4", 512, "0.001", 0)
                        + "{\"i\": [[\"[\\\"half\\\"]\"\n");
        try (TuningHistory h = TuningHistory.open(folder.resolve("h.db"))) {
            HistoryImport.ImportCount count = HistoryImport.add(h, file);

            assertThat(count.added()).isEqualTo(3);
            assertThat(count.left()).singleElement().asString().contains("1 lines of ansor.json", "line 4");
            // Two splits of two parts are another kind of schedule.
            assertThat(h.tasks()).hasSize(2).extracting(t -> t.task().device()).containsOnly("Tesla T4");
            List<HistoryRow> rows = h.tasks().stream()
                    .flatMap(t -> h.rows(t.id(), Long.MAX_VALUE).stream())
                    .toList();
            assertThat(rows)
                    .filteredOn(r -> r.configuration().contains("auto_unroll_max_step4=16"))
                    .singleElement()
                    .satisfies(r -> assertThat(r.configuration())
                            .isEqualTo("split1_stage2_axis0=1x8x2;split2_stage2_axis5=2x4;auto_unroll_max_step4=16"))
                    .extracting(HistoryRow::outcome)
                    .satisfies(o -> assertThat(((Outcome.Measured) o).values().get("time"))
                            .isCloseTo(0.3, within(1e-12)));
        }
        Path empty = Files.writeString(
                folder.resolve("database_tuning_record.json"), "[0, [[[[\"GetSBlock\"]], []], null]]\n");
        assertThatThrownBy(() -> HistoryImport.read(empty))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none of its 1 lines");
    }

    @Test
    void filesOfOtherProgramsComeInOnceAndLeaveAgain() throws Exception {
        try (TuningHistory h = TuningHistory.open(folder.resolve("h.db"))) {
            assertThat(add(h, "kernel_tuner/cache.json").added()).isEqualTo(5);
            assertThat(add(h, "kernel_tuner/cache.json").added()).isZero();
            assertThat(add(h, "logs/tvm06.log").added()).isEqualTo(5);
            // Three of its batch products are one configuration.
            assertThat(add(h, "logs/tvm08.log").added()).isEqualTo(3);
            TuningHistory.StoredTuning set = h.tasks().stream()
                    .filter(t -> t.task().subject().equals("convolution_kernel"))
                    .findFirst()
                    .orElseThrow();
            assertThat(set.task().device()).isEqualTo("A100 PCIe 40 GB");
            List<HistoryRow> rows = h.rows(set.id(), Long.MAX_VALUE);
            // Kernel Tuner 1.5 takes numbers as the problem's size only, and looks for the cache at the end.
            assertThat(HistoryExport.cache(set.task(), rows))
                    .containsPattern("\"problem_size\" : \\[ *1 *\\]")
                    .matches("(?s).*\"cache\" : \\{.*\\}\\s*\\}\\s*\\}\\s*");
            // What is written is read with the same times and failures.
            for (var form : Map.of(
                            "again.json",
                            HistoryExport.cache(set.task(), rows),
                            "t4.json",
                            HistoryExport.t4(set.task(), rows))
                    .entrySet()) {
                MeasuredSet back = MeasuredSet.open(Files.writeString(folder.resolve(form.getKey()), form.getValue()));
                assertThat(back.space().size()).isEqualTo(5);
                assertThat(back.bestSpeed()).isEqualTo(1000 / 3.5);
            }
            TuningHistory.StoredTuning conv = h.tasks().stream()
                    .filter(t -> t.task().template().equals("winograd@1"))
                    .findFirst()
                    .orElseThrow();
            assertThat(conv.task().device()).contains("1080 Ti");
            Path log = Files.writeString(
                    folder.resolve("out.log"), HistoryExport.autoTvm(conv.task(), h.rows(conv.id(), Long.MAX_VALUE)));
            assertThat(AutoTvmLog.read(log).records())
                    .singleElement()
                    .satisfies(r -> assertThat(r.measurement().seconds()).hasValue(4e-5));
            assertThatThrownBy(() -> HistoryExport.autoTvm(set.task(), rows)).isInstanceOf(UserError.class);
        }
    }

    @Test
    void timesOfAModelStayAModelsInEveryFormat() throws Exception {
        try (TuningHistory h = TuningHistory.open(folder.resolve("h.db"))) {
            var task = new HistoryTask(
                    "gpu",
                    new HistoryTask.Measurer("model:t4", "", true),
                    "g",
                    "kernel",
                    "words",
                    "",
                    "direct@1",
                    "bare",
                    Optional.empty());
            List<HistoryRow> rows =
                    List.of(new HistoryRow("a=1", new Outcome.Measured(Map.of("time", 2.0)), 1, 1, "here"));
            HistoryImport.add(h, Files.writeString(folder.resolve("cache.json"), HistoryExport.cache(task, rows)));
            HistoryImport.add(h, Files.writeString(folder.resolve("t4.json"), HistoryExport.t4(task, rows)));
            assertThat(h.tasks()).isNotEmpty().allSatisfy(t -> {
                assertThat(t.task().isModel()).isTrue();
                assertThat(t.task().device()).isEqualTo("model:t4");
            });
        }
    }

    @Test
    void aKernelLearnsFromItsGroupOnTheSameKindOfSourceAndFromNothingLater() throws Exception {
        NetworkKernel kernel = TunableNetwork.read("zoo:vgg16", 1, Map.of(), TunableNetwork.Ways.FIRST, false)
                .kernels()
                .get(1);
        try (TuningHistory h = TuningHistory.open(folder.resolve("h.db"))) {
            assertThat(KernelExperience.of(kernel, KernelExperience.earlier(h, h.last(), kernel, "t4", false))
                            .isEmpty())
                    .isTrue();
            add(h, "logs/tvm06.log");
            long last = h.last();
            Offer there = Offer.of(h.tasks(), kernel, "t4", false);
            assertThat(there.own()).isZero();
            assertThat(there.others()).isEqualTo(1);
            assertThat(there.start()).startsWith("1 of ").contains("3\u00d73, 8 \u2192 16");
            String device = h.tasks().getFirst().task().device();
            assertThat(Offer.of(h.tasks(), kernel, device, false).own()).isEqualTo(1);
            assertThat(Offer.of(h.tasks(), kernel, device, true).start()).isEmpty();
            Experience seen = KernelExperience.of(kernel, KernelExperience.earlier(h, last, kernel, "t4", false));

            // The 3 x 3 convolution, not the 3 x 1 one, the Winograd template or the others.
            assertThat(seen.origins()).singleElement().satisfies(o -> {
                assertThat(o.subject()).contains("3\u00d73, 8 \u2192 16");
                assertThat(o.isMeasured()).isTrue();
                assertThat(o.rows())
                        .singleElement()
                        .satisfies(r -> assertThat(r.score()).isGreaterThan(0));
            });
            assertThat(KernelExperience.of(kernel, KernelExperience.earlier(h, last, kernel, "t4", true))
                            .isEmpty())
                    .isTrue();
            assertThat(KernelExperience.of(kernel, KernelExperience.earlier(h, 0, kernel, "t4", false))
                            .isEmpty())
                    .isTrue();
        }
    }
}
