package knobscape.explore.bayes;

import java.util.Comparator;
import java.util.stream.IntStream;

/// Scores of candidates.
final class Scores {
    private Scores() {}

    /// Positions of the largest, in falling order, of equal ones the first.
    static IntStream largest(double[] values, int count) {
        return IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -values[i]))
                .limit(count)
                .mapToInt(i -> i);
    }

    /// The gains, each multiplied by its chance in place.
    static double[] weighed(double[] gains, double[] chance) {
        for (int i = 0; i < gains.length; i++) {
            gains[i] *= chance[i];
        }
        return gains;
    }
}
