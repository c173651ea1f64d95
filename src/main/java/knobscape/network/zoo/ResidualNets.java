package knobscape.network.zoo;

import java.util.List;
import knobscape.network.Network;
import knobscape.network.Window;

/// Networks whose blocks add their input to their result: ResNet, MobileNet-v2, MnasNet.
final class ResidualNets {
    private ResidualNets() {}

    /// ResNet (He et al., 2015, table 1). Bottlenecks have their stride in the 3 x 3 convolution, as in
    /// torchvision.
    ///
    /// @param depths number of blocks in each of the four stages
    /// @param bottleneck blocks of three convolutions with four times the channels at the end, else of two
    /// @param projectFirst whether the very first block has a 1 x 1 convolution on its skip although extents
    /// agree, as in TVM's ResNet-18 workload
    static Network resNet(String name, List<Integer> depths, boolean bottleneck, boolean projectFirst, long batch) {
        var n = new Layers(name, batch, 224);
        String x = n.relu("relu", n.convNorm("conv1", n.input(), 64, Window.square(7, 2, 3), 1));
        x = n.maxPool("maxpool", x, 3, 2, 1, false);
        long inChannels = 64;
        for (int stage = 0; stage < depths.size(); stage++) {
            long width = 64L << stage;
            long out = bottleneck ? 4 * width : width;
            for (int i = 0; i < depths.get(stage); i++) {
                String block = "layer" + (stage + 1) + "." + i;
                int stride = stage > 0 && i == 0 ? 2 : 1;
                boolean project = i == 0 && (stride > 1 || inChannels != out || projectFirst);
                String y = bottleneck ? bottleneck(n, block, x, width, stride) : basic(n, block, x, width, stride);
                String skip = project ? n.convNorm(block + ".downsample", x, out, Window.square(1, stride, 0), 1) : x;
                x = n.relu(block + ".relu", n.add(block + ".add", y, skip));
                inChannels = out;
            }
        }
        return n.network(n.dense("fc", n.flatten("flatten", n.globalAverage("avgpool", x)), 1000));
    }

    private static String basic(Layers n, String block, String x, long width, int stride) {
        String y =
                n.relu(block + ".conv1.relu", n.convNorm(block + ".conv1", x, width, Window.square(3, stride, 1), 1));
        return n.convNorm(block + ".conv2", y, width, Window.square(3, 1, 1), 1);
    }

    private static String bottleneck(Layers n, String block, String x, long width, int stride) {
        String y = n.relu(block + ".conv1.relu", n.convNorm(block + ".conv1", x, width, Window.square(1, 1, 0), 1));
        y = n.relu(block + ".conv2.relu", n.convNorm(block + ".conv2", y, width, Window.square(3, stride, 1), 1));
        return n.convNorm(block + ".conv3", y, 4 * width, Window.square(1, 1, 0), 1);
    }

    /// MobileNet-v2 of width 1 (Sandler et al., 2018, table 2).
    static Network mobileNetV2(long batch) {
        var n = new Layers("mobilenet_v2", batch, 224);
        String x = n.relu6("stem.relu6", n.convNorm("stem", n.input(), 32, Window.square(3, 2, 1), 1));
        // Expansion, channels, repetitions, first stride.
        int[][] stages = {
            {1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}
        };
        long channels = 32;
        int block = 0;
        for (int[] stage : stages) {
            for (int i = 0; i < stage[2]; i++) {
                block++;
                x = inverted(n, "block" + block, x, channels, stage[0], stage[1], 3, i == 0 ? stage[3] : 1, true);
                channels = stage[1];
            }
        }
        x = n.relu6("head.relu6", n.convNorm("head", x, 1280, Window.square(1, 1, 0), 1));
        x = n.dropout("dropout", n.flatten("flatten", n.globalAverage("pool", x)), 0.2);
        return n.network(n.dense("fc", x, 1000));
    }

    /// MnasNet-B1 of width 1 (Tan et al., 2018, in the form without squeeze-and-excitation that torchvision
    /// has).
    static Network mnasNet(long batch) {
        var n = new Layers("mnasnet", batch, 224);
        String x = n.relu("stem.relu", n.convNorm("stem", n.input(), 32, Window.square(3, 2, 1), 1));
        x = n.relu("sep.dw.relu", n.convNorm("sep.dw", x, 32, Window.square(3, 1, 1), 32));
        x = n.convNorm("sep.project", x, 16, Window.square(1, 1, 0), 1);
        // Expansion, channels, repetitions, first stride, kernel.
        int[][] stages = {
            {3, 24, 3, 2, 3}, {3, 40, 3, 2, 5}, {6, 80, 3, 2, 5}, {6, 96, 2, 1, 3}, {6, 192, 4, 2, 5}, {6, 320, 1, 1, 3}
        };
        long channels = 16;
        int block = 0;
        for (int[] stage : stages) {
            for (int i = 0; i < stage[2]; i++) {
                block++;
                x = inverted(
                        n, "block" + block, x, channels, stage[0], stage[1], stage[4], i == 0 ? stage[3] : 1, false);
                channels = stage[1];
            }
        }
        x = n.relu("head.relu", n.convNorm("head", x, 1280, Window.square(1, 1, 0), 1));
        x = n.dropout("dropout", n.flatten("flatten", n.globalAverage("pool", x)), 0.2);
        return n.network(n.dense("fc", x, 1000));
    }

    /// Inverted residual: 1 x 1 to more channels, depthwise, 1 x 1 back without activation; added to its input
    /// where extents agree.
    private static String inverted(
            Layers n,
            String block,
            String x,
            long channels,
            int expansion,
            long out,
            int kernel,
            int stride,
            boolean six) {
        long hidden = channels * expansion;
        String y = x;
        if (expansion > 1) {
            y = active(n, block + ".expand", n.convNorm(block + ".expand", y, hidden, Window.square(1, 1, 0), 1), six);
        }
        y = active(
                n,
                block + ".dw",
                n.convNorm(block + ".dw", y, hidden, Window.square(kernel, stride, kernel / 2), (int) hidden),
                six);
        y = n.convNorm(block + ".project", y, out, Window.square(1, 1, 0), 1);
        return stride == 1 && channels == out ? n.add(block + ".add", y, x) : y;
    }

    private static String active(Layers n, String layer, String x, boolean six) {
        return six ? n.relu6(layer + ".relu6", x) : n.relu(layer + ".relu", x);
    }
}
