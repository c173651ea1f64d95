package knobscape.fusion.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;

/// The default: the proven best strategy where [ExactSearch] can give it within its work, else the best of several
/// answers (grouping by dynamic programming, G-Sampler, whatever else is handed in), improved by [LocalSearch]. It
/// is never worse than any of these with the same seed.
public final class PortfolioSearch {
    /// Layers that G-Sampler may evaluate, and, roughly, the dynamic program: a second or so each.
    private static final long WORK = 20_000_000;
    /// Layers that a local search evaluates.
    private static final long LOCAL_WORK = 10_000_000;
    /// Networks longer than this are not asked of sequence models, whose time grows with the square.
    private static final int MAX_ASKED = 1000;
    /// Layers of a usual group.
    private static final int SHORT = 16;
    /// Layers over which a result is kept that take as long as a layer.
    private static final int KEPT_PER_LAYER = 16;
    /// Edges that take as long as a layer.
    private static final int EDGES_PER_LAYER = 8;
    /// Answers that are improved.
    private static final int IMPROVED = 2;

    private PortfolioSearch() {}

    /// The method.
    ///
    /// @param others searches of a few evaluations whose answers it also takes into account
    public static Searcher searcher(List<Searcher> others) {
        return (problem, random) -> Search.once(left -> List.of(answer(problem, random, others)));
    }

    /// How much longer a layer of a group of so many takes than one of a plain chain, by what it reads and by how
    /// long results are kept.
    private static double unit(FusionCostModel model, int group) {
        int n = model.layers();
        long kept = 0;
        for (int i = 1; i <= n; i++) {
            kept += Math.clamp(model.network().lastInputReader(i) - i - 1L, 0, group);
        }
        return 1 + (double) (model.network().chain().edges().size() / EDGES_PER_LAYER + kept / KEPT_PER_LAYER) / n;
    }

    /// Layers of the longest group that the dynamic program can afford.
    static int longest(FusionCostModel model) {
        int longest = model.layers();
        while (longest > 1 && 0.5 * model.layers() * longest * longest * unit(model, longest) > 4.0 * WORK) {
            longest = longest * 9 / 10;
        }
        return longest;
    }

    private static int[] answer(Problem problem, SplittableRandom random, List<Searcher> others) {
        FusionCostModel model = problem.model();
        var known = new ArrayList<Mapping>();
        if (ExactSearch.obstacle(model).isEmpty()) {
            ExactSearch.Answer exact = ExactSearch.solve(problem);
            if (exact.isProven()) {
                return exact.strategy().toArray();
            }
            known.add(Mapping.of(exact.strategy(), model));
        }
        int n = model.layers();

        // First, so that it draws what it draws by itself with the same seed.
        long perLayer = WORK / n;
        int evaluations = Math.clamp((long) (perLayer / unit(model, SHORT)), 80, Mapping.EVALUATIONS);
        known.add(Mapping.of(GSampler.begin(problem, random, GSampler.Mode.REPAIRING), problem, evaluations));
        known.add(Mapping.of(BaselineStrategies.grouping(longest(model)).begin(problem, random), problem, 1));
        known.add(Mapping.of(BaselineStrategies.uniform().begin(problem, random), problem, 1));
        known.add(Mapping.of(BaselineStrategies.noFusion().begin(problem, random), problem, 1));
        if (n <= MAX_ASKED) {
            for (Searcher s : others) {
                known.add(Mapping.of(s.begin(problem, random.split()), problem, Mapping.EVALUATIONS));
            }
        }
        known.sort(Comparator.comparing((Mapping m) -> !m.isValid())
                .thenComparingDouble(
                        m -> m.isValid() ? m.cost().seconds() : m.cost().peakBytes()));
        List<Strategy> starts = known.stream()
                .filter(Mapping::isValid)
                .map(Mapping::strategy)
                .distinct()
                .limit(IMPROVED)
                .toList();
        int[] best = known.getFirst().strategy().toArray();
        double seconds = known.getFirst().cost().seconds();
        for (Strategy start : starts) {
            int[] improved = new LocalSearch(problem, (long) (LOCAL_WORK / unit(model, SHORT)))
                    .improve(start.toArray(), random.split());
            double now = model.evaluate(improved).seconds();
            if (now < seconds) {
                best = improved;
                seconds = now;
            }
        }
        return best;
    }
}
