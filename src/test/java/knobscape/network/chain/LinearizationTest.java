package knobscape.network.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.network.Arithmetic;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Gathering;
import knobscape.network.Operator.Unary;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.chain.ChainEdge.Role;
import knobscape.network.table.LayerTableText;
import knobscape.network.zoo.Zoo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LinearizationTest {
    /// Check sums of the layer tables of five networks (projections included in multiply-accumulates and
    /// weights).
    @ParameterizedTest
    @CsvSource({
        "vgg16, 16, 0, 0, 15470264320, 138344128, 9115136, 13556712, 8965608",
        "resnet18, 18, 8, 3, 1814073344, 11678912, 1831936, 2309096, 1682408",
        "resnet50, 50, 16, 4, 4089184256, 25502912, 9058816, 9609704, 8909288",
        "mobilenet_v2, 53, 10, 0, 300774272, 3469760, 6767200, 6679112, 6617672",
        "mnasnet, 53, 10, 0, 314415872, 4344392, 5545728, 5457640, 5396200"
    })
    void chainsHaveThePublishedSums(
            String name,
            int layers,
            int skips,
            int projections,
            long macs,
            long weights,
            long input,
            long output,
            long reduced) {
        for (long batch : new long[] {1, 3}) {
            LayerChain c = Linearization.of(Zoo.named(name).network(batch));

            assertThat(LayerTableText.isChain(c)).isTrue();
            assertThat(c.size()).isEqualTo(layers);
            assertThat(c.edges().stream().filter(e -> e.role() == Role.SKIP)).hasSize(skips);
            assertThat(c.edges().stream().filter(e -> e.projectionWeights() > 0))
                    .hasSize(projections);
            assertThat(macs(c)).isEqualTo(macs);
            assertThat(c.layers().stream().mapToLong(l -> c.weights(l.index())).sum())
                    .isEqualTo(weights);
            assertThat(c.layers().stream().mapToLong(ChainLayer::input).sum()).isEqualTo(input);
            assertThat(c.layers().stream().mapToLong(ChainLayer::output).sum()).isEqualTo(output);
            assertThat(c.layers().stream().mapToLong(ChainLayer::reduced).sum()).isEqualTo(reduced);
            assertThat(c.input()).isEqualTo(3 * 224 * 224);
        }
    }

    @ParameterizedTest
    @EnumSource
    void workAndWeightsAreThoseOfTheNetwork(Zoo zoo) {
        Network n = zoo.network(1);
        LayerChain c = Linearization.of(n);

        assertThat(macs(c)).isEqualTo(Arithmetic.macs(n));
        // Every layer's input is what its edges bring.
        for (ChainLayer l : c.layers()) {
            assertThat(c.inputs(l.index())).as(l.name()).isNotEmpty();
            assertThat(l.macs())
                    .as(l.name())
                    .isEqualTo(l.extents().outChannels()
                            * l.extents().outHeight()
                            * l.extents().outWidth()
                            * l.extents().kernelHeight()
                            * l.extents().kernelWidth()
                            * l.extents().inChannels()
                            / l.extents().groups());
        }
    }

    @Test
    void resNetSkipsGoWhereThePaperHasThem() {
        LayerChain c = Linearization.of(Zoo.RESNET18.network(1));

        assertThat(c.layer(1).pooled().poolings()).containsExactly(new Pooling("max", false, 3, 2));
        assertThat(c.layer(17).pooled().poolings()).containsExactly(new Pooling("avg", true, 0, 0));
        assertThat(c.skips(3)).containsExactly(new ChainEdge(1, 3, Role.SKIP, 64 * 56 * 56, 0, 0));
        assertThat(c.skips(7))
                .containsExactly(new ChainEdge(5, 7, Role.SKIP, 64 * 56 * 56, 64 * 128, 64 * 128 * 28 * 28));
        assertThat(c.layer(7).name()).isEqualTo("layer2.0.conv2");
        assertThat(c.edges().stream().filter(e -> e.from() == 5)).hasSize(2);
    }

    @Test
    void inceptionBranchesAreEdges() {
        LayerChain c = Linearization.of(Zoo.INCEPTION_V3.network(1));

        assertThat(LayerTableText.isChain(c)).isFalse();
        assertThat(c.size()).isEqualTo(95);
        int first = c.layers().stream()
                .filter(l -> l.name().equals("mixed2.a"))
                .findFirst()
                .orElseThrow()
                .index();
        // The four branches of the module before: 64, 64, 96 and 32 channels.
        assertThat(c.inputs(first))
                .extracting(ChainEdge::elements)
                .containsExactlyInAnyOrder(64L * 35 * 35, 64L * 35 * 35, 96L * 35 * 35, 32L * 35 * 35);
        assertThat(c.layer(first).input()).isEqualTo(256L * 35 * 35);
        // Behind the pooling of the branch the data of all four is read.
        int pooled = c.layers().stream()
                .filter(l -> l.name().equals("mixed2.d"))
                .findFirst()
                .orElseThrow()
                .index();
        assertThat(c.inputs(pooled))
                .extracting(ChainEdge::from)
                .isEqualTo(c.inputs(first).stream().map(ChainEdge::from).toList());
        assertThat(c.edges().stream().filter(e -> e.role() == Role.SKIP)).isEmpty();
    }

    private static NetworkBuilder images() {
        var b = new NetworkBuilder("n", ElementType.FLOAT32);
        b.input("x", Shape.of(2, 8, 16, 16));
        return b;
    }

    private static String conv(NetworkBuilder b, String name, String x, int out, int kernel, int stride) {
        return b.add(
                name,
                new Operator.Conv(Window.square(kernel, stride, kernel / 2), 1),
                x,
                b.weight(name + ".w", out, b.shape(x).dim(1), kernel, kernel));
    }

    @Test
    void aBlockThatAddsItsOwnInputHasBothEdges() {
        NetworkBuilder b = images();
        String y = conv(b, "c1", "x", 8, 3, 1);
        LayerChain c = Linearization.of(b.output(b.add("add", new Elementwise(Elementwise.Function.ADD), y, "x"))
                .build());

        assertThat(c.edges())
                .containsExactly(
                        new ChainEdge(0, 1, Role.INPUT, 8 * 256, 0, 0), new ChainEdge(0, 1, Role.SKIP, 8 * 256, 0, 0));
    }

    @Test
    void uNetSkipsAreInputsFromFurtherBack() {
        NetworkBuilder b = images();
        String down1 = conv(b, "down1", "x", 8, 3, 1);
        String pooled = b.add("pool", new Operator.Pool(Gathering.MAX, Window.square(2, 2, 0), false, false), down1);
        String down2 = conv(b, "down2", pooled, 16, 3, 1);
        String up = b.add(
                "up",
                new Operator.TransposedConv(Window.square(2, 2, 0), 1, List.of(0, 0)),
                down2,
                b.weight("up.w", 16, 8, 2, 2));
        String both = b.add("both", new Operator.Concat(1), down1, up);
        LayerChain c = Linearization.of(b.output(conv(b, "last", both, 4, 3, 1)).build());

        assertThat(c.layers())
                .extracting(l -> l.extents().type())
                .containsExactly(
                        ChainLayer.Type.CONV, ChainLayer.Type.CONV, ChainLayer.Type.TCONV, ChainLayer.Type.CONV);
        // The pooling is one of two readers, so it stays on the edge and the data crosses unpooled.
        assertThat(c.layer(1).pooled().poolings()).isEmpty();
        assertThat(c.edges())
                .containsExactly(
                        new ChainEdge(0, 1, Role.INPUT, 2048, 0, 0),
                        new ChainEdge(1, 2, Role.INPUT, 2048, 0, 0),
                        new ChainEdge(2, 3, Role.INPUT, 16 * 64, 0, 0),
                        new ChainEdge(1, 4, Role.INPUT, 2048, 0, 0),
                        new ChainEdge(3, 4, Role.INPUT, 2048, 0, 0));
        assertThat(c.layer(3).macs()).isEqualTo(16 * 64 * 8 * 4);
    }

    @Test
    void squeezeAndExciteGatesAreSkipsOrInputs() {
        NetworkBuilder b = images();
        String y = conv(b, "c1", "x", 8, 3, 1);
        String s = b.add("squeeze", new Operator.GlobalPool(Gathering.AVERAGE), y);
        s = b.add("relu", new Unary(Unary.Function.RELU), conv(b, "fc1", s, 2, 1, 1));
        s = b.add("gate", new Unary(Unary.Function.SIGMOID), conv(b, "fc2", s, 8, 1, 1));
        String scaled = b.add("scale", new Elementwise(Elementwise.Function.MUL), y, s);
        LayerChain c = Linearization.of(b.output(conv(b, "c2", scaled, 8, 1, 1)).build());

        assertThat(c.size()).isEqualTo(4);
        assertThat(c.inputs(4))
                .containsExactly(new ChainEdge(1, 4, Role.INPUT, 2048, 0, 0), new ChainEdge(3, 4, Role.INPUT, 8, 0, 0));
    }

    @Test
    void slicesBringTheirShareOnly() {
        NetworkBuilder b = images();
        String y = conv(b, "c1", "x", 8, 3, 1);
        List<String> parts = b.add("split", new Operator.Split(1, List.of(2L, 6L)), List.of("p", "q"), List.of(y));
        String a = conv(b, "c2", parts.getFirst(), 4, 3, 1);
        LayerChain c = Linearization.of(b.output(b.add("cat", new Operator.Concat(1), a, parts.getLast()))
                .build());

        assertThat(c.inputs(2)).containsExactly(new ChainEdge(1, 2, Role.INPUT, 512, 0, 0));
    }

    @Test
    void layersBetweenPoolingsAndNormalisationKeepOneLink() {
        NetworkBuilder b = images();
        String y = b.add(
                "lrn",
                new Operator.LocalResponseNorm(5, 1e-4, 0.75, 1),
                b.add("relu", new Unary(Unary.Function.RELU), conv(b, "c1", "x", 8, 3, 1)));
        y = b.add("pool", new Operator.Pool(Gathering.AVERAGE, Window.square(2, 2, 0), false, false), y);
        LayerChain c = Linearization.of(b.output(conv(b, "c2", y, 8, 3, 1)).build());

        assertThat(c.layer(1).pooled().poolings()).extracting(Pooling::label).containsExactly("avg2_s2");
        assertThat(c.layer(1).reduced()).isEqualTo(8 * 64);
        assertThat(LayerTableText.isChain(c)).isTrue();
        assertThat(c.inputs(2).getFirst().elements()).isEqualTo(8 * 64);
    }

    @Test
    void attentionIsLaidOut() {
        var b = new NetworkBuilder("attention", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(2, 128, 64));
        String q = b.add("q", new Operator.MatMul(), x, b.weight("wq", 64, 32));
        String k = b.add(
                "kt",
                new Operator.Transpose(List.of(0, 2, 1)),
                b.add("k", new Operator.MatMul(), x, b.weight("wk", 64, 32)));
        LayerChain c = Linearization.of(
                b.output(b.add("scores", new Operator.MatMul(), q, k)).build());

        assertThat(c.layers())
                .extracting(l -> l.extents().type(), ChainLayer::macs, ChainLayer::weights)
                .containsExactly(
                        tuple(ChainLayer.Type.FC, 128L * 64 * 32, 64L * 32),
                        tuple(ChainLayer.Type.FC, 128L * 64 * 32, 64L * 32),
                        tuple(ChainLayer.Type.MATMUL, 128L * 128 * 32, 0L));
        assertThat(c.inputs(3)).extracting(ChainEdge::from).containsExactly(1, 2);
        assertThat(c.layer(3).input()).isEqualTo(2 * 128 * 32);
    }

    @Test
    void nothingToFuseIsSaid() {
        NetworkBuilder b = images();
        Network n = b.output(b.add("relu", new Unary(Unary.Function.RELU), "x")).build();

        assertThatThrownBy(() -> Linearization.of(n))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'n'")
                .hasMessageContaining("no layer");
    }

    private static long macs(LayerChain chain) {
        return chain.layers().stream().mapToLong(l -> chain.macs(l.index())).sum();
    }
}
