package knobscape.network.onnx;

import ai.onnx.proto.OnnxMl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import knobscape.network.ElementType;
import knobscape.network.Shape;

/// The values of a small tensor: integers and truth values exactly, everything else as doubles.
///
/// @param ints values of an integral type in row-major order; else empty
/// @param reals values of a floating-point type in row-major order; else empty
record Constant(ElementType type, Shape shape, long[] ints, double[] reals) {
    /// Most elements that are followed.
    static final int MAX_ELEMENTS = 4096;

    static Constant ofInts(ElementType type, Shape shape, long... values) {
        return new Constant(type, shape, values, new double[0]);
    }

    static Constant ofReals(ElementType type, Shape shape, double... values) {
        return new Constant(type, shape, new long[0], values);
    }

    /// A list of 64-bit integers.
    static Constant ofList(List<Long> values) {
        return ints(ElementType.INT64, Shape.of(values.size()), values);
    }

    boolean integral() {
        return type.isIntegral();
    }

    int size() {
        return (int) shape.elements();
    }

    double real(int i) {
        return integral() ? ints[i] : reals[i];
    }

    /// The first element as an attribute's number.
    double number() {
        return type == ElementType.FLOAT32 ? RawNode.shortest((float) reals[0]) : real(0);
    }

    /// Elements of this tensor under a new shape: element i of the result is element `source(i)` of this one.
    Constant pick(Shape to, LongUnaryOperator source) {
        int n = (int) to.elements();
        long[] newInts = new long[integral() ? n : 0];
        double[] newReals = new double[integral() ? 0 : n];
        for (int i = 0; i < n; i++) {
            int from = (int) source.applyAsLong(i);
            if (integral()) {
                newInts[i] = ints[from];
            } else {
                newReals[i] = reals[from];
            }
        }
        return new Constant(type, to, newInts, newReals);
    }

    Constant reshaped(Shape to) {
        return new Constant(type, to, ints, reals);
    }

    Constant map(LongUnaryOperator onInts, DoubleUnaryOperator onReals) {
        return integral()
                ? ofInts(type, shape, Arrays.stream(ints).map(onInts).toArray())
                : ofReals(type, shape, Arrays.stream(reals).map(onReals).toArray());
    }

    Constant cast(ElementType to) {
        if (to.isIntegral()) {
            long[] values = new long[size()];
            for (int i = 0; i < values.length; i++) {
                long v = integral() ? ints[i] : (long) reals[i];
                values[i] = to == ElementType.BOOL ? (v != 0 || real(i) != 0 ? 1 : 0) : v;
            }
            return ofInts(to, shape, values);
        }
        return ofReals(
                to, shape, IntStream.range(0, size()).mapToDouble(this::real).toArray());
    }

    /// Values of a stored tensor; empty where it is large, of an unusual type, or stored beside the model and
    /// not readable.
    static Optional<Constant> of(OnnxMl.TensorProto tensor, Path folder) {
        ElementType type = OnnxTypes.of(tensor.getDataType());
        Shape shape = new Shape(tensor.getDimsList());
        if (shape.elements() > MAX_ELEMENTS || type == ElementType.OTHER) {
            return Optional.empty();
        }
        int n = (int) shape.elements();
        if (tensor.getDataLocation() == OnnxMl.TensorProto.DataLocation.EXTERNAL) {
            return external(tensor, folder, type.bytes(n)).flatMap(bytes -> raw(type, shape, bytes));
        }
        if (tensor.hasRawData() && !tensor.getRawData().isEmpty()) {
            return raw(type, shape, tensor.getRawData().asReadOnlyByteBuffer());
        }
        Optional<Constant> stored = switch (type) {
            case FLOAT32 -> Optional.of(reals(type, shape, tensor.getFloatDataList(), Float::doubleValue));
            case FLOAT64 -> Optional.of(reals(type, shape, tensor.getDoubleDataList(), Double::doubleValue));
            case FLOAT16 ->
                Optional.of(reals(type, shape, tensor.getInt32DataList(), v -> Float.float16ToFloat(v.shortValue())));
            case INT64 -> Optional.of(ints(type, shape, tensor.getInt64DataList()));
            case INT32, INT16, INT8, UINT16, UINT8, BOOL -> Optional.of(ints(type, shape, tensor.getInt32DataList()));
            default -> Optional.empty();
        };
        return stored.filter(c -> c.ints.length + c.reals.length == n);
    }

    private static <T> Constant reals(ElementType type, Shape shape, List<T> values, ToDoubleFunction<T> real) {
        return ofReals(type, shape, values.stream().mapToDouble(real).toArray());
    }

    private static Constant ints(ElementType type, Shape shape, List<? extends Number> values) {
        return ofInts(type, shape, values.stream().mapToLong(Number::longValue).toArray());
    }

    private static Optional<Constant> raw(ElementType type, Shape shape, ByteBuffer bytes) {
        ByteBuffer b = bytes.order(ByteOrder.LITTLE_ENDIAN);
        int n = (int) shape.elements();
        if (b.remaining() != type.bytes(n)) {
            return Optional.empty();
        }
        if (type.isFloating()) {
            double[] values = new double[n];
            for (int i = 0; i < n; i++) {
                switch (type) {
                    case FLOAT32 -> values[i] = b.getFloat();
                    case FLOAT64 -> values[i] = b.getDouble();
                    case FLOAT16 -> values[i] = Float.float16ToFloat(b.getShort());
                    case BFLOAT16 -> values[i] = Float.intBitsToFloat(b.getShort() << 16);
                    default -> {
                        return Optional.empty();
                    }
                }
            }
            return Optional.of(ofReals(type, shape, values));
        }
        long[] values = new long[n];
        for (int i = 0; i < n; i++) {
            switch (type) {
                case INT64, UINT64 -> values[i] = b.getLong();
                case INT32 -> values[i] = b.getInt();
                case UINT32 -> values[i] = Integer.toUnsignedLong(b.getInt());
                case INT16 -> values[i] = b.getShort();
                case UINT16 -> values[i] = Short.toUnsignedInt(b.getShort());
                case INT8 -> values[i] = b.get();
                case UINT8, BOOL -> values[i] = Byte.toUnsignedInt(b.get());
                default -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(ofInts(type, shape, values));
    }

    /// Reads a few bytes from a weight file beside the model. A location that leaves the model's folder is not
    /// followed.
    private static Optional<ByteBuffer> external(OnnxMl.TensorProto tensor, Path folder, long bytes) {
        String location = "";
        long offset = 0;
        try {
            for (OnnxMl.StringStringEntryProto e : tensor.getExternalDataList()) {
                switch (e.getKey()) {
                    case "location" -> location = e.getValue();
                    case "offset" -> offset = Long.parseLong(e.getValue());
                    default -> {
                        // Length and checksum do not matter for a few bytes.
                    }
                }
            }
            Path file = folder.resolve(location).normalize();
            if (location.isEmpty()
                    || offset < 0
                    || !file.startsWith(folder.normalize())
                    || !Files.isRegularFile(file)
                    || !file.toRealPath().startsWith(folder.toRealPath())
                    || offset > Files.size(file) - bytes) {
                return Optional.empty();
            }
            try (FileBytes in = new FileBytes(file)) {
                in.skip(offset);
                return Optional.of(ByteBuffer.wrap(in.take((int) bytes)));
            }
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
