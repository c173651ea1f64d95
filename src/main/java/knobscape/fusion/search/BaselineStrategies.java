package knobscape.fusion.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.space.Strategy;

/// Strategies found without a search, to hold searches against. Each spends one evaluation.
public final class BaselineStrategies {
    /// Layers up to which all O(N^2) groups are tried, some seconds.
    static final int MOST_LAYERS = 1000;
    /// Layers that the dynamic program may evaluate as a reference: some seconds.
    private static final double WORK = 80_000_000;
    /// Layers over which a result is kept that take as long as a layer.
    private static final int KEPT_PER_LAYER = 16;
    /// Edges that take as long as a layer.
    private static final int EDGES_PER_LAYER = 8;

    private BaselineStrategies() {}

    /// The faster one of DP and no fusion, where it fits and is faster than each of these answers that fits.
    static Optional<CostedStrategy> faster(Problem problem, List<int[]> answers) {
        FusionCostModel model = problem.model();
        double fastest = answers.stream()
                .map(model::evaluate)
                .filter(model::isValid)
                .mapToDouble(Cost::seconds)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        return Stream.of(Strategy.of(grouped(problem, longest(model))), alone(model))
                .map(s -> new CostedStrategy(s, model.evaluate(s)))
                .filter(m -> model.isValid(m.cost()) && m.cost().seconds() < fastest)
                .min(Comparator.comparingDouble(m -> m.cost().seconds()));
    }

    /// The best grouping of any network, where all layers of a group have one micro-batch.
    static Strategy grouping(FusionCostModel model) {
        return Strategy.of(grouped(new Problem(model, Constraint.LEXI, new CancellationSignal()), model.layers()));
    }

    /// Layers of the longest group that the dynamic program can afford.
    private static int longest(FusionCostModel model) {
        int longest = model.layers();
        while (longest > 1 && 0.5 * model.layers() * longest * longest * unit(model, longest) > WORK) {
            longest = longest * 9 / 10;
        }
        return longest;
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

    private static Searcher answer(Function<Problem, int[]> strategy) {
        return (problem, random) -> Search.once(left -> List.of(strategy.apply(problem)));
    }

    /// Nothing fused: the baseline.
    public static Searcher noFusion() {
        return answer(p -> alone(p.model()).toArray());
    }

    private static Strategy alone(FusionCostModel model) {
        return Strategy.noFusion(model.layers(), input(model));
    }

    /// The paper's naive micro-batching: everything fused with the largest common micro-batch that fits; 1
    /// where none does.
    public static Searcher uniform() {
        return answer(p -> {
            FusionCostModel model = p.model();
            int[] s = new int[model.layers() + 1];
            int m = largest(model, s, 1, model.layers(), model.batch());
            fill(s, 1, model.layers(), Math.max(1, m));
            return s;
        });
    }

    /// The best grouping where all layers of a group have one micro-batch, the largest that fits. Exact within
    /// that, by dynamic programming over the O(N^2) groups, since the cost of a group depends on nothing
    /// outside it. Throws [UserError] where it would not end in time.
    public static Searcher grouping() {
        return answer(p -> {
            FusionCostModel model = p.model();
            if (model.layers() > MOST_LAYERS) {
                throw new UserError("dp takes networks of up to " + MOST_LAYERS + " layers, and '"
                        + model.network().name() + "' has " + model.layers() + "; use auto or gsampler.");
            }
            return grouped(p, model.layers());
        });
    }

    private static int[] grouped(Problem problem, int longest) {
        FusionCostModel model = problem.model();
        int n = model.layers();
        double[] best = new double[n + 1];
        int[] first = new int[n + 1];
        int[] common = new int[n + 1];
        Arrays.fill(best, 1, n + 1, Double.POSITIVE_INFINITY);
        int[] s = new int[n + 1];
        for (int b = 1; b <= n; b++) {
            problem.cancel().throwIfCancelled();
            int most = model.batch();
            for (int a = b; a >= 1 && b - a < longest; a--) {
                // Fewer layers need no more room, but more do: no longer group takes more, or any where this takes
                // none.
                most = a == b ? most : largest(model, s, a, b, most);
                if (most < 1) {
                    break;
                }
                int m = a == b ? input(model) : most;
                fill(s, a, b, m);
                double seconds = best[a - 1] + model.group(s, a, b).seconds();
                if (seconds < best[b]) {
                    best[b] = seconds;
                    first[b] = a;
                    common[b] = m;
                }
            }
        }
        int[] found = new int[n + 1];
        for (int b = n; b >= 1; b = first[b] - 1) {
            fill(found, first[b], b, common[b]);
        }
        return found;
    }

    /// The largest common micro-batch up to `most` of the group a..b that fits, 0 where none does. What a group
    /// needs grows with its micro-batches.
    private static int largest(FusionCostModel model, int[] s, int a, int b, int most) {
        int low = 0;
        int high = most;
        while (low < high) {
            int m = high == most ? most : (low + high + 1) / 2;
            fill(s, a, b, m);
            if (model.isValid(model.group(s, a, b))) {
                low = m;
            } else {
                high = m - 1;
            }
        }
        return low;
    }

    /// Writes the group a..b with micro-batch m. Entry 0 goes with the first group.
    private static void fill(int[] s, int a, int b, int m) {
        for (int i = a; i < b; i++) {
            s[i] = m;
        }
        s[b] = Strategy.SYNC;
        if (a == 1) {
            s[0] = m;
        }
    }

    /// Entry 0 of a strategy that does not fuse its first layer: the whole batch, where that costs no room.
    private static int input(FusionCostModel model) {
        Accelerator a = model.accelerator();
        if (a.options().networkInput() == CostOptions.NetworkInput.FREE) {
            return model.batch();
        }
        return Math.clamp(
                a.bufferBytes() / Math.max(1, model.network().output(0) * a.bytesPerElement()), 1, model.batch());
    }
}
