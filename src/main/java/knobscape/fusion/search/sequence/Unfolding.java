package knobscape.fusion.search.sequence;

import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;

/// A strategy that is being written down, entry by entry, for one model and buffer: what has been decided, what
/// may come next, and what the network sees before it decides. Every strategy that ends up here fits the
/// buffer, because answers that would not are not offered. One thread.
final class Unfolding {
    private final FusionCostModel model;
    private final MicroBatches batches;
    private final StateEncoder encoder;
    private final int n;
    private final int[] s;
    /// Seconds of the layers i..N each for itself.
    private final double[] aloneFrom;
    private int t;
    /// First layer of the group that is open at layer t.
    private int first = 1;
    private double closedSeconds;

    /// @param encoder knows the model and what does not change from step to step
    Unfolding(StateEncoder encoder) {
        this.encoder = encoder;
        this.model = encoder.model();
        this.batches = encoder.batches();
        this.n = model.layers();
        this.s = Strategy.noFusion(n, model.batch()).toArray();
        aloneFrom = new double[n + 2];
        for (int i = n; i >= 1; i--) {
            aloneFrom[i] = aloneFrom[i + 1] + model.group(s, i, i).seconds();
        }
    }

    /// The entry to be decided next, 0..N.
    int step() {
        return t;
    }

    boolean isDone() {
        return t > n;
    }

    /// First layer of the group that layer `step()` would continue; `step()` itself where a new one begins.
    int firstOfGroup() {
        return first;
    }

    /// An entry that was decided, or -1.
    int entry(int i) {
        return s[i];
    }

    /// The strategy; complete where it is done, else followed by synchronisations.
    Strategy strategy() {
        return Strategy.of(s);
    }

    /// The answers offered now. There is always one.
    boolean[] offered() {
        boolean[] offered = new boolean[MicroBatches.ACTIONS];
        offered[MicroBatches.SYNC] = t > 0;
        if (t == n) {
            // The last output goes off chip whatever is said; staging it would only take room.
            return offered;
        }
        // Room grows with the micro-batch: find the largest that fits by bisection.
        int low = 0;
        int high = batches.count();
        while (low < high) {
            int k = (low + high) / 2;
            if (fits(batches.size(k))) {
                low = k + 1;
            } else {
                high = k;
            }
        }
        for (int k = 0; k < low; k++) {
            offered[batches.action(k)] = true;
        }
        if (t == 0 && low == 0) {
            offered[batches.action(0)] = true;
        }
        return offered;
    }

    private boolean fits(int m) {
        int before = s[t];
        s[t] = m;
        long peak = t == 0
                ? model.group(s, 1, 1).peakBytes()
                : model.group(s, first, t).peakBytes();
        s[t] = before;
        return peak <= model.budget();
    }

    /// The network's input before the decision: the numbers of [StateEncoder].
    float[] features() {
        boolean open = t > first;
        double seconds = aloneFrom[1];
        double used = 0;
        if (t > 0) {
            seconds = closedSeconds + (open ? model.group(s, first, t).seconds() + aloneFrom[t + 1] : aloneFrom[t]);
            used = open ? model.group(s, first, t).peakBytes() : 0;
        }
        return encoder.features(t, first, s, seconds, used);
    }

    /// Decides the entry.
    void answer(int action) {
        if (t > 0) {
            s[t] = action == MicroBatches.SYNC ? Strategy.SYNC : batches.sizeOf(action);
            if (s[t] < 1) {
                closedSeconds += model.group(s, first, t).seconds();
                first = t + 1;
            }
        } else {
            s[0] = batches.sizeOf(action);
        }
        t++;
    }
}
