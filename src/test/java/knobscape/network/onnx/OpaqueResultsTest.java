package knobscape.network.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl;
import com.google.protobuf.ByteString;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.network.ElementType;
import knobscape.network.Shape;
import knobscape.network.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The results of the first test are those of `onnx.shape_inference.infer_shapes` (onnx 1.23.2, operator set 20) for
/// models of one node.
class OpaqueResultsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LSTM 3 hidden_size=3 direction=bidirectional | float32[7,2,5] float32[2,12,5] float32[2,12,3] | float32[7,2,2,3] float32[2,2,3] float32[2,2,3]",
                "LSTM 3 direction=bidirectional | float32[7,2,5] float32[2,12,5] float32[2,12,3] | float32[7,2,2,3] float32[2,2,3] float32[2,2,3]",
                "GRU 2 hidden_size=3 layout=1 | float32[2,7,5] float32[1,9,5] float32[1,9,3] | float32[2,7,1,3] float32[2,1,3]",
                "DynamicQuantizeLinear 3 | float32[2,3] | uint8[2,3] float32[] uint8[]",
                "ConvInteger 1 strides=2,2 pads=1,1,1,1 | uint8[1,3,9,9] uint8[8,3,3,3] | int32[1,8,5,5]",
                "QLinearConv 1 strides=2,2 | uint8[1,3,9,9] float32[] uint8[] int8[8,3,3,3] float32[] int8[] float32[] int8[] | int8[1,8,4,4]",
                "QLinearMatMul 1 | uint8[4,5] float32[] uint8[] int8[5,6] float32[] int8[] float32[] uint8[] | uint8[4,6]",
                "MatMulInteger 1 | uint8[2,4,5] uint8[5,6] | int32[2,4,6]",
                "TopK 2 | float32[4,9] =3 | float32[4,3] int64[4,3]",
                "ArgMax 1 axis=1 keepdims=0 | float32[4,9,2] | int64[4,2]",
                "ArgMin 1 axis=-1 | float32[4,9,2] | int64[4,9,1]",
                "Tile 1 | float32[4,9] =2,3 | float32[8,27]",
                "GatherND 1 batch_dims=1 | float32[2,4,9,5] int64[2,7,2] | float32[2,7,5]",
                "OneHot 1 axis=1 | int64[4,9] =10 float32[2] | float32[4,10,9]",
                "Einsum 1 equation=bij,bjk->bik | float32[2,3,4] float32[2,4,5] | float32[2,3,5]",
                "Einsum 1 equation=ij,jk | float32[3,4] float32[4,5] | float32[3,5]",
                "GridSample 1 | float32[2,3,4,5] float32[2,7,8,2] | float32[2,3,7,8]",
                "RoiAlign 1 output_height=7 output_width=5 | float32[2,3,14,15] float32[6,4] int64[6] | float32[6,3,7,5]",
                "ConvTranspose 1 strides=2,2 auto_pad=SAME_UPPER | float32[1,3,9,9] float32[3,8,3,3] | float32[1,8,18,18]",
                "ConvTranspose 1 strides=2,2 output_shape=18,19 | float32[1,3,9,9] float32[3,8,3,3] | float32[1,8,18,19]",
                "MaxPool 2 kernel_shape=3,3 strides=2,2 | float32[1,3,9,9] | float32[1,3,4,4] int64[1,3,4,4]"
            })
    void resultsAreThoseOfOnnx(String node, String inputs, String made) {
        assertThat(results("", node, inputs)).isEqualTo(made);
    }

    /// Of ONNX Runtime's own domain, by the words of its ContribOperators.md.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DynamicQuantizeLSTM 3 hidden_size=3 | float32[7,2,5] int8[1,5,12] int8[1,3,12] | float32[7,1,2,3] float32[1,2,3] float32[1,2,3]",
                "QLinearAdd 1 | uint8[2,3,4] float32[] uint8[] uint8[3,1] float32[] uint8[] float32[] uint8[] | uint8[2,3,4]",
                "QLinearConcat 1 axis=1 | float32[] uint8[] uint8[1,2,5] float32[] uint8[] uint8[1,3,5] float32[] uint8[] | uint8[1,5,5]",
                "QLinearGlobalAveragePool 1 | uint8[1,8,5,5] float32[] uint8[] float32[] uint8[] | uint8[1,8,1,1]",
                "Attention 1 num_heads=2 | float32[1,7,8] float32[8,24] float32[24] | float32[1,7,8]",
                "MultiHeadAttention 1 num_heads=2 | float32[1,7,8] float32[1,9,8] float32[1,9,6] | float32[1,7,6]",
                "EmbedLayerNormalization 1 | int64[1,7] int64[1,7] float32[100,8] | float32[1,7,8]",
                "FusedConv 1 strides=2,2 activation=Relu | float32[1,3,9,9] float32[8,3,3,3] float32[8] | float32[1,8,4,4]"
            })
    void resultsOfTheRuntimesOwnOperatorsAreKnown(String node, String inputs, String made) {
        assertThat(results("com.microsoft", node, inputs)).isEqualTo(made);
    }

    @Test
    void whatContradictsItsInputsOrIsUnknownHasNoShape() {
        assertThat(results("", "QLinearMatMul 1", "uint8[4,5] float32[] uint8[] int8[6,6] float32[]"))
                .isEqualTo("other?");
        assertThat(results("", "LSTM 1", "float32[7,2]")).isEqualTo("other?");
        assertThat(results("", "Tile 1", "float32[7,2] =2")).isEqualTo("other?");
        assertThat(results("", "Tile 1", "float32[7,2] int64[2]")).isEqualTo("other?");
        assertThat(results("", "Tile 1", "float32[7,2] =4000000000000,4000000000000"))
                .isEqualTo("other?");
        assertThat(results("", "TopK 2", "float32[7,2] =-4")).isEqualTo("other? other?");
        assertThat(results("", "Einsum 1 equation=...ij->ji", "float32[7,2]")).isEqualTo("other?");
        assertThat(results("", "Einsum 1 equation=ij->k", "float32[7,2]")).isEqualTo("other?");
        assertThat(results("", "GatherND 1 batch_dims=-9", "float32[7,2] int64[7,2]"))
                .isEqualTo("other?");
        assertThat(results("", "QLinearConv 1", "uint8[1,3,9,9]")).isEqualTo("other?");
        assertThat(results("", "RoiAlign 1", "float32[] float32[]")).isEqualTo("other?");
        assertThat(results("", "QLinearConcat 1", "float32[]")).isEqualTo("other?");
        assertThat(results("", "NonZero 1", "float32[7,2]")).isEqualTo("other?");
        assertThat(results("my.own", "LSTM 1 hidden_size=3", "float32[7,2,5]")).isEqualTo("other?");
    }

    private static String results(String domain, String node, String inputs) {
        String[] words = node.trim().split(" ");
        int outputs = Integer.parseInt(words[1]);
        String[] given = inputs.trim().split(" ");
        var raw = new RawNode(
                "n",
                words[0],
                domain,
                IntStream.range(0, given.length).mapToObj(i -> "i" + i).toList(),
                IntStream.range(0, outputs).mapToObj(i -> "o" + i).toList(),
                Arrays.stream(words).skip(2).map(OpaqueResultsTest::attribute).toList(),
                domain.isEmpty() ? 20 : 1);
        return OpaqueResults.of(
                        raw,
                        Arrays.stream(given)
                                .map(OpaqueResultsTest::value)
                                .map(Optional::of)
                                .toList())
                .stream()
                .map(OpaqueResultsTest::words)
                .collect(Collectors.joining(" "));
    }

    private static String words(Tensor t) {
        return t.type().label()
                + t.shape().map(s -> s.dims().toString().replace(" ", "")).orElse("?");
    }

    /// `float32[2,3]`, or `=3` for a constant.
    private static KnownTensor value(String words) {
        if (words.startsWith("=")) {
            return KnownTensor.of(
                    "c",
                    Constant.ofList(Arrays.stream(words.substring(1).split(","))
                            .map(Long::parseLong)
                            .toList()));
        }
        int at = words.indexOf('[');
        String dims = words.substring(at + 1, words.length() - 1);
        return KnownTensor.of(new Tensor(
                "t",
                ElementType.valueOf(words.substring(0, at).toUpperCase(Locale.ROOT)),
                new Shape(
                        dims.isEmpty()
                                ? List.of()
                                : Arrays.stream(dims.split(","))
                                        .map(Long::parseLong)
                                        .toList()),
                Tensor.Role.ACTIVATION));
    }

    private static OnnxMl.AttributeProto attribute(String words) {
        String name = words.substring(0, words.indexOf('='));
        String is = words.substring(words.indexOf('=') + 1);
        var a = OnnxMl.AttributeProto.newBuilder().setName(name);
        if (is.matches("-?[0-9]+")) {
            return a.setType(OnnxMl.AttributeProto.AttributeType.INT)
                    .setI(Long.parseLong(is))
                    .build();
        }
        if (is.matches("[-0-9,]+")) {
            return a.setType(OnnxMl.AttributeProto.AttributeType.INTS)
                    .addAllInts(
                            Arrays.stream(is.split(",")).map(Long::parseLong).toList())
                    .build();
        }
        return a.setType(OnnxMl.AttributeProto.AttributeType.STRING)
                .setS(ByteString.copyFromUtf8(is))
                .build();
    }
}
