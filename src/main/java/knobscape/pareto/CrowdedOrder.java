package knobscape.pareto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Non-dominated sorting with crowding distances (NSGA-II, Deb et al. 2002).
public final class CrowdedOrder {
    private static final double LEAST_RANGE = 1e-12;

    private CrowdedOrder() {}

    /// Positions of minimised vectors by non-domination rank, in each rank the most isolated first; of equals the
    /// earlier first.
    public static List<Integer> of(List<double[]> vectors) {
        List<Integer> left =
                new ArrayList<>(IntStream.range(0, vectors.size()).boxed().toList());
        List<Integer> sorted = new ArrayList<>();
        while (!left.isEmpty()) {
            List<Integer> front = left.stream()
                    .filter(a -> left.stream().noneMatch(b -> Dominance.dominates(vectors.get(b), vectors.get(a))))
                    .toList();
            double[] crowding = crowding(front.stream().map(vectors::get).toList());
            IntStream.range(0, front.size())
                    .boxed()
                    .sorted(Comparator.comparingDouble((Integer i) -> -crowding[i]))
                    .map(front::get)
                    .forEach(sorted::add);
            left.removeAll(front);
        }
        return List.copyOf(sorted);
    }

    /// By vector of a front how far its neighbours along every objective are apart; infinite at the ends.
    static double[] crowding(List<double[]> front) {
        double[] distances = new double[front.size()];
        for (int j = 0; j < front.getFirst().length; j++) {
            int objective = j;
            int[] along = IntStream.range(0, front.size())
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> front.get(i)[objective]))
                    .mapToInt(i -> i)
                    .toArray();
            double[] values = Arrays.stream(along)
                    .mapToDouble(i -> front.get(i)[objective])
                    .toArray();
            int last = along.length - 1;
            double range = Math.max(LEAST_RANGE, values[last] - values[0]);
            for (int i = 0; i <= last; i++) {
                distances[along[i]] +=
                        i == 0 || i == last ? Double.POSITIVE_INFINITY : (values[i + 1] - values[i - 1]) / range;
            }
        }
        return distances;
    }
}
