package knobscape.app.ui.designs;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// Short names of knobs for headings: `unroll dot` for `unroll@gemm/dot`, `factor a[1]` for
/// `partition_factor@gemm/a#1`; the function is named where two would be called the same.
public final class KnobLabels {
    private static final Pattern LONG = Pattern.compile("(?<![\\w.])\\d*\\.\\d{7,}(?![\\w.])");

    private KnobLabels() {}

    /// One label per knob, in knob order, all different.
    public static List<String> of(KnobSet knobs) {
        Map<String, Integer> seen = new HashMap<>();
        knobs.list().forEach(k -> seen.merge(shortest(k.name()), 1, Integer::sum));
        return knobs.list().stream()
                .map(Knob::name)
                .map(n -> requireNonNull(seen.get(shortest(n))) == 1 ? shortest(n) : whole(n))
                .toList();
    }

    /// The short label of one knob alone.
    public static String shortest(String name) {
        int at = name.indexOf('@');
        return at < 0 ? name : word(name.substring(0, at)) + " " + place(name.substring(at + 1), false);
    }

    /// The label of one knob with its function: `unroll gemm/dot`.
    public static String whole(String name) {
        int at = name.indexOf('@');
        return at < 0 ? name : word(name.substring(0, at)) + " " + place(name.substring(at + 1), true);
    }

    /// The word for a kind of knob (`partition_factor` is `factor`).
    public static String word(String kind) {
        return switch (kind) {
            case "partition_type" -> "partition";
            case "partition_factor" -> "factor";
            default -> kind.replace('_', ' ');
        };
    }

    /// Values in as many digits as a person reads: `0.03333` for `0.03333333333333333`.
    public static String value(String text) {
        return LONG.matcher(text)
                .replaceAll(m -> new BigDecimal(m.group())
                        .round(new MathContext(4))
                        .stripTrailingZeros()
                        .toPlainString());
    }

    private static String place(String location, boolean whole) {
        int slash = location.lastIndexOf('/');
        String last = whole ? location : location.substring(slash + 1);
        int hash = last.indexOf('#');
        return hash < 0 ? last : last.substring(0, hash) + "[" + last.substring(hash + 1) + "]";
    }
}
