package knobscape.network.onnx;

import ai.onnx.proto.OnnxMl;
import knobscape.network.ElementType;

/// Element types by the numbers ONNX gives them (`TensorProto.DataType`; numbers newer than the generated
/// classes are known here too).
final class OnnxTypes {
    private OnnxTypes() {}

    static ElementType of(int number) {
        return switch (number) {
            case OnnxMl.TensorProto.DataType.FLOAT_VALUE -> ElementType.FLOAT32;
            case OnnxMl.TensorProto.DataType.UINT8_VALUE -> ElementType.UINT8;
            case OnnxMl.TensorProto.DataType.INT8_VALUE -> ElementType.INT8;
            case OnnxMl.TensorProto.DataType.UINT16_VALUE -> ElementType.UINT16;
            case OnnxMl.TensorProto.DataType.INT16_VALUE -> ElementType.INT16;
            case OnnxMl.TensorProto.DataType.INT32_VALUE -> ElementType.INT32;
            case OnnxMl.TensorProto.DataType.INT64_VALUE -> ElementType.INT64;
            case OnnxMl.TensorProto.DataType.BOOL_VALUE -> ElementType.BOOL;
            case OnnxMl.TensorProto.DataType.FLOAT16_VALUE -> ElementType.FLOAT16;
            case OnnxMl.TensorProto.DataType.DOUBLE_VALUE -> ElementType.FLOAT64;
            case OnnxMl.TensorProto.DataType.UINT32_VALUE -> ElementType.UINT32;
            case OnnxMl.TensorProto.DataType.UINT64_VALUE -> ElementType.UINT64;
            case OnnxMl.TensorProto.DataType.BFLOAT16_VALUE -> ElementType.BFLOAT16;
            // 17..20: the four 8-bit formats; 24: 8-bit scale factors; 23: 4-bit floating point.
            case 17, 18, 19, 20, 24 -> ElementType.FLOAT8;
            case 21 -> ElementType.UINT4;
            case 22 -> ElementType.INT4;
            case 23 -> ElementType.FLOAT4;
            default -> ElementType.OTHER;
        };
    }
}
