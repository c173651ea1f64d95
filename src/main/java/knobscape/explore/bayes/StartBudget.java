package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.Set;
import knobscape.space.Configuration;

/// The remaining budget of a start with screening where a run is limited.
///
/// @param time what designs take
/// @param left tool time left to the start, in seconds
record StartBudget(ToolTime time, double left) {
    /// Share of a run's tool time, and of its steps, that goes into its start.
    private static final double SHARE = 1.0 / 3;
    /// Share of the start that goes into screening.
    private static final double SCREENING = 0.25;
    /// Fewest runs in full, whatever they cost: without them there is nothing to learn from.
    static final int FEWEST_RUNS = 3;

    /// @param toolSeconds of the whole run, positive infinity for no limit
    /// @param pending designs in flight to the highest fidelity
    static StartBudget of(ToolTime time, double toolSeconds, Set<Configuration> pending) {
        return new StartBudget(
                time,
                SHARE * toolSeconds
                        - time.spent()
                        - pending.stream().mapToDouble(time::seconds).sum());
    }

    /// Runs in full, each of which is a step: `most`, fewer where that would be more than its share of the steps, never
    /// under [#FEWEST_RUNS].
    static int runs(int steps, int most) {
        return Math.max(FEWEST_RUNS, Math.min(most, (int) (SHARE * steps)));
    }

    /// Designs to screen after the first ones: `most`, fewer where at what those took on average they would
    /// take more than screening's share of the start. A lowest stage has taken two hundred times its typical
    /// time (`heat-3d`), and designs drawn blindly all the hours of a run.
    ///
    /// @param seconds that the first ones took
    static int furtherScreened(double[] seconds, double toolSeconds, int most) {
        double spent = Arrays.stream(seconds).sum();
        double room = (SCREENING * SHARE * toolSeconds - spent) * seconds.length / spent;
        return room >= most || spent == 0 ? most : (int) Math.max(0, room);
    }
}
