package knobscape.surrogate.ensemble;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads Universal Binary JSON (draft 12, numbers big-endian), in which XGBoost saves a model several times faster than as text. Objects become maps; arrays become lists, or, where all
/// elements have one number type, `float[]` for 32-bit floats and `long[]` for integers; numbers become `Double` or `Long`; null does not occur.
final class UniversalBinaryJson {
    private static final int DEEPEST = 64;
    private final ByteBuffer in;
    private int depth;

    private UniversalBinaryJson(byte[] bytes) {
        in = ByteBuffer.wrap(bytes);
    }

    /// The value that `bytes` hold; throws `IllegalArgumentException` for anything else.
    static Object read(byte[] bytes) {
        try {
            var reader = new UniversalBinaryJson(bytes);
            return reader.value(reader.in.get());
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a binary JSON text ends too early", e);
        }
    }

    private Object value(byte type) {
        return switch (type) {
            case '{' -> nested(this::object);
            case '[' -> nested(this::array);
            case 'S' -> text();
            case 'T' -> Boolean.TRUE;
            case 'F' -> Boolean.FALSE;
            case 'd' -> (double) in.getFloat();
            case 'D' -> in.getDouble();
            default -> integer(type);
        };
    }

    private Object nested(java.util.function.Supplier<Object> container) {
        if (++depth > DEEPEST) {
            throw new IllegalArgumentException("a binary JSON text is nested more than " + DEEPEST + " deep");
        }
        Object value = container.get();
        depth--;
        return value;
    }

    private long integer(byte type) {
        return switch (type) {
            case 'i' -> in.get();
            case 'U' -> in.get() & 0xFF;
            case 'I' -> in.getShort();
            case 'l' -> in.getInt();
            case 'L' -> in.getLong();
            default -> throw new IllegalArgumentException("'" + (char) type + "' begins no value of binary JSON");
        };
    }

    private String text() {
        byte[] text = new byte[count(1)];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /// A number of things of at least `bytes` bytes each, which have to fit into what is left.
    private int count(int bytes) {
        long n = integer(in.get());
        if (n < 0 || n > in.remaining() / bytes) {
            throw new IllegalArgumentException("a binary JSON text promises " + n + " elements and ends before them");
        }
        return (int) n;
    }

    private Map<String, Object> object() {
        var map = new HashMap<String, Object>();
        while (in.get(in.position()) != '}') {
            String key = text();
            map.put(key, value(in.get()));
        }
        in.get();
        return map;
    }

    private Object array() {
        if (in.get(in.position()) == '$') {
            in.get();
            return typed(in.get());
        }
        var list = new ArrayList<>();
        if (in.get(in.position()) == '#') {
            in.get();
            int n = count(1);
            for (int i = 0; i < n; i++) {
                list.add(value(in.get()));
            }
            return List.copyOf(list);
        }
        while (in.get(in.position()) != ']') {
            list.add(value(in.get()));
        }
        in.get();
        return List.copyOf(list);
    }

    private Object typed(byte type) {
        if (in.get() != '#') {
            throw new IllegalArgumentException("a typed array of binary JSON has no length");
        }
        if (type == 'd') {
            float[] floats = new float[count(Float.BYTES)];
            for (int i = 0; i < floats.length; i++) {
                floats[i] = in.getFloat();
            }
            return floats;
        }
        long[] integers = new long[count(1)];
        for (int i = 0; i < integers.length; i++) {
            integers[i] = integer(type);
        }
        return integers;
    }
}
