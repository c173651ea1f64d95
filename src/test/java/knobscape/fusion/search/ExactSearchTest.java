package knobscape.fusion.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.space.Strategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExactSearchTest {
    @ParameterizedTest
    @ValueSource(
            longs = {
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40
            })
    void nothingThatFitsIsFaster(long seed) {
        var random = new SplittableRandom(seed);
        int batch = 2 + random.nextInt(4);
        int layers = 1 + random.nextInt(batch < 4 ? 6 : 5);
        CostOptions options = FusionSamples.with(
                FusionSamples.with(
                        CostOptions.defaults(),
                        random.nextBoolean() ? CostOptions.MemoryTime.SERIAL : CostOptions.MemoryTime.OVERLAP),
                random.nextInt(3) == 0 ? CostOptions.NetworkInput.COUNTED : CostOptions.NetworkInput.FREE);
        var network = FusionSamples.random(layers, random);
        // Launches free, cheap or dear; weights that fit, partly fit or never fit.
        double launch = new double[] {0, 5, 100, 3000}[random.nextInt(4)];
        var accelerator = new Accelerator(
                "small",
                64,
                random.nextBoolean() ? 1 : 50,
                1e9,
                1e9,
                1e10,
                network.output(0) + random.nextInt(6000),
                50 + random.nextInt(4000),
                launch,
                1 + random.nextInt(2),
                options);
        if (options.networkInput() == CostOptions.NetworkInput.COUNTED) {
            accelerator = accelerator.withBuffer(
                    accelerator.bufferBytes() + network.output(0) * accelerator.bytesPerElement());
        }
        var model = new FusionCostModel(network, accelerator, batch);
        double best = Double.POSITIVE_INFINITY;
        int[] s = new int[layers + 1];
        long all = batch * (long) Math.pow(batch + 1, layers);
        for (long code = 0; code < all; code++) {
            long rest = code;
            s[0] = 1 + (int) (rest % batch);
            rest /= batch;
            for (int i = 1; i <= layers; i++) {
                int v = (int) (rest % (batch + 1));
                rest /= batch + 1;
                s[i] = v == 0 ? Strategy.SYNC : v;
            }
            Cost c = model.evaluate(s);
            best = model.isValid(c) ? Math.min(best, c.seconds()) : best;
        }
        ExactSearch.Answer answer = ExactSearch.solve(model, () -> {});
        assertThat(answer.isProven()).isTrue();
        assertThat(model.isValid(answer.cost())).isTrue();
        assertThat(answer.cost().seconds()).as("%s", answer.strategy()).isCloseTo(best, within(1e-12 * best));
        assertThat(answer.lowerBound()).isEqualTo(answer.cost().seconds());
        assertThat(Mapping.search(ExactSearch.searcher(), model, Constraint.DEATH, 1, 1)
                        .strategy())
                .isEqualTo(answer.strategy());
    }

    @ParameterizedTest
    @CsvSource({"vgg16, 20", "resnet18, 20", "resnet18, 45", "resnet50, 25", "mobilenet_v2, 55", "mnasnet, 25"})
    void noSearchBeatsIt(String network, int megabytes) {
        var model = new FusionCostModel(
                FusionSamples.zoo(network), Accelerator.calibrated().withBuffer(megabytes * 1_000_000L), 64);
        ExactSearch.Answer answer = ExactSearch.solve(model, () -> {});
        assertThat(answer.isProven()).isTrue();
        assertThat(model.isValid(answer.cost())).isTrue();
        assertThat(answer.cost().seconds())
                .isLessThanOrEqualTo(Mapping.search(BaselineStrategies.grouping(), model, Constraint.LEXI, 1, 1)
                        .cost()
                        .seconds());
        assertThat(answer.cost().seconds())
                .isLessThanOrEqualTo(Mapping.search(FusionSamples.searcher("gsampler"), model, Constraint.LEXI, 4000, 1)
                                .cost()
                                .seconds()
                        * (1 + 1e-12));
    }

    @Test
    void whatItCannotProveIsSaid() {
        var model = new FusionCostModel(FusionSamples.zoo("inception_v3"), Accelerator.calibrated(), 4);
        assertThatThrownBy(() -> ExactSearch.solve(model, () -> {}))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("further back")
                .hasMessageContaining("gsampler");
    }
}
