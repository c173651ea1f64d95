package knobscape.hls.space;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Groups names that are tied to each other, directly or through others (disjoint sets).
final class Ties {
    private final Map<String, String> parent = new HashMap<>();

    private String find(String name) {
        String at = name;
        while (true) {
            String up = parent.getOrDefault(at, at);
            if (up.equals(at)) {
                return at;
            }
            // Every second name of the way moves up, so that ways stay short however many are tied one by one.
            String above = parent.getOrDefault(up, up);
            parent.put(at, above);
            at = above;
        }
    }

    /// Ties all of them to each other.
    void tie(Collection<String> names) {
        String first = null;
        for (String name : names) {
            if (first == null) {
                first = find(name);
            } else {
                parent.put(find(name), first);
            }
        }
    }

    /// The groups, in the order of their first members; members keep the given order.
    List<List<String>> groups(Collection<String> names) {
        var groups = new LinkedHashMap<String, List<String>>();
        names.forEach(
                n -> groups.computeIfAbsent(find(n), k -> new ArrayList<>()).add(n));
        return List.copyOf(groups.values());
    }
}
