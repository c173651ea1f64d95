package knobscape.evaluate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A person's goal for a design: bounds of metrics and the one to be best in, as in `lut<20k delay min`.
///
/// @param bounds that a design must keep
/// @param best what decides among those that keep them
/// @param rest words that are neither, in order
public record Goal(List<Bound> bounds, Optional<Best> best, List<String> rest) {
    private static final String NUMBER = "([0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]+)?)";

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
        String name = name(metrics);
        String units = Stream.concat(
                        Units.all(), metrics.stream().map(Metric::unit).filter(u -> !u.isEmpty()))
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        var bounds = new ArrayList<Bound>();
        var left = new StringBuilder();
        Matcher m = Pattern.compile(name + "\\s*(<=|>=|<|>)\\s*" + NUMBER + "\\s*(" + units + ")?(?=\\s|$)")
                .matcher(text);
        while (m.find()) {
            Metric metric = find(m.group(1), metrics).orElseThrow(() -> unknown(m.group(1), metrics));
            String unit = m.group(5) == null ? m.group(2) : m.group(5);
            double value = Double.parseDouble(m.group(4).replace(',', '.'))
                    * (unit == null ? bare.applyAsDouble(metric) : factor(metric, unit.strip()));
            bounds.add(
                    m.group(3).startsWith("<")
                            ? new Bound(metric.name(), Double.NEGATIVE_INFINITY, value)
                            : new Bound(metric.name(), value, Double.POSITIVE_INFINITY));
            m.appendReplacement(left, " ");
        }
        m.appendTail(left);
        Matcher b = Pattern.compile("(?:(min|max|least|most)\\s+" + name + "|" + name + "\\s+(min|max))(?=\\s|$)")
                .matcher(left);
        Optional<Best> best = Optional.empty();
        String rest = left.toString();
        if (b.find()) {
            String word = b.group(1) == null ? b.group(6) : b.group(1);
            String of = b.group(1) == null ? b.group(4) : b.group(2);
            best = Optional.of(new Best(
                    find(of, metrics).orElseThrow(() -> unknown(of, metrics)).name(),
                    word.equals("max") || word.equals("most")));
            rest = left.substring(0, b.start()) + " " + left.substring(b.end());
        }
        return new Goal(
                bounds, best, rest.isBlank() ? List.of() : List.of(rest.strip().split("\\s+")));
    }

    /// Matches the name of a metric, which may have blanks and signs in it, or any other word, and a unit in brackets
    /// behind it as it stands over a column.
    private static String name(List<Metric> metrics) {
        String known = metrics.stream()
                .flatMap(Goal::names)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(n -> Pattern.quote(n) + "(?![\\p{L}\\p{N}_-])|")
                .collect(Collectors.joining());
        return "(?<![\\p{L}\\p{N}_-])((?iu:" + known + "[\\p{L}_][\\p{L}\\p{N}_-]*))(?:\\s*[\\[(]([^\\])]*)[\\])])?";
    }

    /// The names of a metric: its name and its label, with its unit and without.
    private static Stream<String> names(Metric m) {
        return Stream.of(m.name(), m.label())
                .flatMap(n -> Stream.of(n, Units.inName(n).stem()))
                .flatMap(n -> Stream.of(n, n.replace(' ', '_')));
    }

    /// The metric of this name; by a name without its unit only where it is not the name of two.
    private static Optional<Metric> find(String word, List<Metric> metrics) {
        return metrics.stream()
                .filter(m -> m.name().equalsIgnoreCase(word))
                .findFirst()
                .or(() -> Optional.of(metrics.stream()
                                .filter(m -> names(m).anyMatch(word::equalsIgnoreCase))
                                .toList())
                        .filter(all -> all.size() == 1)
                        .map(List::getFirst));
    }

    private static UserError unknown(String word, List<Metric> metrics) {
        return new UserError("'" + word + "' is no metric here; there are "
                + metrics.stream().map(Metric::name).collect(Collectors.joining(", ")) + ".");
    }

    private static double factor(Metric metric, String unit) {
        return Units.factor(metric.unit(), unit)
                .orElseThrow(() -> new UserError(metric.label() + " has no unit '" + unit + "'; write "
                        + String.join(", ", Units.of(metric.unit())) + " or a number alone."));
    }

    /// True if values keep all bounds; a metric without a value (NaN) keeps none.
    public boolean holds(ToDoubleFunction<String> values) {
        return bounds.stream().allMatch(b -> {
            double v = values.applyAsDouble(b.metric());
            return v >= b.low() && v <= b.high();
        });
    }
}
