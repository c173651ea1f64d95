package knobscape.explore;

import java.util.ArrayDeque;

/// Estimates remaining seconds from the units of work measured so far: a moving mean over the last hundred, and
/// nothing claimed before a few were seen (after MOEA Framework's progress reports, moving statistics over the
/// last hundred).
final class TimeLeft {
    private static final int WINDOW = 100;

    private final int enough;
    private final ArrayDeque<Double> durations = new ArrayDeque<>();
    private double sum;

    /// @param enough units to measure before anything is claimed
    TimeLeft(int enough) {
        this.enough = enough;
    }

    void add(double seconds) {
        durations.addLast(seconds);
        sum += seconds;
        if (durations.size() > WINDOW) {
            sum -= durations.removeFirst();
        }
    }

    /// Seconds that `units` more will take, NaN where too little was measured.
    double forUnits(double units) {
        return durations.size() < enough ? Double.NaN : Math.max(0, sum / durations.size() * units);
    }
}
