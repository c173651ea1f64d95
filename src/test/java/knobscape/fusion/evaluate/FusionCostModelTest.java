package knobscape.fusion.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import knobscape.evaluate.UserError;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.source.FusionNetwork;
import knobscape.fusion.space.Strategy;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FusionCostModelTest {
    private static final int BATCH = 12;

    private static int[] draw(FusionCostModel model, double sync, RandomGenerator random) {
        int[] s = new int[model.layers() + 1];
        for (int i = 0; i < s.length; i++) {
            s[i] = i > 0 && random.nextDouble() < sync ? Strategy.SYNC : 1 + random.nextInt(model.batch());
        }
        return s;
    }

    private static List<CostOptions> someOptions() {
        CostOptions d = CostOptions.defaults();
        return List.of(
                d,
                FusionSamples.with(d, CostOptions.MemoryTime.OVERLAP),
                FusionSamples.with(d, CostOptions.LastMicroBatch.PADDED),
                FusionSamples.with(d, CostOptions.NetworkInput.COUNTED),
                FusionSamples.with(d, CostOptions.Residuals.STAGED),
                FusionSamples.with(d, CostOptions.Execution.SPATIAL),
                new CostOptions(
                        CostOptions.MemoryTime.OVERLAP,
                        CostOptions.LastMicroBatch.PADDED,
                        CostOptions.NetworkInput.COUNTED,
                        CostOptions.Residuals.STAGED,
                        CostOptions.Execution.SPATIAL));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void changingOneEntryGivesWhatComputingAnewGives(long seed) {
        var random = new SplittableRandom(seed);
        for (CostOptions options : someOptions()) {
            var network = random.nextBoolean()
                    ? FusionSamples.random(1 + random.nextInt(12), random)
                    : FusionNetwork.of(branching());
            var model = new FusionCostModel(
                    network,
                    FusionSamples.with(
                            FusionSamples.toyAccelerator().withWeightCapacity(1 + random.nextInt(5000)), options),
                    BATCH);
            var incremental = new IncrementalCost(model, Strategy.of(draw(model, random.nextDouble(), random)));
            for (int k = 0; k < 300; k++) {
                int i = random.nextInt(model.layers() + 1);
                int v = i > 0 && random.nextInt(3) == 0 ? Strategy.SYNC : 1 + random.nextInt(BATCH);
                Cost before = incremental.cost();
                Cost peeked = incremental.peek(i, v);
                assertThat(incremental.cost()).isEqualTo(before);
                assertThat(incremental.set(i, v)).isEqualTo(peeked).isEqualTo(model.evaluate(incremental.strategy()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void reportsAddUpForAllOptions(long seed) {
        var random = new SplittableRandom(seed);
        for (CostOptions options : someOptions()) {
            var model = new FusionCostModel(
                    FusionNetwork.of(branching()), FusionSamples.with(FusionSamples.toyAccelerator(), options), BATCH);
            for (int k = 0; k < 50; k++) {
                Strategy s = Strategy.of(draw(model, 0.3, random));
                FusionReport r = model.report(s);
                assertThat(r.layers().stream()
                                .mapToLong(l -> l.traffic().offChipBytes())
                                .sum())
                        .isEqualTo(r.cost().offChipBytes());
                assertThat(r.layers().stream()
                                .mapToLong(l -> l.traffic().onChipBytes())
                                .sum())
                        .isEqualTo(r.cost().onChipBytes());
                assertThat(r.groups().get(r.peakGroup()).cost().peakBytes())
                        .isEqualTo(r.cost().peakBytes());
                if (options.execution() == CostOptions.Execution.INTERLEAVED) {
                    assertThat(r.layers().stream()
                                    .mapToDouble(FusionReport.Layer::seconds)
                                    .sum())
                            .isCloseTo(
                                    r.cost().seconds(), within(1e-12 * r.cost().seconds()));
                }
            }
        }
    }

    @Test
    void everyLayerAloneIsTheBaselineWhateverTheInputEntry() {
        var model = new FusionCostModel(FusionSamples.zoo("resnet18"), Accelerator.calibrated(), 64);
        for (int s0 : new int[] {1, 7, 64}) {
            assertThat(model.evaluate(Strategy.noFusion(18, 64).with(0, s0)).seconds())
                    .isEqualTo(model.baselineSeconds());
        }
    }

    @Test
    void thePrintedHardwareGainsNothing() {
        for (String name : List.of("vgg16", "resnet18", "resnet50", "mobilenet_v2", "mnasnet")) {
            var model = new FusionCostModel(FusionSamples.zoo(name), Accelerator.paperLiteral(), 64);
            int[] all = new int[model.layers() + 1];
            java.util.Arrays.fill(all, 8);
            assertThat(model.speedup(model.evaluate(all).seconds())).isCloseTo(1.0, within(0.005));
        }
    }

    @Test
    void overlapTakesTheSlowerMemory() {
        var network = FusionSamples.toy();
        var a = FusionSamples.toyAccelerator();
        var model = new FusionCostModel(
                network, FusionSamples.with(a, FusionSamples.with(a.options(), CostOptions.MemoryTime.OVERLAP)), 4);
        // Layer 1: 2048 + 2048... off 1312 B at 1 B/ns against 3360 B at 10 B/ns; layers 2 and 3 wait for the
        // processing elements.
        assertThat(model.evaluate(Strategy.of(4, 2, 1, -1)).seconds() * 1e9)
                .isCloseTo(
                        1312 + 200 + 2304 + 400 + Math.max(2304, Math.max(2048 + 576, (2624 + 4096) / 10.0)) + 400,
                        within(1e-6));
    }

    @Test
    void aShortBatchFilledUpCountsWholeMicroBatches() {
        var model = new FusionCostModel(
                FusionSamples.zoo("vgg16"),
                FusionSamples.with(
                        Accelerator.calibrated(),
                        FusionSamples.with(CostOptions.defaults(), CostOptions.LastMicroBatch.PADDED)),
                64);
        Cost whole = model.evaluate(Strategy.noFusion(16, 64));
        Cost filled = model.evaluate(Strategy.noFusion(16, 64).with(0, 15));
        // Five micro-batches of 15 are 75 samples; only layer 1 works on them.
        assertThat(filled.offChipBytes() - whole.offChipBytes()).isEqualTo(11L * (3 * 224 * 224 + 64 * 224 * 224));
        assertThat(whole.seconds()).isEqualTo(model.baselineSeconds());
    }

    @Test
    void inputAndResidualsTakeRoomWhereAsked() {
        var a = FusionSamples.toyAccelerator();
        Strategy s = Strategy.of(3, 2, 1, -1);
        Cost plain = new FusionCostModel(FusionSamples.toy(), a, 4).evaluate(s);
        assertThat(new FusionCostModel(
                                FusionSamples.toy(),
                                FusionSamples.with(
                                        a, FusionSamples.with(a.options(), CostOptions.NetworkInput.COUNTED)),
                                4)
                        .evaluate(s)
                        .peakBytes())
                .isEqualTo(plain.peakBytes() + 3 * 256);
        // The skip from layer 1 to layer 3 waits for micro-batches of at most 2.
        assertThat(new FusionCostModel(
                                FusionSamples.toy(),
                                FusionSamples.with(a, FusionSamples.with(a.options(), CostOptions.Residuals.STAGED)),
                                4)
                        .evaluate(s)
                        .peakBytes())
                .isEqualTo(plain.peakBytes() + 2 * 512);
    }

    @Test
    void spatialExecutionOverlapsLayersAndFillsThePipeline() {
        var a = FusionSamples.toyAccelerator();
        var model = new FusionCostModel(
                FusionSamples.toy(),
                FusionSamples.with(a, FusionSamples.with(a.options(), CostOptions.Execution.SPATIAL)),
                4);
        double compute = 1152 + 2304 + 2304;
        double memory = (1312 + 204.8) + (576 + 409.6) + (2624 + 409.6);
        double t1 = 1312 + 204.8 + 200;
        double t2 = 2304 + 400;
        assertThat(model.evaluate(Strategy.of(4, 2, 1, -1)).seconds() * 1e9)
                .isCloseTo(Math.max(compute, memory) + 0.5 * t1 + 0.25 * t2 + 1000, within(1e-6));
        assertThat(model.baselineSeconds() * 1e9).isCloseTo(15052.0, within(1e-6));
    }

    /// Two branches joined by a concatenation, and a U-Net-like jump of the first layer's result to the last.
    private static Network branching() {
        var b = new NetworkBuilder("branching", ElementType.FLOAT32);
        var w = new Window(List.of(1, 1), List.of(1, 1), List.of(0, 0), List.of(0, 0), List.of(1, 1));
        String x = b.input("x", Shape.of(1, 2, 4, 4));
        String one = b.add("one", new Operator.Conv(w, 1), x, b.weight("w1", 4, 2, 1, 1));
        String two = b.add("two", new Operator.Conv(w, 1), one, b.weight("w2", 3, 4, 1, 1));
        String three = b.add("three", new Operator.Conv(w, 1), one, b.weight("w3", 5, 4, 1, 1));
        String joined = b.add("joined", new Operator.Concat(1), two, three);
        String four = b.add("four", new Operator.Conv(w, 1), joined, b.weight("w4", 4, 8, 1, 1));
        String jump = b.add("jump", new Operator.Concat(1), four, one);
        String five = b.add("five", new Operator.Conv(w, 1), jump, b.weight("w5", 2, 8, 1, 1));
        return b.output(five).build();
    }

    @Test
    void branchesReadAcrossTheChain() {
        var network = FusionNetwork.of(branching());
        assertThat(network.layers()).isEqualTo(5);
        assertThat(network.hasLocalInputs()).isFalse();
        var model = new FusionCostModel(network, FusionSamples.toyAccelerator(), 10);
        int p = 16;
        // All in one group: only the input, the weights and the result go off chip.
        Cost fused = model.evaluate(Strategy.of(10, 2, 3, 4, 5, -1));
        long weights = 8 + 12 + 20 + 32 + 16;
        assertThat(fused.offChipBytes()).isEqualTo(10L * p * (2 + 2) + weights);
        // Written: 4, 3, 5, 4 channels; read: 4 by two, 4 by three, 3 + 5 by four, 4 + 4 by five.
        assertThat(fused.onChipBytes()).isEqualTo(10L * p * (4 + 3 + 5 + 4 + 4 + 4 + 8 + 8));
        // Layer 1 is kept to the end: it holds the largest micro-batch on the way; layer 2 is kept until layer
        // 4.
        assertThat(fused.peakBytes()).isEqualTo((long) p * (5 * 4 + 5 * 3 + 5 * 5 + 5 * 4));
        // A border after layer 3: layers 1 to 3 are read later, so all three are written; layers 4 and 5 read
        // them from off chip.
        FusionReport split = model.report(Strategy.of(10, 2, 3, -1, 5, -1));
        assertThat(split.groups().getFirst().cost().offChipBytes()).isEqualTo(10L * p * (2 + 4 + 3 + 5) + 40);
        assertThat(split.groups().getLast().cost().offChipBytes()).isEqualTo(10L * p * (8 + 4 + 2) + 48);
        assertThat(split.groups().getLast().cost().onChipBytes()).isEqualTo(10L * p * (4 + 4));
        // Layer 2 alone is read by nobody in its group's reach but layer 4.
        assertThat(model.report(Strategy.of(10, 2, -1, -1, 5, -1))
                        .groups()
                        .getFirst()
                        .cost()
                        .offChipBytes())
                .isEqualTo(10L * p * (2 + 4 + 3) + 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"inception_v3", "squeezenet_v1.1"})
    void branchingNetworksOfTheZooFuse(String name) {
        var model = new FusionCostModel(FusionSamples.zoo(name), Accelerator.calibrated(), 16);
        int[] s = new int[model.layers() + 1];
        java.util.Arrays.fill(s, 2);
        Cost fused = model.evaluate(s);
        assertThat(fused.seconds()).isLessThan(model.baselineSeconds());
        // What is fused in one group cannot move less than input, weights and result.
        assertThat(fused.offChipBytes())
                .isGreaterThanOrEqualTo(model.weightBytes(1, model.layers())
                        + 16 * (model.network().output(0) + model.network().output(model.layers())));
    }

    @Test
    void whatCannotBeIsRefusedInASentence() {
        assertThatThrownBy(() -> new FusionCostModel(FusionSamples.toy(), Accelerator.calibrated(), 0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("batch of 0");
        assertThatThrownBy(() -> new FusionCostModel(FusionSamples.toy(), Accelerator.calibrated(), -5))
                .isInstanceOf(UserError.class);
        var model = new FusionCostModel(FusionSamples.toy(), Accelerator.calibrated(), 4);
        assertThatThrownBy(() -> model.evaluate(Strategy.of(4, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 3 layers");
        assertThatThrownBy(() -> model.evaluate(Strategy.of(4, 5, -1, -1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than the batch of 4");
        assertThatThrownBy(() -> Strategy.of(0, 1)).hasMessageContaining("entry 0");
        assertThatThrownBy(() -> Strategy.of(1, -2)).hasMessageContaining("-1 (synchronise)");
    }

    @Test
    void strategiesAreReadBackFromTheirText() {
        var random = new SplittableRandom(5);
        for (int k = 0; k < 200; k++) {
            int[] s = new int[2 + random.nextInt(20)];
            for (int i = 0; i < s.length; i++) {
                s[i] = i > 0 && random.nextBoolean() ? -1 : 1 + random.nextInt(3);
            }
            assertThat(Strategy.parse(Strategy.of(s).text()).toArray()).isEqualTo(s);
        }
        assertThat(Strategy.parse("[64, 6, -1^3]").text()).isEqualTo("64,6,-1^3");
        for (String bad : List.of("", "1,x", "1,2^0", "1,2^-1", "1,,2", "1,2^999999999", "7")) {
            assertThatThrownBy(() -> Strategy.parse(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(CostOptions.MemoryTime.class)
    void moreMemoryNeverMakesAStrategySlower(CostOptions.MemoryTime time) {
        // The buffer decides what is valid, not how fast it is.
        var a = FusionSamples.with(Accelerator.calibrated(), FusionSamples.with(CostOptions.defaults(), time));
        Strategy s = Strategy.parse("8^18,-1");
        var small = new FusionCostModel(FusionSamples.zoo("resnet18"), a.withBuffer(1_000_000), 64);
        assertThat(small.evaluate(s)).isEqualTo(small.withBuffer(64_000_000).evaluate(s));
        assertThat(small.report(s).isValid()).isFalse();
        assertThat(small.report(s).verdict())
                .contains("18.46 MB")
                .contains("1.00 MB")
                .contains("layers 1 to 18");
    }
}
