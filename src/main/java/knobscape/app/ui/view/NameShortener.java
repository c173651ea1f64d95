package knobscape.app.ui.view;

import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Names shortened in the middle so that they stay different.
public final class NameShortener {
    private static final String GAP = "\u2026";

    private NameShortener() {}

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
                for (int head : heads(name, most)) {
                    String cut = name.substring(0, head) + GAP + name.substring(name.length() - (most - 1 - head));
                    if (!taken.contains(cut)) {
                        found = cut;
                        break;
                    }
                }
                shortened.put(name, found);
                taken.add(found);
            }
        }
        return shortened;
    }

    /// Letters to keep in front, the best first: figures, which tell layers apart, are cut last; and layers differ at
    /// their end more often than at their beginning.
    private static List<Integer> heads(String name, int most) {
        int third = (most - 1) / 3;
        return IntStream.range(0, most)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(
                                head -> name.substring(head, name.length() - (most - 1 - head))
                                        .chars()
                                        .filter(Character::isDigit)
                                        .count())
                        .thenComparingInt(head -> Math.abs(head - third)))
                .toList();
    }
}
