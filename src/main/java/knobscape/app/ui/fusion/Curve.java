package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.List;

/// How a search went: the best speedup that fits after so many evaluations.
///
/// @param title the method and its seed
/// @param evaluations where it changed, and the last
/// @param speedups best valid speedup there; NaN before the first strategy that fits
/// @param active whether the search goes on
record Curve(String title, List<Integer> evaluations, List<Double> speedups, boolean active) {
    Curve {
        evaluations = List.copyOf(evaluations);
        speedups = List.copyOf(speedups);
    }

    /// Grows by one thread while others take pictures of it.
    static final class Growing {
        private final String title;
        private final List<Integer> evaluations = new ArrayList<>();
        private final List<Double> speedups = new ArrayList<>();
        private int last;
        private boolean active = true;

        Growing(String title) {
            this.title = title;
        }

        synchronized void add(int evaluation, double speedup) {
            evaluations.add(evaluation);
            speedups.add(speedup);
            last = evaluation;
        }

        synchronized void at(int evaluation) {
            last = evaluation;
        }

        synchronized void end() {
            active = false;
        }

        synchronized Curve picture() {
            var e = new ArrayList<>(evaluations);
            var s = new ArrayList<>(speedups);
            if (!s.isEmpty() && last > e.getLast()) {
                e.add(last);
                s.add(s.getLast());
            }
            return new Curve(title, e, s, active);
        }
    }
}
