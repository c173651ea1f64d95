package knobscape.fusion.evaluate;

import knobscape.fusion.space.Strategy;

/// The cost of a strategy that changes one entry at a time: only the groups touched are computed again, and the
/// result is the same to the last bit as that of [FusionCostModel#evaluate(int[])]. Not for use by several threads.
public final class IncrementalCost {
    private final FusionCostModel model;
    private final int[] s;
    /// The cost of each group, at its last layer.
    private final Cost[] byLast;
    private Cost total;

    public IncrementalCost(FusionCostModel model, Strategy strategy) {
        model.check(strategy);
        this.model = model;
        this.s = strategy.toArray();
        this.byLast = new Cost[s.length];
        regroup(1, model.layers());
        total = total();
    }

    /// The cost now.
    public Cost cost() {
        return total;
    }

    /// The strategy now.
    public Strategy strategy() {
        return Strategy.of(s);
    }

    /// Entry 0..N now.
    public int get(int index) {
        return s[index];
    }

    /// Changes entry 0..N and gives the new cost. Throws [IllegalArgumentException] for a value that is neither
    /// 1..B nor (not at 0) [Strategy#SYNC].
    public Cost set(int index, int value) {
        if (value > model.batch() || (value < 1 && (index == 0 || value != Strategy.SYNC))) {
            throw new IllegalArgumentException("entry " + index + " of a strategy cannot be " + value);
        }
        if (s[index] == value) {
            return total;
        }
        int n = model.layers();
        int at = Math.max(1, index);
        int first = at;
        while (first > 1 && s[first - 1] > 0) {
            first--;
        }
        // The group after this one is touched where a border appears or goes.
        boolean border = index > 0 && index < n && (s[index] > 0) != (value > 0);
        int last = border ? at + 1 : at;
        while (last < n && s[last] > 0) {
            last++;
        }
        s[index] = value;
        regroup(first, last);
        total = total();
        return total;
    }

    /// The cost with entry `index` changed, which stays as it is.
    public Cost peek(int index, int value) {
        int before = s[index];
        Cost cost = set(index, value);
        set(index, before);
        return cost;
    }

    private boolean ends(int i) {
        return i == model.layers() || s[i] < 1;
    }

    private void regroup(int first, int last) {
        int a = first;
        for (int i = first; i <= last; i++) {
            if (ends(i)) {
                byLast[i] = model.group(s, a, i);
                a = i + 1;
            }
        }
    }

    private Cost total() {
        double seconds = 0;
        long peak = 0;
        long off = 0;
        long on = 0;
        for (int i = 1; i < s.length; i++) {
            if (ends(i)) {
                Cost g = byLast[i];
                seconds += g.seconds();
                peak = Math.max(peak, g.peakBytes());
                off += g.offChipBytes();
                on += g.onChipBytes();
            }
        }
        return new Cost(seconds, peak, off, on);
    }
}
