package knobscape.hls.space;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Values of a knob as a person types them: `3`, `3, 6`, `2..8` for every number between, `2..64*2` for 2, 4, 8 and so
/// on; of pipelining these are initiation intervals.
public final class TypedValues {
    private static final Set<String> NUMBERED = Set.of("unroll", "reshape", "partition_factor", "pipeline");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,7})(?:\\.\\.(\\d{1,7})(?:\\*(\\d{1,7}))?)?");
    private static final int MOST = 64;

    private TypedValues() {}

    /// True if a knob can be given more values: one of numbers.
    public static boolean takes(String knob) {
        return NUMBERED.contains(word(knob));
    }

    /// Reads them. Throws [IllegalArgumentException] with a sentence for what is none.
    public static List<String> read(String knob, String text) {
        var values = new LinkedHashSet<String>();
        for (String part : text.strip().replaceAll("\\s*(\\.\\.|\\*)\\s*", "$1").split("[,;\\s]+")) {
            Matcher m = RANGE.matcher(part.replaceFirst("^ii=", ""));
            if (!m.matches()) {
                throw new IllegalArgumentException("'" + part
                        + "' is no value here; type numbers with commas between, or ranges such as 2..8 or 2..64*2.");
            }
            int from = Integer.parseInt(m.group(1));
            int to = m.group(2) == null ? from : Integer.parseInt(m.group(2));
            int times = m.group(3) == null ? 1 : Integer.parseInt(m.group(3));
            if (from < 1 || to < from || (m.group(3) != null && times < 2)) {
                throw new IllegalArgumentException("'" + part
                        + "' is no range from a number of at least 1 upward; type for example 2..8 or 2..64*2.");
            }
            for (long v = from; v <= to; v = times > 1 ? v * times : v + 1) {
                values.add((word(knob).equals("pipeline") ? "ii=" : "") + v);
                if (values.size() > MOST) {
                    throw new IllegalArgumentException("'" + text.strip() + "' is more than " + MOST + " values.");
                }
            }
        }
        return List.copyOf(values);
    }

    private static String word(String knob) {
        return knob.substring(0, Math.max(0, knob.indexOf('@')));
    }
}
