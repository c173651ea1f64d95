package knobscape.explore;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Provenance;

/// The search's expectation of the next hour of tool time, as shares ([Termination#PROMISE]).
///
/// @param expected by how much, on average over the points of the true front, the nearest design found would come
/// relatively nearer
/// @param low 5 % quantile, NaN where it is not known
/// @param high 95 % quantile, likewise
public record Promise(double expected, double low, double high) {
    /// From what an explorer told of a step, where it says.
    public static Optional<Promise> of(Map<String, double[]> diagnostics) {
        return Optional.ofNullable(diagnostics.get(Termination.PROMISE))
                .map(p -> new Promise(p[0], p.length > 2 ? p[1] : Double.NaN, p.length > 2 ? p[2] : Double.NaN));
    }

    /// As a sentence.
    ///
    /// @param source of the figures, which says what an hour is
    public String sentence(Provenance.Source source) {
        return "Another " + source.hour() + " is expected to bring the front nearer by " + percent(expected) + " %"
                + (Double.isNaN(low) ? "" : " (90 % interval " + percent(low) + " to " + percent(high) + " %)") + ".";
    }

    /// A share in percent, two digits that count; the model of a few designs knows no more of a large one than that.
    public static String percent(double share) {
        double p = 100 * share;
        return p == 0
                ? "0"
                : p > 100
                        ? ">100"
                        : p < 0.01 ? "<0.01" : String.format(Locale.ROOT, p < 1 ? "%.2f" : p < 10 ? "%.1f" : "%.0f", p);
    }
}
