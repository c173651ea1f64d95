package knobscape.network.subgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Gathering;
import knobscape.network.Operator.Unary;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.onnx.NetworkSamples;
import knobscape.network.subgraph.Subgraph.Kind;
import knobscape.network.zoo.Zoo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class OperatorFusionTest {
    private static final Tail RELU = new Tail.Activation(new Unary(Unary.Function.RELU));

    private final NetworkBuilder b = new NetworkBuilder("n", ElementType.FLOAT32);
    private final String x = b.input("x", Shape.of(1, 8, 16, 16));

    private String conv(String name, String in) {
        return b.add(
                name,
                new Operator.Conv(Window.square(3, 1, 1), 1),
                in,
                b.weight(name + ".w", 8, b.shape(in).dim(1), 3, 3));
    }

    private String norm(String name, String in) {
        long c = b.shape(in).dim(1);
        return b.add(
                name,
                new Operator.BatchNorm(1e-5),
                in,
                b.weight(name + ".s", c),
                b.weight(name + ".b", c),
                b.weight(name + ".m", c),
                b.weight(name + ".v", c));
    }

    private String unary(String name, Unary.Function f, String in) {
        return b.add(name, new Unary(f), in);
    }

    private String both(String name, Elementwise.Function f, String p, String q) {
        return b.add(name, new Elementwise(f), p, q);
    }

    private List<Subgraph> fused(String... outputs) {
        return checked(b.output(outputs).build());
    }

    /// What holds for every network: each node once, and groups in an order of execution that see each other by
    /// their outputs only.
    private static List<Subgraph> checked(Network n) {
        List<Subgraph> groups = OperatorFusion.subgraphs(n);
        var seen = new HashSet<Node>();
        var ready = new HashSet<>(n.inputs());
        for (Subgraph s : groups) {
            assertThat(s.index()).isEqualTo(groups.indexOf(s));
            assertThat(s.nodes()).allMatch(seen::add).contains(s.anchor());
            assertThat(ready).as("inputs of " + s.name()).containsAll(s.inputs());
            ready.addAll(s.outputs());
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(n.nodes());
        assertThat(ready).containsAll(n.outputs());
        return groups;
    }

    @Test
    void biasNormalisationActivationAndResidualJoinTheConvolution() {
        String skip = unary("r0", Unary.Function.RELU, norm("bn0", conv("c0", x)));
        String y = both(
                "add",
                Elementwise.Function.ADD,
                norm("bn2", conv("c2", unary("r1", Unary.Function.RELU, norm("bn1", conv("c1", skip))))),
                skip);
        List<Subgraph> s = fused(unary("r2", Unary.Function.RELU, y));

        assertThat(s).extracting(Subgraph::name).containsExactly("c0", "c1", "c2");
        assertThat(s.getFirst().tail()).containsExactly(new Tail.Bias(), RELU);
        assertThat(s.getLast().tail()).containsExactly(new Tail.Bias(), new Tail.Residual("r0"), RELU);
        assertThat(s.getLast().inputs()).containsExactly("r1", "r0");
        assertThat(s.getLast().weights()).containsExactly("c2.w", "bn2.s", "bn2.b", "bn2.m", "bn2.v");
        assertThat(s.getLast().outputs()).containsExactly("r2");
    }

    @Test
    void theAdditionJoinsTheMainPathWhateverTheOrderOfNodes() {
        // The projection stands behind the main path, as PyTorch exports it.
        String main = conv("c2", unary("r1", Unary.Function.RELU, conv("c1", x)));
        String projection = conv("p", x);
        List<Subgraph> s = fused(both("add", Elementwise.Function.ADD, projection, main));

        assertThat(s).extracting(Subgraph::name).containsExactly("c1", "p", "c2");
        assertThat(s.getLast().tail()).containsExactly(new Tail.Residual("p"));
    }

    @Test
    void sharedTensorsEndAGroup() {
        String y = conv("c", x);
        List<Subgraph> s = fused(unary("a", Unary.Function.RELU, y), conv("d", y));

        assertThat(s).extracting(Subgraph::name).containsExactly("c", "a", "d");
        assertThat(s.get(1).kind()).isEqualTo(Kind.ELEMENTWISE);
    }

    @Test
    void resultsOfTheNetworkEndAGroup() {
        String y = conv("c", x);
        List<Subgraph> s = fused(y, unary("a", Unary.Function.RELU, y));

        assertThat(s).extracting(Subgraph::name).containsExactly("c", "a");
    }

    @Test
    void namedFormulasBecomeActivations() {
        String y = conv("c", x);
        y = both("silu", Elementwise.Function.MUL, y, unary("sig", Unary.Function.SIGMOID, y));
        y = conv("d", y);
        y = both(
                "swish",
                Elementwise.Function.MUL,
                b.add("hs", new Unary(Unary.Function.HARD_SIGMOID, 0.1666666716337204, 0.5), y),
                y);
        List<Subgraph> s = fused(y);

        assertThat(s).hasSize(2);
        assertThat(s.getFirst().tail()).containsExactly(new Tail.Activation(new Unary(Unary.Function.SWISH, 1, 0)));
        assertThat(s.getLast().tail()).containsExactly(new Tail.Activation(new Unary(Unary.Function.HARD_SWISH)));
    }

    @Test
    void otherFormulasStayTogether() {
        // GELU as exported: y * (erf(y / sqrt 2) + 1) * 0.5
        String y = conv("c", x);
        String e = unary("erf", Unary.Function.ERF, both("div", Elementwise.Function.DIV, y, b.weight("root2")));
        String g = both("mul", Elementwise.Function.MUL, y, both("plus", Elementwise.Function.ADD, e, b.weight("one")));
        List<Subgraph> s =
                fused(unary("r", Unary.Function.RELU, both("half", Elementwise.Function.MUL, g, b.weight("half.w"))));

        assertThat(s).hasSize(1);
        assertThat(s.getFirst().tail()).hasSize(3);
        assertThat(s.getFirst().tail().getFirst())
                .isInstanceOfSatisfying(
                        Tail.Formula.class,
                        f -> assertThat(f.nodes()).extracting(Node::name).containsExactly("div", "erf", "plus", "mul"));
        assertThat(s.getFirst().tail().get(1)).isEqualTo(new Tail.Combine(Elementwise.Function.MUL, "half.w", true));
    }

    @Test
    void normalisationBehindAnActivationKeepsItsScale() {
        List<Subgraph> s = fused(norm("bn", unary("r", Unary.Function.RELU, conv("c", x))));

        assertThat(s.getFirst().tail()).containsExactly(RELU, new Tail.Affine());
    }

    @Test
    void broadcastGatesDoNotJoinWhatMakesThem() {
        String y = conv("c", x);
        String gate = unary(
                "sig", Unary.Function.SIGMOID, conv("g", b.add("pool", new Operator.GlobalPool(Gathering.AVERAGE), y)));
        List<Subgraph> s = fused(both("scale", Elementwise.Function.MUL, y, gate));

        assertThat(s).extracting(Subgraph::kind).containsExactly(Kind.CONV, Kind.POOL, Kind.CONV, Kind.ELEMENTWISE);
    }

    @Test
    void aBiasOfItsOwnNodeIsABias() {
        String d = b.add("m", new Operator.MatMul(), b.input("t", Shape.of(2, 5, 6)), b.weight("w", 6, 4));
        List<Subgraph> s = fused(
                unary("r", Unary.Function.RELU, both("bias", Elementwise.Function.ADD, b.weight("bw", 4), d)),
                both("c.bias", Elementwise.Function.ADD, conv("c", x), b.weight("cb", 8, 1, 1)),
                both("c2.add", Elementwise.Function.ADD, conv("c2", x), b.weight("row", 16)));

        assertThat(s.get(0).tail()).containsExactly(new Tail.Bias(), RELU);
        assertThat(s.get(1).tail()).containsExactly(new Tail.Bias());
        assertThat(s.get(2).tail()).containsExactly(new Tail.Combine(Elementwise.Function.ADD, "row", true));
    }

    @Test
    void differencesKnowTheirSides() {
        List<Subgraph> s = fused(both("s", Elementwise.Function.SUB, x, conv("c", x)));

        assertThat(s.getFirst().tail()).containsExactly(new Tail.Combine(Elementwise.Function.SUB, "x", false));
    }

    @Test
    void marginsOfZerosJoinTheConvolutionBehindThem() {
        String zero =
                b.add("zero", new Operator.Pad(List.of(0L, 0L, 1L, 2L), List.of(0L, 0L, 3L, 4L), "constant", 0), x);
        String one = b.add("one", new Operator.Pad(List.of(0L, 0L, 1L, 1L), List.of(0L, 0L, 1L, 1L), "constant", 1), x);
        String mirror =
                b.add("mirror", new Operator.Pad(List.of(0L, 0L, 1L, 1L), List.of(0L, 0L, 1L, 1L), "reflect", 0), x);
        List<Subgraph> s = fused(conv("c", zero), conv("d", one), conv("e", mirror));

        assertThat(s).extracting(Subgraph::name).containsExactly("one", "mirror", "c", "d", "e");
        assertThat(s.get(2).window())
                .contains(new Window(List.of(3, 3), List.of(1, 1), List.of(2, 3), List.of(4, 5), List.of(1, 1)));
        assertThat(s.get(2).inputs()).containsExactly("x");
    }

    @Test
    void viewsJoinWhateverMakesTheirInput() {
        String p = b.add("pool", new Operator.GlobalPool(Gathering.AVERAGE), conv("c", x));
        String f = b.add("drop", new Operator.Dropout(0.5), b.add("flat", new Operator.Flatten(1), p));
        List<Subgraph> s = fused(
                b.add("fc", new Operator.Gemm(false, false, 1, 1), f, b.weight("fw", 8, 3)),
                b.add("view", new Operator.Identity(), x));

        assertThat(s).extracting(Subgraph::kind).containsExactly(Kind.CONV, Kind.POOL, Kind.DENSE, Kind.VIEW);
        assertThat(s.get(1).nodes()).extracting(Node::name).containsExactly("pool", "flat", "drop");
    }

    @Test
    void piecesOfASplitAreSeenByAll() {
        List<String> parts = b.add("split", new Operator.Split(1, List.of(3L, 5L)), List.of("p", "q"), List.of(x));
        List<Subgraph> s = fused(b.add("id", new Operator.Identity(), parts.getFirst()), conv("c", parts.getLast()));

        assertThat(s.getFirst().outputs()).containsExactly("p", "q");
    }

    @ParameterizedTest
    @EnumSource
    void everyNodeOfABuiltInNetworkIsInOneGroup(Zoo zoo) {
        List<Subgraph> s = checked(zoo.network(1));

        // After fusion nothing elementwise is left over: all of it hangs on a convolution or matrix product.
        assertThat(s).extracting(Subgraph::kind).doesNotContain(Kind.ELEMENTWISE, Kind.VIEW, Kind.OPAQUE);
    }

    @Test
    void everyOperatorFindsAGroup() {
        checked(NetworkSamples.operators());
    }

    static IntStream seeds() {
        return IntStream.range(0, 60);
    }

    /// Random graphs of convolutions, functions, additions, products, poolings and views.
    @ParameterizedTest
    @MethodSource("seeds")
    void groupsOfRandomGraphsCanRunOneAfterTheOther(int seed) {
        var random = new SplittableRandom(seed);
        var made = new ArrayList<>(List.of(x));
        for (int i = 0; i < 25; i++) {
            String p = made.get(Math.max(0, made.size() - 1 - random.nextInt(4)));
            String q = made.get(random.nextInt(made.size()));
            made.add(
                    switch (random.nextInt(8)) {
                        case 0, 1 -> conv("c" + i, p);
                        case 2 -> norm("n" + i, p);
                        case 3 -> unary("u" + i, Unary.Function.RELU, p);
                        case 4 -> both("a" + i, Elementwise.Function.ADD, p, q);
                        case 5 -> both("m" + i, Elementwise.Function.MUL, q, p);
                        case 6 ->
                            b.add("p" + i, new Operator.Pool(Gathering.MAX, Window.square(3, 1, 1), false, false), p);
                        default -> b.add("v" + i, new Operator.Identity(), p);
                    });
        }
        checked(b.output(made.getLast(), made.get(made.size() - 1 - random.nextInt(10)))
                .build());
    }
}
