package knobscape.pareto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// The region below a reference point that a front does not dominate, cut into disjoint boxes (the cells of
/// thesis Fig. 3.8): the ground on which hypervolume improvement and its expectation are sums over boxes.
/// Objectives are minimised; lower corners may be minus infinity. Immutable.
///
/// One objective: the interval below the best. Two: one strip per gap of the front, n + 1 boxes. Three: a sweep
/// along the third objective over a staircase of strips, at most 2n + 1 boxes (as in Yang, Emmerich, Deutz,
/// Back 2019). Four and more: the same sweep along the last objective over boxes of one dimension less, which
/// are split in at most M - 1 pieces where a point cuts into them; the count grows like n^2 in four.
public final class NonDominatedBoxes {
    private final int objectives;
    private final double[] lower;
    private final double[] upper;
    private final int count;

    private NonDominatedBoxes(int objectives, List<double[]> boxes) {
        this.objectives = objectives;
        this.count = boxes.size();
        this.lower = new double[count * objectives];
        this.upper = new double[count * objectives];
        for (int i = 0; i < count; i++) {
            System.arraycopy(boxes.get(i), 0, lower, i * objectives, objectives);
            System.arraycopy(boxes.get(i), objectives, upper, i * objectives, objectives);
        }
    }

    /// Cuts up the region not dominated by `points` (n x M, any rows; those outside the reference do not
    /// matter) below `reference` (M).
    public static NonDominatedBoxes of(double[][] points, double[] reference) {
        int m = reference.length;
        if (m < 1) {
            throw new IllegalArgumentException("boxes need at least one objective");
        }
        double[][] front = ParetoFront.of(Hypervolume.inside(points, reference));
        return new NonDominatedBoxes(
                m,
                switch (m) {
                    case 1 ->
                        List.of(new double[] {Double.NEGATIVE_INFINITY, front.length == 0 ? reference[0] : front[0][0]
                        });
                    case 2 -> strips(front, reference);
                    case 3 -> sweep3(front, reference);
                    default -> sweep(front, reference);
                });
    }

    /// Number of objectives M.
    public int objectives() {
        return objectives;
    }

    /// Number of boxes.
    public int count() {
        return count;
    }

    /// Lower corner of box `i` in objective `j`; may be minus infinity.
    public double lower(int i, int j) {
        return lower[i * objectives + j];
    }

    /// Upper corner of box `i` in objective `j`.
    public double upper(int i, int j) {
        return upper[i * objectives + j];
    }

    /// By how much the hypervolume would grow if `y` (M) joined the front: the part of each box that `y`
    /// dominates, summed.
    public double improvement(double[] y) {
        double sum = 0;
        for (int i = 0, at = 0; i < count; i++, at += objectives) {
            double volume = 1;
            for (int j = 0; j < objectives && volume > 0; j++) {
                volume *= Math.max(0, upper[at + j] - Math.max(lower[at + j], y[j]));
            }
            sum += volume;
        }
        return sum;
    }

    private static List<double[]> strips(double[][] front, double[] reference) {
        Arrays.sort(front, Comparator.comparingDouble(p -> p[0]));
        List<double[]> boxes = new ArrayList<>();
        double left = Double.NEGATIVE_INFINITY;
        double top = reference[1];
        for (double[] p : front) {
            boxes.add(new double[] {left, Double.NEGATIVE_INFINITY, p[0], top});
            left = p[0];
            top = p[1];
        }
        boxes.add(new double[] {left, Double.NEGATIVE_INFINITY, reference[0], top});
        return boxes;
    }

    private static List<double[]> sweep3(double[][] front, double[] reference) {
        Arrays.sort(front, Comparator.comparingDouble(p -> p[2]));
        List<double[]> boxes = new ArrayList<>();
        // Open strips from left to right: left edge, height, and the level at which they opened.
        int capacity = front.length + 2;
        double[] left = new double[capacity];
        double[] height = new double[capacity];
        double[] since = new double[capacity];
        left[0] = Double.NEGATIVE_INFINITY;
        height[0] = reference[1];
        since[0] = Double.NEGATIVE_INFINITY;
        int size = 1;
        for (double[] p : front) {
            // Strips from the one that holds p[0] on, as long as they rise above p[1], lose what p dominates.
            int first = 0;
            while (first + 1 < size && left[first + 1] <= p[0]) {
                first++;
            }
            int last = first;
            while (last < size && height[last] > p[1]) {
                double from = Math.max(left[last], p[0]);
                double to = last + 1 < size ? left[last + 1] : reference[0];
                if (since[last] < p[2]) {
                    boxes.add(new double[] {from, Double.NEGATIVE_INFINITY, since[last], to, height[last], p[2]});
                }
                last++;
            }
            if (last == first) {
                continue;
            }
            // The first strip keeps what lies left of p, with its own opening level; below p the closed ones go
            // on as one new strip.
            int at = left[first] < p[0] ? first + 1 : first;
            System.arraycopy(left, last, left, at + 1, size - last);
            System.arraycopy(height, last, height, at + 1, size - last);
            System.arraycopy(since, last, since, at + 1, size - last);
            size += at + 1 - last;
            left[at] = p[0];
            height[at] = p[1];
            since[at] = p[2];
        }
        for (int i = 0; i < size; i++) {
            double to = i + 1 < size ? left[i + 1] : reference[0];
            boxes.add(new double[] {left[i], Double.NEGATIVE_INFINITY, since[i], to, height[i], reference[2]});
        }
        return boxes;
    }

    private static List<double[]> sweep(double[][] front, double[] reference) {
        int m = reference.length;
        int k = m - 1;
        Arrays.sort(front, Comparator.comparingDouble(p -> p[k]));
        List<double[]> boxes = new ArrayList<>();
        List<double[]> open = new ArrayList<>();
        double[] all = new double[2 * m];
        Arrays.fill(all, 0, m, Double.NEGATIVE_INFINITY);
        System.arraycopy(reference, 0, all, m, m);
        open.add(all);
        for (double[] p : front) {
            List<double[]> next = new ArrayList<>(open.size() + m);
            for (double[] box : open) {
                if (!cuts(p, box, k)) {
                    next.add(box);
                    continue;
                }
                // What lies outside the region above p stays open; the rest closes at p's level.
                double[] rest = box.clone();
                for (int j = 0; j < k; j++) {
                    if (rest[j] < p[j]) {
                        double[] piece = rest.clone();
                        piece[m + j] = p[j];
                        next.add(piece);
                        rest[j] = p[j];
                    }
                }
                rest[m + k] = p[k];
                if (rest[k] < rest[m + k]) {
                    boxes.add(rest);
                }
            }
            open = next;
        }
        boxes.addAll(open);
        return boxes;
    }

    private static boolean cuts(double[] p, double[] box, int k) {
        int m = box.length / 2;
        for (int j = 0; j < k; j++) {
            if (p[j] >= box[m + j]) {
                return false;
            }
        }
        return true;
    }
}
