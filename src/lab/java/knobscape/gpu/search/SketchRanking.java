package knobscape.gpu.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.gpu.space.feature.SubgraphFeatures;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;
import knobscape.surrogate.graph.GraphArchitecture;
import knobscape.surrogate.graph.GraphModel;
import knobscape.surrogate.graph.GraphRows;
import knobscape.surrogate.graph.GraphTraining;
import knobscape.surrogate.graph.NodeGraph;

/// How well a cost model puts measured schedules in order, as a mean over kernels. Only schedules that ran count.
///
/// @param pairs share of pairs of one kernel in the right order
/// @param recall share of the best tenth of a kernel that the model has among its best tenth
public record SketchRanking(double pairs, double recall) {
    private static final int TENTH = 10;
    private static final int FEWEST = 20;
    private static final int ROUNDS = 4;

    /// Of a graph model.
    public static SketchRanking of(GraphModel model, SketchSamples test) {
        return of(test, k -> {
            double[] y = model.predict(
                    k.graph(), k.rows().stream().map(r -> r.features().joined()).toArray(float[][]::new));
            return Arrays.stream(y).map(v -> -v).toArray();
        });
    }

    /// Of boosted trees of statements as Ansor trains them, on the same rows a graph model learns from.
    public static SketchRanking ofTrees(SketchSamples train, SketchSamples test, long seed) {
        ScheduleScorer.Scorer trees = new ScheduleScorer.Trees()
                .fit(train.kernels().stream().map(SketchSamples.Kernel::rows).toList(), seed)
                .orElse((_, schedules) -> new double[schedules.size()]);
        return of(
                test,
                k -> trees.score(
                        0, k.rows().stream().map(RunRecords.Row::features).toList()));
    }

    private static SketchRanking of(SketchSamples test, Function<SketchSamples.Kernel, double[]> score) {
        List<SketchRanking> all = test.kernels().stream()
                .map(k -> new SketchSamples.Kernel(
                        k.name(),
                        k.graph(),
                        k.rows().stream().filter(r -> r.score() > 0).toList()))
                .filter(k -> k.rows().size() >= FEWEST)
                .map(k -> of(
                        score.apply(k),
                        k.rows().stream().mapToDouble(RunRecords.Row::score).toArray()))
                .toList();
        return new SketchRanking(mean(all, SketchRanking::pairs), mean(all, SketchRanking::recall));
    }

    private static double mean(List<SketchRanking> all, ToDoubleFunction<SketchRanking> of) {
        return all.stream().mapToDouble(of).average().orElse(Double.NaN);
    }

    private static SketchRanking of(double[] expected, double[] truth) {
        int k = Math.max(1, truth.length / TENTH);
        List<Integer> wanted = best(truth, k);
        return new SketchRanking(
                DgpExplorer.pairs(expected, truth),
                best(expected, k).stream().filter(wanted::contains).count() / (double) k);
    }

    private static List<Integer> best(double[] values, int k) {
        return IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -values[i]))
                .limit(k)
                .toList();
    }

    /// Seconds to lower, featurise and score candidates of a layer of ResNet-18 with GTuner's model: the best of a few
    /// rounds, the first of which warm up.
    public static double secondsToScore(int candidates, long seed) {
        SketchSource source = SketchSource.of(new Workload.Conv2d(
                        ElementType.FLOAT32,
                        1,
                        128,
                        28,
                        28,
                        128,
                        new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                        new Workload.Conv2d.Padding(1, 1, 1, 1),
                        1))
                .orElseThrow();
        var random = new SplittableRandom(seed);
        List<Configuration> drawn = Stream.generate(() -> source.space().draw(random))
                .filter(c -> source.obstacle(c).isEmpty())
                .limit(candidates)
                .toList();
        NodeGraph graph = SubgraphFeatures.of(source.computation(Epilogue.NONE));
        Function<List<Configuration>, float[][]> features = all -> all.parallelStream()
                .map(c -> ScheduleFeatures.of(source.schedule(c)).joined())
                .toArray(float[][]::new);
        float[][] some = features.apply(drawn);
        GraphModel model = GraphTraining.begin(
                        GraphArchitecture.GTUNER,
                        GraphTraining.Settings.GTUNER,
                        new GraphRows(List.of(graph), new int[some.length], some, new double[some.length]))
                .model();
        double best = Double.POSITIVE_INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            model.predict(graph, features.apply(drawn));
            best = Math.min(best, (System.nanoTime() - start) * 1e-9);
        }
        return best;
    }
}
