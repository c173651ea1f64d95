package knobscape.space;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// One choice of every knob; immutable. Two configurations are equal when they choose the same levels of equal
/// knob sets.
public final class Configuration {
    /// The highest level that a byte holds.
    private static final int SMALL = 0xff;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final KnobSet knobs;
    /// A byte each, or four where a level needs them: runs hold hundreds of thousands of configurations.
    private final byte[] levels;

    private final int hash;

    private Configuration(KnobSet knobs, int[] levels) {
        this.knobs = knobs;
        this.levels = packed(levels);
        this.hash = Arrays.hashCode(levels);
    }

    /// A configuration from one level per knob, in knob order. The array is copied.
    public static Configuration of(KnobSet knobs, int... levels) {
        if (levels.length != knobs.size()) {
            throw new IllegalArgumentException("expected " + knobs.size() + " levels, was " + levels.length);
        }
        for (int i = 0; i < levels.length; i++) {
            if (levels[i] < 0 || levels[i] >= knobs.get(i).domain().size()) {
                throw new IllegalArgumentException("level " + levels[i] + " is outside the domain of "
                        + knobs.get(i).name());
            }
        }
        return new Configuration(knobs, levels);
    }

    private static byte[] packed(int[] levels) {
        boolean small = true;
        for (int level : levels) {
            small &= level <= SMALL;
        }
        byte[] packed = new byte[small ? levels.length : levels.length * Integer.BYTES];
        for (int i = 0; i < levels.length; i++) {
            if (small) {
                packed[i] = (byte) levels[i];
            } else {
                INTS.set(packed, i * Integer.BYTES, levels[i]);
            }
        }
        return packed;
    }

    /// Reads the text form made by [#text()]. Throws `IllegalArgumentException` naming the first knob or value
    /// that does not fit.
    public static Configuration parse(KnobSet knobs, String text) {
        int[] levels = new int[knobs.size()];
        Arrays.fill(levels, -1);
        for (String part : text.isEmpty() ? new String[0] : text.split(";", -1)) {
            int eq = part.indexOf('=');
            if (eq < 0) {
                throw new IllegalArgumentException("'" + part + "' is not of the form knob=value");
            }
            String name = part.substring(0, eq);
            int i = knobs.indexOf(name)
                    .orElseThrow(() -> new IllegalArgumentException("no knob is named '" + name + "'"));
            levels[i] = knobs.get(i).domain().levelOf(part.substring(eq + 1));
            if (levels[i] < 0) {
                throw new IllegalArgumentException(name + " cannot be '" + part.substring(eq + 1) + "'");
            }
        }
        for (int i = 0; i < levels.length; i++) {
            if (levels[i] < 0) {
                throw new IllegalArgumentException(
                        "no value for knob '" + knobs.get(i).name() + "'");
            }
        }
        return new Configuration(knobs, levels);
    }

    /// The knobs this configuration chooses for.
    public KnobSet knobs() {
        return knobs;
    }

    /// Level chosen for the knob at position `index`.
    public int level(int index) {
        return levels.length == knobs.size() ? levels[index] & SMALL : (int) INTS.get(levels, index * Integer.BYTES);
    }

    /// A copy of all levels in knob order.
    public int[] levels() {
        int[] all = new int[knobs.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = level(i);
        }
        return all;
    }

    /// Label chosen for the knob at position `index`.
    public String value(int index) {
        return knobs.get(index).domain().label(level(index));
    }

    /// Label chosen for the knob called `name`; throws `IllegalArgumentException` where no such knob exists.
    public String value(String name) {
        return value(
                knobs.indexOf(name).orElseThrow(() -> new IllegalArgumentException("no knob is named '" + name + "'")));
    }

    /// The same configuration with one level changed.
    public Configuration with(int index, int level) {
        int[] copy = levels();
        copy[index] = level;
        return of(knobs, copy);
    }

    /// Knob name to chosen label, in knob order.
    public Map<String, String> toMap() {
        var map = new LinkedHashMap<String, String>();
        for (int i = 0; i < knobs.size(); i++) {
            map.put(knobs.get(i).name(), value(i));
        }
        return map;
    }

    /// Stable text form `knob=value;knob=value`, in knob order.
    public String text() {
        var b = new StringBuilder();
        for (int i = 0; i < knobs.size(); i++) {
            b.append(i == 0 ? "" : ";").append(knobs.get(i).name()).append('=').append(value(i));
        }
        return b.toString();
    }

    /// Stable identifier: the first 16 hexadecimal digits of the SHA-256 of [#text()].
    public String id() {
        return Sha256.of(text()).substring(0, 16);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Configuration o
                && o.hash == hash
                && Arrays.equals(o.levels, levels)
                && (o.knobs == knobs || o.knobs.equals(knobs));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return text();
    }
}
