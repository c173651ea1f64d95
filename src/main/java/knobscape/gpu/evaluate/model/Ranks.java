package knobscape.gpu.evaluate.model;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Rank correlation.
public final class Ranks {
    private Ranks() {
    }

    /// Spearman's coefficient of two lists of equal length; equal values share their mean rank. NaN for fewer than two values.
    public static double spearman(List<Double> a, List<Double> b) {
        if (a.size() != b.size()) {
            throw new IllegalArgumentException("lists of " + a.size() + " and " + b.size() + " values cannot be compared");
        }
        double[] x = ranks(a);
        double[] y = ranks(b);
        double mean = (a.size() - 1) / 2.0;
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (int i = 0; i < x.length; i++) {
            xy += (x[i] - mean) * (y[i] - mean);
            xx += (x[i] - mean) * (x[i] - mean);
            yy += (y[i] - mean) * (y[i] - mean);
        }
        return xy / Math.sqrt(xx * yy);
    }

    private static double[] ranks(List<Double> values) {
        Integer[] order = new Integer[values.size()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(values::get));
        double[] ranks = new double[order.length];
        int i = 0;
        while (i < order.length) {
            int j = i;
            while (j + 1 < order.length && values.get(order[j + 1]).equals(values.get(order[i]))) {
                j++;
            }
            for (int k = i; k <= j; k++) {
                ranks[order[k]] = (i + j) / 2.0;
            }
            i = j + 1;
        }
        return ranks;
    }
}
