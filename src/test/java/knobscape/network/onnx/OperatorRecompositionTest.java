package knobscape.network.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import knobscape.network.ImportOptions;
import knobscape.network.ImportedNetwork;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Operator.Unary;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.subgraph.Tail;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Activations and layer normalisations as PyTorch and others write them, behind a product `y = x w` of shape 4 x 6.
class OperatorRecompositionTest {
    @TempDir
    Path folder;

    private final OnnxMl.GraphProto.Builder graph =
            OnnxMl.GraphProto.newBuilder().setName("g");

    /// Lines `output = Operator input input ...`; an input that is a number is a constant of one element. The first
    /// line reads y, the last one makes the result.
    private ImportedNetwork read(int type, String... lines) throws Exception {
        graph.addInput(OnnxMl.ValueInfoProto.newBuilder()
                .setName("x")
                .setType(OnnxMl.TypeProto.newBuilder()
                        .setTensorType(OnnxMl.TypeProto.Tensor.newBuilder()
                                .setElemType(type)
                                .setShape(OnnxMl.TensorShapeProto.newBuilder()
                                        .addDim(OnnxMl.TensorShapeProto.Dimension.newBuilder()
                                                .setDimValue(4))
                                        .addDim(OnnxMl.TensorShapeProto.Dimension.newBuilder()
                                                .setDimValue(5))))));
        weight(type, "w", new double[30], 5, 6);
        weight(type, "scale", new double[6], 6);
        weight(type, "shift", new double[6], 6);
        numbers("last", -1);
        numbers("rows", 4, 1);
        node("y = MatMul x w");
        for (String line : lines) {
            for (String word : line.substring(line.indexOf('=') + 2).split(" ")) {
                if (word.matches("-?[0-9][-0-9.e]*")
                        && graph.getInitializerList().stream()
                                .noneMatch(t -> t.getName().equals(word))) {
                    weight(type, word, new double[] {Double.parseDouble(word)});
                }
            }
            node(line);
        }
        graph.addOutput(OnnxMl.ValueInfoProto.newBuilder()
                .setName(graph.getNode(graph.getNodeCount() - 1).getOutput(0)));
        return OnnxImport.read(OpenNetwork.write(folder.resolve("n.onnx"), graph), ImportOptions.none());
    }

    private void weight(int type, String name, double[] values, long... dims) {
        var t = OnnxMl.TensorProto.newBuilder()
                .setName(name)
                .setDataType(type)
                .addAllDims(LongStream.of(dims).boxed().toList());
        for (double v : values) {
            if (type == OnnxMl.TensorProto.DataType.FLOAT16_VALUE) {
                t.addInt32Data(Float.floatToFloat16((float) v));
            } else {
                t.addFloatData((float) v);
            }
        }
        graph.addInitializer(t);
    }

    private void numbers(String name, long... values) {
        graph.addInitializer(OnnxMl.TensorProto.newBuilder()
                .setName(name)
                .setDataType(OnnxMl.TensorProto.DataType.INT64_VALUE)
                .addDims(values.length)
                .addAllInt64Data(LongStream.of(values).boxed().toList()));
    }

    private void node(String line) {
        String[] words = line.split(" ");
        var n = OnnxMl.NodeProto.newBuilder()
                .setName(words[0])
                .addOutput(words[0])
                .setOpType(words[2])
                .addAllInput(Arrays.asList(words).subList(3, words.length));
        if (words[2].equals("RowSum")) {
            n.setOpType("ReduceSum")
                    .addInput("last")
                    .addAttribute(OnnxMl.AttributeProto.newBuilder()
                            .setName("keepdims")
                            .setType(OnnxMl.AttributeProto.AttributeType.INT)
                            .setI(0));
        }
        if (words[2].equals("ReduceMean")) {
            n.addAttribute(OnnxMl.AttributeProto.newBuilder()
                    .setName("axes")
                    .setType(OnnxMl.AttributeProto.AttributeType.INTS)
                    .addInts(-1));
        }
        graph.addNode(n);
    }

    private static final Unary GELU = new Unary(Unary.Function.GELU);
    private static final Unary GELU_TANH = new Unary(Unary.Function.GELU_TANH);
    private static final Unary HARD_SWISH = new Unary(Unary.Function.HARD_SWISH);

    static Stream<Arguments> activations() {
        return Stream.of(
                Arguments.of(GELU, "a = Div y 1.4142135623730951; b = Erf a; c = Add b 1; d = Mul y c; e = Mul d 0.5"),
                Arguments.of(GELU, "h = Mul y 0.5; a = Mul y 0.70710678; b = Erf a; c = Add 1 b; d = Mul h c"),
                Arguments.of(GELU, "a = Div y 1.4142135623730951; b = Erf a; c = Add b 1; d = Mul c 0.5; e = Mul d y"),
                Arguments.of(
                        GELU_TANH,
                        "h = Mul y 0.5; a = Pow y 3; b = Mul a 0.044715; c = Add y b; d = Mul c 0.7978845608028654;"
                                + " e = Tanh d; f = Add e 1; g = Mul h f"),
                Arguments.of(
                        GELU_TANH,
                        "a = Mul y y; a3 = Mul y a; b = Mul a3 0.044715; c = Add y b; d = Mul c 0.7978845608028654;"
                                + " e = Tanh d; f = Add e 1; g = Mul y f; i = Mul g 0.5"),
                Arguments.of(new Unary(Unary.Function.SWISH, 1.702, 0), "a = Mul y 1.702; b = Sigmoid a; c = Mul y b"),
                Arguments.of(HARD_SWISH, "a = Add y 3; b = Clip a 0 6; c = Mul y b; d = Div c 6"),
                Arguments.of(HARD_SWISH, "a = Add y 3; b = Clip a 0 6; c = Div b 6; d = Mul y c"),
                Arguments.of(
                        new Unary(Unary.Function.HARD_SIGMOID, 1 / 6.0, 0.5),
                        "a = Add y 3; b = Clip a 0 6; c = Div b 6"),
                Arguments.of(
                        new Unary(Unary.Function.HARD_SIGMOID, 0.2, 0.5),
                        "a = Mul y 0.2; b = Add a 0.5; c = Clip b 0 1"));
    }

    private static List<Tail> tail(ImportedNetwork imported) {
        List<Subgraph> s = OperatorFusion.subgraphs(imported.network());
        assertThat(s).hasSize(1);
        return s.getFirst().tail();
    }

    @ParameterizedTest
    @MethodSource("activations")
    void anActivationIsOneNodeHoweverItIsWritten(Unary expected, String lines) throws Exception {
        ImportedNetwork imported = read(OnnxMl.TensorProto.DataType.FLOAT_VALUE, lines.split("; *"));

        assertThat(imported.network().nodes())
                .extracting(Node::operator)
                .containsExactly(new Operator.MatMul(), expected);
        assertThat(imported.network().nodes().getLast().name())
                .isEqualTo(imported.network().outputs().getFirst());
        assertThat(imported.network().tensors()).hasSize(4);
        assertThat(imported.notes())
                .containsExactly("Operators exported as several nodes, recognised as one: 1 " + expected.label() + ".");
        assertThat(tail(imported)).containsExactly(new Tail.Activation(expected));
    }

    @ParameterizedTest
    @MethodSource("activations")
    void constantsOfHalfPrecisionAreRounded(Unary expected, String lines) throws Exception {
        ImportedNetwork imported = read(OnnxMl.TensorProto.DataType.FLOAT16_VALUE, lines.split("; *"));

        assertThat(((Unary) imported.network().nodes().getLast().operator()).function())
                .isEqualTo(expected.function());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = Div y 1.4; b = Erf a; c = Add b 1; d = Mul y c; e = Mul d 0.5",
                "a = Div y 1.4142135623730951; b = Erf a; c = Add b 1; d = Mul y c; e = Mul d 0.6",
                "a = Div y 1.4142135623730951; b = Erf a; c = Sub b 1; d = Mul y c; e = Mul d 0.5",
                "h = Mul y 0.5; a = Pow y 2; b = Mul a 0.044715; c = Add y b; d = Mul c 0.79788456; e = Tanh d;"
                        + " f = Add e 1; g = Mul h f",
                "a = Add y 3; b = Clip a 0 5; c = Mul y b; d = Div c 6",
                "a = Add y 3; b = Clip a 0 6; c = Mul y b; d = Min c 65504; e = Div d 6",
                "a = Add y 3; b = Clip a 0 6; c = Div b scale; d = Mul y c"
            })
    void otherFormulasAreLeftAsTheyAre(String lines) throws Exception {
        ImportedNetwork imported = read(OnnxMl.TensorProto.DataType.FLOAT_VALUE, lines.split("; *"));

        assertThat(imported.notes()).isEmpty();
        assertThat(imported.network().nodes()).hasSize(1 + lines.split(";").length);
    }

    static Stream<Arguments> numbers() {
        return Stream.of(
                Arguments.of("Mul y 0.125", 0.125, 0),
                Arguments.of("Mul 0.125 y", 0.125, 0),
                Arguments.of("Div y 8", 0.125, 0),
                Arguments.of("Add 3 y", 1, 3),
                Arguments.of("Sub y 3", 1, -3),
                Arguments.of("Sub 3 y", -1, 3));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void aProductOrSumWithANumberIsAFunctionOfTheOther(String line, double alpha, double beta) throws Exception {
        ImportedNetwork imported = read(OnnxMl.TensorProto.DataType.FLOAT_VALUE, "a = " + line);

        assertThat(imported.network().nodes().getLast())
                .isEqualTo(new Node("a", new Unary(Unary.Function.LINEAR, alpha, beta), List.of("y"), List.of("a")));
        assertThat(imported.network().tensors()).hasSize(4);
        assertThat(imported.notes()).isEmpty();
        assertThat(tail(imported)).containsExactly(new Tail.Activation(new Unary(Unary.Function.LINEAR, alpha, beta)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Div 8 y", "Div y 0", "Pow y 2", "Mul y scale", "Mul y y"})
    void otherOperandsAreLeftAsTheyAre(String line) throws Exception {
        ImportedNetwork imported = read(OnnxMl.TensorProto.DataType.FLOAT_VALUE, "a = " + line);

        assertThat(imported.network().nodes().getLast().operator()).isInstanceOf(Operator.Elementwise.class);
    }

    @Test
    void whatOthersReadInsideKeepsAFormulaApart() throws Exception {
        ImportedNetwork imported = read(
                OnnxMl.TensorProto.DataType.FLOAT_VALUE,
                "a = Div y 1.4142135623730951",
                "b = Erf a",
                "c = Add b 1",
                "d = Mul y c",
                "e = Mul d 0.5",
                "f = Add e b");

        assertThat(imported.network().nodes())
                .extracting(n -> n.operator().label())
                .doesNotContain("Gelu");
    }

    @ParameterizedTest
    @ValueSource(strings = {"p = Pow d 2", "p = Mul d d"})
    void aLayerNormalisationIsOneNode(String square) throws Exception {
        ImportedNetwork imported = read(
                OnnxMl.TensorProto.DataType.FLOAT_VALUE,
                "m = ReduceMean y",
                "d = Sub y m",
                square,
                "v = ReduceMean p",
                "e = Add v 1e-5",
                "s = Sqrt e",
                "q = Div d s",
                "t = Mul q scale",
                "u = Add t shift");

        assertThat(imported.network().nodes())
                .containsExactly(
                        new Node("y", new Operator.MatMul(), List.of("x", "w"), List.of("y")),
                        new Node("u", new Operator.LayerNorm(1, 1e-5), List.of("y", "scale", "shift"), List.of("u")));
    }

    /// Keras and Flax multiply by the reciprocal root, often times the scale before, and Flax takes the variance from
    /// the mean of squares; older exporters subtract the mean twice.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "m = ReduceMean y; d = Sub y m; p = Mul d d; v = ReduceMean p; e = Add v 1e-6; s = Sqrt e;"
                        + " r = Reciprocal s; i = Mul r scale; a = Mul y i; b = Mul m i; k = Sub shift b; u = Add a k",
                "q = Mul y y; m2 = ReduceMean q; m = ReduceMean y; mm = Mul m m; v0 = Sub m2 mm; v = Max 0 v0;"
                        + " d = Sub y m; e = Add v 1e-6; s = Sqrt e; r = Reciprocal s; i = Mul r scale; t = Mul d i;"
                        + " u = Add t shift",
                "m = ReduceMean y; d = Sub y m; p = Mul d d; v = ReduceMean p; e = Add v 1e-6; s = Sqrt e;"
                        + " r = Reciprocal s; n = Mul d r; t = Mul n scale; u = Add shift t",
                "m = ReduceMean y; d = Sub y m; p = Pow d 2; v = ReduceMean p; e = Add 1e-6 v; r = Pow e -0.5;"
                        + " n = Mul d r; t = Mul scale n; u = Add t shift",
                "m = ReduceMean y; d = Sub y m; d2 = Sub y m; p = Pow d2 2; v = ReduceMean p; e = Add v 1e-6;"
                        + " s = Sqrt e; n = Div d s; t = Mul n scale; u = Add t shift",
                "m0 = RowSum y; m1 = Mul m0 0.16666667; mm = Mul m1 m1; m2 = Reshape m1 rows; m = Expand m2 rows;"
                        + " d = Sub y m; q = Mul y y; q1 = RowSum q; q2 = Mul q1 0.16666667; v0 = Sub q2 mm;"
                        + " v = Max 0 v0; v1 = Reshape v rows; v2 = Expand v1 rows; e = Add v2 1e-6; s = Sqrt e;"
                        + " r = Reciprocal s; i = Mul r scale; t = Mul d i; u = Add t shift"
            })
    void aLayerNormalisationIsKnownByItsValues(String lines) throws Exception {
        ImportedNetwork imported =
                read(OnnxMl.TensorProto.DataType.FLOAT_VALUE, (lines + "; z = Add u y; g = Relu z").split("; *"));

        assertThat(imported.network().nodes())
                .hasSize(4)
                .contains(new Node("u", new Operator.LayerNorm(1, 1e-6), List.of("y", "scale", "shift"), List.of("u")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // What is added stands outside of the root, another count, a root of something else.
                "m = ReduceMean y; d = Sub y m; p = Pow d 2; v = ReduceMean p; s = Sqrt v; e = Add s 1e-5; q = Div d e;"
                        + " t = Mul q scale",
                "m = ReduceMean y; d = Sub y m; p = Pow d 2; v = ReduceMean p; w1 = Mul v 1.2; e = Add w1 1e-5;"
                        + " s = Sqrt e; q = Div d s; t = Mul q scale",
                "m = ReduceMean y; d = Sub y m; p = Mul y y; v = ReduceMean p; e = Add v 1e-5; s = Sqrt e; q = Div d s;"
                        + " t = Mul q scale",
                // The sum in place of the mean; a root for each place instead of each row.
                "m = ReduceMean y; d = Sub y m; p = Mul d d; v0 = RowSum p; v = Reshape v0 rows; e = Add v 1e-5;"
                        + " s = Sqrt e; q = Div d s; t = Mul q scale",
                "m = ReduceMean y; d = Sub y m; p = Mul d d; e = Add p 1e-5; s = Sqrt e; q = Div d s; t = Mul q scale",
                // Its middle is read by others.
                "m = ReduceMean y; d = Sub y m; p = Pow d 2; v = ReduceMean p; e = Add v 1e-5; s = Sqrt e; q = Div d s;"
                        + " t = Mul q scale; z = Add t d",
                // Not the mean's own difference, another power, a divisor that is not the root.
                "m = ReduceMean y; d = Sub m y; p = Pow d 2; v = ReduceMean p; e = Add v 1e-5; s = Sqrt e; q = Div d s;"
                        + " t = Mul q scale",
                "m = ReduceMean y; d = Sub y m; p = Pow d 3; v = ReduceMean p; e = Add v 1e-5; s = Sqrt e; q = Div d s;"
                        + " t = Mul q scale",
                "m = ReduceMean y; d = Sub y m; p = Pow d 2; v = ReduceMean p; e = Add v 1e-5; s = Sqrt e; q = Div s d;"
                        + " t = Mul q scale",
                "m = ReduceMean y; d = Sub y m; p = Pow d 2; v = ReduceMean p; e = Add v 1e-5; s = Sqrt e; q = Div d s"
            })
    void otherNormalisationsAreLeftAsTheyAre(String lines) throws Exception {
        ImportedNetwork imported = read(OnnxMl.TensorProto.DataType.FLOAT_VALUE, lines.split("; *"));

        assertThat(imported.network().nodes().stream()
                        .map(n -> n.operator().label())
                        .collect(Collectors.toSet()))
                .doesNotContain("LayerNorm");
        assertThat(imported.network().nodes()).hasSize(1 + lines.split(";").length);
    }
}
