package knobscape.network.onnx;

import ai.onnx.proto.OnnxMl;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import knobscape.network.Shape;

/// ONNX Runtime, for tests.
final class Runtimes {
    private Runtimes() {}

    /// Runs a model on ones with every tensor between nodes made an output, and returns the shape of each as it
    /// came out. Weights that a node fills are left out.
    static Map<String, Shape> shapes(Path file) {
        try {
            var model = OnnxMl.ModelProto.parseFrom(Files.readAllBytes(file)).toBuilder();
            model.getGraphBuilder().clearOutput();
            for (OnnxMl.NodeProto n : model.getGraph().getNodeList()) {
                if (!n.getOpType().equals("ConstantOfShape")) {
                    n.getOutputList()
                            .forEach(o -> model.getGraphBuilder()
                                    .addOutput(
                                            OnnxMl.ValueInfoProto.newBuilder().setName(o)));
                }
            }
            // The runtime must find the shapes itself.
            model.getGraphBuilder().clearValueInfo();
            var shapes = new HashMap<String, Shape>();
            try (var options = options();
                    OrtSession session = OrtEnvironment.getEnvironment()
                            .createSession(model.build().toByteArray(), options);
                    OnnxTensor input = input(session);
                    OrtSession.Result result = session.run(
                            Map.of(session.getInputNames().iterator().next(), input))) {
                result.forEach(e -> shapes.put(
                        e.getKey(), Shape.of(((TensorInfo) e.getValue().getInfo()).getShape())));
            }
            return shapes;
        } catch (OrtException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The first output of a model run on ones.
    static float[] run(Path file) {
        try (var options = options();
                OrtSession session = OrtEnvironment.getEnvironment().createSession(file.toString(), options);
                OnnxTensor input = input(session);
                OrtSession.Result result = session.run(
                        Map.of(session.getInputNames().iterator().next(), input),
                        Set.of(session.getOutputNames().iterator().next()))) {
            FloatBuffer values = ((OnnxTensor) result.get(0)).getFloatBuffer();
            float[] copy = new float[values.remaining()];
            values.get(copy);
            return copy;
        } catch (OrtException e) {
            throw new AssertionError(e);
        }
    }

    private static OrtSession.SessionOptions options() throws OrtException {
        var options = new OrtSession.SessionOptions();
        options.setIntraOpNumThreads(2);
        return options;
    }

    private static OnnxTensor input(OrtSession session) throws OrtException {
        long[] shape =
                ((TensorInfo) session.getInputInfo().values().iterator().next().getInfo()).getShape();
        long n = Shape.of(shape).elements();
        FloatBuffer ones = FloatBuffer.allocate((int) n);
        while (ones.hasRemaining()) {
            ones.put(1);
        }
        return OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), ones.flip(), shape);
    }
}
