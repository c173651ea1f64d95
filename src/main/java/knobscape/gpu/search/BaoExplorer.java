package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.explore.Candidates;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.space.Configuration;
import knobscape.surrogate.Average;
import knobscape.surrogate.ensemble.XgBoost;

/// Bootstrap-guided adaptive optimisation (BAO, Algorithms 3 and 4 of "Deep Neural Network Hardware Deployment
/// Optimization via Advanced Active Learning", DATE 2021), by default after BTED: the next configuration is the
/// one in the neighbourhood of the best known that maximises the sum of several cost models, each trained on as
/// many rows drawn with replacement; the neighbourhood grows while the best improves too little.
///
/// The paper's open points, and what is done here:
/// - *Metric.* Distances are Euclidean in [FeatureEncoder#coordinates], where one step of a knob is about 1;
///   the radius of 3 then reaches some ten moves of a factor of two.
/// - *Centre.* The best configuration measured so far; of equals the one measured first. (Algorithm 4 writes
///   the optimum of the last step, which may also be read as the configuration that step chose, whether it was
///   better or not.)
/// - *Improvement.* Relative, of the best so far over the last two steps (Equation 1); a step is one batch.
/// - *Ties* of the summed score go to the candidate nearest to the centre, then to the order of the space.
/// - *Exhausted neighbourhoods* (nothing in them is new) grow by tau until something new is in them or the
///   whole space has been asked for.
/// - *Batches* are for devices that take several at once: the best `count` candidates by score, of which every
///   two differ in at least two coordinates' worth of distance where there are enough of them, and random ones
///   where there are too few; a batch of one is the paper's algorithm.
/// - *Cost models.* Trees with AutoTVM's settings, 50 of them with squared error; ranking trees, as AutoTVM
///   grows them, can be chosen and take ten times as long.
/// - *Local optima.* A search of neighbourhoods ends in one. So every fourth step takes the annealed maximum of
///   the same summed score over the whole space; after [Escape#stall()] measurements without a new best
///   AutoTVM's plans are measured ([AutoTvmExplorer]: one ranking model of all that is known, many chains)
///   until one of them brings a new best, whose neighbourhood is then searched; and each measurement is a
///   random draw with the probability AutoTVM has for it. On the three measured sets where the search ended at
///   0.94, 0.90 and 0.95 of AutoTVM's result without the plans (A4000, W6600, GTX680; 10 seeds, trees of the
///   same settings by own code) it ended at 1.00, 0.92 and 1.03 with them. The algorithm as printed has none of this.
public final class BaoExplorer implements Explorer {
    /// Settings.
    ///
    /// @param initial number of initial designs
    /// @param models bootstrap resamples, Gamma
    /// @param learner of the cost models
    public record Settings(int initial, int models, XgBoost.Options learner, Region region, Escape escape) {
        /// 64 initial designs, Gamma 2, R 3, tau 1.5, eta 0.05 as in the paper.
        public static final Settings DEFAULT =
                new Settings(64, 2, XgBoost.Options.SMALL, new Region(3, 1.5, 0.05, 2000), new Escape(4, 64, 0.05));

        public Settings {
            if (initial < 1 || models < 1) {
                throw new IllegalArgumentException("a search needs initial designs and models");
            }
        }
    }

    /// The neighbourhood of the best that is searched.
    ///
    /// @param radius of it, R
    /// @param growth of the radius, tau
    /// @param leastGain relative gain below which it grows, eta
    /// @param candidates most members that are scored
    public record Region(double radius, double growth, double leastGain, int candidates) {
        public Region {
            if (!(radius > 0) || !(growth > 1) || candidates < 1) {
                throw new IllegalArgumentException("a region needs a radius, a growth above 1 and candidates");
            }
        }
    }

    /// The ways out of a region.
    ///
    /// @param elsewhere one step in so many searches the whole space, 0 none
    /// @param stall measurements without a new best after which AutoTVM's plans take over, 0 never
    /// @param randomShare share of measurements drawn at random
    public record Escape(int elsewhere, int stall, double randomShare) {
        public Escape {
            if (elsewhere < 0 || stall < 0 || !(randomShare >= 0) || randomShare > 1) {
                throw new IllegalArgumentException("steps must not be negative, and a random share lie in [0, 1]");
            }
        }
    }

    private static final double BATCH_SPACING = 1.5;

    private final String name;
    private final TuningProblem problem;
    private final InitialDesign initialDesign;
    private final Settings settings;
    private final Neighbourhood neighbourhood;
    private final Annealing annealing;
    private final Optional<AutoTvmExplorer> plans;

    /// @param name as on the command line
    /// @param problem what to tune
    /// @param initialDesign what is measured first
    /// @param settings how
    public BaoExplorer(String name, TuningProblem problem, InitialDesign initialDesign, Settings settings) {
        this.name = name;
        this.problem = problem;
        this.initialDesign = initialDesign;
        this.settings = settings;
        this.neighbourhood = new Neighbourhood(problem.space(), problem.coordinates());
        this.annealing = new Annealing(problem.space(), new Annealing.Settings(64, 60, 1, 20));
        this.plans = settings.escape.stall > 0
                ? Optional.of(new AutoTvmExplorer(name, problem, initialDesign, AutoTvmExplorer.Settings.DEFAULT))
                : Optional.empty();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Proposal> initial() {
        return initialDesign.proposals(problem, settings.initial);
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        SplittableRandom random = StepRandom.of(problem.seed(), history.asks() + 1L);
        Set<Configuration> asked = TuningProblem.asked(history);
        TuningProblem.Data data = problem.data(history);
        if (!data.hasSignal()) {
            return Candidates.draw(problem.space(), asked, count, random).stream()
                    .map(c -> problem.proposal(c, Double.NaN, "nothing valid yet"))
                    .toList();
        }
        if (plans.isPresent() && sinceBest(data) >= settings.escape.stall) {
            return plans.get().ask(history, count);
        }
        int drawn = drawn(count, random);
        List<Proposal> proposals = new ArrayList<>();
        if (drawn < count) {
            proposals.addAll(best(history, data, count - drawn, asked, random));
            proposals.forEach(p -> asked.add(p.configuration()));
        }
        Candidates.draw(problem.space(), asked, count - proposals.size(), random)
                .forEach(c -> proposals.add(problem.proposal(c, Double.NaN, "random")));
        return List.copyOf(proposals);
    }

    @Override
    public String state() {
        return plans.map(AutoTvmExplorer::state).orElse("");
    }

    @Override
    public void restore(String state) {
        plans.ifPresent(p -> p.restore(state));
    }

    private int drawn(int count, SplittableRandom random) {
        int drawn = 0;
        for (int i = 0; i < count && settings.escape.randomShare > 0; i++) {
            drawn += random.nextDouble() < settings.escape.randomShare ? 1 : 0;
        }
        return drawn;
    }

    private List<Proposal> best(
            History history, TuningProblem.Data data, int count, Set<Configuration> asked, SplittableRandom random) {
        Configuration centre = data.bestConfiguration().orElseThrow();
        Annealing.Score model = problem.fit(
                data, Average.bagging(XgBoost.trainer(settings.learner), settings.models), random.nextLong());
        boolean elsewhere = settings.escape.elsewhere > 0
                && history.asks() % settings.escape.elsewhere == settings.escape.elsewhere - 1;
        List<Configuration> candidates = elsewhere
                ? annealing
                        .run(model, List.of(), Math.max(16, 4 * count), asked, random)
                        .best()
                : near(
                        centre,
                        gain(history, data, count) < settings.region.leastGain
                                ? settings.region.growth * settings.region.radius
                                : settings.region.radius,
                        asked,
                        random);
        double[] scores = model.of(candidates);
        double[] distance = candidates.stream()
                .mapToDouble(c -> problem.coordinates().squaredDistance(centre, c))
                .toArray();
        List<Integer> order = IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -scores[i])
                        .thenComparingDouble(i -> distance[i])
                        .thenComparing(i -> i))
                .toList();
        String reason = elsewhere ? "bootstrap models, whole space" : "bootstrap models, neighbourhood";
        return spaced(order, candidates, count).stream()
                .map(i -> problem.proposal(candidates.get(i), scores[i], reason))
                .toList();
    }

    /// The first of `order`, leaving out what is too close to an earlier one as long as enough others remain.
    private List<Integer> spaced(List<Integer> order, List<Configuration> candidates, int count) {
        var chosen = new LinkedHashSet<Integer>();
        for (int i : order) {
            if (chosen.size() == count) {
                break;
            }
            if (count == 1
                    || chosen.stream()
                            .allMatch(j -> problem.coordinates().squaredDistance(candidates.get(i), candidates.get(j))
                                    >= BATCH_SPACING * BATCH_SPACING)) {
                chosen.add(i);
            }
        }
        order.stream().filter(i -> chosen.size() < count).forEach(chosen::add);
        return List.copyOf(chosen);
    }

    private List<Configuration> near(
            Configuration centre, double radius, Set<Configuration> asked, SplittableRandom random) {
        double r = radius;
        int d = problem.coordinates().length();
        // No coordinate spans more than 64 (a rank or a binary logarithm), so this ends at the whole space.
        double whole = 64 * Math.sqrt(d);
        while (true) {
            List<Configuration> found = neighbourhood.around(centre, r, asked, settings.region.candidates, random);
            if (!found.isEmpty()) {
                return found;
            }
            if (r > whole) {
                return Candidates.draw(problem.space(), asked, 1, random);
            }
            r *= settings.region.growth;
        }
    }

    /// Equation 1: relative growth of the best score over the last two steps of `count` measurements; infinite
    /// before there were two.
    private double gain(History history, TuningProblem.Data data, int count) {
        if (history.asks() < 2) {
            return Double.POSITIVE_INFINITY;
        }
        double before = 0;
        double last = 0;
        int n = data.size();
        for (int i = 0; i < n; i++) {
            if (i < n - count) {
                before = Math.max(before, data.scores()[i]);
            }
            last = Math.max(last, data.scores()[i]);
        }
        return (last - before) / last;
    }

    private static int sinceBest(TuningProblem.Data data) {
        int best = 0;
        for (int i = 0; i < data.size(); i++) {
            if (data.scores()[i] > data.scores()[best]) {
                best = i;
            }
        }
        return data.size() - 1 - best;
    }
}
