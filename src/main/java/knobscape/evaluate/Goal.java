package knobscape.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What a person wants of a design: bounds of metrics and the one to be best in, as in `lut<20k delay min`.
///
/// @param bounds that a design must keep
/// @param best what decides among those that keep them
/// @param rest words that are neither, in order
public record Goal(List<Bound> bounds, Optional<Best> best, List<String> rest) {
    private static final Map<String, Double> FACTORS = Map.ofEntries(
            Map.entry("k", 1e3),
            Map.entry("M", 1e6),
            Map.entry("G", 1e9),
            Map.entry("ns", 1.0),
            Map.entry("us", 1e3),
            Map.entry("\u00b5s", 1e3),
            Map.entry("\u03bcs", 1e3),
            Map.entry("ms", 1e6),
            Map.entry("s", 1e9),
            Map.entry("W", 1.0),
            Map.entry("mW", 1e-3),
            Map.entry("uW", 1e-6),
            Map.entry("cycles", 1.0));
    private static final Map<String, List<String>> UNITS = Map.of(
            "ns", List.of("ns", "us", "\u00b5s", "\u03bcs", "ms", "s"),
            "W", List.of("W", "mW", "uW"),
            "cycles", List.of("cycles", "k", "M", "G"));
    private static final Pattern BOUND = Pattern.compile("([\\p{L}_][\\p{L}\\p{N}_-]*)\\s*(<=|>=|<|>)\\s*"
            + "([0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]+)?)\\s*(cycles|[num\u00b5\u03bc]?s|[um]?W|[kMG])?(?=\\s|$)");
    private static final Pattern BEST = Pattern.compile(
            "(?:(min|max|least|most)\\s+([\\p{L}_][\\p{L}\\p{N}_-]*)|([\\p{L}_][\\p{L}\\p{N}_-]*)\\s+(min|max))(?=\\s|$)");

    /// Copies the lists.
    public Goal {
        bounds = List.copyOf(bounds);
        rest = List.copyOf(rest);
    }

    /// Values of a metric from `low` to `high`, in its own unit; either may be infinite.
    public record Bound(String metric, double low, double high) {}

    /// The metric to be best in: smallest, or largest.
    public record Best(String metric, boolean largest) {}

    /// Reads a goal. Throws [UserError] for a bound on what is no metric, and for a unit that the metric does not
    /// have; other words that mean nothing here are left in [#rest()].
    ///
    /// @param metrics that may be named, by name or label
    /// @param bare what a number without a unit is multiplied by
    public static Goal parse(String text, List<Metric> metrics, ToDoubleFunction<Metric> bare) {
        var bounds = new ArrayList<Bound>();
        var left = new StringBuilder();
        Matcher m = BOUND.matcher(text);
        while (m.find()) {
            Metric metric = find(m.group(1), metrics).orElseThrow(() -> unknown(m.group(1), metrics));
            double value = Double.parseDouble(m.group(3).replace(',', '.'))
                    * (m.group(4) == null ? bare.applyAsDouble(metric) : factor(metric, m.group(4)));
            bounds.add(
                    m.group(2).startsWith("<")
                            ? new Bound(metric.name(), Double.NEGATIVE_INFINITY, value)
                            : new Bound(metric.name(), value, Double.POSITIVE_INFINITY));
            m.appendReplacement(left, " ");
        }
        m.appendTail(left);
        Matcher b = BEST.matcher(left);
        Optional<Best> best = Optional.empty();
        String rest = left.toString();
        if (b.find()) {
            String word = b.group(1) == null ? b.group(4) : b.group(1);
            String name = b.group(1) == null ? b.group(3) : b.group(2);
            best = Optional.of(new Best(
                    find(name, metrics)
                            .orElseThrow(() -> unknown(name, metrics))
                            .name(),
                    word.equals("max") || word.equals("most")));
            rest = left.substring(0, b.start()) + " " + left.substring(b.end());
        }
        return new Goal(
                bounds, best, rest.isBlank() ? List.of() : List.of(rest.strip().split("\\s+")));
    }

    private static Optional<Metric> find(String word, List<Metric> metrics) {
        String plain = word.toLowerCase(Locale.ROOT);
        return metrics.stream()
                .filter(m -> m.name().toLowerCase(Locale.ROOT).equals(plain)
                        || m.label().toLowerCase(Locale.ROOT).replace(' ', '_').equals(plain))
                .findFirst();
    }

    private static UserError unknown(String word, List<Metric> metrics) {
        return new UserError("'" + word + "' is no metric here; there are "
                + metrics.stream().map(Metric::name).collect(Collectors.joining(", ")) + ".");
    }

    private static double factor(Metric metric, String unit) {
        List<String> known = UNITS.getOrDefault(metric.unit(), List.of("k", "M", "G"));
        if (!known.contains(unit)) {
            throw new UserError(metric.label() + " has no unit '" + unit + "'; write " + String.join(", ", known)
                    + " or a number alone.");
        }
        return Objects.requireNonNull(FACTORS.get(unit));
    }

    /// Whether values keep all bounds; a metric without a value (NaN) keeps none.
    public boolean holds(ToDoubleFunction<String> values) {
        return bounds.stream().allMatch(b -> {
            double v = values.applyAsDouble(b.metric());
            return v >= b.low() && v <= b.high();
        });
    }
}
