package knobscape.app.ui.view;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Names shortened in the middle so that they stay different.
public final class Shortened {
    private static final String GAP = "\u2026";

    private Shortened() {}

    /// Short forms by name. A name is cut where its short form differs from those before it; where no cut of `most`
    /// letters does, it stays whole.
    ///
    /// @param most letters of a short form, at least 3
    public static Map<String, String> of(List<String> names, int most) {
        var shortened = new LinkedHashMap<String, String>();
        var taken = new HashSet<String>();
        names.stream().filter(n -> n.length() <= most).forEach(n -> {
            shortened.put(n, n);
            taken.add(n);
        });
        for (String name : names) {
            if (!shortened.containsKey(name)) {
                String found = name;
                // Layers differ at their end more often than at their beginning.
                for (int head = (most - 1) / 3, tried = 0; tried < most && found.equals(name); tried++) {
                    String cut = name.substring(0, head) + GAP + name.substring(name.length() - (most - 1 - head));
                    found = taken.contains(cut) ? name : cut;
                    head = (head + 1) % most;
                }
                shortened.put(name, found);
                taken.add(found);
            }
        }
        return shortened;
    }
}
