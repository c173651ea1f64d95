package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
    /// @param shownAtFirst whether it is shown unless the person says otherwise
    /// @param text what stands there for the design at an index
    /// @param key sorting key; designs without one come last either way
    public record Column(String id, String title, Kind kind, boolean shownAtFirst, Text text, Key key) {}

    /// How a column is shown.
    public enum Kind {
        /// A mark with a word.
        STANDING,
        /// A right-aligned number.
        NUMBER,
        /// Left-aligned text.
        TEXT
    }

    /// Text of the design at `index`.
    public interface Text {
        String of(DesignSet set, int index);
    }

    /// Sorting key of the design at `index`.
    public interface Key {
        OptionalDouble of(DesignSet set, int index);
    }

    /// The columns for a set. Knobs that have one level only are not among them.
    public static List<Column> of(DesignSet set) {
        var columns = new ArrayList<Column>();
        columns.add(new Column(
                "number", "#", Kind.NUMBER, true, (s, i) -> Integer.toString(i + 1), (s, i) -> OptionalDouble.of(i)));
        columns.add(new Column(
                "standing",
                "Standing",
                Kind.STANDING,
                true,
                (s, i) -> s.standing(i).words(),
                (s, i) -> OptionalDouble.of(s.standing(i).ordinal())));
        if (IntStream.range(0, set.size())
                .mapToObj(set::get)
                .anyMatch(d -> d.step() < 0 && !d.reason().isBlank())) {
            columns.add(new Column(
                    "origin",
                    "Found by",
                    Kind.TEXT,
                    true,
                    (s, i) -> s.get(i).reason(),
                    (s, i) -> OptionalDouble.of(
                            s.get(i).reason().chars().limit(3).asDoubleStream().reduce(0, (a, c) -> 65536 * a + c))));
        }
        set.objectives().forEach(m -> columns.add(metric(set, m, true)));
        if (set.info().filter(i -> i.fidelities().size() > 1).isPresent()) {
            columns.add(new Column(
                    "fidelity",
                    "Fidelity",
                    Kind.TEXT,
                    true,
                    (s, i) -> s.get(i).highest().map(e -> e.fidelity().name()).orElse(""),
                    (s, i) -> s.get(i).highest().stream()
                            .mapToDouble(e -> e.fidelity().rank())
                            .findFirst()));
        }
        columns.add(new Column(
                "step",
                "Step",
                Kind.NUMBER,
                true,
                (s, i) -> s.get(i).reason().equals(DesignFold.TRIED)
                        ? DesignFold.TRIED
                        : s.get(i).step() == 0
                                ? "init"
                                : s.get(i).step() < 0
                                        ? "known"
                                        : Integer.toString(s.get(i).step()),
                (s, i) -> OptionalDouble.of(s.get(i).step())));
        set.info()
                .ifPresent(info -> info.metrics().stream()
                        .filter(m -> set.objectives().stream()
                                .noneMatch(o -> o.name().equals(m.name())))
                        .forEach(m -> columns.add(metric(set, m, false))));
        columns.add(new Column(
                "hours",
                "Time spent",
                Kind.NUMBER,
                false,
                (s, i) -> Quantity.duration(s.get(i).toolSeconds()),
                (s, i) -> OptionalDouble.of(s.get(i).toolSeconds())));
        List<String> labels = KnobLabels.of(set.knobs());
        for (int k = 0; k < set.knobs().size(); k++) {
            int knob = k;
            Domain domain = set.knobs().get(k).domain();
            if (domain.size() > 1) {
                columns.add(new Column(
                        "knob:" + set.knobs().get(k).name(),
                        labels.get(k),
                        domain instanceof Domain.Factors || domain instanceof Domain.Numbers ? Kind.NUMBER : Kind.TEXT,
                        true,
                        (s, i) -> KnobLabels.value(s.get(i).configuration().value(knob)),
                        (s, i) -> OptionalDouble.of(s.get(i).configuration().level(knob))));
            }
        }
        return List.copyOf(columns);
    }

    private static Column metric(DesignSet set, Metric m, boolean objective) {
        Quantity q = Results.quantity(set, m);
        return new Column(
                "metric:" + m.name(),
                q.heading(m.label()),
                Kind.NUMBER,
                objective,
                (s, i) -> s.shownValue(i, m.name()).stream()
                        .mapToObj(v -> (s.standing(i) == DesignStanding.PREDICTED ? "~" : "") + q.format(v))
                        .collect(Collectors.joining()),
                (s, i) -> s.shownValue(i, m.name()));
    }

    /// Compares designs by a column; those without a key come last in both directions, ties go by number. By a
    /// metric, what was measured at the top comes first, then what a lower stage says, what is predicted, and what
    /// cannot be built.
    static Comparator<Integer> order(DesignSet set, Column column, boolean ascending) {
        double[] keys = IntStream.range(0, set.size())
                .mapToDouble(i -> column.key().of(set, i).orElse(Double.NaN))
                .toArray();
        boolean values = column.id().startsWith("metric:");
        return (a, b) -> {
            int rank = values ? Integer.compare(rank(set.standing(a)), rank(set.standing(b))) : 0;
            if (rank != 0) {
                return rank;
            }
            double ka = keys[a];
            double kb = keys[b];
            if (Double.isNaN(ka) || Double.isNaN(kb)) {
                return Double.isNaN(ka) == Double.isNaN(kb) ? Integer.compare(a, b) : Double.isNaN(ka) ? 1 : -1;
            }
            int c = Double.compare(ka, kb);
            return c != 0 ? (ascending ? c : -c) : Integer.compare(a, b);
        };
    }

    private static int rank(DesignStanding s) {
        return switch (s) {
            case FRONT, DOMINATED -> 0;
            case LOWER, PENDING -> 1;
            case PREDICTED -> 2;
            case INVALID -> 3;
        };
    }
}
