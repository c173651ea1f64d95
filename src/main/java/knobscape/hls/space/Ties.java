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
        String root = name;
        for (String p = parent.getOrDefault(root, root); !p.equals(root); p = parent.getOrDefault(root, root)) {
            root = p;
        }
        parent.put(name, root);
        return root;
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
