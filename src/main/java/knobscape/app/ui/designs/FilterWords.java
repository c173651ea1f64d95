package knobscape.app.ui.designs;

import java.util.Optional;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.designs.DesignFilter.Range;
import knobscape.evaluate.Metric;
import knobscape.space.Domain;

/// Bounds along an axis in words, for the chips that say what is filtered.
public final class FilterWords {
    private FilterWords() {}

    /// `Delay 80.1 – 120 µs`, `unroll dot 4 – 16`, `inline mul on`.
    public static String of(Axis axis, Range range, DesignSet set) {
        return axis.knob() ? knob(axis.name(), range, set) : metric(axis.name(), range, set);
    }

    private static String metric(String name, Range range, DesignSet set) {
        Optional<Metric> metric = set.objectives().stream()
                .filter(m -> m.name().equals(name))
                .findFirst()
                .or(() -> set.info()
                        .flatMap(i -> i.metrics().stream()
                                .filter(m -> m.name().equals(name))
                                .findFirst()));
        if (metric.isEmpty()) {
            return name;
        }
        boolean above = Double.isInfinite(range.high());
        boolean below = Double.isInfinite(range.low());
        if (above || below) {
            double end = above ? range.low() : range.high();
            return metric.get().label()
                    + (above ? " \u2265 " : " \u2264 ")
                    + Quantity.of(metric.get(), end, end).withUnit(end);
        }
        Quantity q = Quantity.of(metric.get(), range.low(), range.high());
        return metric.get().label() + " " + q.format(range.low()) + " \u2013 " + q.withUnit(range.high());
    }

    private static String knob(String name, Range range, DesignSet set) {
        var index = set.knobs().indexOf(name);
        if (index.isEmpty()) {
            return name;
        }
        Domain domain = set.knobs().get(index.getAsInt()).domain();
        int low = Math.clamp((long) Math.ceil(range.low()), 0, domain.size() - 1);
        int high = Math.clamp((long) Math.floor(range.high()), 0, domain.size() - 1);
        String label = KnobLabels.of(set.knobs()).get(index.getAsInt());
        if (low > high) {
            return label + " nothing";
        }
        return label + " " + domain.label(low) + (low == high ? "" : " \u2013 " + domain.label(high));
    }
}
