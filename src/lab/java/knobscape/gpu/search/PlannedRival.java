package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.explore.Candidates;
import knobscape.explore.Experience;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.LevelText;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.space.Configuration;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.ensemble.XgBoost;

/// Published searches that measure plan after plan, as yardsticks for transfer: a plan is made of what the
/// plans before it found, and of the experience where the search uses one.
public final class PlannedRival implements Explorer {
    /// Which.
    public enum Kind {
        /// AutoTVM with a log loaded (Chen et al., NeurIPS 2018; TVM 0.6): the first plan is annealed on
        /// trees of the history, later ones on trees of what these leave unexplained; their share is
        /// `2^(-n / 50)` after `n` measurements, and nothing below .05.
        AUTOTVM_TRANSFER,
        /// A genetic search that a model guides, in the manner of GGA (Mu et al., 2020): the first
        /// generation is what trees of the history expect to be fastest, and of four times as many
        /// children those are measured that trees of history and measurements expect to be.
        GUIDED_GENETIC,
        /// Adaptive sampling in the manner of CHAMELEON (Ahn et al., ICLR 2020), without its reinforcement
        /// learning: of a long annealed list the members nearest to the centres of k-means clusters are
        /// measured. Uses no history.
        ADAPTIVE_SAMPLING
    }

    private static final XgBoost.Options TREES =
            new XgBoost.Options(XgBoost.Objective.REGRESSION, 3, 0.3, 1e-4, 100, 0, 1);
    private static final Annealing.Settings ANNEALING = new Annealing.Settings(64, 120, 1, 30);
    private static final double HALVED_AFTER = 50;
    private static final double LEAST_SHARE = 0.05;
    private static final int LONGER = 4;
    private static final int ELITE = 8;
    private static final double MUTATION = 0.1;
    private static final int TRIES = 20;
    private static final int ROUNDS = 10;

    private final Kind kind;
    private final TuningProblem problem;
    private final int size;
    private final Annealing annealing;
    private Optional<Model> base = Optional.empty();
    private List<Configuration> plan = List.of();

    /// @param problem with its experience
    /// @param size of a plan
    public PlannedRival(Kind kind, TuningProblem problem, int size) {
        this.kind = kind;
        this.problem = problem;
        this.size = size;
        this.annealing = new Annealing(problem.space(), ANNEALING);
    }

    @Override
    public String name() {
        return kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }

    private boolean usesHistory() {
        return kind != Kind.ADAPTIVE_SAMPLING && !problem.experience().isEmpty();
    }

    @Override
    public List<Proposal> initial() {
        SplittableRandom random = StepRandom.of(problem.seed(), 0);
        plan = !usesHistory()
                ? Candidates.draw(problem.space(), Set.of(), size, random)
                : annealing
                        .run(this::byHistory, List.of(), size, Set.of(), random)
                        .best();
        return proposals(plan);
    }

    private List<Proposal> proposals(List<Configuration> chosen) {
        return chosen.stream().map(c -> problem.proposal(c, Double.NaN, "plan")).toList();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        Set<Configuration> asked = TuningProblem.asked(history);
        List<Configuration> open = plan.stream().filter(c -> !asked.contains(c)).toList();
        if (open.isEmpty()) {
            open = next(history, asked, StepRandom.of(problem.seed(), history.asks() + 1L));
            plan = open;
        }
        return proposals(open.subList(0, Math.min(count, open.size())));
    }

    private List<Configuration> next(History history, Set<Configuration> asked, SplittableRandom random) {
        TuningProblem.Data data = problem.data(history);
        if (!data.hasSignal()) {
            return Candidates.draw(problem.space(), asked, size, random);
        }
        List<Configuration> chosen = switch (kind) {
            case AUTOTVM_TRANSFER ->
                annealing.run(onTop(data), List.of(), size, asked, random).best();
            case GUIDED_GENETIC -> bred(data, asked, random);
            case ADAPTIVE_SAMPLING ->
                central(
                        annealing
                                .run(
                                        problem.fit(data, XgBoost.trainer(TREES), random.nextLong()),
                                        List.of(),
                                        LONGER * size,
                                        asked,
                                        random)
                                .best(),
                        random);
        };
        return chosen.isEmpty() ? Candidates.draw(problem.space(), asked, size, random) : chosen;
    }

    private double[] byHistory(List<Configuration> configurations) {
        if (base.isEmpty()) {
            base = Optional.of(XgBoost.fit(pooled(List.of(), new double[0]), TREES, problem.seed()));
        }
        return base.get().score(problem.experience().features().encodeAll(configurations));
    }

    /// The experience as shares of the best of each origin, and what was measured.
    private TrainingData pooled(List<Configuration> measured, double[] scores) {
        List<double[]> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (Experience.Origin o : problem.experience().origins()) {
            for (Experience.Row r : o.best() > 0 ? o.rows() : List.<Experience.Row>of()) {
                x.add(r.features());
                y.add(r.score() / o.best());
            }
        }
        x.addAll(Arrays.asList(problem.experience().features().encodeAll(measured)));
        Arrays.stream(scores).forEach(y::add);
        return TrainingData.single(
                x.toArray(double[][]::new), y.stream().mapToDouble(v -> v).toArray());
    }

    /// Trees on what those of the history leave unexplained.
    private Annealing.Score onTop(TuningProblem.Data data) {
        double share = Math.pow(2, -data.size() / HALVED_AFTER);
        if (!usesHistory() || share < LEAST_SHARE) {
            return problem.fit(data, XgBoost.trainer(TREES), problem.seed());
        }
        double[] below = byHistory(data.configurations());
        double[] rest = IntStream.range(0, below.length)
                .mapToDouble(i -> data.scores()[i] - share * below[i])
                .toArray();
        Model above = XgBoost.fit(
                TrainingData.single(problem.features().encodeAll(data.configurations()), rest), TREES, problem.seed());
        return configurations -> {
            double[] scores = above.score(problem.features().encodeAll(configurations));
            double[] history = byHistory(configurations);
            Arrays.setAll(scores, i -> scores[i] + share * history[i]);
            return scores;
        };
    }

    private List<Configuration> bred(TuningProblem.Data data, Set<Configuration> asked, SplittableRandom random) {
        List<Configuration> parents = IntStream.range(0, data.size())
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -data.scores()[i])
                        .thenComparingInt(i -> i))
                .limit(ELITE)
                .map(data.configurations()::get)
                .toList();
        var children = new LinkedHashSet<Configuration>();
        for (int t = 0; t < TRIES * LONGER * size && children.size() < LONGER * size; t++) {
            int[] levels = parents.get(random.nextInt(parents.size())).levels();
            Configuration other = parents.get(random.nextInt(parents.size()));
            for (int k = random.nextInt(levels.length); k < levels.length; k++) {
                levels[k] = other.level(k);
            }
            for (int k = 0; k < levels.length; k++) {
                if (random.nextDouble() < MUTATION) {
                    levels[k] = random.nextInt(
                            problem.space().knobs().get(k).domain().size());
                }
            }
            Configuration child = Configuration.of(problem.space().knobs(), levels);
            if (problem.space().contains(child) && !asked.contains(child)) {
                children.add(child);
            }
        }
        List<Configuration> all = List.copyOf(children);
        double[] expected = usesHistory()
                ? XgBoost.fit(pooled(data.configurations(), data.scores()), TREES, problem.seed())
                        .score(problem.experience().features().encodeAll(all))
                : problem.fit(data, XgBoost.trainer(TREES), problem.seed()).of(all);
        return IntStream.range(0, expected.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -expected[i]).thenComparingInt(i -> i))
                .limit(size)
                .map(all::get)
                .toList();
    }

    /// Of a list the members nearest to the centres of as many clusters as a plan has measurements.
    private List<Configuration> central(List<Configuration> list, SplittableRandom random) {
        if (list.size() <= size) {
            return list;
        }
        double[][] x = problem.coordinates().encodeAll(list);
        double[][] centres = Stream.generate(() -> x[random.nextInt(x.length)].clone())
                .limit(size)
                .toArray(double[][]::new);
        int[] of = new int[x.length];
        for (int round = 0; round < ROUNDS; round++) {
            double[][] sums = new double[size][x[0].length];
            int[] count = new int[size];
            for (int i = 0; i < x.length; i++) {
                of[i] = nearest(x[i], centres);
                count[of[i]]++;
                for (int c = 0; c < x[i].length; c++) {
                    sums[of[i]][c] += x[i][c];
                }
            }
            for (int k = 0; k < size; k++) {
                for (int c = 0; count[k] > 0 && c < sums[k].length; c++) {
                    centres[k][c] = sums[k][c] / count[k];
                }
            }
        }
        Set<Integer> chosen = new LinkedHashSet<>();
        for (double[] centre : centres) {
            Set<Integer> taken = new HashSet<>(chosen);
            IntStream.range(0, x.length)
                    .filter(i -> !taken.contains(i))
                    .boxed()
                    .min(Comparator.comparingDouble(i -> distance(x[i], centre)))
                    .ifPresent(chosen::add);
        }
        return chosen.stream().map(list::get).toList();
    }

    private static int nearest(double[] x, double[][] centres) {
        return IntStream.range(0, centres.length)
                .boxed()
                .min(Comparator.comparingDouble(k -> distance(x, centres[k])))
                .orElseThrow();
    }

    private static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int c = 0; c < a.length; c++) {
            sum += (a[c] - b[c]) * (a[c] - b[c]);
        }
        return sum;
    }

    @Override
    public String state() {
        return LevelText.write(plan);
    }

    @Override
    public void restore(String state) {
        plan = LevelText.read(problem.space().knobs(), state);
    }
}
