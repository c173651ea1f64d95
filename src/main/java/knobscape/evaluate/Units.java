package knobscape.evaluate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Units that values are written in, and what one is of another.
public final class Units {
    /// Units of the same quantity, each as a multiple of the first; smallest first.
    private static final List<Map<String, Double>> FAMILIES = List.of(
            family("ns", 1, "us", 1e3, "\u00b5s", 1e3, "\u03bcs", 1e3, "ms", 1e6, "s", 1e9),
            family("uW", 1, "mW", 1e3, "W", 1e6, "kW", 1e9),
            family("nJ", 1, "uJ", 1e3, "mJ", 1e6, "J", 1e9),
            family("Hz", 1, "kHz", 1e3, "MHz", 1e6, "GHz", 1e9),
            family("B", 1, "kB", 1e3, "KB", 1e3, "MB", 1e6, "GB", 1e9),
            family("KiB", 1, "MiB", 1024, "GiB", 1024 * 1024),
            family("cycles", 1, "k", 1e3, "M", 1e6, "G", 1e9));
    private static final Map<String, Double> COUNTS = family("k", 1e3, "M", 1e6, "G", 1e9);
    /// The units that may end a name, by their small letters; a single letter is one only where it is a quantity's.
    private static final Map<String, String> ENDINGS = FAMILIES.stream()
            .flatMap(f -> f.keySet().stream())
            .filter(u -> u.length() > 1 || "sWJ".contains(u))
            .filter(u -> !u.equals("KB"))
            .collect(Collectors.toMap(u -> u.toLowerCase(Locale.ROOT), u -> u));
    private static final Pattern IN_NAME = Pattern.compile("(.*[^\\s_.-])\\s*(?:\\[([^\\]]{1,12})]|\\(([^)]{1,12})\\)"
            + "|[\\s_.-]+(?i:(" + String.join("|", ENDINGS.keySet()) + ")))\\s*");

    private Units() {}

    /// A name without its unit, and the unit; empty where the name says none.
    record Named(String stem, String unit) {}

    /// Takes a name apart: `time_ms`, `power [W]`, `Delay (us)`.
    static Named inName(String name) {
        Matcher m = IN_NAME.matcher(name);
        if (!m.matches()) {
            return new Named(name, "");
        }
        String unit = Stream.of(2, 3, 4)
                .map(m::group)
                .filter(g -> g != null)
                .findFirst()
                .orElseThrow()
                .strip();
        return unit.isEmpty()
                ? new Named(name, "")
                : new Named(
                        m.group(1),
                        m.group(4) == null ? unit : ENDINGS.getOrDefault(unit.toLowerCase(Locale.ROOT), unit));
    }

    /// The metric with the unit that its label names, where it has none itself.
    public static Metric unitFromLabel(Metric m) {
        Named named = inName(m.label());
        return !m.unit().isEmpty() || named.unit().isEmpty()
                ? m
                : new Metric(m.name(), named.stem(), named.unit(), m.direction(), m.limit());
    }

    /// Every unit that is known here.
    static Stream<String> all() {
        return FAMILIES.stream().flatMap(f -> f.keySet().stream()).distinct();
    }

    /// The units that may stand behind a number of a quantity whose own unit is `own`.
    static List<String> of(String own) {
        return List.copyOf(family(own).keySet());
    }

    private static Map<String, Double> family(String own) {
        return FAMILIES.stream().filter(f -> f.containsKey(own)).findFirst().orElse(COUNTS);
    }

    /// How many of its `own` units one `unit` is; empty where it is no unit of that quantity.
    static OptionalDouble factor(String own, String unit) {
        if (unit.equals(own)) {
            return OptionalDouble.of(1);
        }
        Map<String, Double> family = family(own);
        Double factor = family.get(unit);
        return factor == null ? OptionalDouble.empty() : OptionalDouble.of(factor / family.getOrDefault(own, 1.0));
    }

    private static Map<String, Double> family(Object... pairs) {
        var family = new LinkedHashMap<String, Double>();
        for (int i = 0; i < pairs.length; i += 2) {
            family.put((String) pairs[i], ((Number) pairs[i + 1]).doubleValue());
        }
        return Collections.unmodifiableMap(family);
    }
}
