package knobscape.explore;

import java.util.ArrayDeque;

/// Estimates remaining seconds from the units of work measured so far: a moving mean over the last hundred, and
/// nothing claimed before a few were seen (after MOEA Framework's progress reports, moving statistics over the
/// last hundred).
final class RemainingTime {
    private static final int WINDOW = 100;

    private final int enough;
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private double seconds;
    private double units;

    private record Piece(double seconds, double units) {}

    /// @param enough units to measure before anything is claimed
    RemainingTime(int enough) {
        this.enough = enough;
    }

    /// Takes a unit that was done.
    void add(double took) {
        add(took, 1);
    }

    /// Takes so many units that were done in so many seconds.
    void add(double took, double done) {
        pieces.addLast(new Piece(took, done));
        seconds += took;
        units += done;
        if (pieces.size() > WINDOW) {
            Piece first = pieces.removeFirst();
            seconds -= first.seconds();
            units -= first.units();
        }
    }

    /// Seconds that `more` units will take, NaN where too little was measured.
    double forUnits(double more) {
        return pieces.size() < enough || units <= 0 ? Double.NaN : Math.max(0, seconds / units * more);
    }
}
