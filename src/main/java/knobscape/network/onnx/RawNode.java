package knobscape.network.onnx;

import ai.onnx.proto.OnnxMl;
import java.util.List;
import java.util.Optional;

/// A node as the file has it, with the version of the operator set it is meant in.
///
/// @param name its name; never empty, unique
/// @param domain empty for ONNX's own operators
/// @param attributes its attributes, references into a function resolved
/// @param opset version of the operator set of its domain
record RawNode(
        String name,
        String type,
        String domain,
        List<String> inputs,
        List<String> outputs,
        List<OnnxMl.AttributeProto> attributes,
        int opset) {

    Optional<OnnxMl.AttributeProto> attribute(String wanted) {
        return attributes.stream().filter(a -> a.getName().equals(wanted)).findFirst();
    }

    long integer(String wanted, long otherwise) {
        return attribute(wanted).map(OnnxMl.AttributeProto::getI).orElse(otherwise);
    }

    double real(String wanted, double otherwise) {
        return attribute(wanted)
                .map(OnnxMl.AttributeProto::getF)
                .map(RawNode::shortest)
                .orElse(otherwise);
    }

    /// The double that reads like the float: 0.1f is meant as 0.1.
    static double shortest(float value) {
        return Double.parseDouble(Float.toString(value));
    }

    String text(String wanted, String otherwise) {
        return attribute(wanted).map(a -> a.getS().toStringUtf8()).orElse(otherwise);
    }

    Optional<List<Long>> integers(String wanted) {
        return attribute(wanted).map(OnnxMl.AttributeProto::getIntsList);
    }
}
