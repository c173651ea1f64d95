package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import knobscape.explore.Candidates;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// Picks while designs are refused and none gives anything to learn from: those with the fewest knobs off their
/// first level, at which nothing is unrolled, pipelined or partitioned. The source as it stands can nearly always be
/// built, and the less is asked of a tool the oftener it succeeds.
final class NearSource {
    /// Designs drawn besides the neighbours of the source.
    private static final int DRAWN = 512;

    private NearSource() {}

    /// Up to `count` designs, of equally many knobs set in random order.
    ///
    /// @param known designs that are not to be drawn
    static List<Configuration> draw(DesignSpace space, Set<Configuration> known, int count, SplittableRandom random) {
        Set<Configuration> pool = new LinkedHashSet<>();
        Configuration source =
                Configuration.of(space.knobs(), new int[space.knobs().size()]);
        if (space.contains(source)) {
            List<Configuration> near = new ArrayList<>(space.neighbours(source));
            Collections.shuffle(near, random);
            pool.add(source);
            pool.addAll(near);
            pool.removeAll(known);
        }
        pool.addAll(Candidates.draw(space, known, Math.max(DRAWN, count), random));
        return pool.stream()
                .sorted(Comparator.comparingInt(NearSource::set))
                .limit(count)
                .toList();
    }

    /// How far a design is from the source: the sum over knobs of the level as a share of the last one. Its
    /// correlation with the logarithm of the tool time of the lowest stage is .27 to .72 with the built-in
    /// estimate (seven kernels).
    static double distance(Configuration c) {
        double sum = 0;
        for (int k = 0; k < c.knobs().size(); k++) {
            sum += (double) c.level(k) / Math.max(1, c.knobs().get(k).domain().size() - 1);
        }
        return sum;
    }

    /// Number of knobs that are not at their first level.
    private static int set(Configuration c) {
        int set = 0;
        for (int k = 0; k < c.knobs().size(); k++) {
            set += c.level(k) == 0 ? 0 : 1;
        }
        return set;
    }
}
