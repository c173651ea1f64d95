package knobscape.fusion.search;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.space.Strategy;

/// Uniform draws: every entry one of -1, 1..B with the same chance. The floor under every search.
public record RandomSearch() implements Searcher {
    private static final int POPULATION = 64;

    @Override
    public Search begin(Problem problem, SplittableRandom random) {
        return new Search() {
            @Override
            public List<int[]> ask(int left) {
                return Stream.generate(() ->
                                draw(problem.model().layers(), problem.model().batch(), random))
                        .limit(Math.min(left, POPULATION))
                        .toList();
            }

            @Override
            public void tell(List<Cost> costs) {
                // Nothing is learned.
            }
        };
    }

    /// A uniform strategy.
    static int[] draw(int layers, int batch, SplittableRandom random) {
        int[] s = new int[layers + 1];
        for (int i = 0; i <= layers; i++) {
            s[i] = gene(i, batch, random);
        }
        return s;
    }

    /// A uniform entry; entry 0 cannot synchronise.
    static int gene(int i, int batch, SplittableRandom random) {
        int v = i == 0 ? 1 + random.nextInt(batch) : random.nextInt(batch + 1);
        return v == 0 ? Strategy.SYNC : v;
    }
}
