package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import knobscape.evaluate.Metric;
import knobscape.project.Design;
import knobscape.space.Configuration;

/// A design in a few lines of text.
///
/// @param title number and standing
/// @param objectives a line each, with unit, change against the baseline, and source
/// @param knobs `name: from → to`, those that differ from the baseline
public record DesignSummary(String title, List<String> objectives, List<String> knobs) {
    private static final int MAX_EQUAL = 4;

    /// The summary of a design of `set`, with at most `most` knobs; empty where there is no such design.
    public static Optional<DesignSummary> of(DesignSet set, int number, int most) {
        return set.byNumber(number).map(d -> make(set, d, most));
    }

    private static DesignSummary make(DesignSet set, Design d, int most) {
        boolean isBaseline = d.number() == Results.BASELINE;
        List<Integer> equals = set.same(d.number());
        String standing = isBaseline
                ? "no directives"
                : set.indexOf(d.number()).stream()
                        .mapToObj(i -> set.standing(i).words())
                        .findFirst()
                        .orElse("");
        var objectives = new ArrayList<String>();
        for (Metric m : set.objectives()) {
            OptionalDouble v = isBaseline ? d.value(m.name()) : set.shownValue(d.number() - 1, m.name());
            if (v.isPresent()) {
                Quantity q = Quantity.of(m, v.getAsDouble(), v.getAsDouble());
                OptionalDouble base = set.baseline().map(b -> b.value(m.name())).orElse(OptionalDouble.empty());
                objectives.add(m.label() + " " + q.withUnit(v.getAsDouble())
                        + (base.isPresent() && !isBaseline
                                ? "  " + Quantity.change(base.getAsDouble(), v.getAsDouble())
                                : ""));
            }
        }
        String source = isBaseline ? DesignSet.source(d) : set.source(d.number() - 1);
        if (!source.isEmpty()) {
            objectives.add(source);
        }
        DesignSet.reason(d).ifPresent(objectives::add);
        if (!equals.isEmpty()) {
            objectives.add("equal: #"
                    + equals.stream().map(String::valueOf).limit(MAX_EQUAL).collect(Collectors.joining(", #"))
                    + (equals.size() > MAX_EQUAL ? " and " + (equals.size() - MAX_EQUAL) + " more" : ""));
        }
        List<String> knobs = new ArrayList<>();
        set.baseline().ifPresent(b -> knobs.addAll(differences(b.configuration(), d.configuration())));
        if (knobs.size() > most) {
            int more = knobs.size() - most + 1;
            knobs.subList(most - 1, knobs.size()).clear();
            knobs.add("and " + more + " more");
        }
        return new DesignSummary(
                (isBaseline ? "Baseline" : "#" + d.number() + (set.isBaseline(d.number()) ? ", baseline" : ""))
                        + " \u00b7 " + standing,
                List.copyOf(objectives),
                List.copyOf(knobs));
    }

    /// The knobs in which `to` differs from `from`, as `name: from → to`.
    public static List<String> differences(Configuration from, Configuration to) {
        var lines = new ArrayList<String>();
        List<String> labels = KnobLabels.of(to.knobs());
        for (int k = 0; k < to.knobs().size(); k++) {
            if (from.level(k) != to.level(k)) {
                lines.add(labels.get(k) + ": " + from.value(k) + " \u2192 " + to.value(k));
            }
        }
        return lines;
    }
}
