package knobscape.explore.bo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import knobscape.explore.Candidates;
import knobscape.explore.StepRandom;
import knobscape.explore.population.Recombination;
import knobscape.numeric.Shuffle;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// Candidates of a search. Random members of the space, of which a part is drawn anew at every question once the
/// search knows something; the neighbours of the best; and descendants of the best, which differ from them in a few
/// knobs. What it offers depends on the seed, the question's number and the best alone, so that a resumed run is
/// offered the same.
final class Pool {
    /// Streams of random members; those of steps have smaller numbers.
    private static final long STREAM = 1L << 40;
    private static final int TRIES = 12;

    private final DesignSpace space;
    private final long seed;
    private final int size;
    private final int parts;
    private final int most;
    private final Part[] drawn;
    private final long[] drawnAt;
    /// All members, where there are not many more than would be drawn.
    private final Optional<Part> whole;
    private final Map<Configuration, Part> near = new LinkedHashMap<>();

    /// Candidates that stay together; one is equal to itself alone.
    static final class Part {
        private final List<Configuration> members;

        Part(List<Configuration> members) {
            this.members = List.copyOf(members);
        }

        List<Configuration> members() {
            return members;
        }
    }

    /// @param size random members
    /// @param parts pieces of them, one of which is renewed per question
    /// @param most most neighbours of a configuration
    Pool(DesignSpace space, long seed, int size, int parts, int most) {
        this.space = space;
        this.seed = seed;
        this.size = size;
        this.parts = parts;
        this.most = most;
        drawn = new Part[parts];
        drawnAt = new long[parts];
        whole = Candidates.whole(space, 2 * size).map(Part::new);
    }

    /// The random members at a question.
    ///
    /// @param renewals questions so far at which a part was renewed
    List<Part> random(long renewals) {
        if (whole.isPresent()) {
            return List.of(whole.get());
        }
        for (int j = 0; j < parts; j++) {
            // The last renewal of part j; 0 is its first content.
            long at = renewals <= j ? 0 : (renewals - 1 - j) / parts + 1;
            if (drawn[j] == null || drawnAt[j] != at) {
                var random = StepRandom.of(seed, STREAM + at * parts + j);
                drawn[j] = new Part(Candidates.draw(space, Set.of(), Math.ceilDiv(size, parts), random));
                drawnAt[j] = at;
            }
        }
        return List.of(drawn);
    }

    /// The neighbours of some configurations.
    List<Part> around(List<Configuration> centres) {
        near.keySet().retainAll(new HashSet<>(centres));
        return centres.stream()
                .map(c -> near.computeIfAbsent(c, _ -> new Part(neighbours(c))))
                .toList();
    }

    /// The neighbours of one, drawn where there are too many.
    List<Configuration> neighbours(Configuration centre) {
        List<Configuration> all =
                space.neighbours(centre).stream().filter(space::contains).toList();
        if (all.size() <= most) {
            return all;
        }
        int[] order = Shuffle.order(all.size(), StepRandom.of(seed ^ centre.hashCode(), STREAM - 1));
        return Arrays.stream(order).limit(most).mapToObj(all::get).toList();
    }

    /// Members that combine two of the best, or differ from one of them in two to four knobs.
    Part descendants(List<Configuration> best, int count, SplittableRandom random) {
        var all = new ArrayList<Configuration>();
        var seen = new HashSet<Configuration>();
        int knobs = space.knobs().size();
        for (int i = 0; i < count && !best.isEmpty(); i++) {
            for (int t = 0; t < TRIES; t++) {
                Configuration parent = best.get(random.nextInt(best.size()));
                int changes = 2 + random.nextInt(3);
                if (random.nextBoolean()) {
                    parent = Recombination.uniform(parent, best.get(random.nextInt(best.size())), random);
                    changes = random.nextInt(2);
                }
                int[] levels = parent.levels();
                for (int c = 0; c < changes; c++) {
                    int k = random.nextInt(knobs);
                    levels[k] = random.nextInt(space.knobs().get(k).domain().size());
                }
                Configuration child = Configuration.of(space.knobs(), levels);
                if (space.contains(child)) {
                    if (seen.add(child)) {
                        all.add(child);
                    }
                    break;
                }
            }
        }
        return new Part(all);
    }
}
