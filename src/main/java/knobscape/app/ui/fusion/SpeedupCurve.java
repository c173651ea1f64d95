package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.List;
import knobscape.fusion.evaluate.Cost;

/// How a search went: the best speedup that fits after so many evaluations.
///
/// @param title the method and its seed
/// @param evaluations where it changed, and the last
/// @param speedups best valid speedup there; empty before the first strategy that fits
/// @param active whether the search is running
record SpeedupCurve(String title, List<Integer> evaluations, List<Double> speedups, boolean active) {
    SpeedupCurve {
        evaluations = List.copyOf(evaluations);
        speedups = List.copyOf(speedups);
    }

    /// The curve of a search.
    static SpeedupCurve of(FusionSearchRun run) {
        var at = new ArrayList<Integer>();
        var best = new ArrayList<Double>();
        for (FusionSearchRun.ImprovingStrategy k : run.kept()) {
            Cost cost = run.model().evaluate(k.strategy());
            double speedup = run.model().speedup(cost.seconds());
            if (run.model().isValid(cost) && (best.isEmpty() || speedup > best.getLast())) {
                at.add(k.evaluation());
                best.add(speedup);
            }
        }
        if (!best.isEmpty() && run.evaluations() > at.getLast()) {
            at.add(run.evaluations());
            best.add(best.getLast());
        }
        return new SpeedupCurve(run.title(), at, best, run.isActive());
    }
}
