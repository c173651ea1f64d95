package knobscape.fusion.search;

import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;

/// Makes strategies fit the buffer: while a group needs more than there is, its micro-batches shrink in
/// proportion; where all are 1, the layer with the largest output synchronises and the part before it is
/// checked again. What fits already stays as it is.
public final class Repair {
    private final FusionCostModel model;

    public Repair(FusionCostModel model) {
        this.model = model;
    }

    /// A strategy that fits, the same where it fits already. Only where the options count the network's input,
    /// and a single sample of that is larger than the buffer, there is none; the result then still needs too
    /// much.
    public Strategy repair(Strategy strategy) {
        int[] s = strategy.toArray();
        repair(s);
        return Strategy.of(s);
    }

    /// The same in place.
    public void repair(int[] s) {
        int n = model.layers();
        int a = 1;
        while (a <= n) {
            int b = end(s, a);
            Cost cost = model.group(s, a, b);
            if (model.isValid(cost)
                    || (!shrink(s, a, b, (double) model.budget() / cost.peakBytes()) && !split(s, a, b))) {
                a = b + 1;
            }
        }
    }

    private int end(int[] s, int a) {
        int b = a;
        while (b < model.layers() && s[b] > 0) {
            b++;
        }
        return b;
    }

    /// Multiplies the micro-batches of a group by `factor`; whether any changed.
    private static boolean shrink(int[] s, int a, int b, double factor) {
        boolean changed = false;
        // Entry 0 belongs to the first group: it may count there.
        for (int i = a == 1 ? 0 : a; i <= b; i++) {
            if (s[i] > 1) {
                s[i] = Math.max(1, Math.min(s[i] - 1, (int) (s[i] * factor)));
                changed = true;
            }
        }
        return changed;
    }

    /// Synchronises at the layer of the largest output; whether there was one that did not.
    private boolean split(int[] s, int a, int b) {
        int largest = -1;
        for (int i = a; i <= b; i++) {
            if (s[i] > 0
                    && (largest < 0
                            || model.network().output(i) > model.network().output(largest))) {
                largest = i;
            }
        }
        if (largest < 0) {
            return false;
        }
        s[largest] = Strategy.SYNC;
        return true;
    }
}
