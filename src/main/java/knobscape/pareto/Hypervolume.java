package knobscape.pareto;

import java.util.Arrays;
import java.util.Comparator;

/// Exact Pareto hypervolume (thesis Eq. 3.10): the volume of what a set of minimised vectors dominates up to a
/// reference point. Two objectives: one sorted pass. Three: sweep along the third with a staircase of the first
/// two, O(n log n) for sorting and searching (Fonseca, Paquete, Lopez-Ibanez 2006). Four and more: slices along
/// the last objective, O(n) times the cost below.
public final class Hypervolume {
    private Hypervolume() {}

    /// Hypervolume of `points` (n x M, dominated and equal rows allowed) up to `reference` (M). Points not
    /// better than the reference in every objective add nothing. Throws `IllegalArgumentException` on NaN or a
    /// wrong length.
    public static double of(double[][] points, double[] reference) {
        int m = reference.length;
        if (m == 0) {
            throw new IllegalArgumentException("a hypervolume needs at least one objective");
        }
        double[][] inside = inside(points, reference);
        return inside.length == 0 ? 0 : volume(inside, reference, m);
    }

    /// The rows of `points` that are better than the reference in every objective; the rows are shared, not
    /// copied.
    static double[][] inside(double[][] points, double[] reference) {
        for (double[] p : points) {
            if (p.length != reference.length) {
                throw new IllegalArgumentException("expected " + reference.length + " objectives, was " + p.length);
            }
            for (double v : p) {
                if (Double.isNaN(v)) {
                    throw new IllegalArgumentException("an objective is not a number");
                }
            }
        }
        return Arrays.stream(points)
                .filter(p -> Dominance.strictlyDominates(p, reference))
                .toArray(double[][]::new);
    }

    /// Volume in the first `m` objectives of points inside the reference; may reorder the array of rows.
    private static double volume(double[][] points, double[] reference, int m) {
        return switch (m) {
            case 1 ->
                reference[0]
                        - Arrays.stream(points).mapToDouble(p -> p[0]).min().orElse(reference[0]);
            case 2 -> area(points, reference);
            case 3 -> volume3(points, reference);
            default -> slices(points, reference, m);
        };
    }

    private static double area(double[][] points, double[] reference) {
        Arrays.sort(points, Comparator.comparingDouble(p -> p[0]));
        double area = 0;
        double top = reference[1];
        for (double[] p : points) {
            if (p[1] < top) {
                area += (reference[0] - p[0]) * (top - p[1]);
                top = p[1];
            }
        }
        return area;
    }

    private static double volume3(double[][] points, double[] reference) {
        Arrays.sort(points, Comparator.comparingDouble(p -> p[2]));
        // Staircase: xs increasing, ys decreasing; dominated area is kept up to date.
        double[] xs = new double[points.length];
        double[] ys = new double[points.length];
        int size = 0;
        double area = 0;
        double volume = 0;
        double level = points[0][2];
        for (double[] p : points) {
            volume += area * (p[2] - level);
            level = p[2];
            int at = Arrays.binarySearch(xs, 0, size, p[0]);
            int first = at >= 0 ? at : -at - 1;
            double top = first == 0 ? reference[1] : ys[first - 1];
            if (p[1] >= top || (at >= 0 && ys[at] <= p[1])) {
                continue;
            }
            // Steps first .. last-1 are no lower than p: p takes their place.
            int last = first;
            double left = p[0];
            while (last < size && ys[last] >= p[1]) {
                area += (xs[last] - left) * (top - p[1]);
                left = xs[last];
                top = ys[last];
                last++;
            }
            double right = last < size ? xs[last] : reference[0];
            area += (right - left) * (top - p[1]);
            System.arraycopy(xs, last, xs, first + 1, size - last);
            System.arraycopy(ys, last, ys, first + 1, size - last);
            size += first + 1 - last;
            xs[first] = p[0];
            ys[first] = p[1];
        }
        return volume + area * (reference[2] - level);
    }

    private static double slices(double[][] points, double[] reference, int m) {
        int k = m - 1;
        double[][] sorted = points.clone();
        Arrays.sort(sorted, Comparator.comparingDouble(p -> p[k]));
        double[][] seen = new double[sorted.length][];
        int size = 0;
        double slice = 0;
        double volume = 0;
        double level = sorted[0][k];
        for (double[] p : sorted) {
            volume += slice * (p[k] - level);
            level = p[k];
            int kept = insert(seen, size, p, k);
            if (kept > 0) {
                size = kept;
                slice = volume(Arrays.copyOf(seen, size), reference, k);
            }
        }
        return volume + slice * (reference[k] - level);
    }

    /// Adds `p` to the non-dominated rows `seen[0..size)`, evaluated by the first `k` objectives. Returns the
    /// new size, or -1 where `p` is covered.
    private static int insert(double[][] seen, int size, double[] p, int k) {
        for (int i = 0; i < size; i++) {
            if (covers(seen[i], p, k)) {
                return -1;
            }
        }
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (!covers(p, seen[i], k)) {
                seen[kept++] = seen[i];
            }
        }
        seen[kept] = p;
        return kept + 1;
    }

    private static boolean covers(double[] a, double[] b, int k) {
        for (int j = 0; j < k; j++) {
            if (a[j] > b[j]) {
                return false;
            }
        }
        return true;
    }
}
