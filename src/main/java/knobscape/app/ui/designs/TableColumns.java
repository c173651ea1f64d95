package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import knobscape.evaluate.Metric;
import knobscape.space.Domain;

/// The columns of the table of designs, for one set: number, objectives, other metrics, fidelity, step, knobs.
public final class TableColumns {
    private TableColumns() {}

    /// One column.
    ///
    /// @param id stable name (`metric:delay`, `knob:unroll@gemm/dot`, `number`), under which width and
    /// visibility are remembered
    /// @param title heading, with the unit
    /// @param kind how it is shown
    /// @param usual whether it is shown unless the person says otherwise
    public record Column(String id, String title, Kind kind, boolean usual, Cell cell) {}

    /// How a column is shown.
    public enum Kind {
        /// A mark with a word.
        STANDING,
        /// A right-aligned number.
        NUMBER,
        /// Left-aligned text.
        TEXT
    }

    /// What stands in a column for the design at `index`.
    public interface Cell {
        /// Text shown.
        String text(DesignSet set, int index);

        /// Sorting key; designs without one come last either way.
        OptionalDouble key(DesignSet set, int index);
    }

    /// The columns for a set. Knobs that have one level only are not among them.
    public static List<Column> of(DesignSet set) {
        var columns = new ArrayList<Column>();
        columns.add(new Column(
                "number",
                "#",
                Kind.NUMBER,
                true,
                cell((s, i) -> Integer.toString(i + 1), (s, i) -> OptionalDouble.of(i))));
        columns.add(new Column(
                "standing",
                "Standing",
                Kind.STANDING,
                true,
                cell(
                        (s, i) -> s.standing(i).words(),
                        (s, i) -> OptionalDouble.of(s.standing(i).ordinal()))));
        for (Metric m : set.objectives()) {
            columns.add(metric(set, m, true));
        }
        columns.add(new Column(
                "fidelity",
                "Fidelity",
                Kind.TEXT,
                true,
                cell(
                        (s, i) ->
                                s.get(i).highest().map(e -> e.fidelity().name()).orElse(""),
                        (s, i) -> s.get(i)
                                .highest()
                                .map(e -> OptionalDouble.of(e.fidelity().rank()))
                                .orElse(OptionalDouble.empty()))));
        columns.add(new Column(
                "step",
                "Step",
                Kind.NUMBER,
                true,
                cell(
                        (s, i) -> s.get(i).step() == 0
                                ? "init"
                                : Integer.toString(s.get(i).step()),
                        (s, i) -> OptionalDouble.of(s.get(i).step()))));
        set.info()
                .ifPresent(info -> info.metrics().stream()
                        .filter(m -> set.objectives().stream()
                                .noneMatch(o -> o.name().equals(m.name())))
                        .forEach(m -> columns.add(metric(set, m, false))));
        columns.add(new Column(
                "hours",
                "Tool time",
                Kind.NUMBER,
                false,
                cell(
                        (s, i) -> Quantity.duration(s.get(i).toolSeconds()),
                        (s, i) -> OptionalDouble.of(s.get(i).toolSeconds()))));
        List<String> labels = KnobLabels.of(set.knobs());
        for (int k = 0; k < set.knobs().size(); k++) {
            Domain domain = set.knobs().get(k).domain();
            if (domain.size() > 1) {
                int knob = k;
                columns.add(new Column(
                        "knob:" + set.knobs().get(k).name(),
                        labels.get(k),
                        domain instanceof Domain.Factors ? Kind.NUMBER : Kind.TEXT,
                        true,
                        cell(
                                (s, i) -> s.get(i).configuration().value(knob),
                                (s, i) -> OptionalDouble.of(
                                        s.get(i).configuration().level(knob)))));
            }
        }
        return List.copyOf(columns);
    }

    private static Column metric(DesignSet set, Metric m, boolean objective) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < set.size(); i++) {
            OptionalDouble v = set.shownValue(i, m.name());
            if (v.isPresent()) {
                low = Math.min(low, v.getAsDouble());
                high = Math.max(high, v.getAsDouble());
            }
        }
        Quantity q = Quantity.of(m, low, high);
        return new Column(
                "metric:" + m.name(),
                q.heading(m.label()),
                Kind.NUMBER,
                objective,
                cell(
                        (s, i) -> s.shownValue(i, m.name()).isPresent()
                                ? (s.standing(i) == Standing.PREDICTED ? "~" : "")
                                        + q.format(s.shownValue(i, m.name()).getAsDouble())
                                : "",
                        (s, i) -> s.shownValue(i, m.name())));
    }

    private interface Text {
        String of(DesignSet set, int index);
    }

    private interface Key {
        OptionalDouble of(DesignSet set, int index);
    }

    private static Cell cell(Text text, Key key) {
        return new Cell() {
            @Override
            public String text(DesignSet set, int index) {
                return text.of(set, index);
            }

            @Override
            public OptionalDouble key(DesignSet set, int index) {
                return key.of(set, index);
            }
        };
    }

    /// Compares designs by a column; those without a key come last in both directions, ties go by number.
    static Comparator<Integer> order(DesignSet set, Cell cell, boolean ascending) {
        return (a, b) -> {
            OptionalDouble ka = cell.key(set, a);
            OptionalDouble kb = cell.key(set, b);
            if (ka.isEmpty() || kb.isEmpty()) {
                return ka.isEmpty() == kb.isEmpty() ? Integer.compare(a, b) : ka.isEmpty() ? 1 : -1;
            }
            int c = Double.compare(ka.getAsDouble(), kb.getAsDouble());
            return c != 0 ? (ascending ? c : -c) : Integer.compare(a, b);
        };
    }
}
