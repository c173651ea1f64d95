package knobscape.fusion.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.source.FusionNetwork;
import knobscape.fusion.space.Strategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchersTest {
    private static FusionCostModel model(String network, int batch, int megabytes) {
        return new FusionCostModel(
                FusionSamples.zoo(network), Accelerator.calibrated().withBuffer(megabytes * 1_000_000L), batch);
    }

    private static FusionMethod method(String name) {
        return FusionMethod.builtIn().stream()
                .filter(m -> m.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static List<FusionMethod> methods() {
        return FusionMethod.builtIn();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void theSameSeedGivesTheSameEvaluationsAndTheBudgetIsKept(FusionMethod method) {
        FusionCostModel model = model("resnet18", 16, 5);
        for (Constraint constraint : Constraint.values()) {
            var first = new ArrayList<CostedStrategy>();
            var second = new ArrayList<CostedStrategy>();
            Mapping a =
                    Mapping.search(method.searcher(), model, constraint, 60, 7, first::add, new CancellationSignal());
            Mapping b =
                    Mapping.search(method.searcher(), model, constraint, 60, 7, second::add, new CancellationSignal());
            assertThat(first).isEqualTo(second).hasSize(method.kind() == FusionMethod.Kind.SEARCH ? 60 : 1);
            assertThat(a.strategy()).isEqualTo(b.strategy());
            assertThat(a.evaluations()).isEqualTo(first.size());
            // The best is the fastest that fits.
            Optional<Double> fastest = first.stream()
                    .map(CostedStrategy::cost)
                    .filter(model::isValid)
                    .map(Cost::seconds)
                    .min(Double::compare);
            assertThat(a.isValid()).isEqualTo(fastest.isPresent());
            fastest.ifPresent(f -> assertThat(a.cost().seconds()).isEqualTo(f));
            first.forEach(j -> assertThat(model.evaluate(j.strategy())).isEqualTo(j.cost()));
            if (method.kind() == FusionMethod.Kind.SEARCH) {
                assertThat(Mapping.search(method.searcher(), model, constraint, 60, 8)
                                .strategy())
                        .isNotEqualTo(a.strategy());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "vgg16, 64, 20, gsampler, 3.22, 3.31",
        "vgg16, 64, 20, dp, 3.11, 3.13",
        "vgg16, 64, 20, uniform, 0.16, 0.18",
        "vgg16, 64, 45, dp, 3.62, 3.64",
        "vgg16, 128, 40, gsampler, 3.84, 4.09",
        "resnet18, 64, 20, gsampler, 4.00, 4.28",
        "resnet18, 64, 20, dp, 4.09, 4.11",
        "resnet18, 64, 45, uniform, 4.88, 4.90",
        "resnet50, 64, 25, dp, 4.19, 4.21",
        "resnet50, 64, 25, gsampler, 3.3, 4.0",
        "mobilenet_v2, 64, 55, dp, 6.75, 6.77",
        "mnasnet, 64, 25, uniform, 2.67, 2.69",
        "vgg16, 64, 20, gsampler-plain, 1.58, 2.74",
        "resnet18, 64, 20, gsampler-plain, 2.18, 3.64",
        "vgg16, 64, 20, none, 1.0, 1.0"
    })
    void searchersReachWhatAnIndependentPrototypeReached(
            String network, int batch, int megabytes, String method, double low, double high) {
        Mapping m = Mapping.search(
                method(method).searcher(), model(network, batch, megabytes), Constraint.LEXI, Mapping.EVALUATIONS, 3);
        assertThat(m.speedup()).isBetween(low, high);
        assertThat(m.isValid()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pso", "de", "tbpsa", "ga", "random"})
    void underDeathNothingIsLearned(String method) {
        Mapping m = Mapping.search(
                method(method).searcher(), model("vgg16", 64, 20), Constraint.DEATH, Mapping.EVALUATIONS, 1);
        assertThat(m.isValid()).isFalse();
        assertThat(m.cost().peakBytes()).isGreaterThan(100_000_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pso", "de", "tbpsa", "ga"})
    void underLexiTheBufferIsFound(String method) {
        Mapping m = Mapping.search(
                method(method).searcher(), model("vgg16", 64, 45), Constraint.LEXI, Mapping.EVALUATIONS, 1);
        assertThat(m.isValid()).isTrue();
        assertThat(m.speedup()).isGreaterThan(1.2);
    }

    @Test
    void reinforcementLearningRaisesTheReward() {
        FusionCostModel model = model("resnet18", 8, 5);
        var seen = new ArrayList<CostedStrategy>();
        Mapping.search(method("a2c").searcher(), model, Constraint.LEXI, 1200, 1, seen::add, new CancellationSignal());
        assertThat(mean(model, seen.subList(1000, 1200))).isLessThan(mean(model, seen.subList(0, 200)));
    }

    private static double mean(FusionCostModel model, List<CostedStrategy> seen) {
        return seen.stream()
                .mapToDouble(j -> Constraint.LEXI.fitness(model, j.cost()))
                .average()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void repairAlwaysFitsAndLeavesWhatFits(long seed) {
        var random = new SplittableRandom(seed);
        var options = CostOptions.defaults();
        for (CostOptions o : List.of(
                options,
                FusionSamples.with(options, CostOptions.Residuals.STAGED),
                FusionSamples.with(options, CostOptions.LastMicroBatch.PADDED),
                FusionSamples.with(options, CostOptions.NetworkInput.COUNTED))) {
            for (int k = 0; k < 60; k++) {
                FusionNetwork network = random.nextInt(4) == 0
                        ? FusionSamples.zoo("inception_v3")
                        : FusionSamples.random(1 + random.nextInt(15), random);
                // Room for one sample of the input at least, or counting it could never fit.
                long buffer = network.output(0) + random.nextInt(1 + (int) Math.min(1 << 30, network.output(0) * 20));
                var model = new FusionCostModel(
                        network,
                        FusionSamples.with(Accelerator.calibrated().withBuffer(buffer), o),
                        1 + random.nextInt(32));
                var repair = new Repair(model);
                for (int j = 0; j < 10; j++) {
                    Strategy s = Strategy.of(RandomSearch.draw(network.layers(), model.batch(), random));
                    Strategy repaired = repair.repair(s);
                    assertThat(model.isValid(model.evaluate(repaired)))
                            .as("%s of %s", repaired, s)
                            .isTrue();
                    assertThat(repair.repair(repaired)).isEqualTo(repaired);
                    if (model.isValid(model.evaluate(s))) {
                        assertThat(repaired).isEqualTo(s);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void groupingIsTheBestOfAllGroupings(long seed) {
        var random = new SplittableRandom(seed);
        var model = new FusionCostModel(
                FusionSamples.random(2 + random.nextInt(6), random),
                FusionSamples.toyAccelerator()
                        .withBuffer(500 + random.nextInt(6000))
                        .withWeightCapacity(200 + random.nextInt(3000)),
                6);
        double best = Double.POSITIVE_INFINITY;
        int n = model.layers();
        for (int borders = 0; borders < 1 << (n - 1); borders++) {
            double seconds = 0;
            int first = 1;
            for (int b = 1; b <= n; b++) {
                if (b == n || (borders >> (b - 1) & 1) == 1) {
                    seconds += group(model, first, b);
                    first = b + 1;
                }
            }
            best = Math.min(best, seconds);
        }
        assertThat(Mapping.search(BaselineStrategies.grouping(), model, Constraint.DEATH, 1, 1)
                        .cost()
                        .seconds())
                .isCloseTo(best, within(1e-12 * best));
    }

    @Test
    void theDynamicProgramEndsOnADeepNetworkWithItsLimitAndTheOthersWithAnAnswer() {
        var model = new FusionCostModel(
                FusionSamples.random(5000, new SplittableRandom(3)),
                Accelerator.calibrated().withBuffer(1L << 40),
                8);
        assertThatThrownBy(() -> Mapping.search(BaselineStrategies.grouping(), model, Constraint.LEXI, 1, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("up to 1000 layers, and '")
                .hasMessageContaining("has 5000; use auto or gsampler.");
        var problem = new Problem(model, Constraint.LEXI, new CancellationSignal());
        assertThat(BaselineStrategies.faster(problem, List.of())).isPresent();
    }

    /// Seconds of a group with its largest common micro-batch that fits.
    private static double group(FusionCostModel model, int a, int b) {
        int[] s = new int[model.layers() + 1];
        for (int m = model.batch(); m >= 1; m--) {
            Arrays.fill(s, a, b, m);
            s[b] = -1;
            Cost c = model.group(s, a, b);
            if (model.isValid(c)) {
                return c.seconds();
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    @Test
    void coordinatesRoundAndSynchroniseBelowOne() {
        var space = new Coordinates(model("vgg11", 64, 20));
        double[] x = new double[space.dimension()];
        x[0] = -1;
        x[1] = -1;
        x[2] = 0.49;
        x[3] = 0.51;
        x[4] = 63.7;
        x[5] = 900;
        assertThat(Arrays.copyOf(space.decode(x), 6)).containsExactly(1, -1, -1, 1, 64, 64);
        assertThat(space.middle()).isEqualTo(31.5);
        assertThat(space.sigma()).isCloseTo(65 / 6.0, within(1e-12));
    }

    @Test
    void populationsWanderWhereNothingIsBetterAndWidenWithoutAGain() {
        // A first generation under DEATH, where nothing is better than anything: DE replaces equals, so that
        // its individuals wander.
        var seen = new ArrayList<CostedStrategy>();
        Mapping.search(
                method("de").searcher(),
                model("vgg16", 64, 1),
                Constraint.DEATH,
                90,
                1,
                seen::add,
                new CancellationSignal());
        assertThat(new HashSet<>(seen)).hasSizeGreaterThan(80);
        List<Double> falling = IntStream.range(0, 100).mapToObj(i -> 100.0 - i).toList();
        List<Double> level =
                IntStream.range(0, 100).mapToObj(i -> (double) (i % 7)).toList();
        assertThat(PopulationSizeAdaptation.clearGain(falling, 20)).isTrue();
        assertThat(PopulationSizeAdaptation.clearGain(level, 20)).isFalse();
    }

    @Test
    void aSearchCanBeStopped() {
        var cancel = new CancellationSignal();
        var seen = new ArrayList<CostedStrategy>();
        assertThatThrownBy(() -> Mapping.search(
                        method("pso").searcher(),
                        model("vgg16", 64, 20),
                        Constraint.LEXI,
                        2000,
                        1,
                        j -> {
                            seen.add(j);
                            if (seen.size() == 5) {
                                cancel.cancel();
                            }
                        },
                        cancel))
                .isInstanceOf(CancellationException.class);
        assertThat(seen).hasSize(5);
    }
}
