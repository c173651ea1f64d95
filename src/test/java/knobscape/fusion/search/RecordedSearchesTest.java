package knobscape.fusion.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.search.sequence.SequenceMethods;
import knobscape.fusion.source.Accelerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The strategies that the searches of an earlier version evaluated, by their hash: a seed keeps meaning the
/// same search.
class RecordedSearchesTest {
    private static final List<FusionMethod> METHODS = Stream.concat(
                    FusionMethod.builtIn().stream(), SequenceMethods.shipped().stream())
            .toList();

    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, textBlock = """
            method, network, megabytes, constraint, seed, evaluations, hash
            gsampler, resnet18, 20, DEATH, 7, 500, d4af34e1a3bb2599
            gsampler, resnet18, 20, LEXI, 7, 500, d4af34e1a3bb2599
            gsampler, resnet18, 20, SOFT, 7, 500, d4af34e1a3bb2599
            gsampler, alexnet, 5, DEATH, 7, 3000, 4ca24eaf7a72a270
            gsampler, alexnet, 5, LEXI, 7, 3000, 4ca24eaf7a72a270
            gsampler, alexnet, 5, SOFT, 7, 3000, 4ca24eaf7a72a270
            gsampler-plain, resnet18, 20, DEATH, 7, 500, cccb8457d5353b29
            gsampler-plain, resnet18, 20, LEXI, 7, 500, cccb8457d5353b29
            gsampler-plain, resnet18, 20, SOFT, 7, 500, 330e31736c8e20d9
            gsampler-plain, alexnet, 5, DEATH, 7, 3000, d36bbc557b6e9bc4
            gsampler-plain, alexnet, 5, LEXI, 7, 3000, d36bbc557b6e9bc4
            gsampler-plain, alexnet, 5, SOFT, 7, 3000, aece1634e934346e
            pso, resnet18, 20, DEATH, 7, 500, 9e6467a8798f6619
            pso, resnet18, 20, LEXI, 7, 500, 944fa9121fe441c1
            pso, resnet18, 20, SOFT, 7, 500, a7b5c8a89f47b3b3
            pso, alexnet, 5, DEATH, 7, 3000, 2637aa4dda7d268e
            pso, alexnet, 5, LEXI, 7, 3000, 672d4e454e74bebf
            pso, alexnet, 5, SOFT, 7, 3000, 9f09f99254e98df3
            cmaes, resnet18, 20, DEATH, 7, 500, e012634ed21c165a
            cmaes, resnet18, 20, LEXI, 7, 500, 25875809eb8cd59e
            cmaes, resnet18, 20, SOFT, 7, 500, 82d7c8b43b96cf27
            cmaes, alexnet, 5, DEATH, 7, 3000, ac2b498efc7f778e
            cmaes, alexnet, 5, LEXI, 7, 3000, 263db840b26e1a19
            cmaes, alexnet, 5, SOFT, 7, 3000, 592e50af49a3c8f6
            de, resnet18, 20, DEATH, 7, 500, 72a4eb90d607de5f
            de, resnet18, 20, LEXI, 7, 500, 16df5eab8b337dda
            de, resnet18, 20, SOFT, 7, 500, 5c8691c43135d97b
            de, alexnet, 5, DEATH, 7, 3000, 34c867ce9a28c4b2
            de, alexnet, 5, LEXI, 7, 3000, b0827e77edd8d0a7
            de, alexnet, 5, SOFT, 7, 3000, 461c4442623f8603
            tbpsa, resnet18, 20, DEATH, 7, 500, 9a1c0fbb8369cd86
            tbpsa, resnet18, 20, LEXI, 7, 500, 9cbe21dd3559f243
            tbpsa, resnet18, 20, SOFT, 7, 500, 6158d41fd1185e9
            tbpsa, alexnet, 5, DEATH, 7, 3000, 9bbfad700932ae8
            tbpsa, alexnet, 5, LEXI, 7, 3000, 59646102a61df7
            tbpsa, alexnet, 5, SOFT, 7, 3000, 64a1bab0460e068c
            ga, resnet18, 20, DEATH, 7, 500, 5e973bcb5a967ee0
            ga, resnet18, 20, LEXI, 7, 500, f723e07592fb311e
            ga, resnet18, 20, SOFT, 7, 500, 7781cb700bbcca9
            ga, alexnet, 5, DEATH, 7, 3000, 4fe616e51e426170
            ga, alexnet, 5, LEXI, 7, 3000, 9360026750bd4078
            ga, alexnet, 5, SOFT, 7, 3000, cf85db50b4cec2b0
            a2c, resnet18, 20, DEATH, 7, 60, f1f3854078bdf951
            a2c, resnet18, 20, LEXI, 7, 60, a4ca37ba31e90dd
            a2c, resnet18, 20, SOFT, 7, 60, 64014e6f9c612e77
            a2c, alexnet, 5, DEATH, 7, 60, 9216c4e4f4ab7456
            a2c, alexnet, 5, LEXI, 7, 60, 2d4e1f331c7081ef
            a2c, alexnet, 5, SOFT, 7, 60, afe9e20bd4d238c5
            random, resnet18, 20, DEATH, 7, 500, af1ee85e35e24b6d
            random, resnet18, 20, LEXI, 7, 500, af1ee85e35e24b6d
            random, resnet18, 20, SOFT, 7, 500, af1ee85e35e24b6d
            random, alexnet, 5, DEATH, 7, 3000, 4b9007821b28e128
            random, alexnet, 5, LEXI, 7, 3000, 4b9007821b28e128
            random, alexnet, 5, SOFT, 7, 3000, 4b9007821b28e128
            exact, resnet18, 20, LEXI, 7, 60, f8514e6c1e14dd82
            exact, alexnet, 5, LEXI, 7, 60, e8ac6a3620eb05ac
            dp, resnet18, 20, LEXI, 7, 60, 9ef98aa37e9eeda7
            dp, alexnet, 5, LEXI, 7, 60, ac379da11ddc5773
            uniform, resnet18, 20, LEXI, 7, 60, 7c4c4c063ff05c3b
            uniform, alexnet, 5, LEXI, 7, 60, b5f06d2c1b1a02e
            none, resnet18, 20, LEXI, 7, 60, 617ec0c31be2919a
            none, alexnet, 5, LEXI, 7, 60, c994b7cbdf1dc696
            dnnfuser, resnet18, 20, LEXI, 7, 60, 23a460b272decce4
            dnnfuser, alexnet, 5, LEXI, 7, 60, d86f2def961a9820
            seq2seq, resnet18, 20, LEXI, 7, 60, 32c005d52b9165dc
            seq2seq, alexnet, 5, LEXI, 7, 60, 558e62d8f738055d
            """)
    void aSeedKeepsItsStrategiesAndCosts(
            String method,
            String network,
            int megabytes,
            Constraint constraint,
            long seed,
            int evaluations,
            String hash) {
        var model = new FusionCostModel(
                FusionSamples.zoo(network), Accelerator.calibrated().withBuffer(megabytes * 1_000_000L), 64);
        FusionMethod chosen = METHODS.stream()
                .filter(m -> m.name().equals(method))
                .findFirst()
                .orElseThrow();
        assertThat(Long.toHexString(hash(chosen, model, constraint, seed, evaluations)))
                .isEqualTo(hash);
    }

    private static long hash(
            FusionMethod method, FusionCostModel model, Constraint constraint, long seed, int evaluations) {
        var seen = new ArrayList<CostedStrategy>();
        Mapping.search(method.searcher(), model, constraint, evaluations, seed, seen::add, new CancellationSignal());
        long hash = seen.size();
        for (CostedStrategy j : seen) {
            hash = hash * 1_000_003 + j.strategy().hashCode();
            hash = hash * 1_000_003 + Double.doubleToLongBits(j.cost().seconds());
            hash = hash * 1_000_003 + j.cost().peakBytes();
        }
        return hash;
    }
}
