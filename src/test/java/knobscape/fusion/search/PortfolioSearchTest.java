package knobscape.fusion.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import knobscape.fusion.FusionMethods;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.source.FusionNetwork;
import knobscape.network.ElementType;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortfolioSearchTest {
    private static final Searcher AUTO = FusionMethods.standard().named("auto").searcher();

    private static String conv(NetworkBuilder b, String name, String x, long out, int kernel) {
        String w = b.weight(name + ".weight", out, b.shape(x).dim(1), kernel, kernel);
        return b.add(name, new Operator.Conv(Window.square(kernel, 1, kernel / 2), 1), x, w);
    }

    /// Modules of parallel convolutions, some of which read further back than the module before them.
    private static FusionNetwork branching(SplittableRandom random) {
        var b = new NetworkBuilder("branching", ElementType.FLOAT32);
        String before = conv(b, "stem", b.input("x", Shape.of(1, 3, 32, 32)), 16, 3);
        String x = conv(b, "stem2", before, 24, 1);
        for (int k = 0; k < 1 + random.nextInt(4); k++) {
            String left = conv(b, "left" + k, x, 8 + random.nextInt(60), 1);
            String right = conv(b, "right" + k, x, 8 + random.nextInt(60), 3);
            String next = random.nextBoolean()
                    ? b.add("concat" + k, new Operator.Concat(1), left, right, before)
                    : b.add("concat" + k, new Operator.Concat(1), left, conv(b, "more" + k, right, 32, 3));
            before = x;
            x = next;
        }
        return FusionNetwork.of(b.output(conv(b, "head", x, 10, 1)).build());
    }

    private static void neverWorse(FusionCostModel model, long seed, List<FusionMethod> methods) {
        Mapping auto = Mapping.search(AUTO, model, Constraint.LEXI, Mapping.EVALUATIONS, seed);
        assertThat(Mapping.search(AUTO, model, Constraint.LEXI, Mapping.EVALUATIONS, seed)
                        .strategy())
                .isEqualTo(auto.strategy());
        for (FusionMethod m : methods) {
            if (m.name().equals("exact") && ExactSearch.obstacle(model).isPresent()) {
                continue;
            }
            Mapping other = Mapping.search(m.searcher(), model, Constraint.LEXI, Mapping.EVALUATIONS, seed);
            if (other.isValid()) {
                assertThat(auto.isValid()).as(m.name()).isTrue();
                assertThat(auto.cost().seconds())
                        .as("%s, %s layers, batch %s, %s", m.name(), model.layers(), model.batch(), model.accelerator())
                        .isLessThanOrEqualTo(other.cost().seconds() * (1 + 1e-12));
            }
        }
    }

    private static List<FusionMethod> fast() {
        return FusionMethods.standard().all().stream()
                .filter(m -> !List.of("auto", "a2c", "cmaes").contains(m.name()))
                .toList();
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isNeverWorseThanAnyOtherMethod(long seed) {
        var random = new SplittableRandom(seed);
        FusionNetwork network =
                seed % 2 == 0 ? branching(random) : FusionSamples.random(1 + random.nextInt(20), random);
        Accelerator a = (seed % 3 == 0 ? FusionSamples.toyAccelerator() : Accelerator.calibrated())
                .withBuffer(1 + (long) (network.output(1) * 40 * random.nextDouble()))
                .withWeightCapacity(1 + random.nextInt(200_000));
        var options = CostOptions.defaults();
        CostOptions odd = List.of(
                        options,
                        FusionSamples.with(options, CostOptions.Residuals.STAGED),
                        FusionSamples.with(options, CostOptions.LastMicroBatch.PADDED),
                        options)
                .get((int) seed % 4);
        neverWorse(new FusionCostModel(network, FusionSamples.with(a, odd), 1 + random.nextInt(100)), seed, fast());
    }

    @Test
    void gainsOnDpAndGSamplerWhereTheNetworkBranches() {
        var model = new FusionCostModel(
                FusionSamples.zoo("inception_v3"), Accelerator.calibrated().withBuffer(20_000_000), 64);
        double auto = Mapping.search(AUTO, model, Constraint.LEXI, 2000, 1).speedup();
        for (String method : List.of("dp", "gsampler", "dnnfuser")) {
            assertThat(Mapping.search(
                                    FusionMethods.standard().named(method).searcher(), model, Constraint.LEXI, 2000, 1)
                            .speedup())
                    .as(method)
                    .isLessThan(auto * 0.99);
        }
    }
}
