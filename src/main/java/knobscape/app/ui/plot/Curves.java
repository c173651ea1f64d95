package knobscape.app.ui.plot;

import java.util.List;
import knobscape.project.RunResults.TracePoint;

/// Hypervolume curves of several runs.
///
/// @param curves the runs, the one looked at first
/// @param reference the reference point in words, or why there is none
public record Curves(List<Curve> curves, String reference) {
    public Curves {
        curves = List.copyOf(curves);
    }

    /// One run.
    ///
    /// @param title as shown in the legend
    /// @param points one per completed step
    /// @param current whether it is the run looked at
    public record Curve(String title, List<TracePoint> points, boolean current) {
        public Curve {
            points = List.copyOf(points);
        }
    }

    /// Nothing to draw.
    public static Curves none() {
        return new Curves(List.of(), "");
    }

    /// Whether there is a point to draw.
    boolean isEmpty() {
        return curves.stream().flatMap(c -> c.points().stream()).noneMatch(p -> Double.isFinite(p.hypervolume()));
    }
}
