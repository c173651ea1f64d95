package knobscape.app.ui.insight;

import java.util.List;
import knobscape.evaluate.Metric;
import knobscape.space.DesignSpace;

/// The insight into the designs shown.
///
/// @param surrogate fitted to them
/// @param space of the designs
/// @param importance by objective
public record Insight(DesignSpace space, Surrogate surrogate, List<Importance> importance) {
    public Insight {
        importance = List.copyOf(importance);
    }

    /// The share of a knob in the variance of an objective; none where the objective was not fitted.
    double share(Metric objective, int knob) {
        return importance.stream()
                .filter(i -> i.metric().equals(objective))
                .flatMap(i -> i.shares().stream())
                .filter(s -> s.knob() == knob)
                .mapToDouble(Importance.Share::value)
                .findFirst()
                .orElse(0);
    }

    /// The largest share of a knob over the objectives.
    public double share(int knob) {
        return importance.stream()
                .mapToDouble(i -> share(i.metric(), knob))
                .max()
                .orElse(0);
    }
}
