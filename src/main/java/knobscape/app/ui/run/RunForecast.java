package knobscape.app.ui.run;

import java.util.Optional;
import knobscape.explore.RunEvent;

/// How long the rest of a run may take, from the steps measured so far: those that are left to it, fewer where the run
/// itself expects to end sooner (tool time may be limited too). Nothing is claimed before there are three, nor where
/// neither is limited.
final class RunForecast {
    private static final int ENOUGH = 3;
    /// 90 % of a normal distribution lie within so many deviations.
    private static final double WIDTH = 1.645;

    private int steps;
    private double mean;
    private double squares;
    private double before;
    private int begun = -1;
    private int remaining;
    private double expected = Double.NaN;

    /// Seconds from the least to the most that may be expected.
    record Range(double least, double most) {}

    /// Takes the end of a step.
    void step(RunEvent.Progress p) {
        expected = p.secondsLeft();
        step(p.step(), p.maxSteps(), p.elapsedSeconds());
    }

    /// Takes the end of a step of a run that says no more of itself.
    ///
    /// @param elapsed seconds since some moment, pauses excluded
    void step(int step, int most, double elapsed) {
        remaining = Math.max(0, most - step);
        if (begun >= 0 && step > begun) {
            double each = (elapsed - before) / (step - begun);
            for (int i = begun; i < step; i++) {
                steps++;
                double away = each - mean;
                mean += away / steps;
                squares += away * (each - mean);
            }
        }
        begun = Math.max(begun, step);
        before = elapsed;
    }

    /// The time left, as an interval that holds nine times of ten if steps to come are like those seen.
    Optional<Range> left() {
        boolean isKnown = remaining < Integer.MAX_VALUE / 2 || Double.isFinite(expected);
        if (steps < ENOUGH || !isKnown) {
            return Optional.empty();
        }
        double left = mean > 0 && expected < mean * remaining ? expected / mean : remaining;
        double deviation = Math.sqrt(squares / (steps - 1) * left * (1 + left / steps));
        return Optional.of(
                new Range(Math.max(0, mean * left - WIDTH * deviation), Math.max(0, mean * left + WIDTH * deviation)));
    }
}
