package knobscape.evaluate;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import knobscape.space.Configuration;

/// Which configuration is the fastest where measurements of the same one differ. The fastest of many single
/// measurements is mostly a lucky one; so every configuration counts by the mean of its measurements, and one that was
/// measured less often than another has to be faster by more: what is compared is the mean plus its standard error, the
/// deviation of a measurement being that among all repeated ones. Where nothing was repeated, or repeats agree, the
/// fastest measurement is the fastest configuration. Not thread-safe.
public final class RepeatedMeasurements {
    private final Function<Evaluation, OptionalDouble> loss;
    private final Map<Configuration, Row> rows = new LinkedHashMap<>();
    private double squares;
    private int degrees;
    private Optional<Row> best = Optional.empty();

    private final class Row {
        private Evaluation pooled;
        private int count = 1;
        /// Mean of the logarithms of the times.
        private double loss;

        Row(Evaluation first, double loss) {
            this.pooled = first;
            this.loss = loss;
        }

        void add(Evaluation e, double next) {
            count++;
            double before = next - loss;
            loss += before / count;
            squares += before * (next - loss);
            degrees++;
            pooled = mean(pooled, e, count);
        }

        double atMost() {
            return loss + deviation().orElse(0) / Math.sqrt(count);
        }
    }

    private RepeatedMeasurements(Function<Evaluation, OptionalDouble> loss) {
        this.loss = loss;
    }

    /// @param speed of a measured evaluation: larger is better, 0 or less counts for nothing
    public static RepeatedMeasurements bySpeed(ToDoubleFunction<Evaluation> speed) {
        return byLoss(e -> {
            double v = e.isMeasured() ? speed.applyAsDouble(e) : 0;
            return v <= 0 ? OptionalDouble.empty() : OptionalDouble.of(-Math.log(v));
        });
    }

    /// @param loss natural logarithm of a time, or what else is better where smaller; empty counts for nothing
    public static RepeatedMeasurements byLoss(Function<Evaluation, OptionalDouble> loss) {
        return new RepeatedMeasurements(loss);
    }

    /// Takes a measurement; one without a loss, as a failure, changes nothing.
    public void add(Evaluation e) {
        loss.apply(e).ifPresent(v -> add(e, v));
    }

    private void add(Evaluation e, double value) {
        Row row = rows.get(e.configuration());
        if (row == null) {
            row = new Row(e, value);
            rows.put(e.configuration(), row);
            if (best.isEmpty() || row.atMost() < best.get().atMost()) {
                best = Optional.of(row);
            }
        } else {
            row.add(e, value);
            best = rows.values().stream().min(Comparator.comparingDouble(Row::atMost));
        }
    }

    /// The best configuration with the means of its measured values.
    public Optional<Evaluation> best() {
        return best.map(r -> r.pooled);
    }

    /// A configuration with the means of its measured values.
    public Optional<Evaluation> of(Configuration configuration) {
        return Optional.ofNullable(rows.get(configuration)).map(r -> r.pooled);
    }

    /// The mean of a configuration's losses; empty where it never ran.
    public OptionalDouble loss(Configuration configuration) {
        Row row = rows.get(configuration);
        return row == null ? OptionalDouble.empty() : OptionalDouble.of(row.loss);
    }

    /// How often a configuration ran.
    public int count(Configuration configuration) {
        Row row = rows.get(configuration);
        return row == null ? 0 : row.count;
    }

    /// Standard deviation of the logarithm of one measurement, from those that were repeated.
    public OptionalDouble deviation() {
        return degrees == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.sqrt(squares / degrees));
    }

    /// The mean of `count - 1` measured evaluations of a configuration and one more; values that one of them lacks are
    /// left out.
    public static Evaluation mean(Evaluation before, Evaluation more, int count) {
        Map<String, Double> values = ((Outcome.Measured) before.outcome())
                .values().entrySet().stream()
                        .filter(e -> more.value(e.getKey()).isPresent())
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                e -> e.getValue() + (more.value(e.getKey()).orElseThrow() - e.getValue()) / count,
                                (a, _) -> a,
                                LinkedHashMap::new));
        return new Evaluation(
                more.configuration(),
                more.fidelity(),
                new Outcome.Measured(values),
                more.costSeconds(),
                more.provenance());
    }
}
