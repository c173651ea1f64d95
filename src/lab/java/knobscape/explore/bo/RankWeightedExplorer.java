package knobscape.explore.bo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.explore.Experience;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.explore.acquisition.ExpectedImprovement;
import knobscape.numeric.Shuffle;
import knobscape.space.Configuration;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.gp.GrowingProcess;
import knobscape.surrogate.gp.KnobGpSettings;

/// Rank-weighted ensemble of processes (RGPE; Feurer, Letham and Bakshy, AutoML workshop at ICML 2018): a process per
/// origin of the experience and one of what was measured; each weighs as often as, drawn from its beliefs, it orders
/// the measurements best, the last one leaving each of them out. A rival of transfer in benches.
public final class RankWeightedExplorer implements Explorer {
    private static final int START = 3;
    private static final int DRAWS = 30;
    private static final int ROWS = 160;
    private static final int CANDIDATES = 500;
    private static final long STREAM = 1L << 44;

    private final Target target;
    private final BoSettings settings;
    private final Pool pool;
    private final double[] least;
    private final double[] range;
    private final Model.Trainer trainer;
    private List<Model> sources = List.of();

    /// @param target what is searched for, with its experience
    /// @param settings of the candidates
    public RankWeightedExplorer(Target target, BoSettings settings) {
        this.target = target;
        this.settings = settings;
        this.pool = new Pool(
                target.space(),
                target.seed(),
                CANDIDATES,
                settings.pool().renewed(),
                settings.pool().neighbours() / 2);
        int d = target.experience().features().length();
        least = new double[d];
        range = new double[d];
        for (int c = 0; c < d; c++) {
            int column = c;
            double[] values = target.experience().origins().stream()
                    .flatMap(o -> o.rows().stream())
                    .mapToDouble(r -> r.features()[column])
                    .toArray();
            least[c] = Arrays.stream(values).min().orElse(0);
            range[c] = Math.max(1e-9, Arrays.stream(values).max().orElse(1) - least[c]);
        }
        trainer = GrowingProcess.trainer(IntStream.range(0, d).toArray(), KnobGpSettings.DEFAULT);
    }

    @Override
    public String name() {
        return "rgpe";
    }

    private double[] scaled(double[] x) {
        double[] row = new double[x.length];
        Arrays.setAll(row, c -> (x[c] - least[c]) / range[c]);
        return row;
    }

    private double[][] rows(List<Configuration> configurations) {
        return configurations.stream()
                .map(target.experience().features()::encode)
                .map(this::scaled)
                .toArray(double[][]::new);
    }

    private List<Model> sources() {
        if (sources.isEmpty()) {
            sources = target.experience().origins().stream()
                    .filter(o -> o.best() > 0)
                    .map(this::source)
                    .toList();
        }
        return sources;
    }

    private Model source(Experience.Origin o) {
        int[] order = Shuffle.order(o.rows().size(), new SplittableRandom(target.seed()));
        List<Experience.Row> part =
                Arrays.stream(order).limit(ROWS).mapToObj(o.rows()::get).toList();
        return trainer.fit(
                TrainingData.single(
                        part.stream().map(r -> scaled(r.features())).toArray(double[][]::new),
                        part.stream()
                                .mapToDouble(r -> PooledPrior.loss(r.score(), o.best()))
                                .toArray()),
                target.seed());
    }

    @Override
    public List<Proposal> initial() {
        return BoExplorer.draws(target, Set.of(), START, StepRandom.of(target.seed(), 0)).stream()
                .map(c -> target.proposal(c, Double.NaN, "initial design"))
                .toList();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        Losses all = Losses.of(Losses.relevant(history, target), target);
        SplittableRandom random = StepRandom.of(target.seed(), history.asks() + 1L);
        Set<Configuration> asked = new HashSet<>(all.configurations());
        asked.addAll(history.inFlight());
        if (!all.hasSignal() || target.experience().isEmpty()) {
            return BoExplorer.draws(target, asked, count, random).stream()
                    .map(c -> target.proposal(c, Double.NaN, "nothing to learn from yet"))
                    .toList();
        }
        double[][] x = rows(all.configurations());
        double best = Arrays.stream(all.losses()).min().orElse(0);
        double[] y = Arrays.stream(all.losses())
                .map(v -> Math.min(PooledPrior.CLIP, v - best))
                .toArray();
        List<Model> models = Stream.concat(
                        sources().stream(), Stream.of(trainer.fit(TrainingData.single(x, y), target.seed())))
                .toList();
        double[] weights = weights(models, x, y, StepRandom.of(target.seed(), STREAM + history.asks()));
        List<Configuration> centres =
                Losses.order(y).stream().limit(8).map(all.configurations()::get).toList();
        List<Configuration> candidates = Stream.of(
                        pool.random(BoExplorer.renewals(history, settings)),
                        pool.around(centres.subList(0, Math.min(3, centres.size()))),
                        List.of(pool.descendants(centres, settings.pool().descendants(), random)))
                .flatMap(List::stream)
                .flatMap(p -> p.members().stream())
                .distinct()
                .filter(c -> !asked.contains(c))
                .toList();
        double[] improvement = improvement(models, weights, rows(candidates), x);
        return Losses.order(Arrays.stream(improvement).map(v -> -v).toArray()).stream()
                .filter(i -> target.canRun().test(candidates.get(i)))
                .limit(count)
                .map(i ->
                        target.proposal(candidates.get(i), Math.exp(improvement[i]), "expected improvement, ensemble"))
                .toList();
    }

    /// How often each model orders the measurements best.
    private static double[] weights(List<Model> models, double[][] x, double[] y, SplittableRandom random) {
        var beliefs = new ArrayList<double[][]>();
        for (int m = 0; m < models.size(); m++) {
            double[] means = new double[y.length];
            double[] deviations = new double[y.length];
            boolean own = m == models.size() - 1;
            Posterior p = models.get(m).posterior(x);
            double[] out = own ? ((GrowingProcess) models.get(m)).leaveOneOut() : new double[0];
            for (int i = 0; i < y.length; i++) {
                means[i] = own ? out[i] : p.mean(i, 0);
                deviations[i] = p.deviation(i, 0);
            }
            beliefs.add(new double[][] {means, deviations});
        }
        double[] weights = new double[models.size()];
        for (int d = 0; d < DRAWS; d++) {
            int winner = models.size() - 1;
            int fewest = Integer.MAX_VALUE;
            for (int m = models.size() - 1; m >= 0; m--) {
                double[][] b = beliefs.get(m);
                double[] drawn = new double[y.length];
                Arrays.setAll(drawn, i -> b[0][i] + b[1][i] * random.nextGaussian());
                int wrong = 0;
                for (int i = 0; i < y.length; i++) {
                    for (int j = 0; j < i; j++) {
                        wrong += drawn[i] < drawn[j] != y[i] < y[j] ? 1 : 0;
                    }
                }
                if (wrong < fewest) {
                    fewest = wrong;
                    winner = m;
                }
            }
            weights[winner] += 1.0 / DRAWS;
        }
        return weights;
    }

    private static double[] improvement(List<Model> models, double[] weights, double[][] candidates, double[][] known) {
        double[] means = new double[candidates.length];
        double[] variances = new double[candidates.length];
        double[] atKnown = new double[known.length];
        for (int m = 0; m < models.size(); m++) {
            if (weights[m] > 0) {
                double w = weights[m];
                Posterior p = models.get(m).posterior(candidates);
                Posterior q = models.get(m).posterior(known);
                for (int i = 0; i < means.length; i++) {
                    means[i] += w * p.mean(i, 0);
                    variances[i] += w * w * p.covariance(i, 0, 0);
                }
                for (int i = 0; i < atKnown.length; i++) {
                    atKnown[i] += w * q.mean(i, 0);
                }
            }
        }
        double best = Arrays.stream(atKnown).min().orElse(0);
        double[] improvement = new double[means.length];
        for (int i = 0; i < means.length; i++) {
            double s = Math.sqrt(Math.max(1e-12, variances[i]));
            improvement[i] = ExpectedImprovement.logNormal(best, means[i], s);
        }
        return improvement;
    }
}
