package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.History;
import knobscape.numeric.StandardNormal;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;

/// The belief about a design's chance to be built: a process fitted to 1 for designs that were run to the highest
/// fidelity and -1 for those that were refused, its belief that the value is above 0 (least-squares classification,
/// Rasmussen and Williams 2006, section 6.5), times the chance that it fits its part. Designs that were only
/// screened say nothing here, as they may still be refused. As long as nothing was refused and nothing comes near the
/// part's size everything is taken for valid.
final class ValidityModel {
    /// No design is given up for good.
    private static final double LEAST = 0.02;

    /// Loads below this share of the part (natural logarithm) need no thought.
    private static final double FAR = Math.log(0.3);

    private final Optional<Model> model;
    private final Optional<Room> room;

    /// The share of its part that a design is expected to take, and what fits.
    private record Room(Model load, CapacityModel capacity) {}

    /// @param load as [CapacityModel#load] has it
    private record Reported(double[] x, double load) {}

    private ValidityModel(Optional<Model> model, Optional<Room> room) {
        this.model = model;
        this.room = room;
    }

    /// @param trainer of one output
    static ValidityModel of(
            Observations observations,
            History history,
            EvaluatorInfo info,
            Model.Trainer trainer,
            Optional<double[]> warmStart,
            long seed) {
        var told = observations.designs().stream()
                .filter(d -> d.state() != Observations.State.FAILED && !d.imagined())
                .filter(d -> d.state() == Observations.State.INVALID
                        || d.has(info.top().rank()))
                .toList();
        boolean both = told.stream().map(Observations.Design::state).distinct().count() > 1;
        return new ValidityModel(
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
                        : Optional.empty(),
                room(observations, history, info, trainer, seed));
    }

    /// Empty where no report comes near the part's size.
    private static Optional<Room> room(
            Observations observations, History history, EvaluatorInfo info, Model.Trainer trainer, long seed) {
        List<Reported> reported = observations.designs().stream()
                .filter(d -> !d.imagined())
                .map(d -> new Reported(d.x(), CapacityModel.load(history, info, d.configuration())))
                .filter(r -> !Double.isNaN(r.load))
                .toList();
        if (reported.size() < 3 || reported.stream().noneMatch(r -> r.load > FAR)) {
            return Optional.empty();
        }
        Model load = trainer.fit(
                TrainingData.single(
                        reported.stream().map(Reported::x).toArray(double[][]::new),
                        reported.stream().mapToDouble(Reported::load).toArray()),
                Optional.empty(),
                seed);
        return Optional.of(new Room(load, CapacityModel.of(history, info)));
    }

    /// No design can fail.
    static ValidityModel certain() {
        return new ValidityModel(Optional.empty(), Optional.empty());
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
        if (room.isPresent()) {
            Posterior p = room.get()
                    .load
                    .posterior(IntStream.range(0, rows).mapToObj(row).toArray(double[][]::new));
            for (int i = 0; i < rows; i++) {
                chance[i] = Math.max(LEAST, chance[i] * room.get().capacity.fits(p.mean(i, 0), p.covariance(i, 0, 0)));
            }
        }
        return chance;
    }
}
