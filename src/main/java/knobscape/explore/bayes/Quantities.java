package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Goal;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.explore.Objectives;

/// The modelled quantities of a design, and how they are modelled: the objectives first, then the other metrics.
///
/// @param objectives normalised before they are modelled
/// @param scales how each objective is modelled
/// @param extras the other metrics
record Quantities(Objectives objectives, List<Scale> scales, List<Extra> extras) {
    Quantities {
        scales = List.copyOf(scales);
        extras = List.copyOf(extras);
    }

    /// A metric that is no objective, modelled as the logarithm of 1 plus its value where it is never negative.
    record Extra(String metric, boolean isLog) {
        double toModel(double raw) {
            return isLog ? Math.log10(1 + raw) : raw;
        }

        private double bound(double raw) {
            return isLog && raw <= -1 ? Double.NEGATIVE_INFINITY : toModel(raw);
        }
    }

    /// A bound in modelled units: the quantity, and the lowest and highest value allowed.
    record Limit(int quantity, double low, double high) {
        boolean keeps(double value) {
            return value >= low && value <= high;
        }
    }

    /// Of what was measured, and of what has a bound.
    static Quantities of(
            Collection<List<Evaluation>> evaluations,
            EvaluatorInfo info,
            Objectives objectives,
            BayesSettings settings) {
        return new Quantities(
                objectives,
                objectives.metrics().stream()
                        .map(metric -> scale(evaluations, metric, settings))
                        .toList(),
                extras(evaluations, info, objectives, settings));
    }

    private static Scale scale(Collection<List<Evaluation>> evaluations, Metric metric, BayesSettings settings) {
        boolean positive = evaluations.stream()
                .flatMap(List::stream)
                .allMatch(e -> e.value(metric.name()).isEmpty()
                        || e.value(metric.name()).getAsDouble() > 0);
        return settings.learning().output() == BayesSettings.OutputScale.LOGARITHMIC
                        && metric.direction() != Metric.Direction.MAXIMISE
                        && positive
                ? Scale.LOG10
                : Scale.LINEAR;
    }

    private static List<Extra> extras(
            Collection<List<Evaluation>> evaluations,
            EvaluatorInfo info,
            Objectives objectives,
            BayesSettings settings) {
        return info.metrics().stream()
                .map(Metric::name)
                .filter(name ->
                        objectives.metrics().stream().noneMatch(o -> o.name().equals(name)))
                .filter(name -> settings.learning().report().shows(false)
                        || settings.limits().bounds().stream()
                                .anyMatch(b -> b.metric().equals(name)))
                .map(name -> new Extra(
                        name,
                        evaluations.stream()
                                .flatMap(List::stream)
                                .allMatch(e -> !(e.value(name).orElse(0) < 0))))
                .toList();
    }

    /// How many.
    int count() {
        return objectives.count() + extras.size();
    }

    boolean isObjective(int quantity) {
        return quantity < objectives.count();
    }

    boolean isLog(int quantity) {
        return isObjective(quantity)
                ? scales.get(quantity) == Scale.LOG10
                : extras.get(quantity - objectives.count()).isLog();
    }

    String metric(int quantity) {
        return isObjective(quantity)
                ? objectives.metrics().get(quantity).name()
                : extras.get(quantity - objectives.count()).metric();
    }

    /// By quantity what was measured, as it is modelled; NaN where it was not.
    double[] of(Outcome.Measured measured) {
        double[] y = new double[count()];
        for (int j = 0; j < y.length; j++) {
            var raw = measured.value(metric(j));
            y[j] = raw.isPresent() ? modelled(j, raw.getAsDouble()) : Double.NaN;
        }
        return y;
    }

    private double modelled(int j, double raw) {
        return isObjective(j)
                ? scales.get(j).toModel(objectives.normalise(j, raw))
                : extras.get(j - objectives.count()).toModel(raw);
    }

    /// The worst values of the objectives made worse by `factor`, NaN where nothing was measured and for all else.
    double[] penalty(double[] worst, double factor) {
        double[] y = new double[count()];
        Arrays.fill(y, Double.NaN);
        for (int j = 0; j < worst.length; j++) {
            y[j] = switch (scales.get(j)) {
                case LOG10 -> worst[j] + Math.log10(factor);
                case LINEAR -> worst[j] == 0 ? factor - 1 : worst[j] + (factor - 1) * Math.abs(worst[j]);
            };
        }
        return y;
    }

    /// A bound as it is modelled. Throws [UserError] where there is no such metric.
    Limit limit(Goal.Bound b) {
        for (int j = 0; j < count(); j++) {
            if (metric(j).equals(b.metric())) {
                double x = bound(j, b.low());
                double y = bound(j, b.high());
                return new Limit(j, Math.min(x, y), Math.max(x, y));
            }
        }
        throw new UserError("There is no metric '" + b.metric() + "' to keep a bound of.");
    }

    private double bound(int j, double raw) {
        if (!isObjective(j)) {
            return extras.get(j - objectives.count()).bound(raw);
        }
        double v = objectives.normalise(j, raw);
        return scales.get(j) == Scale.LOG10 && v <= 0
                ? Double.NEGATIVE_INFINITY
                : scales.get(j).toModel(v);
    }
}
