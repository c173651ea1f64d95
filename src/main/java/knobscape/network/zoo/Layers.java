package knobscape.network.zoo;

import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Gathering;
import knobscape.network.Operator.Unary;
import knobscape.network.Shape;
import knobscape.network.Window;

/// The vocabulary in which the networks of this package are written. Methods add nodes and return the name of
/// the tensor made.
final class Layers {
    private final NetworkBuilder builder;
    private final String input;

    /// A network on square images with three channels.
    Layers(String name, long batch, long side) {
        builder = new NetworkBuilder(name, ElementType.FLOAT32);
        input = builder.input("input", Shape.of(batch, 3, side, side));
    }

    String input() {
        return input;
    }

    private long channels(String x) {
        return builder.shape(x).dim(1);
    }

    String conv(String name, String x, long out, Window window, int groups, boolean bias) {
        String w = builder.weight(
                name + ".weight",
                out,
                channels(x) / groups,
                window.kernel().get(0),
                window.kernel().get(1));
        return bias
                ? builder.add(name, new Operator.Conv(window, groups), x, w, builder.weight(name + ".bias", out))
                : builder.add(name, new Operator.Conv(window, groups), x, w);
    }

    String batchNorm(String name, String x, double epsilon) {
        long c = channels(x);
        return builder.add(
                name,
                new Operator.BatchNorm(epsilon),
                x,
                builder.weight(name + ".weight", c),
                builder.weight(name + ".bias", c),
                builder.weight(name + ".running_mean", c),
                builder.weight(name + ".running_var", c));
    }

    /// Convolution without bias, then batch normalisation named `name.bn`.
    String convNorm(String name, String x, long out, Window window, int groups) {
        return batchNorm(name + ".bn", conv(name, x, out, window, groups, false), 1e-5);
    }

    String relu(String name, String x) {
        return builder.add(name, new Unary(Unary.Function.RELU), x);
    }

    String relu6(String name, String x) {
        return builder.add(name, Operator.Clip.RELU6, x);
    }

    String add(String name, String a, String b) {
        return builder.add(name, new Elementwise(Elementwise.Function.ADD), a, b);
    }

    String maxPool(String name, String x, int kernel, int stride, int pad, boolean ceil) {
        return builder.add(name, new Operator.Pool(Gathering.MAX, Window.square(kernel, stride, pad), ceil, false), x);
    }

    /// Means over windows of 3 x 3 moving by one, the margin of zeros counted (PyTorch's default).
    String averagePool3(String name, String x) {
        return builder.add(name, new Operator.Pool(Gathering.AVERAGE, Window.square(3, 1, 1), false, true), x);
    }

    String globalAverage(String name, String x) {
        return builder.add(name, new Operator.GlobalPool(Gathering.AVERAGE), x);
    }

    String concat(String name, String... parts) {
        return builder.add(name, new Operator.Concat(1), parts);
    }

    String flatten(String name, String x) {
        return builder.add(name, new Operator.Flatten(1), x);
    }

    String dropout(String name, String x, double ratio) {
        return builder.add(name, new Operator.Dropout(ratio), x);
    }

    String dense(String name, String x, long out) {
        return builder.add(
                name,
                new Operator.Gemm(false, true, 1, 1),
                x,
                builder.weight(name + ".weight", out, builder.shape(x).dim(1)),
                builder.weight(name + ".bias", out));
    }

    Network network(String output) {
        return builder.output(output).build();
    }
}
