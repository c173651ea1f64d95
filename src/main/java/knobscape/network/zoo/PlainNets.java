package knobscape.network.zoo;

import java.util.List;
import knobscape.network.Network;
import knobscape.network.Window;

/// Networks that are one chain: AlexNet, VGG, MobileNet-v1; and SqueezeNet, whose modules fork once.
final class PlainNets {
    private PlainNets() {}

    /// AlexNet in its one-tower form (Krizhevsky, "One weird trick for parallelizing convolutional neural
    /// networks", 2014), 5 convolutions.
    static Network alexNet(long batch) {
        var n = new Layers("alexnet", batch, 224);
        String x = n.relu("relu1", n.conv("conv1", n.input(), 64, Window.square(11, 4, 2), 1, true));
        x = n.maxPool("pool1", x, 3, 2, 0, false);
        x = n.relu("relu2", n.conv("conv2", x, 192, Window.square(5, 1, 2), 1, true));
        x = n.maxPool("pool2", x, 3, 2, 0, false);
        x = n.relu("relu3", n.conv("conv3", x, 384, Window.square(3, 1, 1), 1, true));
        x = n.relu("relu4", n.conv("conv4", x, 256, Window.square(3, 1, 1), 1, true));
        x = n.relu("relu5", n.conv("conv5", x, 256, Window.square(3, 1, 1), 1, true));
        x = n.flatten("flatten", n.maxPool("pool5", x, 3, 2, 0, false));
        x = n.relu("relu6", n.dense("fc6", n.dropout("drop6", x, 0.5), 4096));
        x = n.relu("relu7", n.dense("fc7", n.dropout("drop7", x, 0.5), 4096));
        return n.network(n.dense("fc8", x, 1000));
    }

    /// VGG configuration A (11 layers) or D (16 layers) (Simonyan and Zisserman, 2014, table 1).
    ///
    /// @param depths number of 3 x 3 convolutions in each of the five stages
    static Network vgg(String name, List<Integer> depths, long batch) {
        var n = new Layers(name, batch, 224);
        String x = n.input();
        long channels = 64;
        for (int stage = 1; stage <= depths.size(); stage++) {
            for (int i = 1; i <= depths.get(stage - 1); i++) {
                String at = stage + "_" + i;
                x = n.relu("relu" + at, n.conv("conv" + at, x, channels, Window.square(3, 1, 1), 1, true));
            }
            x = n.maxPool("pool" + stage, x, 2, 2, 0, false);
            channels = Math.min(512, 2 * channels);
        }
        x = n.relu("relu6", n.dense("fc6", n.flatten("flatten", x), 4096));
        x = n.relu("relu7", n.dense("fc7", n.dropout("drop6", x, 0.5), 4096));
        return n.network(n.dense("fc8", n.dropout("drop7", x, 0.5), 1000));
    }

    /// MobileNet of width 1 (Howard et al., 2017, table 1).
    static Network mobileNetV1(long batch) {
        var n = new Layers("mobilenet_v1", batch, 224);
        String x = n.relu("stem.relu", n.convNorm("stem", n.input(), 32, Window.square(3, 2, 1), 1));
        long[] out = {64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024};
        int[] stride = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
        long channels = 32;
        for (int i = 0; i < out.length; i++) {
            String block = "block" + (i + 1);
            x = n.relu(block + ".dw.relu", n.convNorm(block + ".dw", x, channels, Window.square(3, stride[i], 1), (int)
                    channels));
            x = n.relu(block + ".pw.relu", n.convNorm(block + ".pw", x, out[i], Window.square(1, 1, 0), 1));
            channels = out[i];
        }
        return n.network(n.dense("fc", n.flatten("flatten", n.globalAverage("pool", x)), 1000));
    }

    /// SqueezeNet 1.1 (Iandola et al., 2016, and the authors' later release), with the first convolution padded
    /// by one, as in TVM's workloads: 112 positions instead of torchvision's 111, and the same extents from the
    /// first pooling on.
    static Network squeezeNet(long batch) {
        var n = new Layers("squeezenet_v1.1", batch, 224);
        String x = n.relu("relu1", n.conv("conv1", n.input(), 64, Window.square(3, 2, 1), 1, true));
        x = n.maxPool("pool1", x, 3, 2, 0, false);
        x = fire(n, "fire3", fire(n, "fire2", x, 16, 64), 16, 64);
        x = n.maxPool("pool3", x, 3, 2, 0, false);
        x = fire(n, "fire5", fire(n, "fire4", x, 32, 128), 32, 128);
        x = n.maxPool("pool5", x, 3, 2, 0, false);
        x = fire(n, "fire7", fire(n, "fire6", x, 48, 192), 48, 192);
        x = fire(n, "fire9", fire(n, "fire8", x, 64, 256), 64, 256);
        x = n.relu("relu10", n.conv("conv10", n.dropout("drop9", x, 0.5), 1000, Window.square(1, 1, 0), 1, true));
        return n.network(n.flatten("flatten", n.globalAverage("pool10", x)));
    }

    private static String fire(Layers n, String name, String x, long squeeze, long expand) {
        String s =
                n.relu(name + ".squeeze.relu", n.conv(name + ".squeeze", x, squeeze, Window.square(1, 1, 0), 1, true));
        String one = n.relu(
                name + ".expand1x1.relu", n.conv(name + ".expand1x1", s, expand, Window.square(1, 1, 0), 1, true));
        String three = n.relu(
                name + ".expand3x3.relu", n.conv(name + ".expand3x3", s, expand, Window.square(3, 1, 1), 1, true));
        return n.concat(name + ".concat", one, three);
    }
}
