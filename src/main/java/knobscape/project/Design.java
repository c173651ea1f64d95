package knobscape.project;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.explore.Prediction;
import knobscape.space.Configuration;

/// A configuration with its evaluations, as a person inspects it.
///
/// @param number stable within its run, in the order proposed; shown as `#1`
/// @param configuration the knob values
/// @param evaluations the newest of each fidelity, lowest first; of several measurements their mean
/// @param step optimisation step that proposed it first, 0 for an initial design
/// @param reason why it was proposed, in a few words
/// @param prediction what the surrogate expected before the newest proposal of it, where there was a surrogate
/// @param subject index of the subject it belongs to, 0 where there is one
public record Design(
        int number,
        Configuration configuration,
        List<Evaluation> evaluations,
        int step,
        String reason,
        Optional<Prediction> prediction,
        int subject) {

    /// A design of the first subject.
    public Design(
            int number,
            Configuration configuration,
            List<Evaluation> evaluations,
            int step,
            String reason,
            Optional<Prediction> prediction) {
        this(number, configuration, evaluations, step, reason, prediction, 0);
    }

    public Design {
        evaluations = List.copyOf(evaluations);
    }

    /// The evaluation at exactly this fidelity, if it was run.
    public Optional<Evaluation> at(Fidelity fidelity) {
        return evaluations.stream()
                .filter(e -> e.fidelity().rank() == fidelity.rank())
                .findFirst();
    }

    /// The evaluation at the highest fidelity run; empty while the first is in flight.
    public Optional<Evaluation> highest() {
        return evaluations.isEmpty() ? Optional.empty() : Optional.of(evaluations.getLast());
    }

    /// Value of a metric at the highest fidelity that was measured and reports it.
    public OptionalDouble value(String metric) {
        double v = valueOrNaN(metric);
        return Double.isNaN(v) ? OptionalDouble.empty() : OptionalDouble.of(v);
    }

    /// As [#value], NaN where no fidelity reports it; makes no object, for who looks at very many.
    public double valueOrNaN(String metric) {
        for (int i = evaluations.size() - 1; i >= 0; i--) {
            double v = evaluations.get(i).valueOrNaN(metric);
            if (!Double.isNaN(v)) {
                return v;
            }
        }
        return Double.NaN;
    }

    /// The configurations of those designs that have a value of a metric, the best first.
    public static List<Configuration> ranked(List<Design> designs, Metric metric) {
        Comparator<Design> order = Comparator.comparingDouble(d -> d.valueOrNaN(metric.name()));
        return designs.stream()
                .filter(d -> d.value(metric.name()).isPresent())
                .sorted(metric.direction() == Metric.Direction.MAXIMISE ? order.reversed() : order)
                .map(Design::configuration)
                .toList();
    }

    /// Tool time spent on it in seconds (of the newest evaluation of each fidelity).
    public double toolSeconds() {
        return evaluations.stream().mapToDouble(Evaluation::costSeconds).sum();
    }
}
