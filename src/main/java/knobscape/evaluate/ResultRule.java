package knobscape.evaluate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoublePredicate;
import java.util.stream.Stream;

/// The one rule for which values count as a result, for tables, tools, told results, reports and stores alike: every
/// metric has a domain that follows from its name and unit, and a value outside of it is doubtful.
public final class ResultRule {
    /// Values that a metric can have.
    private enum Domain {
        /// Times, powers, areas and rates.
        POSITIVE("must be above 0", v -> v > 0),
        /// Cycles may be 0 where nothing is clocked; a metric that is only shown may be 0, too.
        NOT_NEGATIVE("must not be below 0", v -> v >= 0),
        /// Cells of a device.
        COUNT("must be a whole number from 0", v -> v >= 0 && v == Math.rint(v)),
        /// Memories are counted in halves.
        HALVES("must be a number of halves from 0", v -> v >= 0 && 2 * v == Math.rint(2 * v)),
        /// Accuracies and other shares.
        SHARE("must be from 0 to 1", v -> v >= 0 && v <= 1),
        /// Shares in percent.
        PERCENT("must be from 0 to 100", v -> v >= 0 && v <= 100),
        /// Anything finite.
        ANY("must be a finite number", v -> true);

        private final String words;
        private final DoublePredicate holds;

        Domain(String words, DoublePredicate holds) {
            this.words = words;
            this.holds = holds;
        }

        boolean holds(double value) {
            return Double.isFinite(value) && holds.test(value);
        }
    }

    /// Words after which a name says a difference, a logarithm or another figure of its own.
    private static final Set<String> DERIVED = Set.of(
            "log",
            "ln",
            "log2",
            "log10",
            "delta",
            "diff",
            "difference",
            "change",
            "gain",
            "loss",
            "saved",
            "saving",
            "slack",
            "margin",
            "error",
            "err",
            "residual",
            "std",
            "norm",
            "normalized",
            "normalised",
            "improvement",
            "reduction",
            "score",
            "rank",
            "relative",
            "rel",
            "z");
    private static final Set<String> POSITIVE = Set.of(
            "latency",
            "delay",
            "time",
            "duration",
            "runtime",
            "area",
            "power",
            "energy",
            "clock",
            "period",
            "frequency",
            "freq",
            "fmax",
            "throughput",
            "gflops",
            "fps",
            "speedup");
    private static final Set<String> COUNTS =
            Set.of("lut", "luts", "ff", "ffs", "dsp", "dsps", "uram", "urams", "registers", "slices");
    private static final Set<String> SHARES =
            Set.of("accuracy", "acc", "auc", "f1", "recall", "share", "fraction", "probability");
    private static final Set<String> PERCENTS = Set.of("percent", "pct", "percentage");
    private static final Set<String> POSITIVE_UNITS = Set.of(
            "ns",
            "us",
            "\u00b5s",
            "\u03bcs",
            "ms",
            "s",
            "uW",
            "mW",
            "W",
            "kW",
            "nJ",
            "uJ",
            "mJ",
            "J",
            "Hz",
            "kHz",
            "MHz",
            "GHz",
            "mm2",
            "um2",
            "mm\u00b2",
            "um\u00b2");

    private final Map<String, Domain> domains = new HashMap<>();

    private ResultRule(List<Metric> metrics) {
        metrics.forEach(m -> domains.put(m.name(), domain(m)));
    }

    /// The rule for these metrics.
    public static ResultRule of(List<Metric> metrics) {
        return new ResultRule(metrics);
    }

    /// The rule for what was stored, which was whole when it was made: counts may be means and shares in percent, but
    /// nothing is negative that cannot be.
    public static ResultRule ofStored(List<Metric> metrics) {
        var rule = new ResultRule(metrics);
        rule.domains.replaceAll((_, d) -> switch (d) {
            case POSITIVE, ANY -> d;
            case NOT_NEGATIVE, COUNT, HALVES, SHARE, PERCENT -> Domain.NOT_NEGATIVE;
        });
        return rule;
    }

    /// The outcome itself, or why its values are none.
    ///
    /// @param where what tells them, for the reason: `the store`
    public Outcome checked(Outcome outcome, String where) {
        return outcome instanceof Outcome.Measured m
                ? objection(m.values())
                        .<Outcome>map(why -> new Outcome.Failure(
                                FailureKind.CRASHED, where + " holds no result: " + why, m.values()))
                        .orElse(m)
                : outcome;
    }

    /// The reason why values cannot be a result, as a clause: `delay is -5 and must be above 0`; empty where they can.
    /// Metrics that are not known may have any finite value.
    public Optional<String> objection(Map<String, Double> values) {
        return values.entrySet().stream()
                .flatMap(e -> objection(e.getKey(), e.getValue()).stream())
                .findFirst();
    }

    /// The same of one value.
    public Optional<String> objection(String metric, double value) {
        Domain d = domains.getOrDefault(metric, Domain.ANY);
        return d.holds(value) ? Optional.empty() : Optional.of(metric + " is " + number(value) + " and " + d.words);
    }

    /// The rule of a table: where most values of a column have fractions it holds no counts, where most are above 1
    /// its shares are in percent, and where many differing fractions are below 0 it is on a scale of its own.
    /// A table of -1 and 0 has missing values.
    ///
    /// @param metric one of the metrics
    /// @param values of its column
    public void fit(String metric, double[] values) {
        Domain d = domains.getOrDefault(metric, Domain.ANY);
        if (d == Domain.SHARE && most(values, v -> v > 1)) {
            domains.put(metric, Domain.PERCENT);
        } else if ((d == Domain.COUNT || d == Domain.HALVES) && most(values, v -> !d.holds(v) && v >= 0)) {
            domains.put(metric, Domain.NOT_NEGATIVE);
        } else if (d == Domain.POSITIVE || d == Domain.NOT_NEGATIVE) {
            long strange = Arrays.stream(values)
                    .filter(v -> v < 0 && v != Math.rint(v))
                    .distinct()
                    .count();
            if (4 * strange > values.length) {
                domains.put(metric, Domain.ANY);
            }
        }
    }

    private static boolean most(double[] values, DoublePredicate which) {
        long of = Arrays.stream(values).filter(which).count();
        return 2 * of > values.length;
    }

    private static Domain domain(Metric m) {
        String unit = m.unit().isEmpty() ? Units.inName(m.name()).unit() : m.unit();
        Set<String> words = Set.copyOf(
                StatusWords.words(m.name() + " " + Units.inName(m.name()).stem()));
        if (words.stream().anyMatch(DERIVED::contains)) {
            return Domain.ANY;
        }
        if (words.stream().anyMatch(SHARES::contains)) {
            return unit.equals("%") || words.stream().anyMatch(PERCENTS::contains) ? Domain.PERCENT : Domain.SHARE;
        }
        boolean plain = unit.isEmpty();
        if (words.stream().anyMatch(COUNTS::contains)) {
            return plain && Stream.of("mean", "average", "avg").noneMatch(words::contains)
                    ? Domain.COUNT
                    : Domain.NOT_NEGATIVE;
        }
        if (Stream.of("bram", "brams").anyMatch(words::contains)) {
            return plain ? Domain.HALVES : Domain.NOT_NEGATIVE;
        }
        if (unit.equals("cycles") || words.contains("cycles") || words.contains("cycle")) {
            return m.unit().equals("cycles") || m.direction() == Metric.Direction.NEUTRAL
                    ? Domain.NOT_NEGATIVE
                    : Domain.POSITIVE;
        }
        if (words.stream().anyMatch(POSITIVE::contains) || POSITIVE_UNITS.contains(unit)) {
            return m.direction() == Metric.Direction.NEUTRAL ? Domain.NOT_NEGATIVE : Domain.POSITIVE;
        }
        return Domain.ANY;
    }

    private static String number(double v) {
        return v == Math.rint(v) && Math.abs(v) < 1e15 ? Long.toString((long) v) : Double.toString(v);
    }
}
