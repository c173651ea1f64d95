package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import knobscape.evaluate.Metric;
import knobscape.project.Design;
import knobscape.space.Configuration;

/// A design in two lines of text.
///
/// @param title number, standing, and where its values come from
/// @param text its objectives with unit and change against the baseline; of an invalid one, why it is
public record DesignSummary(String title, String text) {
    private static final int MAX_EQUAL = 4;
    private static final String BETWEEN = " \u00b7 ";

    /// The summary of a design of `set`; empty where there is no such design.
    public static Optional<DesignSummary> of(DesignSet set, int number) {
        return set.byNumber(number).map(d -> make(set, d));
    }

    private static DesignSummary make(DesignSet set, Design d) {
        boolean isBaseline = d.number() == Results.BASELINE;
        var title = new ArrayList<String>();
        title.add(isBaseline ? "Baseline" : "#" + d.number() + (set.isBaseline(d.number()) ? ", baseline" : ""));
        title.add(
                isBaseline
                        ? d.reason()
                        : set.indexOf(d.number()).stream()
                                .mapToObj(i -> set.standing(i).words())
                                .findFirst()
                                .orElse(""));
        title.add(isBaseline ? DesignSet.source(d) : set.source(d.number() - 1));
        List<Integer> equals = set.same(d.number());
        if (!equals.isEmpty()) {
            title.add("equal: #"
                    + equals.stream().map(String::valueOf).limit(MAX_EQUAL).collect(Collectors.joining(", #"))
                    + (equals.size() > MAX_EQUAL ? " and " + (equals.size() - MAX_EQUAL) + " more" : ""));
        }
        title.removeIf(String::isEmpty);
        var text = new ArrayList<String>();
        for (Metric m : set.objectives()) {
            OptionalDouble v = isBaseline ? d.value(m.name()) : set.shownValue(d.number() - 1, m.name());
            if (v.isPresent()) {
                Quantity q = Results.quantity(set, m, v.getAsDouble());
                OptionalDouble base = set.baseline().map(b -> b.value(m.name())).orElse(OptionalDouble.empty());
                text.add(m.label() + " " + q.withUnit(v.getAsDouble())
                        + (base.isPresent() && !isBaseline
                                ? " " + Quantity.change(m, base.getAsDouble(), v.getAsDouble())
                                : ""));
            }
        }
        DesignSet.reason(d).ifPresent(text::add);
        return new DesignSummary(String.join(BETWEEN, title), String.join(BETWEEN, text));
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
