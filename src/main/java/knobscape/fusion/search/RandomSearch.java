package knobscape.fusion.search;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.space.Strategy;

/// Uniform draws: every entry one of -1, 1..B with the same chance. The floor under every search.
record RandomSearch(Problem problem, SplittableRandom random) implements Search {
    private static final int POPULATION = 64;

    @Override
    public List<int[]> ask(int left) {
        int layers = problem.model().layers();
        return Stream.generate(() -> draw(layers, problem.model().batch(), random))
                .limit(Math.min(left, POPULATION))
                .toList();
    }

    @Override
    public void tell(List<Cost> costs) {
        // Nothing is learned.
    }

    /// A uniform strategy.
    static int[] draw(int layers, int batch, SplittableRandom random) {
        return IntStream.rangeClosed(0, layers).map(i -> gene(i, batch, random)).toArray();
    }

    /// A uniform entry; entry 0 cannot synchronise.
    static int gene(int i, int batch, SplittableRandom random) {
        int v = i == 0 ? 1 + random.nextInt(batch) : random.nextInt(batch + 1);
        return v == 0 ? Strategy.SYNC : v;
    }
}
