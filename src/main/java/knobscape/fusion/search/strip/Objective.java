package knobscape.fusion.search.strip;

import knobscape.fusion.evaluate.strip.GroupPlan.Totals;

/// The quantity that an answer makes least; of equals the one that is better in the next.
public enum Objective {
    /// Time, then traffic.
    TIME,
    /// Off-chip traffic, then time.
    TRAFFIC,
    /// Energy, then time.
    ENERGY,
    /// The buffer that every layer needs at least, then time within it.
    ROOM;

    private static final double EQUAL = 1e-12;

    /// The figure that counts first; under one buffer time where room is made least.
    public double of(Totals t) {
        return switch (this) {
            case TIME, ROOM -> t.seconds();
            case TRAFFIC -> t.offChip();
            case ENERGY -> t.joules();
        };
    }

    private double next(Totals t) {
        return this == TIME || this == ROOM ? t.offChip() : t.seconds();
    }

    /// Negative where the first is better.
    int compare(Totals a, Totals b) {
        double first = of(a);
        double second = of(b);
        // Sums of the same numbers in another order differ in their last digits.
        boolean same = Math.abs(first - second) <= EQUAL * Math.max(Math.abs(first), Math.abs(second));
        return same && !Double.isInfinite(first) ? Double.compare(next(a), next(b)) : Double.compare(first, second);
    }
}
