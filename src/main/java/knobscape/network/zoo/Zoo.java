package knobscape.network.zoo;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import knobscape.evaluate.UserError;
import knobscape.network.Network;

/// Well-known image classifiers with 1000 classes, 224 x 224 inputs (Inception-v3: 299 x 299), generated from
/// their papers' tables. Weights have shapes only.
public enum Zoo {
    /// AlexNet, 61.1 million parameters.
    ALEXNET("alexnet", PlainNets::alexNet),
    /// VGG-11, 132.9 million parameters.
    VGG11("vgg11", batch -> PlainNets.vgg("vgg11", List.of(1, 1, 2, 2, 2), batch)),
    /// VGG-16, 138.4 million parameters.
    VGG16("vgg16", batch -> PlainNets.vgg("vgg16", List.of(2, 2, 3, 3, 3), batch)),
    /// ResNet-18, 11.7 million parameters.
    RESNET18("resnet18", batch -> ResidualNets.resNet("resnet18", List.of(2, 2, 2, 2), false, false, batch)),
    /// ResNet-18 as a TVM workload: a 1 x 1 convolution on the first skip, 12 tuning tasks instead of 11.
    RESNET18_TVM("resnet18-tvm", batch -> ResidualNets.resNet("resnet18-tvm", List.of(2, 2, 2, 2), false, true, batch)),
    /// ResNet-34, 21.8 million parameters.
    RESNET34("resnet34", batch -> ResidualNets.resNet("resnet34", List.of(3, 4, 6, 3), false, false, batch)),
    /// ResNet-34 as a TVM workload: a 1 x 1 convolution on the first skip, 12 tuning tasks instead of 11.
    RESNET34_TVM("resnet34-tvm", batch -> ResidualNets.resNet("resnet34-tvm", List.of(3, 4, 6, 3), false, true, batch)),
    /// ResNet-50, 25.6 million parameters.
    RESNET50("resnet50", batch -> ResidualNets.resNet("resnet50", List.of(3, 4, 6, 3), true, false, batch)),
    /// MobileNet-v1, 4.2 million parameters.
    MOBILENET_V1("mobilenet_v1", PlainNets::mobileNetV1),
    /// MobileNet-v2, 3.5 million parameters.
    MOBILENET_V2("mobilenet_v2", ResidualNets::mobileNetV2),
    /// MnasNet-B1, 4.4 million parameters.
    MNASNET("mnasnet", ResidualNets::mnasNet),
    /// SqueezeNet 1.1, 1.2 million parameters.
    SQUEEZENET("squeezenet_v1.1", PlainNets::squeezeNet),
    /// Inception-v3, 23.8 million parameters.
    INCEPTION_V3("inception_v3", InceptionV3::network);

    private final String label;
    private final LongFunction<Network> generator;

    Zoo(String label, LongFunction<Network> generator) {
        this.label = label;
        this.generator = generator;
    }

    /// The name people type.
    public String label() {
        return label;
    }

    /// Generates the network.
    ///
    /// @param batch images a run takes, 1 or more
    public Network network(long batch) {
        if (batch < 1) {
            throw new UserError("A batch of " + batch + " images is too small; give 1 or more.");
        }
        return generator.apply(batch);
    }

    /// The network of a name; throws [UserError] listing all names where there is none.
    public static Zoo named(String name) {
        return Arrays.stream(values())
                .filter(z -> z.label.equals(name))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no built-in network '" + name + "'; built in are "
                        + Arrays.stream(values()).map(Zoo::label).collect(Collectors.joining(", ")) + "."));
    }
}
