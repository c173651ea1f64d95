package knobscape.hls.evaluate.estimator;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Rank correlation.
final class RankCorrelation {
    private RankCorrelation() {}

    /// Spearman's coefficient, ties by mean rank.
    static double spearman(List<Double> a, List<Double> b) {
        double[] x = ranks(a);
        double[] y = ranks(b);
        double mean = (x.length + 1) / 2.0;
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
        List<Integer> order = IntStream.range(0, values.size())
                .boxed()
                .sorted(Comparator.comparing(values::get))
                .toList();
        double[] ranks = new double[values.size()];
        for (int i = 0; i < order.size(); ) {
            int j = i;
            while (j < order.size() && values.get(order.get(j)).equals(values.get(order.get(i)))) {
                j++;
            }
            for (int k = i; k < j; k++) {
                ranks[order.get(k)] = (i + j + 1) / 2.0;
            }
            i = j;
        }
        return ranks;
    }
}
