package knobscape.network.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.network.Arithmetic;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ZooTest {
    /// Parameters and multiply-accumulates as torchvision documents them with its weights (`num_params`,
    /// `_ops`, the latter in 10^9 and to three decimals); MobileNet-v1 as its paper has it (table 8: 569
    /// million, 4.2 million). Inception-v3: 27 161 264 documented, less 3 326 696 of the auxiliary classifier.
    /// SqueezeNet: 0.349 documented with 111 x 111 positions of the first convolution; the workload generated
    /// has 112 x 112.
    @ParameterizedTest
    @CsvSource({
        "alexnet, 61100840, 0.714",
        "vgg11, 132863336, 7.609",
        "vgg16, 138357544, 15.470",
        "resnet18, 11689512, 1.814",
        "resnet34, 21797672, 3.664",
        "resnet50, 25557032, 4.089",
        "mobilenet_v2, 3504872, 0.301",
        "mnasnet, 4383312, 0.314",
        "squeezenet_v1.1, 1235496, 0.350",
        "inception_v3, 23834568, 5.713",
        "mobilenet_v1, 4231976, 0.569"
    })
    void parametersAndWorkAreThePublishedOnes(String name, long parameters, double gigaMacs) {
        Network n = Zoo.named(name).network(1);

        assertThat(parameters(n)).isEqualTo(parameters);
        assertThat(Math.round(Arithmetic.macs(n) / 1e6) / 1e3).isEqualTo(gigaMacs);
    }

    @Test
    void squeezeNetDiffersFromTorchvisionByTheMarginOfItsFirstConvolution() {
        long torchvision = 349_151_936;
        assertThat(Arithmetic.macs(Zoo.SQUEEZENET.network(1)) - torchvision)
                .isEqualTo((112 * 112 - 111 * 111) * 64L * 27);
    }

    @ParameterizedTest
    @CsvSource({
        "alexnet, 5",
        "vgg16, 13",
        "resnet18, 20",
        "resnet18-tvm, 21",
        "resnet34-tvm, 37",
        "mobilenet_v1, 27",
        "squeezenet_v1.1, 26",
        "inception_v3, 94"
    })
    void convolutionsAreAsManyAsPublished(String name, int convolutions) {
        assertThat(Zoo.named(name).network(1).nodes().stream().filter(n -> n.operator() instanceof Operator.Conv))
                .hasSize(convolutions);
    }

    @ParameterizedTest
    @EnumSource
    void workGrowsWithTheBatchAndParametersDoNot(Zoo zoo) {
        Network one = zoo.network(1);
        Network four = zoo.network(4);

        assertThat(one.tensor(one.outputs().getFirst()).shape()).contains(Shape.of(1, 1000));
        assertThat(four.tensor(four.outputs().getFirst()).shape()).contains(Shape.of(4, 1000));
        assertThat(four.batch()).isEqualTo(4);
        assertThat(Arithmetic.macs(four)).isEqualTo(4 * Arithmetic.macs(one));
        assertThat(parameters(four)).isEqualTo(parameters(one));
    }

    @Test
    void anUnknownNameListsTheKnownOnes() {
        assertThatThrownBy(() -> Zoo.named("resnet19"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("resnet19")
                .hasMessageContaining("resnet18, ");
        assertThatThrownBy(() -> Zoo.VGG11.network(0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("batch of 0");
    }

    /// Trained parameters: elements of the weights, biases, scales and shifts, each tensor once. Stored means
    /// and variances are not parameters.
    private static long parameters(Network network) {
        return network.nodes().stream()
                .flatMap(n -> parameterInputs(n).stream())
                .distinct()
                .filter(name -> !name.isEmpty() && network.tensor(name).isWeight())
                .mapToLong(name -> network.tensor(name).elements())
                .sum();
    }

    private static List<String> parameterInputs(Node n) {
        return switch (n.operator()) {
            case Operator.BatchNorm _ ->
                n.inputs().subList(1, Math.min(3, n.inputs().size()));
            case Operator.Conv _,
                    Operator.TransposedConv _,
                    Operator.Gemm _,
                    Operator.MatMul _,
                    Operator.LayerNorm _,
                    Operator.Opaque _,
                    Operator.Gather _ -> n.inputs();
            case Operator.Elementwise _ -> n.inputs();
            default -> List.of();
        };
    }
}
