package knobscape.gpu.evaluate.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.nest.NestStatement;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Template;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuModelTest {
    private static final GpuModel PASCAL = new GpuModel(GpuSpec.named("GTX 1080 Ti"));
    private static final Template CONVOLUTION = Templates.of(new Workload.Conv2d(
                    ElementType.FLOAT32,
                    1,
                    64,
                    56,
                    56,
                    64,
                    new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                    new Workload.Conv2d.Padding(1, 1, 1, 1),
                    1))
            .getFirst();

    private static KernelProfile kernel() {
        return KernelProfile.of(2000, 256)
                .resources(64, 8192)
                .arithmetic(5000, 500, 16, 400)
                .memory(600, 60, 4e8, 1e8, 40, 40);
    }

    private static double ms(KernelProfile k) {
        return PASCAL.estimate(k).milliseconds();
    }

    @Test
    void moreOfAnythingNeverTakesLess() {
        double base = ms(kernel());
        for (double f : new double[] {1.5, 4, 20}) {
            assertThat(ms(kernel().arithmetic(5000 * f, 500, 16, 400))).isGreaterThan(base);
            assertThat(ms(kernel().arithmetic(5000, 500 * f, 16, 400))).isGreaterThanOrEqualTo(base);
            assertThat(ms(kernel().memory(600 * f, 60, 4e8, 1e8, 40, 40))).isGreaterThanOrEqualTo(base);
            assertThat(ms(kernel().memory(600, 60 * f, 4e8, 1e8, 40, 40))).isGreaterThanOrEqualTo(base);
            assertThat(ms(kernel().memory(600, 60, 4e8 * f, 1e8, 40, 40))).isGreaterThanOrEqualTo(base);
            assertThat(ms(kernel().memory(600, 60, 4e8, 1e8 * f, 40, 40))).isGreaterThanOrEqualTo(base);
            assertThat(ms(kernel().memory(600, 60, 4e8, 1e8, 40 * f, 40 * f))).isGreaterThanOrEqualTo(base);
        }
    }

    @Test
    void noKernelBeatsThePeakOrTheMemory() {
        for (GpuSpec gpu : GpuSpec.all()) {
            var model = new GpuModel(gpu);
            KernelProfile k = kernel();
            double t = model.estimate(k).milliseconds();
            assertThat(2 * k.arithmetic().fma() * k.threads() * k.blocks() / (t * 1e6))
                    .as(gpu.name())
                    .isLessThanOrEqualTo(gpu.peakGflops() * (1 + 1e-9));
            assertThat(k.memory().dramBytes() / (t * 1e6))
                    .as(gpu.name())
                    .isLessThanOrEqualTo(gpu.memory().dramGbs());
            assertThat(t).isGreaterThan(gpu.driver().launchUs() / 1000);
        }
    }

    @Test
    void residencyIsLimitedByWhateverRunsOutFirst() {
        assertThat(PASCAL.resident(KernelProfile.of(1, 256).resources(32, 0))).isEqualTo(8);
        assertThat(PASCAL.resident(KernelProfile.of(1, 256).resources(128, 0))).isEqualTo(2);
        assertThat(PASCAL.resident(KernelProfile.of(1, 256).resources(32, 33 * 1024)))
                .isEqualTo(2);
        assertThat(PASCAL.resident(KernelProfile.of(1, 32).resources(32, 0))).isEqualTo(32);
        assertThat(PASCAL.resident(KernelProfile.of(1, 256).resources(32, 49 * 1024)))
                .isZero();
        assertThat(PASCAL.estimate(KernelProfile.of(1, 1024).resources(128, 0)).milliseconds())
                .isInfinite();
    }

    /// The memory gives what misses in the cache, so never more than the cache is asked for: of tensors that are many
    /// times the cache, too.
    @Test
    void theMemoryIsAskedForNoMoreThanTheCache() {
        Template large = Templates.of(new Workload.Conv2d(
                        ElementType.FLOAT32,
                        128,
                        64,
                        112,
                        112,
                        64,
                        new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                        new Workload.Conv2d.Padding(1, 1, 1, 1),
                        1))
                .getFirst();
        var random = new SplittableRandom(3);
        int beyond = 0;
        for (int i = 0; i < 20; i++) {
            for (var nest : large.schedule(large.space().draw(random)).kernels()) {
                KernelProfile k = NestProfile.of(PASCAL.gpu(), nest);
                assertThat(k.memory().dramBytes())
                        .isLessThanOrEqualTo(k.memory().l2Bytes());
                beyond += k.memory().dramBytes() > 20 * PASCAL.gpu().memory().l2Mb() * (1 << 20) ? 1 : 0;
            }
        }
        assertThat(beyond).isPositive();
    }

    /// The best of many configurations of one convolution, on floats and on 8-bit integers: with a unit for dot
    /// products
    /// integers are clearly faster, without one slower, and nowhere above the peak.
    @Test
    void integersAreFasterWhereThereAreDotProducts() {
        for (String name : List.of("t4", "gtx1080ti", "p100")) {
            GpuSpec gpu = GpuSpec.named(name);
            double floats = best(gpu, ElementType.FLOAT32);
            double integers = best(gpu, ElementType.INT8);
            assertThat(floats / integers)
                    .as(name)
                    .isBetween(gpu.driver().dots() > 0 ? 1.5 : 0.2, gpu.driver().dots() > 0 ? 6 : 1.0);
        }
    }

    /// Milliseconds.
    private static double best(GpuSpec gpu, ElementType type) {
        var work = new Workload.Conv2d(
                type,
                1,
                128,
                56,
                56,
                128,
                new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                new Workload.Conv2d.Padding(1, 1, 1, 1),
                1);
        Template template = Templates.of(work).getFirst();
        var random = new SplittableRandom(7);
        var model = new GpuModel(gpu);
        double best = Double.POSITIVE_INFINITY;
        for (int i = 0; i < 3000; i++) {
            Schedule s = template.schedule(template.space().draw(random));
            if (s.check(DeviceLimits.NVIDIA).isEmpty()) {
                best = Math.min(
                        best, model.estimate(NestProfile.of(gpu, s.main())).milliseconds());
            }
        }
        double peak = type == ElementType.INT8 ? gpu.peakGops() : gpu.peakGflops();
        assertThat(work.flops() / (best * 1e6)).as(gpu.name()).isLessThanOrEqualTo(peak);
        return best;
    }

    /// Two barriers around a tile are one wait for memory: before it is written and before it is read.
    @Test
    void twoBarriersAreOneWait() {
        var block = new Axis("b", 4, Axis.Binding.BLOCK_X);
        var thread = new Axis("t", 32, Axis.Binding.THREAD_X);
        var step = new Axis("s", 8, Axis.Binding.SERIAL);
        var out = new Buffer("out", Buffer.Scope.GLOBAL, 128);
        IndexExpr at = IndexExpr.of(block).times(32).plus(thread);
        var store = new NestStatement.Store(out, at, new NestValue.Constant(1), false);
        List<NestStatement> tile = List.of(new NestStatement.Barrier(), new NestStatement.Barrier());
        KernelProfile bare = NestProfile.of(PASCAL.gpu(), nest(block, thread, out, List.of(store)));
        KernelProfile staged = NestProfile.of(
                PASCAL.gpu(), nest(block, thread, out, List.of(new NestStatement.Loop(step, tile), store)));

        assertThat(staged.memory().barriers() - bare.memory().barriers()).isEqualTo(16);
        assertThat(staged.memory().phases() - bare.memory().phases()).isEqualTo(8);
    }

    private static LoopNest nest(Axis block, Axis thread, Buffer out, List<NestStatement> body) {
        return new LoopNest("k", List.of(out), List.of(), NestStatement.nested(List.of(block, thread), body));
    }

    @Test
    void aLastRoundThatIsNotFullCosts() {
        // 28 multiprocessors with 8 blocks each: 224 blocks are a full round.
        KernelProfile full = KernelProfile.of(224, 256).resources(32, 0).arithmetic(50_000, 0, 16, 100);
        KernelProfile over = KernelProfile.of(225, 256).resources(32, 0).arithmetic(50_000, 0, 16, 100);
        assertThat(ms(over) / ms(full)).isBetween(1.3, 2.0);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 1, 2", "32, 1, 32", "33, 1, 1", "4, 4, 4", "1, 2, 2"})
    void bankConflictsAreTheMostWordsInOneBank(int stride, int width, double passes) {
        assertThat(WarpAccess.bankPasses(32, lane -> lane * stride, width)).isEqualTo(passes);
    }

    @Test
    void linesAreCountedByAddress() {
        assertThat(WarpAccess.pieces(32, lane -> lane, 1, 128)).isEqualTo(1);
        assertThat(WarpAccess.pieces(32, lane -> lane * 32, 1, 128)).isEqualTo(32);
        assertThat(WarpAccess.bankPasses(32, lane -> 0, 1)).isEqualTo(1);
    }

    @Test
    void aModelledDeviceSaysSoRepeatsItselfAndRejectsWhatDoesNotFit() {
        var device = ModelDevice.named("t4");
        assertThat(device.info().source()).isEqualTo(Provenance.Source.MODEL);
        assertThat(device.info().caution()).contains("model");
        var random = new SplittableRandom(1);
        int timed = 0;
        int rejected = 0;
        for (int i = 0; i < 200; i++) {
            Schedule s = CONVOLUTION.schedule(CONVOLUTION.space().draw(random));
            Measurement m = device.measure(s, new CancellationSignal());
            assertThat(device.measure(s, new CancellationSignal())).isEqualTo(m);
            timed += m instanceof Measurement.Timed ? 1 : 0;
            rejected += m.code() == 1 ? 1 : 0;
            if (m instanceof Measurement.Timed t) {
                assertThat(t.gflops(CONVOLUTION.workload().flops()))
                        .isBetween(0.1, device.gpu().peakGflops());
            }
        }
        assertThat(timed).isGreaterThan(50);
        assertThat(rejected).isGreaterThan(20);
    }

    @Test
    void theSeedMovesOnlyTheNoise() {
        Schedule s = CONVOLUTION.schedule(CONVOLUTION.space().draw(new SplittableRandom(4)));
        var gpu = GpuSpec.named("a100");
        double exact = new ModelDevice(gpu, 0, 1)
                .measure(s, new CancellationSignal())
                .seconds()
                .orElseThrow();
        double one = new ModelDevice(gpu, 0.02, 1)
                .measure(s, new CancellationSignal())
                .seconds()
                .orElseThrow();
        double two = new ModelDevice(gpu, 0.02, 2)
                .measure(s, new CancellationSignal())
                .seconds()
                .orElseThrow();
        assertThat(one).isNotEqualTo(two).isCloseTo(exact, within(exact * 0.1));
        assertThat(two).isCloseTo(exact, within(exact * 0.1));
    }

    @Test
    void everyDeviceOfTheListIsPlausibleAndUnknownOnesAreNamed() {
        assertThat(GpuSpec.all())
                .extracting(GpuSpec::name)
                .contains("gtx1080ti", "rtx3090", "xaviernx", "t4", "a100", "h200")
                .doesNotHaveDuplicates();
        assertThat(GpuSpec.named("RTX-3090").peakGflops()).isCloseTo(35_580, within(1500.0));
        assertThatThrownBy(() -> GpuSpec.named("gtx9"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("gtx9")
                .hasMessageContaining("gtx1080ti");
    }

    @Test
    @Tag("slow")
    void ranksAgreeWithMeasuredMatrixProductsAndFilters() {
        Path data = Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/gpu");
        Assumptions.assumeTrue(Files.isDirectory(data), "the folder of measured kernels is not on this machine");
        for (String set : List.of(
                "gemm_clblast/TitanRTX",
                "gemm_clblast/RTX2080Ti",
                "conv2d_filter/RTX2080Ti",
                "conv2d_filter_milo/A100",
                "conv2d_filter_milo/A4000")) {
            MeasuredSet measured = MeasuredSet.open(data.resolve(set + ".csv.gz"));
            assertThat(MeasuredSetModel.compare(measured, GpuSpec.named(measured.device()), 3000)
                            .spearman())
                    .as(set)
                    .isGreaterThan(0.7);
        }
    }
}
