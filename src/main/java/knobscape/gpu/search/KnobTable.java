package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.KnobSet;

/// Rows made of the knobs alone, by tables with one row per level.
///
/// Two kinds: *features* are what AutoTVM calls knob features (all factors of every split in knob order, options as numbers); *coordinates* are a space in which
/// distances mean something. A knob whose labels are lists of whole numbers (`[7, 2, 4, 1]`) is a split.
public final class KnobTable implements TuningFeatures {
    private static final Pattern LIST = Pattern.compile("\\[?\\(?\\s*-?\\d+(\\s*[,x]\\s*-?\\d+)*\\s*\\)?\\]?");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

    private final float[][][] table;
    private final int[] start;
    private final int length;

    private KnobTable(float[][][] table) {
        this.table = table;
        start = new int[table.length];
        int at = 0;
        for (int i = 0; i < table.length; i++) {
            start[i] = at;
            at += table[i][0].length;
        }
        length = at;
    }

    /// Factors and options as numbers; named alternatives as one column each.
    public static KnobTable features(KnobSet knobs) {
        return of(knobs, false);
    }

    /// Coordinates in which one step is about 1: of a split the binary logarithm of every factor (moving a factor of 2 from one part to another is a step of the square
    /// root of 2), of another number its binary logarithm where all values of the knob are positive and else its rank among them, of named alternatives one axis each, so
    /// that any two are 1 apart.
    public static KnobTable coordinates(KnobSet knobs) {
        return of(knobs, true);
    }

    private static KnobTable of(KnobSet knobs, boolean coordinates) {
        float[][][] table = new float[knobs.size()][][];
        for (int i = 0; i < table.length; i++) {
            Domain domain = knobs.get(i).domain();
            table[i] = switch (domain) {
                case Domain.Toggle t -> new float[][] {{0}, {1}};
                case Domain.Factors f -> numbers(f, coordinates);
                case Domain.Categories c -> splits(c.values(), coordinates).orElseGet(() -> alternatives(c, coordinates));
            };
        }
        return new KnobTable(table);
    }

    private static float[][] numbers(Domain.Factors f, boolean coordinates) {
        float[][] rows = new float[f.size()][1];
        for (int level = 0; level < rows.length; level++) {
            int value = f.values().get(level);
            rows[level][0] = !coordinates ? value : f.values().getFirst() >= 1 ? log2(value) : level;
        }
        return rows;
    }

    private static float log2(int value) {
        return (float) (Math.log(value) / Math.log(2));
    }

    private static Optional<float[][]> splits(List<String> labels, boolean coordinates) {
        var rows = new ArrayList<float[]>();
        for (String label : labels) {
            if (!LIST.matcher(label).matches()) {
                return Optional.empty();
            }
            var m = NUMBER.matcher(label);
            var values = new ArrayList<Float>();
            while (m.find()) {
                int v = Integer.parseInt(m.group());
                // The outermost factor of a record may be written as -1: what is left over.
                values.add(!coordinates ? v : v > 0 ? log2(v) : 0);
            }
            float[] row = new float[values.size()];
            for (int i = 0; i < row.length; i++) {
                row[i] = values.get(i);
            }
            rows.add(row);
        }
        if (coordinates && rows.getFirst().length == 1) {
            for (int i = 0; i < rows.size(); i++) {
                rows.get(i)[0] = i;
            }
        }
        boolean even = rows.stream().allMatch(r -> r.length == rows.getFirst().length);
        return even ? Optional.of(rows.toArray(float[][]::new)) : Optional.empty();
    }

    private static float[][] alternatives(Domain.Categories c, boolean coordinates) {
        float[][] rows = new float[c.size()][c.size()];
        for (int i = 0; i < rows.length; i++) {
            rows[i][i] = coordinates ? (float) Math.sqrt(0.5) : 1;
        }
        return rows;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void write(Configuration configuration, float[] to, int at) {
        for (int i = 0; i < table.length; i++) {
            float[] row = table[i][configuration.level(i)];
            System.arraycopy(row, 0, to, at + start[i], row.length);
        }
    }

    /// Squared distance between two levels of one knob.
    double squaredDistance(int knob, int level, int other) {
        float[] a = table[knob][level];
        float[] b = table[knob][other];
        double s = 0;
        for (int i = 0; i < a.length; i++) {
            s += (double) (a[i] - b[i]) * (a[i] - b[i]);
        }
        return s;
    }

    /// Squared distance between two configurations.
    public double squaredDistance(Configuration a, Configuration b) {
        double s = 0;
        for (int i = 0; i < table.length; i++) {
            if (a.level(i) != b.level(i)) {
                s += squaredDistance(i, a.level(i), b.level(i));
            }
        }
        return s;
    }
}
