package knobscape.bench;

import java.util.List;
import java.util.Optional;

/// One run of a bench in figures: how near the front it came, and what that cost.
///
/// @param adrs distance to the reference front by the end, [knobscape.pareto.Adrs.Distance#RELATIVE_WORST]
/// @param adrsEuclidean the same by [knobscape.pareto.Adrs.Distance#EUCLIDEAN_SCALED]
/// @param algorithmSeconds time of the explorer itself
/// @param atTop how many of them at the top fidelity
/// @param stopped where the protocol's limits would have ended it, empty where they would not
/// @param predicted values that were predicted with an interval before they were measured at the top fidelity
/// @param inside how many of them lay inside their 90 % interval
/// @param curve ADRS (relative worst) after each proposal against tool hours
public record Trial(
        String subject,
        String method,
        long seed,
        double adrs,
        double adrsEuclidean,
        double toolHours,
        double algorithmSeconds,
        int steps,
        int designs,
        int atTop,
        Optional<Point> stopped,
        int predicted,
        int inside,
        List<Point> curve) {
    public Trial {
        curve = List.copyOf(curve);
    }

    /// A point of the curve; only where the distance changed.
    public record Point(double toolHours, double adrs) {}

    /// ADRS reached by the time `toolHours` were spent, positive infinity before the first design at the top
    /// fidelity.
    public double adrsAt(double toolHours) {
        return curve.stream()
                .filter(p -> p.toolHours() <= toolHours)
                .mapToDouble(Point::adrs)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }
}
