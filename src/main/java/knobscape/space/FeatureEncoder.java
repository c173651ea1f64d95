package knobscape.space;

import java.util.ArrayList;
import java.util.List;

/// The encoding of thesis section 3.3.2. Per knob, in knob order:
///
/// - a [Domain.Toggle] is one column named like the knob, 0 or 1;
/// - [Domain.Factors] are one column named like the knob, min-max normalised over the declared values, {2, 5, 10} giving 0, 0.375, 1
///   (with [Scale#LOGARITHMIC] over their logarithms); a single value gives 0;
/// - [Domain.Categories] are one-hot, columns named `knob=value`; with two values one column, named after the second, says whether
///   that one was chosen, and with one value one column that is 1.
public final class FeatureEncoder implements Encoder {

    /// How factors are laid out on [0, 1].
    public enum Scale {
        /// In proportion to the value, as in the thesis.
        LINEAR,
        /// In proportion to the logarithm, so that doublings are equally far apart; all values must be positive.
        LOGARITHMIC
    }

    private final KnobSet knobs;
    private final List<String> columns;
    private final int[] start;
    /// Per knob and level, the values of the knob's columns.
    private final double[][][] table;

    /// The thesis's encoding.
    public FeatureEncoder(KnobSet knobs) {
        this(knobs, Scale.LINEAR);
    }

    /// Throws `IllegalArgumentException` where a factor below 1 meets the logarithmic scale.
    public FeatureEncoder(KnobSet knobs, Scale scale) {
        this.knobs = knobs;
        var names = new ArrayList<String>();
        start = new int[knobs.size()];
        table = new double[knobs.size()][][];
        for (int i = 0; i < knobs.size(); i++) {
            Knob knob = knobs.get(i);
            start[i] = names.size();
            switch (knob.domain()) {
                case Domain.Toggle t -> {
                    names.add(knob.name());
                    table[i] = new double[][] {{0}, {1}};
                }
                case Domain.Factors f -> {
                    names.add(knob.name());
                    table[i] = factors(f.values(), scale);
                }
                case Domain.Categories c -> {
                    c.values().stream().skip(c.size() == 2 ? 1 : 0).forEach(v -> names.add(knob.name() + "=" + v));
                    table[i] = c.size() == 2 ? new double[][] {{0}, {1}} : identity(c.size());
                }
            }
        }
        columns = List.copyOf(names);
    }

    private static double[][] factors(List<Integer> values, Scale scale) {
        if (scale == Scale.LOGARITHMIC && values.getFirst() < 1) {
            throw new IllegalArgumentException("the logarithmic scale needs positive factors, was " + values);
        }
        double least = on(scale, values.getFirst());
        double range = on(scale, values.getLast()) - least;
        double[][] rows = new double[values.size()][1];
        for (int level = 0; level < rows.length; level++) {
            rows[level][0] = range == 0 ? 0 : (on(scale, values.get(level)) - least) / range;
        }
        return rows;
    }

    private static double on(Scale scale, int value) {
        return scale == Scale.LINEAR ? value : Math.log(value);
    }

    private static double[][] identity(int n) {
        double[][] rows = new double[n][n];
        for (int i = 0; i < n; i++) {
            rows[i][i] = 1;
        }
        return rows;
    }

    @Override
    public List<String> columns() {
        return columns;
    }

    @Override
    public double[] encode(Configuration configuration) {
        double[] x = new double[columns.size()];
        for (int i = 0; i < table.length; i++) {
            double[] row = table[i][configuration.level(i)];
            System.arraycopy(row, 0, x, start[i], row.length);
        }
        return x;
    }
}
