package knobscape.explore.bo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.FeatureEncoder;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// Rows of a space: the columns of [FeatureEncoder#coordinates], each brought to [0, 1], and for a number whose values
/// are not all powers of two how often 2 divides it. Memory and vector units are cut in powers of two, so 128 is nearer
/// to 64 than to 112 in what it does; by size alone a process takes the two for neighbours.
final class KnobRows {
    /// By knob and level, the knob's columns.
    private final double[][][] table;
    private final int[] group;
    private final int length;

    KnobRows(KnobSet knobs) {
        table = new double[knobs.size()][][];
        var groups = new ArrayList<Integer>();
        int next = 0;
        for (int k = 0; k < table.length; k++) {
            Knob knob = knobs.get(k);
            boolean isChoice = knob.domain().size() > 1;
            double[][] place = scaled(coordinates(knob));
            double[][] twos = twos(knob.domain());
            // A knob without a choice shares the scale of another, which its constant column does not disturb.
            int own = next;
            IntStream.range(0, place[0].length).forEach(_ -> groups.add(own));
            next += isChoice ? 1 : 0;
            if (twos.length > 0) {
                groups.add(next++);
            }
            table[k] = IntStream.range(0, place.length)
                    .mapToObj(l -> twos.length == 0 ? place[l] : joined(place[l], twos[l]))
                    .toArray(double[][]::new);
        }
        int last = Math.max(0, next - 1);
        group = groups.stream().mapToInt(g -> Math.min(g, last)).toArray();
        length = group.length;
    }

    private static double[][] coordinates(Knob knob) {
        var alone = new KnobSet(List.of(knob));
        FeatureEncoder own = FeatureEncoder.coordinates(alone);
        return IntStream.range(0, knob.domain().size())
                .mapToObj(l -> own.encode(Configuration.of(alone, l)))
                .toArray(double[][]::new);
    }

    /// By level how often 2 divides the value; nothing where size says the same, or all are alike.
    private static double[][] twos(Domain domain) {
        if (!(domain instanceof Domain.Factors f) || f.values().getFirst() < 1) {
            return new double[0][];
        }
        int[] twos =
                f.values().stream().mapToInt(Integer::numberOfTrailingZeros).toArray();
        boolean isSize = f.values().stream().allMatch(v -> Integer.bitCount(v) == 1);
        return isSize || Arrays.stream(twos).distinct().count() == 1
                ? new double[0][]
                : scaled(Arrays.stream(twos).mapToObj(t -> new double[] {t}).toArray(double[][]::new));
    }

    private static double[][] scaled(double[][] rows) {
        for (int c = 0; c < rows[0].length; c++) {
            int column = c;
            double least = Stream.of(rows).mapToDouble(r -> r[column]).min().orElse(0);
            double range = Stream.of(rows).mapToDouble(r -> r[column]).max().orElse(1) - least;
            for (double[] row : rows) {
                row[c] = (row[c] - least) / Math.max(1e-9, range);
            }
        }
        return rows;
    }

    private static double[] joined(double[] a, double[] b) {
        double[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }

    /// By column the position of its length scale: one for every knob with a choice, and one for its powers of two.
    int[] group() {
        return group.clone();
    }

    double[] of(Configuration c) {
        double[] x = new double[length];
        int at = 0;
        for (int k = 0; k < table.length; k++) {
            double[] row = table[k][c.level(k)];
            System.arraycopy(row, 0, x, at, row.length);
            at += row.length;
        }
        return x;
    }

    double[][] all(List<Configuration> configurations) {
        return configurations.stream().map(this::of).toArray(double[][]::new);
    }
}
