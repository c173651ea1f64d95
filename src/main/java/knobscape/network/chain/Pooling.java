package knobscape.network.chain;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Pooling behind a layer.
///
/// @param kind max or avg
/// @param global over all positions; the other numbers are 0 then
/// @param kernel side of the window
public record Pooling(String kind, boolean global, int kernel, int stride) {
    private static final Pattern WINDOWED = Pattern.compile("(max|avg)([1-9]\\d{0,3})_s([1-9]\\d{0,3})");

    /// `max3_s2`, `global_avg` ...
    public String label() {
        return global ? "global_" + kind : kind + kernel + "_s" + stride;
    }

    /// Reads a label; throws [IllegalArgumentException] for anything else.
    public static Pooling parse(String label) {
        if (label.equals("global_avg") || label.equals("global_max")) {
            return new Pooling(label.substring("global_".length()), true, 0, 0);
        }
        Matcher m = WINDOWED.matcher(label);
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "a pooling is none, max2_s2, avg3_s1 and the like, global_avg or global_max, not '" + label + "'");
        }
        return new Pooling(m.group(1), false, Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3)));
    }
}
