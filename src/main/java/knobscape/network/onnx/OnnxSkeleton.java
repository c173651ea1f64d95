package knobscape.network.onnx;

import ai.onnx.proto.OnnxMl;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.network.ElementType;
import knobscape.network.Shape;
import knobscape.network.ShapeException;

/// Reads an ONNX file without its weights.
///
/// The file is walked on the level of the protobuf wire format (tag, length, value); whatever a tensor stores
/// beyond [#KEPT_PAYLOAD] bytes is jumped over, and what is left, the skeleton, is parsed by the generated
/// classes. Memory needed depends on the number of nodes, not on the weights. Files are untrusted: lengths are
/// checked against what is there, depth, number of messages and size of the skeleton are bounded.
final class OnnxSkeleton {
    /// Longest stored values of a tensor that are kept: shapes, axes, bounds and scales are far shorter.
    static final int KEPT_PAYLOAD = 16 << 10;
    private static final int MAX_SKELETON = 256 << 20;
    private static final int MAX_MESSAGES = 3_000_000;
    private static final int MAX_TEXT = 1 << 16;
    private static final int MAX_LIST = 1 << 20;
    private static final int MAX_DEPTH = 60;

    private static final Descriptor TENSOR = OnnxMl.TensorProto.getDescriptor();
    private static final Set<Integer> PAYLOAD = Set.of(
            OnnxMl.TensorProto.FLOAT_DATA_FIELD_NUMBER,
            OnnxMl.TensorProto.INT32_DATA_FIELD_NUMBER,
            OnnxMl.TensorProto.STRING_DATA_FIELD_NUMBER,
            OnnxMl.TensorProto.INT64_DATA_FIELD_NUMBER,
            OnnxMl.TensorProto.RAW_DATA_FIELD_NUMBER,
            OnnxMl.TensorProto.DOUBLE_DATA_FIELD_NUMBER,
            OnnxMl.TensorProto.UINT64_DATA_FIELD_NUMBER);

    private final Path file;
    private final FileBytes in;
    private int messages;
    private long written;
    private boolean sawVersion;

    private OnnxSkeleton(Path file, FileBytes in) {
        this.file = file;
        this.in = in;
    }

    /// Reads a file; throws [UserError] where it is absent, no ONNX model, cut short, damaged, or too large.
    static OnnxMl.ModelProto read(Path file) {
        if (Files.isDirectory(file)) {
            throw new UserError("'" + file + "' is a folder; name an ONNX file in it.");
        }
        InputFile.requireRegular(file);
        if (!Files.isRegularFile(file)) {
            throw new UserError("There is no file '" + file + "'.");
        }
        try (FileBytes in = new FileBytes(file)) {
            if (in.size() == 0) {
                throw new UserError(file + " is empty; an ONNX model is wanted.");
            }
            if (in.size() > Integer.MAX_VALUE) {
                throw new UserError(file
                        + " is larger than 2 GB, which no ONNX file can be; save the model with external weights.");
            }
            var walk = new OnnxSkeleton(file, in);
            byte[] skeleton = walk.message(OnnxMl.ModelProto.getDescriptor(), in.size(), 0);
            OnnxMl.ModelProto model = OnnxMl.ModelProto.parseFrom(skeleton);
            if (!model.hasGraph() || !walk.sawVersion) {
                throw new UserError(file + " is not an ONNX model: it holds no graph; export or copy it again.");
            }
            return model;
        } catch (InvalidProtocolBufferException e) {
            throw new UserError(file + " is a damaged ONNX file (" + e.getMessage() + "); copy or export it again.", e);
        } catch (IOException e) {
            throw new UserError("Cannot read '" + file + "': " + e.getMessage() + ".", e);
        }
    }

    private byte[] message(Descriptor type, long end, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw damaged("its parts are nested more than " + MAX_DEPTH + " deep");
        }
        if (++messages > MAX_MESSAGES) {
            throw new UserError(
                    file + " describes more than " + MAX_MESSAGES + " parts, which no network does; it is not read.");
        }
        var bytes = new ByteArrayOutputStream();
        var out = CodedOutputStream.newInstance(bytes);
        long payload = 0;
        while (in.position() < end) {
            long at = in.position();
            long tag = varint(end);
            int field = (int) (tag >>> 3);
            if (tag >>> 32 != 0 || field == 0) {
                throw damaged("byte " + at + " makes no sense");
            }
            FieldDescriptor known = type.findFieldByNumber(field);
            switch ((int) tag & 7) {
                case 0 -> {
                    long value = varint(end);
                    sawVersion |= depth == 0 && field == OnnxMl.ModelProto.IR_VERSION_FIELD_NUMBER;
                    if (known != null && (!isPayload(type, field) || (payload += 10) <= KEPT_PAYLOAD)) {
                        out.writeUInt32NoTag((int) tag);
                        out.writeUInt64NoTag(value);
                    }
                }
                case 1 -> fixed(8, known, type, tag, end, out);
                case 5 -> fixed(4, known, type, tag, end, out);
                case 2 -> {
                    long length = varint(end);
                    if (length < 0 || length > end - in.position()) {
                        throw cutShort(length, end);
                    }
                    if (isPayload(type, field)) {
                        payload += length;
                    }
                    if (known == null || isComment(known) || (isPayload(type, field) && payload > KEPT_PAYLOAD)) {
                        in.skip(length);
                    } else if (known.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                        write(out, tag, message(known.getMessageType(), in.position() + length, depth + 1));
                    } else if (known.getJavaType() == FieldDescriptor.JavaType.STRING && length > MAX_TEXT) {
                        throw damaged("a name of " + length + " characters stands at byte " + at);
                    } else if (known.getJavaType() == FieldDescriptor.JavaType.BYTE_STRING
                            && !isPayload(type, field)
                            && length > MAX_TEXT) {
                        in.skip(length);
                    } else if (length > MAX_LIST) {
                        throw damaged("a list of " + length + " bytes stands at byte " + at);
                    } else {
                        room(length);
                        write(out, tag, in.take((int) length));
                    }
                }
                default -> throw damaged("byte " + at + " makes no sense");
            }
            room(0);
        }
        out.flush();
        if (type.equals(TENSOR)) {
            checkTensor(OnnxMl.TensorProto.parseFrom(bytes.toByteArray()), payload);
        }
        written += bytes.size();
        return bytes.toByteArray();
    }

    private void write(CodedOutputStream out, long tag, byte[] value) throws IOException {
        out.writeUInt32NoTag((int) tag);
        out.writeUInt32NoTag(value.length);
        out.writeRawBytes(value);
    }

    private void fixed(int bytes, FieldDescriptor known, Descriptor type, long tag, long end, CodedOutputStream out)
            throws IOException {
        if (bytes > end - in.position()) {
            throw cutShort(bytes, end);
        }
        byte[] value = in.take(bytes);
        // Unpacked floating-point payloads are legal but not written by anyone; they are left out.
        if (known != null && !isPayload(type, (int) (tag >>> 3))) {
            out.writeUInt32NoTag((int) tag);
            out.writeRawBytes(value);
        }
    }

    private void room(long more) {
        if (written + more > MAX_SKELETON) {
            throw new UserError(file + " describes more than " + (MAX_SKELETON >> 20)
                    + " MB of graph besides its weights, which no network does; it is not read.");
        }
    }

    /// Raw bytes must be as many as the shape says: otherwise a few bytes could announce any size.
    private void checkTensor(OnnxMl.TensorProto tensor, long payload) {
        Shape shape;
        try {
            shape = new Shape(tensor.getDimsList());
        } catch (ShapeException e) {
            throw new UserError(
                    file + ": weights '" + tensor.getName() + "': " + e.getMessage()
                            + "; the file is damaged or not what it seems.",
                    e);
        }
        boolean onlyRaw = tensor.getFloatDataCount()
                        + tensor.getInt32DataCount()
                        + tensor.getInt64DataCount()
                        + tensor.getDoubleDataCount()
                        + tensor.getUint64DataCount()
                        + tensor.getStringDataCount()
                == 0;
        boolean external = tensor.getDataLocation() == OnnxMl.TensorProto.DataLocation.EXTERNAL;
        int bits = OnnxTypes.of(tensor.getDataType()).bits();
        if (!external && onlyRaw && payload == 0 && isWeights(tensor)) {
            // Weights that are only described, as scheduling tools write them; nothing here needs their values.
            return;
        }
        if (!external && onlyRaw && bits > 0 && shape.elements() > 0 && payload == 0) {
            throw new UserError(file + ": the numbers '" + tensor.getName() + "' of shape " + shape
                    + " hold no values, and shapes are computed from such numbers; export the network with them.");
        }
        if (!external
                && bits > 0
                && tensor.hasRawData()
                && payload == tensor.getRawData().size()
                && payload != OnnxTypes.of(tensor.getDataType()).bytes(shape.elements())) {
            throw new UserError(file + ": weights '" + tensor.getName() + "' of shape " + shape + " hold " + payload
                    + " bytes; the file is damaged or not what it seems.");
        }
        // Dropped payloads: every format takes at least half a byte for an element (packed 4-bit numbers) and
        // at most ten (a varint).
        if (!external
                && bits > 0
                && payload > KEPT_PAYLOAD
                && (payload < shape.elements() / 2 || payload / 10 > shape.elements())) {
            throw new UserError(file + ": weights '" + tensor.getName() + "' of shape " + shape + " hold " + payload
                    + " bytes; the file is damaged or not what it seems.");
        }
    }

    /// True if a tensor is weights: 64-bit integers are shapes, axes and indices, whose values matter.
    private static boolean isWeights(OnnxMl.TensorProto tensor) {
        return OnnxTypes.of(tensor.getDataType()) != ElementType.INT64;
    }

    private static boolean isPayload(Descriptor type, int field) {
        return type.equals(TENSOR) && PAYLOAD.contains(field);
    }

    private static boolean isComment(FieldDescriptor field) {
        String name = field.getName();
        return name.equals("doc_string")
                || name.equals("metadata_props")
                || name.equals("training_info")
                || name.equals("quantization_annotation");
    }

    private long varint(long end) throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (in.position() >= end) {
                throw cutShort(1, end);
            }
            byte b = in.next();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw damaged("a number before byte " + in.position() + " has no end");
    }

    private UserError cutShort(long wanted, long end) {
        if (!sawVersion) {
            return damaged("");
        }
        return new UserError(file + " is cut short or damaged: at byte " + in.position() + " a part of "
                + Long.toUnsignedString(wanted) + " bytes is announced where " + (end - in.position())
                + " are left; copy or export it again.");
    }

    private UserError damaged(String what) {
        return sawVersion
                ? new UserError(file + " is a damaged ONNX file: " + what + "; copy or export it again.")
                : new UserError(file + " is not an ONNX model, whatever its name says; export or copy it again.");
    }
}
