package knobscape.network.zoo;

import knobscape.network.Network;
import knobscape.network.Window;

/// Inception-v3 on 299 x 299 images, 94 convolutions (Szegedy et al., "Rethinking the Inception Architecture",
/// 2015; channel counts as published with the trained model, without the auxiliary classifier, which is not
/// used when the network runs).
final class InceptionV3 {
    private final Layers n;

    private InceptionV3(long batch) {
        n = new Layers("inception_v3", batch, 299);
    }

    static Network network(long batch) {
        return new InceptionV3(batch).build();
    }

    private Network build() {
        String x = conv("stem.1", n.input(), 32, Window.square(3, 2, 0));
        x = conv("stem.2", x, 32, Window.square(3, 1, 0));
        x = n.maxPool("stem.pool1", conv("stem.3", x, 64, Window.square(3, 1, 1)), 3, 2, 0, false);
        x = conv("stem.4", x, 80, Window.square(1, 1, 0));
        x = n.maxPool("stem.pool2", conv("stem.5", x, 192, Window.square(3, 1, 0)), 3, 2, 0, false);
        x = grid35("mixed1", x, 32);
        x = grid35("mixed2", x, 64);
        x = grid35("mixed3", x, 64);
        x = reduce35("mixed4", x);
        x = grid17("mixed5", x, 128);
        x = grid17("mixed6", x, 160);
        x = grid17("mixed7", x, 160);
        x = grid17("mixed8", x, 192);
        x = reduce17("mixed9", x);
        x = grid8("mixed10", x);
        x = grid8("mixed11", x);
        x = n.dropout("dropout", n.globalAverage("pool", x), 0.5);
        return n.network(n.dense("fc", n.flatten("flatten", x), 1000));
    }

    private String conv(String name, String x, long out, Window window) {
        return n.relu(name + ".relu", n.batchNorm(name + ".bn", n.conv(name, x, out, window, 1, false), 1e-3));
    }

    private String one(String name, String x, long out) {
        return conv(name, x, out, Window.square(1, 1, 0));
    }

    /// Figure 5 of the paper, with one 5 x 5.
    private String grid35(String name, String x, long pooled) {
        String a = one(name + ".a", x, 64);
        String b = conv(name + ".b2", one(name + ".b1", x, 48), 64, Window.square(5, 1, 2));
        String c = conv(name + ".c2", one(name + ".c1", x, 64), 96, Window.square(3, 1, 1));
        c = conv(name + ".c3", c, 96, Window.square(3, 1, 1));
        String d = one(name + ".d", n.averagePool3(name + ".pool", x), pooled);
        return n.concat(name + ".concat", a, b, c, d);
    }

    private String reduce35(String name, String x) {
        String a = conv(name + ".a", x, 384, Window.square(3, 2, 0));
        String b = conv(name + ".b2", one(name + ".b1", x, 64), 96, Window.square(3, 1, 1));
        b = conv(name + ".b3", b, 96, Window.square(3, 2, 0));
        return n.concat(name + ".concat", a, b, n.maxPool(name + ".pool", x, 3, 2, 0, false));
    }

    /// Figure 6 of the paper with n = 7.
    private String grid17(String name, String x, long width) {
        Window row = Window.of(1, 7, 1, 0, 3);
        Window column = Window.of(7, 1, 1, 3, 0);
        String a = one(name + ".a", x, 192);
        String b = conv(name + ".b2", one(name + ".b1", x, width), width, row);
        b = conv(name + ".b3", b, 192, column);
        String c = conv(name + ".c2", one(name + ".c1", x, width), width, column);
        c = conv(name + ".c3", c, width, row);
        c = conv(name + ".c4", c, width, column);
        c = conv(name + ".c5", c, 192, row);
        String d = one(name + ".d", n.averagePool3(name + ".pool", x), 192);
        return n.concat(name + ".concat", a, b, c, d);
    }

    private String reduce17(String name, String x) {
        String a = conv(name + ".a2", one(name + ".a1", x, 192), 320, Window.square(3, 2, 0));
        String b = conv(name + ".b2", one(name + ".b1", x, 192), 192, Window.of(1, 7, 1, 0, 3));
        b = conv(name + ".b3", b, 192, Window.of(7, 1, 1, 3, 0));
        b = conv(name + ".b4", b, 192, Window.square(3, 2, 0));
        return n.concat(name + ".concat", a, b, n.maxPool(name + ".pool", x, 3, 2, 0, false));
    }

    /// Figure 7 of the paper.
    private String grid8(String name, String x) {
        Window row = Window.of(1, 3, 1, 0, 1);
        Window column = Window.of(3, 1, 1, 1, 0);
        String a = one(name + ".a", x, 320);
        String b1 = one(name + ".b1", x, 384);
        String b =
                n.concat(name + ".b.concat", conv(name + ".b2a", b1, 384, row), conv(name + ".b2b", b1, 384, column));
        String c2 = conv(name + ".c2", one(name + ".c1", x, 448), 384, Window.square(3, 1, 1));
        String c =
                n.concat(name + ".c.concat", conv(name + ".c3a", c2, 384, row), conv(name + ".c3b", c2, 384, column));
        String d = one(name + ".d", n.averagePool3(name + ".pool", x), 192);
        return n.concat(name + ".concat", a, b, c, d);
    }
}
