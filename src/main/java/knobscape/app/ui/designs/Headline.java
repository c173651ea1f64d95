package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Goal.Best;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Provenance;
import knobscape.explore.Promise;
import knobscape.project.Design;

/// One of the few figures a person came for.
///
/// @param title what it is
/// @param value with its unit
/// @param words the change from the baseline, the design
/// @param act selects the design it belongs to, or opens where it comes from; empty where it does neither
public record Headline(String title, String value, String words, Optional<Runnable> act) {
    /// One that does nothing.
    public Headline(String title, String value, String words) {
        this(title, value, words, Optional.empty());
    }

    /// The figures of a run: the best under the goal, the best of every objective, the front, what was spent. Before
    /// anything is evaluated those of the baseline.
    ///
    /// @param best number of the design that is best under the goal
    /// @param choose selects a design
    static List<Headline> of(DesignSet set, DesignFilter filter, Optional<Integer> best, IntConsumer choose) {
        var all = new ArrayList<Headline>();
        boolean anyBound = filter.ranges().keySet().stream().anyMatch(a -> !a.knob());
        if (set.count(DesignStanding.FRONT) > 0 && (anyBound || filter.best().isPresent())) {
            all.add(goal(set, filter, best, choose));
        }
        for (Metric m : set.objectives()) {
            boolean largest = m.direction() == Metric.Direction.MAXIMISE;
            IntStream.range(0, set.size())
                    .filter(i -> set.standing(i) == DesignStanding.FRONT)
                    .boxed()
                    .filter(i -> set.shows(i, m))
                    .min(Comparator.comparingDouble(i ->
                            (largest ? -1 : 1) * set.shownValue(i, m.name()).orElseThrow()))
                    .map(i -> figure((largest ? "Most " : "Least ") + word(m), set, m, i + 1, choose))
                    .or(() -> set.baseline().map(b -> figure("Baseline: " + word(m), set, m, b.number(), choose)))
                    .ifPresent(all::add);
        }
        if (all.size() > 1 && all.stream().skip(1).anyMatch(h -> h.isOf(all.getFirst()))) {
            // The best without the bounds is the goal's own.
            all.removeIf(h -> h != all.getFirst() && h.isOf(all.getFirst()));
        }
        if (set.size() > 0) {
            int evaluated = set.count(DesignStanding.FRONT) + set.count(DesignStanding.DOMINATED);
            boolean stages = set.info().filter(i -> i.fidelities().size() > 1).isPresent();
            all.add(
                    set.objectives().size() == 1
                            ? new Headline(
                                    "Designs",
                                    Quantity.count(evaluated),
                                    evaluated < set.size() ? "of " + Quantity.count(set.size()) + " seen" : "evaluated")
                            : new Headline(
                                    "Front",
                                    Quantity.count(set.frontSize()),
                                    "of " + Quantity.count(evaluated)
                                            + (stages
                                                    ? set.info()
                                                            .map(i -> " at "
                                                                    + i.top().name())
                                                            .orElse("")
                                                    : "")
                                            + (evaluated < set.size()
                                                    ? ", " + Quantity.count(set.size()) + " seen"
                                                    : "")));
        }
        if (set.toolSeconds() > 0) {
            all.add(new Headline(
                    "Spent", Quantity.spent(set.toolSeconds()), hours(set).replace(" hours", "")));
        }
        set.promise()
                .ifPresent(p -> all.add(new Headline(
                        "Next " + hours(set).replaceFirst("s$", ""),
                        Promise.percent(p.expected()) + " %",
                        "nearer to the true front expected"
                                + (Double.isNaN(p.low())
                                        ? ""
                                        : " (" + Promise.percent(p.low()) + " to " + Promise.percent(p.high())
                                                + ")"))));
        return all;
    }

    /// True if it says the same of the same design.
    private boolean isOf(Headline other) {
        return value.equals(other.value) && words.equals(other.words);
    }

    private static String hours(DesignSet set) {
        return set.info()
                .map(EvaluatorInfo::source)
                .orElse(Provenance.Source.MEASURED)
                .hours();
    }

    private static Headline goal(DesignSet set, DesignFilter filter, Optional<Integer> best, IntConsumer choose) {
        Optional<Metric> wanted = filter.best()
                .flatMap(b -> set.info()
                        .flatMap(i -> i.metrics().stream()
                                .filter(m -> m.name().equals(b.metric()))
                                .findFirst()))
                .or(() -> set.objectives().stream().findFirst());
        // The bounds stand in chips below.
        String title = "Goal: " + filter.best().map(b -> words(b, set)).orElse("within bounds");
        return best.isEmpty() || wanted.isEmpty()
                ? new Headline(title, "none", "no design meets it")
                : figure(title, set, wanted.get(), best.get(), choose);
    }

    /// `least delay`.
    static String words(Best best, DesignSet set) {
        return (best.largest() ? "most " : "least ")
                + set.info()
                        .flatMap(i -> i.metrics().stream()
                                .filter(m -> m.name().equals(best.metric()))
                                .findFirst())
                        .map(Headline::word)
                        .orElse(best.metric());
    }

    /// The label inside a sentence: `delay`, but `LUT`.
    private static String word(Metric m) {
        return m.label().equals(m.label().toUpperCase(Locale.ROOT))
                ? m.label()
                : m.label().toLowerCase(Locale.ROOT);
    }

    private static Headline figure(String title, DesignSet set, Metric m, int number, IntConsumer choose) {
        Optional<Design> design = set.byNumber(number);
        double value = (number == Results.BASELINE
                        ? design.map(d -> d.value(m.name())).orElse(OptionalDouble.empty())
                        : set.shownValue(number - 1, m.name()))
                .orElse(Double.NaN);
        OptionalDouble base = set.baseline().map(b -> b.value(m.name())).orElse(OptionalDouble.empty());
        boolean isBaseline = design.flatMap(
                        d -> set.baseline().map(b -> b.configuration().equals(d.configuration())))
                .orElse(false);
        String change = number == Results.BASELINE || base.isEmpty()
                ? ""
                : isBaseline ? "the baseline \u00b7 " : Quantity.change(m, base.getAsDouble(), value) + " \u00b7 ";
        return new Headline(
                title,
                Results.quantity(set, m, value).withUnit(value),
                number == Results.BASELINE ? design.map(DesignSet::source).orElse("") : change + "#" + number,
                number == Results.BASELINE ? Optional.empty() : Optional.of(() -> choose.accept(number)));
    }
}
