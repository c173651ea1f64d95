package knobscape.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Rows made of the knobs alone, by a table with the values of a knob's columns at each of its levels. Three
/// kinds:
///
/// - *features in [0, 1]* ([#FeatureEncoder]), the encoding of thesis section 3.3.2: a toggle is 0 or 1;
///   factors are min-max normalised over the declared values, {2, 5, 10} giving 0, 0.375, 1, a single value 0;
///   categories are one-hot, one column for two values and one that is 1 for a single value;
/// - *numbers* ([#numbers]), what AutoTVM calls knob features: factors and all parts of every split as they
///   are, other categories one-hot;
/// - *coordinates* ([#coordinates]), in which distances mean something.
///
/// A categorical knob whose labels are lists of whole numbers (`[7, 2, 4, 1]`) is a split.
public final class FeatureEncoder implements Encoder {
    private static final Pattern LIST = Pattern.compile("\\[?\\(?\\s*-?\\d+(\\s*[,x]\\s*-?\\d+)*\\s*\\)?\\]?");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");
    /// A range of real numbers is as wide as a factor from 1 to 256.
    private static final double RANGE_STEPS = 8;

    private static final double[][] TOGGLE = {{0}, {1}};

    /// By knob and level, the values of the knob's columns.
    private final double[][][] table;
    private final int length;

    /// Features in [0, 1].
    public FeatureEncoder(KnobSet knobs) {
        this(knobs, domain -> switch (domain) {
            case Domain.Toggle _ -> TOGGLE;
            case Domain.Factors f -> normalised(f.values());
            case Domain.Numbers n -> places(n, 1);
            case Domain.Categories c -> c.size() == 2 ? TOGGLE : oneHot(c.size(), 1);
        });
    }

    private FeatureEncoder(KnobSet knobs, Function<Domain, double[][]> columns) {
        table = new double[knobs.size()][][];
        int columnsInAll = 0;
        for (int i = 0; i < table.length; i++) {
            table[i] = columns.apply(knobs.get(i).domain());
            columnsInAll += table[i][0].length;
        }
        length = columnsInAll;
    }

    /// Factors and options as numbers; named alternatives as one column each.
    public static FeatureEncoder numbers(KnobSet knobs) {
        return new FeatureEncoder(knobs, domain -> switch (domain) {
            case Domain.Toggle _ -> TOGGLE;
            case Domain.Factors f ->
                f.values().stream().map(v -> new double[] {v}).toArray(double[][]::new);
            case Domain.Numbers n ->
                n.values().stream().map(v -> new double[] {v}).toArray(double[][]::new);
            case Domain.Categories c -> parts(c.values(), false).orElseGet(() -> oneHot(c.size(), 1));
        });
    }

    /// Coordinates in which one step is about 1: of a split the binary logarithm of every factor (moving a
    /// factor of 2 from one part to another is a step of the square root of 2), of another number its binary
    /// logarithm where all values of the knob are positive and else its rank among them, of a range eight steps, of
    /// named alternatives
    /// one axis each, so that any two are 1 apart. In single precision: what is equally far away ties.
    public static FeatureEncoder coordinates(KnobSet knobs) {
        return new FeatureEncoder(knobs, domain -> switch (domain) {
            case Domain.Toggle _ -> TOGGLE;
            case Domain.Factors f ->
                f.values().getFirst() >= 1
                        ? f.values().stream().map(v -> new double[] {log2(v)}).toArray(double[][]::new)
                        : ranks(f.size());
            case Domain.Numbers n -> places(n, RANGE_STEPS);
            case Domain.Categories c ->
                parts(c.values(), true)
                        .map(rows -> rows[0].length == 1 ? ranks(rows.length) : rows)
                        .orElseGet(() -> oneHot(c.size(), (float) Math.sqrt(0.5)));
        });
    }

    /// From 0 to `width` along the range's scale.
    private static double[][] places(Domain.Numbers n, double width) {
        double least = n.position(0);
        double range = n.position(n.size() - 1) - least;
        double[][] rows = new double[n.size()][1];
        for (int level = 0; level < rows.length; level++) {
            rows[level][0] = range == 0 ? 0 : (n.position(level) - least) / range * width;
        }
        return rows;
    }

    private static double[][] normalised(List<Integer> values) {
        int least = values.getFirst();
        double range = values.getLast() - least;
        return values.stream()
                .map(v -> new double[] {range == 0 ? 0 : (v - least) / range})
                .toArray(double[][]::new);
    }

    private static double[][] ranks(int n) {
        double[][] rows = new double[n][1];
        for (int level = 0; level < n; level++) {
            rows[level][0] = level;
        }
        return rows;
    }

    private static double[][] oneHot(int n, double one) {
        double[][] rows = new double[n][n];
        for (int i = 0; i < n; i++) {
            rows[i][i] = one;
        }
        return rows;
    }

    private static float log2(int value) {
        return (float) (Math.log(value) / Math.log(2));
    }

    /// The parts of splits; empty where a label is no list, or one of another length.
    private static Optional<double[][]> parts(List<String> labels, boolean logarithms) {
        var rows = new ArrayList<double[]>();
        for (String label : labels) {
            if (!LIST.matcher(label).matches()) {
                return Optional.empty();
            }
            // The outermost factor of a record may be written as -1: what is left over.
            rows.add(NUMBER.matcher(label)
                    .results()
                    .mapToInt(m -> Integer.parseInt(m.group()))
                    .mapToDouble(v -> !logarithms ? v : v > 0 ? log2(v) : 0)
                    .toArray());
        }
        boolean even = rows.stream().allMatch(r -> r.length == rows.getFirst().length);
        return even ? Optional.of(rows.toArray(double[][]::new)) : Optional.empty();
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public double[] encode(Configuration configuration) {
        double[] x = new double[length];
        int at = 0;
        for (int i = 0; i < table.length; i++) {
            double[] row = table[i][configuration.level(i)];
            System.arraycopy(row, 0, x, at, row.length);
            at += row.length;
        }
        return x;
    }

    /// Squared distance between two levels of one knob.
    public double squaredDistance(int knob, int level, int other) {
        double[] a = table[knob][level];
        double[] b = table[knob][other];
        double s = 0;
        for (int i = 0; i < a.length; i++) {
            float e = (float) a[i] - (float) b[i];
            s += (double) e * e;
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
