package knobscape.space;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// One choice of every knob; immutable. Two configurations are equal when they choose the same levels of equal
/// knob sets.
public final class Configuration {
    private final KnobSet knobs;
    private final int[] levels;
    private final int hash;

    private Configuration(KnobSet knobs, int[] levels) {
        this.knobs = knobs;
        this.levels = levels;
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
        return new Configuration(knobs, levels.clone());
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
        return levels[index];
    }

    /// A copy of all levels in knob order.
    public int[] levels() {
        return levels.clone();
    }

    /// Label chosen for the knob at position `index`.
    public String value(int index) {
        return knobs.get(index).domain().label(levels[index]);
    }

    /// Label chosen for the knob called `name`; throws `IllegalArgumentException` where no such knob exists.
    public String value(String name) {
        return value(
                knobs.indexOf(name).orElseThrow(() -> new IllegalArgumentException("no knob is named '" + name + "'")));
    }

    /// The same configuration with one level changed.
    public Configuration with(int index, int level) {
        int[] copy = levels.clone();
        copy[index] = level;
        return of(knobs, copy);
    }

    /// Knob name to chosen label, in knob order.
    public Map<String, String> toMap() {
        var map = new LinkedHashMap<String, String>();
        for (int i = 0; i < levels.length; i++) {
            map.put(knobs.get(i).name(), value(i));
        }
        return map;
    }

    /// Stable text form `knob=value;knob=value`, in knob order.
    public String text() {
        var b = new StringBuilder();
        for (int i = 0; i < levels.length; i++) {
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
