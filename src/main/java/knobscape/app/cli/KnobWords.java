package knobscape.app.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.space.Configuration;

/// Knob values in few words, for tables: `unroll row=2  partition a#1=cyclic 4`.
final class KnobWords {
    private static final String TYPE = "partition_type@";
    private static final String FACTOR = "partition_factor@";

    private KnobWords() {}

    /// The knobs whose values differ from the baseline's. The name of the function stands only where there are
    /// several; type and factor of a partition are one word, and the factor is left out where the type says it.
    static String differences(Configuration baseline, Configuration c) {
        Map<String, String> before = baseline.toMap();
        Map<String, String> now = c.toMap();
        boolean oneFunction = now.keySet().stream()
                        .map(KnobWords::function)
                        .filter(f -> !f.isEmpty())
                        .distinct()
                        .count()
                <= 1;
        var words = new ArrayList<String>();
        Set<String> told = new LinkedHashSet<>();
        now.forEach((name, value) -> {
            String at = name.substring(name.indexOf('@') + 1);
            if (name.startsWith(TYPE) || name.startsWith(FACTOR)) {
                String type = now.getOrDefault(TYPE + at, "");
                String factor = now.getOrDefault(FACTOR + at, "");
                boolean differs = !type.equals(before.getOrDefault(TYPE + at, ""))
                        || !factor.equals(before.getOrDefault(FACTOR + at, ""));
                if (differs && told.add(at)) {
                    words.add("partition " + shortened(at, oneFunction) + "=" + type
                            + (type.equals("complete") || type.equals("none") ? "" : " " + factor).stripTrailing());
                }
            } else if (!value.equals(before.get(name))) {
                int at1 = name.indexOf('@');
                words.add(
                        at1 < 0
                                ? name + "=" + value
                                : name.substring(0, at1) + " " + shortened(at, oneFunction) + "=" + value);
            }
        });
        return words.isEmpty() ? "none" : String.join("  ", List.copyOf(words));
    }

    private static String function(String knob) {
        int at = knob.indexOf('@');
        int slash = knob.indexOf('/', at);
        return at < 0 || slash < 0 ? "" : knob.substring(at + 1, slash);
    }

    private static String shortened(String at, boolean oneFunction) {
        return oneFunction ? at.substring(at.indexOf('/') + 1) : at;
    }
}
