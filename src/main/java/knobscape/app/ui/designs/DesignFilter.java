package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import knobscape.evaluate.Goal.Best;
import knobscape.space.Domain;

/// Which designs the window shows. One filter for every view.
///
/// @param paretoOnly only the front
/// @param validOnly nothing that is invalid or failed
/// @param text words that must all occur in the number or in a `knob=value`
/// @param ranges bounds along axes; an open end is infinite
/// @param best the metric to be best in, which sorts the table and says which design is selected
public record DesignFilter(
        boolean paretoOnly, boolean validOnly, String text, Map<Axis, Range> ranges, Optional<Best> best) {
    public DesignFilter {
        ranges = Collections.unmodifiableMap(new LinkedHashMap<>(ranges));
    }

    /// Everything is shown.
    public static DesignFilter none() {
        return new DesignFilter(false, false, "", Map.of(), Optional.empty());
    }

    /// An axis along which designs differ: a metric, or the levels of a knob.
    ///
    /// @param knob whether `name` is a knob's, else a metric's
    public record Axis(boolean knob, String name) {
        /// The axis of a metric.
        public static Axis metric(String name) {
            return new Axis(false, name);
        }

        /// The axis of a knob.
        public static Axis knob(String name) {
            return new Axis(true, name);
        }
    }

    /// A closed interval in the metric's unit, or of levels.
    public record Range(double low, double high) {
        /// True if `v` lies in it.
        public boolean holds(double v) {
            return v >= low && v <= high;
        }
    }

    /// True if everything is shown.
    public boolean isNone() {
        return !isFiltering() && best.isEmpty();
    }

    /// True if some design may be left out.
    boolean isFiltering() {
        return paretoOnly || validOnly || !text.isBlank() || !ranges.isEmpty();
    }

    /// The same with the front only, or not.
    public DesignFilter withParetoOnly(boolean on) {
        return new DesignFilter(on, validOnly, text, ranges, best);
    }

    /// The same with valid designs only, or not.
    public DesignFilter withValidOnly(boolean on) {
        return new DesignFilter(paretoOnly, on, text, ranges, best);
    }

    /// The same with other words.
    public DesignFilter withText(String words) {
        return new DesignFilter(paretoOnly, validOnly, words, ranges, best);
    }

    /// The same with bounds along one axis.
    public DesignFilter withRange(Axis axis, Range range) {
        var copy = new LinkedHashMap<>(ranges);
        copy.put(axis, range);
        return new DesignFilter(paretoOnly, validOnly, text, copy, best);
    }

    /// The same without bounds along one axis.
    public DesignFilter withoutRange(Axis axis) {
        var copy = new LinkedHashMap<>(ranges);
        copy.remove(axis);
        return new DesignFilter(paretoOnly, validOnly, text, copy, best);
    }

    /// The same with another metric to be best in, or none.
    public DesignFilter withBest(Optional<Best> metric) {
        return new DesignFilter(paretoOnly, validOnly, text, ranges, metric);
    }

    /// A test of design indexes of `set`; the words are looked up once per knob level, not once per design.
    ///
    /// @param notes what was written about the designs, which is searched too
    public IntPredicate over(DesignSet set, DesignNotes notes) {
        var tests = new ArrayList<IntPredicate>();
        if (paretoOnly) {
            tests.add(i -> set.standing(i) == DesignStanding.FRONT);
        }
        if (validOnly) {
            tests.add(i -> set.standing(i) != DesignStanding.INVALID);
        }
        for (String word : text.toLowerCase(Locale.ROOT).split("\\s+")) {
            // A bound is read as a goal when it is complete.
            if (!word.isEmpty() && !word.matches(".*[<>].*")) {
                tests.add(containing(set, notes, word));
            }
        }
        ranges.forEach((axis, range) -> tests.add(within(set, axis, range)));
        return i -> {
            for (IntPredicate t : tests) {
                if (!t.test(i)) {
                    return false;
                }
            }
            return true;
        };
    }

    private static IntPredicate within(DesignSet set, Axis axis, Range range) {
        if (!axis.knob()) {
            return i -> {
                double v = set.shownOrNaN(i, axis.name());
                return !Double.isNaN(v) && range.holds(v);
            };
        }
        var knob = set.knobs().indexOf(axis.name());
        if (knob.isEmpty()) {
            return i -> true;
        }
        return i -> range.holds(set.get(i).configuration().level(knob.getAsInt()));
    }

    /// True if a word of the search could find anything among the designs of `set`: a number, a tag or a part of a
    /// note, or a part of some `knob=value`.
    static boolean isKnown(DesignSet set, DesignNotes notes, String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        return (word.startsWith("#") && DesignNotes.tag(word).isEmpty())
                || notes.match(lower)
                || hits(set, lower).stream().anyMatch(hit -> {
                    for (boolean h : hit) {
                        if (h) {
                            return true;
                        }
                    }
                    return false;
                });
    }

    private static IntPredicate containing(DesignSet set, DesignNotes notes, String word) {
        if (DesignNotes.tag(word).isPresent()) {
            return i -> notes.matches(i + 1, word);
        }
        if (word.startsWith("#")) {
            return i -> ("#" + (i + 1)).equals(word);
        }
        List<boolean[]> hits = hits(set, word);
        return i -> {
            for (int k = 0; k < hits.size(); k++) {
                if (hits.get(k)[set.get(i).configuration().level(k)]) {
                    return true;
                }
            }
            return notes.matches(i + 1, word);
        };
    }

    /// Per knob, which of its levels a word occurs in.
    private static List<boolean[]> hits(DesignSet set, String word) {
        return set.knobs().list().stream()
                .map(k -> {
                    Domain domain = k.domain();
                    boolean[] hit = new boolean[domain.size()];
                    for (int level = 0; level < hit.length; level++) {
                        hit[level] = (k.name() + "=" + domain.label(level))
                                .toLowerCase(Locale.ROOT)
                                .contains(word);
                    }
                    return hit;
                })
                .toList();
    }
}
