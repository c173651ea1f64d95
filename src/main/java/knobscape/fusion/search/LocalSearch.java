package knobscape.fusion.search;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;

/// Improves a strategy that fits by small changes, for every network and all options: single entries, neighbours
/// together, runs of layers with one micro-batch, a larger micro-batch against a smaller one of the same group,
/// neighbouring groups joined. Only the groups that a change touches are evaluated. Where no change gains, random
/// changes of a few entries begin again from the best (iterated local search), until the work is spent. Work is
/// counted in layers evaluated, so that the result does not depend on the machine.
final class LocalSearch {
    private static final double GAIN = 1 - 1e-12;
    /// Work of an evaluation besides its layers.
    private static final int CALL = 5;
    /// Random changes per layer without a gain after which the search ends.
    private static final int PATIENCE = 50;
    private static final int LONGEST_RUN = 8;
    /// Layers around a random change that are searched again.
    private static final int AROUND = 10;
    private static final int LONGEST_KICK = 6;

    private final FusionCostModel model;
    private final Problem problem;
    private final int n;
    /// The smallest micro-batch of each number of launches, rising; a synchronisation before them.
    private final int[] values;
    private final Repair repair;
    private long work;
    private int[] s = {};

    /// @param work layers that may be evaluated
    LocalSearch(Problem problem, long work) {
        this.problem = problem;
        this.model = problem.model();
        this.n = model.layers();
        this.work = work;
        this.repair = new Repair(model);
        values = IntStream.concat(
                        IntStream.of(Strategy.SYNC),
                        IntStream.rangeClosed(1, model.batch())
                                .map(r -> Math.ceilDiv(model.batch(), r))
                                .distinct()
                                .sorted())
                .toArray();
    }

    /// The best found from a strategy that fits.
    int[] improve(int[] start, SplittableRandom random) {
        s = start.clone();
        descend(0, n);
        double best = seconds(1, n);
        int vain = 0;
        while (work > 0 && vain++ < PATIENCE * n) {
            int[] before = s.clone();
            int at = random.nextInt(n + 1);
            int end = Math.min(n, at + random.nextInt(LONGEST_KICK));
            int value = random.nextInt(values.length);
            for (int i = at; i <= end; i++) {
                set(i, values[random.nextInt(3) == 0 ? random.nextInt(values.length) : value]);
            }
            repair.repair(s);
            descend(Math.max(0, at - AROUND), Math.min(n, end + AROUND));
            double now = seconds(1, n);
            if (now <= best) {
                vain = now < best * GAIN ? 0 : vain;
                best = now;
            } else {
                s = before;
            }
        }
        return s;
    }

    /// Entry 0 cannot synchronise.
    private void set(int i, int value) {
        s[i] = i == 0 && value < 1 ? model.batch() : value;
    }

    private int startOf(int layer) {
        int a = layer;
        while (a > 1 && s[a - 1] > 0) {
            a--;
        }
        return a;
    }

    private int endOf(int layer) {
        int b = layer;
        while (b < n && s[b] > 0) {
            b++;
        }
        return b;
    }

    /// Seconds of the groups of the layers first..last, which begin and end groups; infinite where one does not
    /// fit.
    private double seconds(int first, int last) {
        double sum = 0;
        int a = first;
        for (int i = first; i <= last; i++) {
            if (i == n || s[i] < 1) {
                Cost g = model.group(s, a, i);
                work -= i - a + CALL;
                if (!model.isValid(g)) {
                    return Double.POSITIVE_INFINITY;
                }
                sum += g.seconds();
                a = i + 1;
            }
        }
        return sum;
    }

    /// Makes each of `count` changes of the entries low..high and keeps the best; whether there was a gain.
    private boolean best(int low, int high, int count, IntConsumer change) {
        int first = startOf(Math.max(1, low));
        int last = endOf(Math.min(n, Math.max(1, high) + 1));
        int[] before = Arrays.copyOfRange(s, low, high + 1);
        double least = seconds(first, last) * GAIN;
        int chosen = -1;
        for (int k = 0; k < count && work > 0; k++) {
            change.accept(k);
            double now = seconds(first, last);
            if (now < least) {
                least = now;
                chosen = k;
            }
            System.arraycopy(before, 0, s, low, before.length);
        }
        if (chosen >= 0) {
            change.accept(chosen);
        }
        return chosen >= 0;
    }

    private void descend(int low, int high) {
        boolean gained = true;
        while (gained && work > 0) {
            problem.cancel().throwIfCancelled();
            gained = false;
            for (int i = low; i <= high && work > 0; i++) {
                gained |= around(i);
            }
        }
    }

    private boolean around(int i) {
        int k = values.length;
        boolean gained = best(i, i, k, v -> set(i, values[v]));
        if (i < n) {
            gained |= best(i, i + 1, 9 * 9, v -> {
                int left = near(s[i], v / 9);
                int right = near(s[i + 1], v % 9);
                set(i, left);
                set(i + 1, right);
            });
        }
        for (int length = 2; length <= LONGEST_RUN && i + length <= n; length++) {
            int end = i + length - 1;
            gained |= best(i, end, k - 1, v -> Arrays.fill(s, i, end + 1, values[v + 1]));
        }
        if (i > 0 && (i == n || s[i] < 1) && work > 0) {
            gained |= joined(i);
        }
        return (i > 0 && s[i] > 0) ? gained | exchanged(i) : gained;
    }

    /// A value near another one: synchronised, alike, up to three steps up or down, the smallest or the whole
    /// batch.
    private int near(int value, int k) {
        int at = Math.max(0, Arrays.binarySearch(values, value));
        return switch (k) {
            case 0 -> Strategy.SYNC;
            case 7 -> values[1];
            case 8 -> model.batch();
            default -> values[Math.clamp(at + k - 3, 1, values.length - 1)];
        };
    }

    /// Joins the group that ends at i with the next, in one micro-batch.
    private boolean joined(int i) {
        if (i == n) {
            return false;
        }
        int a = startOf(i);
        int end = endOf(i + 1) - 1;
        return best(
                a, Math.max(i, end), values.length - 1, v -> Arrays.fill(s, a, Math.max(i, end) + 1, values[v + 1]));
    }

    /// A step up at i against a step down of another layer of its group.
    private boolean exchanged(int i) {
        int a = startOf(i);
        int b = endOf(i);
        boolean gained = false;
        for (int j = a; j <= b && work > 0; j++) {
            if (j != i && s[j] > 1 && s[i] > 0) {
                int other = j;
                gained |= best(Math.min(i, j), Math.max(i, j), 3, v -> {
                    int up = near(s[i], 4 + v % 2);
                    int down = near(s[other], v == 2 ? 1 : 2);
                    s[i] = up;
                    s[other] = down;
                });
            }
        }
        return gained;
    }
}
