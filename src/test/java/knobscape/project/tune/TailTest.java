package knobscape.project.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.gpu.evaluate.device.DeviceInfo;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.export.TuningExport;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.ElementType;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Operator.Unary;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.table.NetworkJsonWriter;
import knobscape.project.RunStatus;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kernels are measured, checked and exported with what a network fuses behind them; small budgets reach every kernel; old stores open.
class TailTest {
    private static final Epilogue RELU = new Epilogue(List.of(new Epilogue.Bias(), new Epilogue.Clamp(0, Double.POSITIVE_INFINITY)));
    private static final Epilogue RESIDUAL = new Epilogue(List.of(new Epilogue.Bias(), new Epilogue.Residual(), new Epilogue.Clamp(0, Double.POSITIVE_INFINITY)));
    private static final Epilogue RELU6 = new Epilogue(List.of(new Epilogue.Bias(), new Epilogue.Clamp(0, 6)));
    @TempDir
    private Path folder;

    /// Four equal convolutions, two with ReLU, one with ReLU6, one at the end of a residual block; then a dense layer.
    private TuneSettings small(String device, int trials) throws IOException {
        var b = new NetworkBuilder("small", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(1, 8, 6, 6));
        String first = b.add("first", new Unary(Unary.Function.RELU), conv(b, "c1", x));
        String second = b.add("second", new Unary(Unary.Function.RELU), conv(b, "c2", first));
        String sum = b.add("sum", new Operator.Elementwise(Operator.Elementwise.Function.ADD), conv(b, "c3", second), first);
        String block = b.add("block", new Unary(Unary.Function.RELU), sum);
        String last = b.add("last", Operator.Clip.RELU6, conv(b, "c4", block));
        String flat = b.add("flat", new Operator.Flatten(1), last);
        String y = b.add("fc", new Operator.Gemm(false, true, 1, 1), flat, b.weight("fc.w", 10, 288), b.weight("fc.b", 10));
        Path file = folder.resolve("small.json");
        Files.writeString(file, NetworkJsonWriter.write(b.output(y).build()));
        return new TuneSettings(file.toString(), "random", device, trials, 0, 400, 1, false, "knob", 3);
    }

    private static String conv(NetworkBuilder b, String name, String x) {
        return b.add(name, new Operator.Conv(Window.square(3, 1, 1), 1), x, b.weight(name + ".w", 8, 8, 3, 3), b.weight(name + ".b", 8));
    }

    private static TuningRun start(TuneSettings s, TuningTarget target, TuningStore store) {
        return TuningRun.start(s, target, store, Clock.systemUTC(), System::nanoTime);
    }

    private static TuningRun.Ending finish(TuningRun run) {
        return run.run(new CancellationSignal(), (k, a, p) -> { });
    }

    @Test
    void oneTaskIsMeasuredWithItsMostFrequentTailAndLeavesWithAll() throws IOException {
        TuneSettings s = small("model:t4", 40);
        try (var target = TuningTarget.open(s, folder); var store = new TuningStore(folder)) {
            assertThat(target.kernels()).hasSize(2);
            assertThat(target.kernels().getFirst().tails()).containsExactly(new FusedTail(RELU, 2), new FusedTail(RESIDUAL, 1), new FusedTail(RELU6, 1));
            TuningRun run = start(s, target, store);
            TuningRun.Ending end = finish(run);
            assertThat(run.trials()).isEqualTo(40);
            double sum = IntStream.range(0, 3).mapToDouble(t -> target.kernels().getFirst().tails().get(t).count() * run.withTail(0, t).orElseThrow().value("time").orElseThrow()).sum();
            assertThat(run.latencyMilliseconds()).isCloseTo(sum + run.bestMilliseconds(1), org.assertj.core.api.Assertions.within(1e-9));
            TuningFiles.write(run, end, store, folder);
        }
        List<TuningExport.Best> kernels = TuningExport.of(folder).kernels(Optional.of("T1"));
        assertThat(kernels).extracting(TuningExport.Best::name).containsExactly("T1-direct", "T1-direct-bias-residual-relu", "T1-direct-bias-relu6");
        assertThat(kernels).extracting(k -> k.schedule().epilogue()).containsExactly(RELU, RESIDUAL, RELU6);
        assertThat(TuningExport.of(folder).kernels(Optional.of("T1-direct"))).hasSize(1);
    }

    @Test
    void bareKernelsAreMeasuredWhereThatIsAskedFor() throws IOException {
        TuneSettings s = small("model:t4", 8).bare();
        try (var target = TuningTarget.open(s, folder)) {
            assertThat(target.kernels().getFirst().tails()).containsExactly(new FusedTail(Epilogue.NONE, 4));
        }
    }

    /// Refuses the best schedule with a residual, as registers that run out would, and counts what it is asked with that tail.
    private static final class Picky implements GpuDevice {
        private final ModelDevice inner = ModelDevice.named("t4");
        private final List<Configuration> residual = new ArrayList<>();

        @Override
        public DeviceInfo info() {
            return inner.info();
        }

        @Override
        public Measurement measure(Schedule schedule, CancellationSignal cancel) {
            if (schedule.epilogue().hasResidual()) {
                residual.add(schedule.configuration());
                if (residual.size() == 1) {
                    return new Measurement.RunFailed("too many resources requested", 0.1);
                }
            }
            return inner.measure(schedule, cancel);
        }
    }

    @Test
    void whereTheBestScheduleFailsWithATailTheNextBestIsTakenAndKept() throws IOException {
        TuneSettings s = small("model:t4", 60);
        var device = new Picky();
        try (var target = TuningTarget.open(s, folder, device); var store = new TuningStore(folder)) {
            TuningRun run = start(s, target, store);
            finish(run);
            Evaluation best = run.searches().getFirst().best().orElseThrow();
            Evaluation other = run.withTail(0, 1).orElseThrow();
            assertThat(device.residual).containsExactly(best.configuration(), other.configuration()).doesNotHaveDuplicates();
            assertThat(other.value("time").orElseThrow()).isGreaterThan(best.value("time").orElseThrow() * 0.9);
        }
        try (var target = TuningTarget.open(s, folder, device); var store = new TuningStore(folder)) {
            TuningStore.Tuning stored = store.find(Optional.empty());
            TuningRun again = TuningRun.resume(stored, stored.settings(), target, store, Clock.systemUTC(), System::nanoTime);
            finish(again);
            assertThat(device.residual).as("nothing is measured twice").hasSize(2);
            assertThat(again.withTail(0, 1)).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"random", "autotvm", "bted+bao", "ga", "grid"})
    void aBudgetOfOneMeasurementAKernelGivesEachASchedule(String method) throws IOException {
        var s = new TuneSettings("zoo:squeezenet_v1.1", method, "model:gtx1080ti", 18, 0, 400, 1, false, "knob", 5);
        try (var target = TuningTarget.open(s, folder); var store = new TuningStore(folder)) {
            TuningRun run = start(s, target, store);
            assertThat(finish(run).status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(run.searches()).hasSize(18).allMatch(x -> x.trials() == 1 && x.best().isPresent());
            assertThat(run.latencyMilliseconds()).isPositive();
        }
    }

    @Test
    void storesOfTheFirstVersionGoOnWithBareKernels() throws Exception {
        TuneSettings s = small("model:t4", 300).bare();
        List<List<Double>> before;
        try (var target = TuningTarget.open(s, folder); var store = new TuningStore(folder)) {
            var cancel = new CancellationSignal();
            TuningRun run = start(s, target, store);
            run.run(cancel, (k, a, p) -> {
                if (p.trials() == 150) {
                    cancel.cancel();
                }
            });
            before = run.searches().stream().map(x -> x.curve()).toList();
        }
        // As the first version had it: no tails, no rounds, settings that do not speak of tails.
        try (var c = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(TuningStore.FILE_NAME)); var sql = c.createStatement()) {
            sql.execute("DROP TABLE tails");
            sql.execute("ALTER TABLE kernels DROP COLUMN rounds");
            sql.execute("UPDATE tunings SET settings=replace(settings, ',\"tails\":false', '')");
            sql.execute("PRAGMA user_version=1");
        }
        try (var store = new TuningStore(folder)) {
            TuningStore.Tuning stored = store.find(Optional.empty());
            assertThat(stored.settings()).isEqualTo(s);
            try (var target = TuningTarget.open(stored.settings(), folder)) {
                assertThat(store.rounds(stored.id(), 0)).startsWith(64).allMatch(r -> r % 64 == 0);
                TuningRun run = TuningRun.resume(stored, stored.settings(), target, store, Clock.systemUTC(), System::nanoTime);
                assertThat(finish(run).status()).isEqualTo(RunStatus.COMPLETED);
                assertThat(run.trials()).isEqualTo(300);
                for (int k = 0; k < before.size(); k++) {
                    assertThat(run.searches().get(k).curve()).startsWith(before.get(k).toArray(Double[]::new));
                }
            }
        }
    }

    /// Seconds of compiling for each kernel where the device is a CPU.
    @Tag("slow")
    @Test
    void everyTailIsCheckedAgainstTheReferenceOnARealDevice() throws IOException {
        TuneSettings s = small("opencl", 4);
        TuningTarget opened;
        try {
            opened = TuningTarget.open(s, folder);
        } catch (knobscape.evaluate.UserError e) {
            Assumptions.abort("no OpenCL device on this machine: " + e.getMessage());
            return;
        }
        try (var target = opened; var store = new TuningStore(folder)) {
            TuningRun run = start(s, target, store);
            TuningRun.Ending end = finish(run);
            assertThat(end.status()).as(end.reason()).isEqualTo(RunStatus.COMPLETED);
            for (int t = 0; t < 3; t++) {
                assertThat(run.withTail(0, t)).as("tail " + t).isPresent();
            }
            assertThat(TuningFiles.json(run, end, folder).path("front").path(0).path("tails")).allMatch(t -> t.path("checked").asBoolean());
        }
    }
}
