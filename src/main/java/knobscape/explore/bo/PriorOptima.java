package knobscape.explore.bo;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.explore.Candidates;
import knobscape.explore.StepRandom;
import knobscape.space.Configuration;

/// Members of a space that a prior likes best.
final class PriorOptima {
    private static final int SAMPLE = 5000;
    private static final int TOP = 300;
    private static final int LISTABLE = 20_000;
    private static final int CLIMBERS = 5;
    private static final int CLIMB_ROUNDS = 2;
    private static final long STREAM = 1L << 42;

    private PriorOptima() {}

    /// The best 300, best first: of all where they can be listed, else of a sample and what lies around its best.
    static List<Configuration> of(Target target, Prior prior, Function<Configuration, List<Configuration>> neighbours) {
        Optional<List<Configuration>> whole = Candidates.whole(target.space(), LISTABLE);
        List<Configuration> sample = whole.orElseGet(
                () -> Candidates.draw(target.space(), Set.of(), SAMPLE, StepRandom.of(target.seed(), STREAM)));
        for (int i = 0; ; i++) {
            List<Configuration> members = sample;
            double[] expected = prior.of(members);
            List<Configuration> sorted =
                    Losses.order(expected).stream().map(members::get).toList();
            if (whole.isPresent() || i == CLIMB_ROUNDS) {
                return sorted.subList(0, Math.min(TOP, sorted.size()));
            }
            sample = Stream.concat(
                            sorted.stream().limit(TOP),
                            sorted.stream().limit(CLIMBERS).flatMap(c -> neighbours.apply(c).stream()))
                    .distinct()
                    .toList();
        }
    }
}
