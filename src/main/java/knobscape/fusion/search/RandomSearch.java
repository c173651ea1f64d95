package knobscape.fusion.search;

import java.util.SplittableRandom;
import knobscape.fusion.evaluate.Strategy;

/// Uniform draws: every entry one of -1, 1..B with the same chance. The floor under every search.
public record RandomSearch() implements Searcher {
    @Override
    public void search(Trials trials, SplittableRandom random) {
        while (true) {
            trials.judge(draw(trials.model().layers(), trials.model().batch(), random));
        }
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
