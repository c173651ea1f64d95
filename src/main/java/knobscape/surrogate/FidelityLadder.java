package knobscape.surrogate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.numeric.Parallel;

/// One model per fidelity, each taking the outputs of the one below as further inputs (thesis Fig. 3.9).
/// Trained on the lower values that were observed, which nested designs have; predicts with the lower
/// posterior, whose uncertainty each model carries on. Knows nothing of the kind of its models. As a model
/// itself it is one of the highest fidelity. Immutable.
public final class FidelityLadder implements Model {
    private final List<Model> models;
    private final LadderData data;

    private FidelityLadder(List<Model> models, LadderData data) {
        this.models = List.copyOf(models);
        this.data = data;
    }

    /// Fits every fidelity; side by side where no lower value has to be filled in from the model below.
    ///
    /// @param warmStarts hyper-parameters of earlier fits, one entry per fidelity
    public static FidelityLadder fit(LadderData data, Trainer trainer, List<Optional<double[]>> warmStarts, long seed) {
        int levels = data.levels().size();
        Model[] fitted = new Model[levels];
        boolean complete = IntStream.range(1, levels).allMatch(i -> isFilled(lower(data, i)));
        if (complete) {
            // The highest fidelity has the fewest designs but the largest system; order does not matter to the
            // result.
            Parallel.chunks(
                    levels,
                    1,
                    (from, to) -> fitted[from] =
                            trainer.fit(training(data, from, lower(data, from)), warmStarts.get(from), seed + from));
        } else {
            for (int i = 0; i < levels; i++) {
                fitted[i] = trainer.fit(
                        training(data, i, filled(data, i, Arrays.asList(fitted))), warmStarts.get(i), seed + i);
            }
        }
        return new FidelityLadder(Arrays.asList(fitted), data);
    }

    /// The same hyper-parameters given other observations.
    public FidelityLadder given(LadderData more) {
        List<Model> next = new ArrayList<>();
        for (int i = 0; i < models.size(); i++) {
            next.add(models.get(i).given(training(more, i, filled(more, i, next))));
        }
        return new FidelityLadder(next, more);
    }

    private static TrainingData training(LadderData data, int i, double[][] lower) {
        LadderData.Level level = data.levels().get(i);
        int[] lowerOf = Arrays.stream(level.quantities())
                .map(q -> i == 0
                        ? -1
                        : Arrays.stream(data.levels().get(i - 1).quantities())
                                .boxed()
                                .toList()
                                .indexOf(q))
                .toArray();
        double[][] x = features(level.x(), data.guessed());
        return level.slopes().values().length == 0
                ? new TrainingData(x, lower, level.y(), lowerOf)
                : new TrainingData(x, lower, level.y(), lowerOf, level.slopes());
    }

    /// Rows without what was guessed.
    private static double[][] features(double[][] x, int guessed) {
        return guessed == 0
                ? x
                : Arrays.stream(x)
                        .map(row -> Arrays.copyOf(row, row.length - guessed))
                        .toArray(double[][]::new);
    }

    /// The guesses for rows.
    private static double[][] guesses(double[][] x, int guessed) {
        return Arrays.stream(x)
                .map(row -> Arrays.copyOfRange(row, row.length - guessed, row.length))
                .toArray(double[][]::new);
    }

    /// Lower outputs of the designs of level `i`, NaN where not observed.
    private static double[][] lower(LadderData data, int i) {
        LadderData.Level level = data.levels().get(i);
        double[][] lower = guesses(level.x(), i == 0 ? data.guessed() : 0);
        if (i > 0) {
            LadderData.Level below = data.levels().get(i - 1);
            for (int r = 0; r < lower.length; r++) {
                if (level.lowerRow()[r] >= 0) {
                    lower[r] = below.y()[level.lowerRow()[r]].clone();
                } else {
                    lower[r] = new double[below.outputs()];
                    Arrays.fill(lower[r], Double.NaN);
                }
            }
        }
        return lower;
    }

    private static boolean isFilled(double[][] rows) {
        return Arrays.stream(rows).allMatch(r -> Arrays.stream(r).noneMatch(Double::isNaN));
    }

    /// As [#lower], with gaps taken from the posterior mean of the models below.
    private static double[][] filled(LadderData data, int i, List<Model> below) {
        double[][] lower = lower(data, i);
        if (!isFilled(lower)) {
            double[][] x = data.levels().get(i).x();
            double[][][] known = new double[i][][];
            for (int k = 0; k < i; k++) {
                known[k] = unknown(x.length, data.levels().get(k).outputs());
            }
            known[i - 1] = lower;
            Posterior p = climb(below.subList(0, i), x, data.guessed(), known, Model::posterior)
                    .getLast();
            for (int r = 0; r < lower.length; r++) {
                for (int j = 0; j < lower[r].length; j++) {
                    lower[r][j] = Double.isNaN(lower[r][j]) ? p.mean(r, j) : lower[r][j];
                }
            }
        }
        return lower;
    }

    /// A table of `rows` x `outputs` without a known value: all NaN.
    public static double[][] unknown(int rows, int outputs) {
        double[][] table = new double[rows][outputs];
        for (double[] row : table) {
            Arrays.fill(row, Double.NaN);
        }
        return table;
    }

    /// Beliefs at every fidelity, lowest first.
    ///
    /// @param x features, k x d
    /// @param known by fidelity, k x M of that fidelity: outputs observed already, NaN elsewhere. They are what
    /// the models above take as inputs
    public List<Posterior> posteriors(double[][] x, double[][][] known) {
        return climb(models, x, data.guessed(), known, Model::posterior);
    }

    /// As [#posteriors], for sorting out many inputs ([Model#screen]).
    public List<Posterior> screened(double[][] x, double[][][] known) {
        return climb(models, x, data.guessed(), known, Model::screen);
    }

    /// Draws of the highest fidelity's outputs at all inputs together, draws x k x M, every draw through all
    /// fidelities.
    ///
    /// @param known as in [#posteriors]
    public double[][][] paths(double[][] x, double[][][] known, int draws, long seed) {
        double[][] features = features(x, data.guessed());
        double[][] guesses = guesses(x, data.guessed());
        double[][][] lower = new double[draws][][];
        Arrays.fill(lower, guesses);
        for (int k = 0; k < models.size(); k++) {
            lower = models.get(k).paths(features, lower, seed + 101L * k);
            for (double[][] draw : lower) {
                for (int i = 0; i < x.length; i++) {
                    for (int j = 0; j < draw[i].length; j++) {
                        draw[i][j] = Double.isNaN(known[k][i][j]) ? draw[i][j] : known[k][i][j];
                    }
                }
            }
        }
        return lower;
    }

    @FunctionalInterface
    private interface Belief {
        Posterior of(Model model, double[][] x, Posterior lower);
    }

    private static List<Posterior> climb(
            List<Model> models, double[][] all, int guessed, double[][][] known, Belief belief) {
        List<Posterior> beliefs = new ArrayList<>();
        double[][] x = features(all, guessed);
        Posterior lower = GaussianPosterior.known(guesses(all, guessed), guessed);
        for (int i = 0; i < models.size(); i++) {
            Posterior p = belief.of(models.get(i), x, lower);
            beliefs.add(p);
            lower = i + 1 < models.size() ? overlay(p, known[i]) : p;
        }
        return beliefs;
    }

    /// The belief about the highest fidelity where no fidelity was observed.
    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        return posteriors(x, nothingKnown(x.length)).getLast();
    }

    @Override
    public Posterior screen(double[][] x, Posterior lower) {
        return screened(x, nothingKnown(x.length)).getLast();
    }

    private double[][][] nothingKnown(int rows) {
        return models.stream().map(m -> unknown(rows, m.outputs())).toArray(double[][][]::new);
    }

    @Override
    public int outputs() {
        return models.getLast().outputs();
    }

    @Override
    public double[] noise() {
        return models.getLast().noise();
    }

    @Override
    public double fitness() {
        return models.getLast().fitness();
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return models.getLast().diagnostics();
    }

    /// The posterior with known outputs put in: their value for the mean, no variance.
    private static Posterior overlay(Posterior p, double[][] known) {
        int m = p.outputs();
        GaussianPosterior copy = GaussianPosterior.blank(p.size(), m);
        for (int i = 0; i < p.size(); i++) {
            for (int a = 0; a < m; a++) {
                boolean isKnown = !Double.isNaN(known[i][a]);
                copy.means()[i * m + a] = isKnown ? known[i][a] : p.mean(i, a);
                for (int b = 0; b < m; b++) {
                    copy.covariances()[(i * m + a) * m + b] =
                            isKnown || !Double.isNaN(known[i][b]) ? 0 : p.covariance(i, a, b);
                }
            }
        }
        return copy;
    }

    /// The models, lowest fidelity first.
    public List<Model> models() {
        return models;
    }
}
