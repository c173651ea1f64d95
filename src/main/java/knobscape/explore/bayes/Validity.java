package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import knobscape.numeric.StandardNormal;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;

/// What is believed of a design's chance to be built: a process fitted to 1 for designs that were measured and -1 for
/// those that were refused, its belief that the value is above 0 (least-squares classification, Rasmussen and Williams
/// 2006, section 6.5). Everything is taken for valid as long as nothing was refused.
final class Validity {
    /// No design is given up for good.
    private static final double LEAST = 0.02;

    private final Optional<Model> model;

    private Validity(Optional<Model> model) {
        this.model = model;
    }

    /// @param trainer of one output
    static Validity of(Observations observations, Model.Trainer trainer, Optional<double[]> warmStart, long seed) {
        var told = observations.designs().stream()
                .filter(d -> d.state() != Observations.State.FAILED && !d.imagined())
                .toList();
        boolean both = told.stream().map(Observations.Design::state).distinct().count() > 1;
        return new Validity(
                both
                        ? Optional.of(trainer.fit(
                                TrainingData.single(
                                        told.stream()
                                                .map(Observations.Design::x)
                                                .toArray(double[][]::new),
                                        told.stream()
                                                .mapToDouble(d -> d.state() == Observations.State.INVALID ? -1 : 1)
                                                .toArray()),
                                warmStart,
                                seed))
                        : Optional.empty());
    }

    /// No design can fail.
    static Validity certain() {
        return new Validity(Optional.empty());
    }

    /// Hyper-parameters to start the next fit from; none where nothing was fitted.
    Optional<double[]> parameters() {
        return model.map(Model::parameters);
    }

    /// Probabilities of rows.
    double[] of(int rows, IntFunction<double[]> row) {
        double[] chance = new double[rows];
        Arrays.fill(chance, 1);
        if (model.isPresent()) {
            Posterior p =
                    model.get().posterior(IntStream.range(0, rows).mapToObj(row).toArray(double[][]::new));
            double noise = model.get().noise()[0];
            for (int i = 0; i < rows; i++) {
                chance[i] = Math.max(
                        LEAST, StandardNormal.cumulative(p.mean(i, 0) / Math.sqrt(p.covariance(i, 0, 0) + noise)));
            }
        }
        return chance;
    }
}
