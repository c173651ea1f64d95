package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.surrogate.Average;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.neural.TorchRuntime;

/// Trains the network of a deep kernel together with the process's hyper-parameters on the log marginal
/// likelihood (thesis Eq. 3.19) in LibTorch, then lets the plain-Java trainer finish the hyper-parameters on
/// the features found.
///
/// With a few dozen designs a network of half a million weights can make any data look easy: on the six
/// measured MachSuite kernels 40 designs and 60 unguarded steps bring the coverage of 90 % intervals on
/// held-out designs from 0.89 down to 0.26. Guards: the process keeps the knobs' own features beside the
/// learned ones; every fit starts from the same seeded weights and takes small steps with decoupled weight
/// decay; features are brought to a fixed spread, so that the network cannot do what the length-scales are for;
/// what is used is the even mixture of the plain process and the one on learned features; and the number of
/// steps, none (the plain process alone) among them, is the one with the best predictive density on held-out
/// designs. The leave-one-out density of the training designs cannot choose it: the network has seen them.
///
/// The choice is made on the first designs up to the last bound of a geometric ladder (8, 12, 19, ...), so that
/// it changes rarely and a resumed run makes the same one; it is remembered as long as the trainer lives.
public final class DeepKernelTrainer implements Model.Trainer {
    private static final int EVERY = 20;
    private static final double LADDER = 1.6;
    private static final int FIRST_CHOICE = 8;
    /// Mean log density per value by which a deep kernel has to beat the plain process.
    private static final double MARGIN = 0.05;

    private final DeepKernelSettings settings;
    private final CoregionalTrainer plain;
    private final Map<Integer, Integer> chosen = new ConcurrentHashMap<>();

    /// @param settings network, rates and guards
    public DeepKernelTrainer(DeepKernelSettings settings) {
        this.settings = settings;
        this.plain = new CoregionalTrainer(settings.process());
    }

    @Override
    public Model fit(TrainingData data, Optional<double[]> warmStart, long seed) {
        TorchRuntime.problem().ifPresent(p -> {
            throw new UserError(p + " Use the method cgp instead.");
        });
        int iterations = settings.folds() == 0 ? settings.iterations() : chosenIterations(data, seed);
        // What is handed on: the plain process's parameters, then those of the process on the features; either
        // may be missing.
        int own = new Layout(data.features(), data.lowerOutputs(), data.outputs(), settings.process()).size + 1;
        Layout layout = layout(data);
        Optional<double[]> plainStart =
                warmStart.filter(w -> settings.folds() > 0 && w.length >= own).map(w -> Arrays.copyOf(w, own));
        if (iterations == 0) {
            return plain.fit(data, plainStart, seed);
        }
        double[] theta = warmStart
                .filter(w -> w.length == layout.size + 1 + (settings.folds() > 0 ? own : 0))
                .map(w -> Arrays.copyOfRange(w, w.length - layout.size, w.length))
                .orElseGet(layout::centre);
        var trained = training(data, layout)
                .run(
                        FeatureNetwork.initial(data.features(), settings, seed),
                        theta,
                        iterations,
                        iterations,
                        (t, now) -> {});
        CoregionalGp gp = plain.fit(
                DeepKernelGp.onFeatures(trained.network(), data), Optional.of(startAt(trained.theta())), seed);
        var deep = new DeepKernelGp(trained.network(), gp, trained.loss(), trained.density());
        return settings.folds() == 0 ? deep : new Average(List.of(plain.fit(data, plainStart, seed), deep));
    }

    private Layout layout(TrainingData data) {
        int features = settings.widths().getLast() + (settings.skip() ? data.features() : 0);
        return new Layout(features, data.lowerOutputs(), data.outputs(), settings.process());
    }

    private DeepKernelTraining training(TrainingData data, Layout layout) {
        return new DeepKernelTraining(settings, layout, data, Standardised.of(data));
    }

    /// A warm start that is always taken.
    private static double[] startAt(double[] theta) {
        double[] start = new double[theta.length + 1];
        start[0] = Double.NEGATIVE_INFINITY;
        System.arraycopy(theta, 0, start, 1, theta.length);
        return start;
    }

    private int chosenIterations(TrainingData data, long seed) {
        int bound = FIRST_CHOICE;
        while ((int) (bound * LADDER) <= data.size()) {
            bound = (int) (bound * LADDER);
        }
        TrainingData first =
                data.rows(IntStream.range(0, Math.min(bound, data.size())).toArray());
        int key = 31 * (31 * Arrays.deepHashCode(first.x()) + Arrays.deepHashCode(first.y()))
                + Arrays.deepHashCode(first.lower());
        return chosen.computeIfAbsent(key, k -> choose(first, seed));
    }

    /// Number of steps with the largest summed log density of held-out observations; 0 stands for the plain
    /// process, which wins unless it is beaten by a margin: a few dozen held-out values are noisy evidence. It
    /// has won as soon as after a fold no number of steps beats it, which mostly spares the other folds.
    private int choose(TrainingData data, long seed) {
        if (data.size() < 2 * settings.folds()) {
            return 0;
        }
        int steps = settings.iterations() / EVERY;
        double[] density = new double[steps + 1];
        int best = 0;
        for (int fold = 0; fold < settings.folds(); fold++) {
            int f = fold;
            TrainingData train = data.rows(IntStream.range(0, data.size())
                    .filter(i -> i % settings.folds() != f)
                    .toArray());
            TrainingData test = data.rows(IntStream.range(0, data.size())
                    .filter(i -> i % settings.folds() == f)
                    .toArray());
            if (!everyOutputObserved(train)) {
                return 0;
            }
            Model without = plain.fit(train, Optional.empty(), seed);
            density[0] += heldOut(without, test);
            training(train, layout(train))
                    .run(
                            FeatureNetwork.initial(data.features(), settings, seed),
                            layout(train).centre(),
                            steps * EVERY,
                            EVERY,
                            (t, now) -> {
                                CoregionalGp gp = plain.fit(
                                        DeepKernelGp.onFeatures(now.network(), train),
                                        Optional.of(startAt(now.theta())),
                                        seed);
                                density[t / EVERY] += heldOut(
                                        new Average(List.of(
                                                without,
                                                new DeepKernelGp(now.network(), gp, new double[0], new double[0]))),
                                        test);
                            });
            density[0] += MARGIN
                    * Arrays.stream(test.y())
                            .flatMapToDouble(Arrays::stream)
                            .filter(v -> !Double.isNaN(v))
                            .count();
            best = 0;
            for (int t = 1; t <= steps; t++) {
                if (density[t] > density[best]) {
                    best = t;
                }
            }
            if (best == 0) {
                return 0;
            }
        }
        return best * EVERY;
    }

    private static boolean everyOutputObserved(TrainingData data) {
        return IntStream.range(0, data.outputs())
                .allMatch(j -> Arrays.stream(data.y()).anyMatch(row -> !Double.isNaN(row[j])));
    }

    /// Summed log density of the observations of `test`, outputs taken one by one, noise included.
    private static double heldOut(Model model, TrainingData test) {
        Posterior p = model.posterior(test.x(), GaussianPosterior.known(test.lower(), test.lowerOutputs()));
        double[] noise = model.noise();
        double sum = 0;
        for (int i = 0; i < test.size(); i++) {
            for (int j = 0; j < test.outputs(); j++) {
                double y = test.y()[i][j];
                if (!Double.isNaN(y)) {
                    double v = p.covariance(i, j, j) + noise[j];
                    sum -= 0.5 * (Math.log(2 * Math.PI * v) + (y - p.mean(i, j)) * (y - p.mean(i, j)) / v);
                }
            }
        }
        return sum;
    }
}
