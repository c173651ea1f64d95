package knobscape.fusion.search.sequence;

import java.util.Arrays;
import knobscape.fusion.evaluate.FusionCostModel;

/// The best ways to continue from every point of a strategy, for all buffers at once: the teacher's knowledge.
///
/// Inside a group, entries trade launches against room; for a price per byte (a Lagrange multiplier) the best
/// entries behind a layer follow from a dynamic program over layers and micro-batches, and a ladder of prices
/// gives the lower convex hull of the trade. [#under] cuts that off at a buffer and joins groups by a second
/// dynamic program. What is left out is between the points of the hull and is small (a per cent or less of the
/// time); a network that reads further back than one layer is treated as if it did not.
final class Completions {
    private static final int PRICES = 48;
    /// Bytes that one launch is worth, from the dearest price to the cheapest.
    private static final double FEWEST_BYTES = 1e2;
    private static final double MOST_BYTES = 3e9;

    private final FusionCostModel model;
    private final MicroBatches batches;
    private final int n;
    private final int count;
    private final double launch;
    private final double[] output;
    /// Seconds of group a..b with one launch a layer, launches aside.
    private final double[][] base;
    private final double[] alone;
    /// Tables without and with weights loaded at every launch.
    private final Table[] tables;

    /// Behind entry t with micro-batch k to the end b of the group, by price: seconds of the launches of layers
    /// t+1..b, and bytes of the buffers of layers t..b-1. Index `[price][t][k][b-t-1]`.
    private record Table(double[][][][] seconds, double[][][][] bytes) {}

    Completions(FusionCostModel model) {
        this.model = model;
        batches = new MicroBatches(model.batch());
        n = model.layers();
        count = batches.count();
        launch = Math.max(1e-12, model.accelerator().launchSeconds());
        output = new double[n + 1];
        for (int i = 1; i <= n; i++) {
            output[i] = (double) model.network().output(i) * model.accelerator().bytesPerElement();
        }
        base = new double[n + 2][n + 1];
        alone = new double[n + 1];
        boolean reloads = !model.weightsFit(1, n);
        for (int a = 1; a <= n; a++) {
            for (int b = a; b <= n; b++) {
                for (int i = a; i <= b; i++) {
                    base[a][b] += model.layerSeconds(a, b, i, model.batch()) - launch;
                }
            }
            alone[a] = base[a][a] + launch;
        }
        tables = new Table[reloads ? 2 : 1];
        for (int v = 0; v < tables.length; v++) {
            tables[v] = table(v == 1);
        }
    }

    private Table table(boolean reload) {
        double[][][][] seconds = new double[PRICES][][][];
        double[][][][] bytes = new double[PRICES][][][];
        for (int p = 0; p < PRICES; p++) {
            double worth = FEWEST_BYTES * Math.pow(MOST_BYTES / FEWEST_BYTES, p / (PRICES - 1.0));
            seconds[p] = new double[n + 1][count][];
            bytes[p] = new double[n + 1][count][];
            for (int t = n - 1; t >= 1; t--) {
                behind(reload, launch / worth, t, seconds[p], bytes[p]);
            }
        }
        return new Table(seconds, bytes);
    }

    private void behind(boolean reload, double price, int t, double[][][] seconds, double[][][] bytes) {
        for (int k = 0; k < count; k++) {
            double[] sec = new double[n - t];
            double[] mem = new double[n - t];
            sec[0] = launches(reload, t + 1, k);
            mem[0] = batches.size(k) * output[t];
            for (int e = 1; e < n - t; e++) {
                double least = Double.POSITIVE_INFINITY;
                for (int j = 0; j < count; j++) {
                    double s = launches(reload, t + 1, j) + seconds[t + 1][j][e - 1];
                    double m = batches.size(Math.max(j, k)) * output[t] + bytes[t + 1][j][e - 1];
                    if (s + price * m < least) {
                        least = s + price * m;
                        sec[e] = s;
                        mem[e] = m;
                    }
                }
            }
            seconds[t][k] = sec;
            bytes[t][k] = mem;
        }
    }

    /// Seconds that the launches of layer i with micro-batch k cost.
    private double launches(boolean reload, int i, int k) {
        int r = batches.launches(batches.size(k));
        return r * launch
                + (reload
                        ? (r - 1)
                                * model.weightBytes(i, i)
                                / model.accelerator().offChipBandwidth()
                        : 0);
    }

    private boolean reloads(int a, int b) {
        return tables.length > 1 && !model.weightsFit(a, b);
    }

    /// The best completions under a buffer.
    Guide under(double budget) {
        return new Guide(budget);
    }

    /// The teacher for one buffer. Safe for use by several threads.
    final class Guide {
        private final double budget;
        /// Seconds of the layers a..N at best, where a new group begins at a.
        private final double[] rest = new double[n + 2];

        private Guide(double budget) {
            this.budget = budget;
            for (int a = n; a >= 1; a--) {
                rest[a] = alone[a] + rest[a + 1];
                for (int k = 0; a < n && k < count; k++) {
                    rest[a] = Math.min(rest[a], through(a, a, k, 0, new double[] {
                        launches(false, a, k), tables.length > 1 ? launches(true, a, k) : 0
                    }));
                }
            }
        }

        /// Seconds at best.
        double seconds() {
            return rest[1];
        }

        /// Seconds from the group's first layer to the end, where layer t of the group that begins at a has
        /// micro-batch k: the best end of the group and the best way there.
        private double through(int a, int t, int k, double used, double[] launched) {
            double least = Double.POSITIVE_INFINITY;
            for (int b = t + 1; b <= n; b++) {
                boolean reload = reloads(a, b);
                Table table = tables[reload ? 1 : 0];
                double with = base[a][b] + rest[b + 1] + launched[reload ? 1 : 0];
                if (with >= least) {
                    continue;
                }
                // From the dearest price to the cheapest, bytes rise and seconds fall: the last that fits is
                // the best.
                int low = 0;
                int high = PRICES;
                while (low < high) {
                    int p = (low + high) / 2;
                    if (used + table.bytes[p][t][k][b - t - 1] <= budget) {
                        low = p + 1;
                    } else {
                        high = p;
                    }
                }
                if (low > 0) {
                    least = Math.min(least, with + table.seconds[low - 1][t][k][b - t - 1]);
                }
            }
            return least;
        }

        /// Seconds from the first layer of the open group to the end at best, for every answer at a step;
        /// infinite for what does not fit.
        ///
        /// @param u step 1..N with the entries decided so far
        double[] values(Unfolding u) {
            double[] values = new double[MicroBatches.ACTIONS];
            Arrays.fill(values, Double.POSITIVE_INFINITY);
            int t = u.step();
            int a = u.firstOfGroup();
            double[] launched = new double[2];
            double used = 0;
            for (int i = a; i < t; i++) {
                int r = batches.launches(u.entry(i));
                launched[0] += r * launch;
                launched[1] += r * launch
                        + (r - 1)
                                * model.weightBytes(i, i)
                                / model.accelerator().offChipBandwidth();
                used += i < t - 1 ? Math.max(u.entry(i), u.entry(i + 1)) * output[i] : 0;
            }
            if (t == a) {
                values[MicroBatches.SYNC] = alone[t] + rest[t + 1];
            } else {
                int v = reloads(a, t) ? 1 : 0;
                int r = batches.launches(u.entry(t - 1));
                double last = r * launch
                        + (v == 1
                                ? (r - 1)
                                        * model.weightBytes(t, t)
                                        / model.accelerator().offChipBandwidth()
                                : 0);
                values[MicroBatches.SYNC] = base[a][t] + launched[v] + last + rest[t + 1];
            }
            for (int k = 0; t < n && k < count; k++) {
                double room = used + (t > a ? Math.max(u.entry(t - 1), batches.size(k)) * output[t - 1] : 0);
                if (room > budget) {
                    break;
                }
                values[batches.action(k)] = through(a, t, k, room, new double[] {
                    launched[0] + launches(false, t, k), tables.length > 1 ? launched[1] + launches(true, t, k) : 0
                });
            }
            return values;
        }
    }
}
