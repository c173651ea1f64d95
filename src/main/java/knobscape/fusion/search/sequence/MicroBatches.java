package knobscape.fusion.search.sequence;

import java.util.Arrays;

/// The answers a sequence model can give for an entry: synchronise, or a micro-batch by its number of launches.
///
/// Of the micro-batches with the same number of launches `ceil(B/m)`, the smallest takes least room and costs
/// no more time, so only those are worth saying: 15 for a batch of 64. They are named by `log2(launches)` in
/// quarters, so that an answer means the same at every batch. The published encoding, `m/B` as one real number
/// beside -1, makes a squared error average "synchronise" with "64"; classes do not.
final class MicroBatches {
    /// Quarters of octaves from 1 to 256 launches.
    private static final int QUARTERS = 33;
    private static final int PER_OCTAVE = 4;
    /// Answers: 0 synchronises, 1 + q stands for `2^(q/4)` launches.
    static final int ACTIONS = 1 + QUARTERS;
    /// The answer that synchronises.
    static final int SYNC = 0;

    private final int batch;
    /// The micro-batch of each answer, 0 where this batch has none.
    private final int[] sizes = new int[ACTIONS];
    private final int[] actions;

    MicroBatches(int batch) {
        this.batch = batch;
        double[] distance = new double[ACTIONS];
        Arrays.fill(distance, Double.POSITIVE_INFINITY);
        for (int m = batch; m >= 1; m--) {
            int r = launches(m);
            if (m > 1 && launches(m - 1) == r) {
                continue;
            }
            double exact = PER_OCTAVE * Math.log(r) / Math.log(2);
            int q = (int) Math.round(exact);
            if (q < QUARTERS && Math.abs(exact - q) < distance[1 + q]) {
                distance[1 + q] = Math.abs(exact - q);
                sizes[1 + q] = m;
            }
        }
        int[] found = new int[ACTIONS];
        int n = 0;
        for (int action = ACTIONS - 1; action > SYNC; action--) {
            if (sizes[action] > 0) {
                found[n++] = action;
            }
        }
        actions = Arrays.copyOf(found, n);
    }

    /// Launches of a layer that works in micro-batches of m samples.
    int launches(int m) {
        return Math.ceilDiv(batch, m);
    }

    /// Number of different micro-batches.
    int count() {
        return actions.length;
    }

    /// The micro-batch of the k-th answer, rising.
    int size(int k) {
        return sizes[actions[k]];
    }

    /// The answer of the k-th micro-batch.
    int action(int k) {
        return actions[k];
    }

    /// The micro-batch an answer stands for; 0 where there is none.
    int sizeOf(int action) {
        return sizes[action];
    }
}
