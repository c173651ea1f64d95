package knobscape.app.ui.insight;

import java.util.List;

/// What is understood of the designs shown.
///
/// @param surrogate fitted to them
/// @param importance by objective
public record Insight(Surrogate surrogate, List<Importance> importance) {
    public Insight {
        importance = List.copyOf(importance);
    }

    /// The share of a knob in the variance of an objective.
    double share(int objective, int knob) {
        return importance.get(objective).shares().stream()
                .filter(s -> s.knob() == knob)
                .mapToDouble(Importance.Share::value)
                .findFirst()
                .orElse(0);
    }

    /// The largest share of a knob over the objectives.
    public double share(int knob) {
        return importance.stream()
                .mapToDouble(i -> share(importance.indexOf(i), knob))
                .max()
                .orElse(0);
    }
}
