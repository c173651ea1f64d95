package knobscape.explore.population;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// A genetic search (Holland 1975) in the ask-and-tell form: parents are selected by fitness, varied by the operators
/// of their space, and the best few live on. Larger fitness is better. One search, one thread.
///
/// @param <G> a genome, which the search never changes
public final class Evolution<G> {
    private final int population;
    private final int elites;
    private final Selection selection;
    private final Operators<G> operators;
    private final SplittableRandom random;
    /// The elites that stay, later joined by the children; in order of arrival.
    private List<Member<G>> generation = List.of();
    private List<G> asked = List.of();

    /// A genome and how good it is.
    public record Member<G>(G genome, double fitness) {}

    /// How parents are chosen.
    @FunctionalInterface
    public interface Selection {
        /// A source of parents.
        ///
        /// @param members at least one
        <G> Supplier<G> among(List<Member<G>> members, SplittableRandom random);
    }

    /// The operators that vary genomes of a space.
    public interface Operators<G> {
        /// A genome of the first generation.
        G draw(SplittableRandom random);

        /// A child; empty where the space has no more.
        ///
        /// @param parent gives another parent at each call
        Optional<G> child(Supplier<G> parent, SplittableRandom random);
    }

    /// @param population members of a generation, elites included
    /// @param elites members that live on, in order of their fitness; not evaluated again
    /// @param random of everything random; the search keeps it
    public Evolution(int population, int elites, Selection selection, Operators<G> operators, SplittableRandom random) {
        this.population = population;
        this.elites = elites;
        this.selection = selection;
        this.operators = operators;
        this.random = random;
    }

    /// The genomes to evaluate next.
    public List<G> ask() {
        if (generation.isEmpty()) {
            asked = IntStream.range(0, population)
                    .mapToObj(_ -> operators.draw(random))
                    .toList();
        } else {
            asked = breed(generation, population - elites, selection, operators::child, random);
            generation = best(generation, elites);
        }
        return asked;
    }

    /// How good the genomes of the last [#ask] are, in their order; fewer than were asked for end the search.
    public void tell(double[] fitness) {
        List<Member<G>> all = new ArrayList<>(generation);
        for (int i = 0; i < fitness.length; i++) {
            all.add(new Member<>(asked.get(i), fitness[i]));
        }
        generation = all;
    }

    /// The best members, the best first, of equals the earlier.
    public static <G> List<Member<G>> best(List<Member<G>> members, int count) {
        return members.stream()
                .sorted(Comparator.comparingDouble((Member<G> m) -> m.fitness).reversed())
                .limit(count)
                .toList();
    }

    /// The operator that makes a child of parents.
    @FunctionalInterface
    public interface Variation<G> {
        /// See [Operators#child].
        Optional<G> child(Supplier<G> parent, SplittableRandom random);
    }

    /// At most `count` children of some parents; fewer where the space has no more.
    public static <G> List<G> breed(
            List<Member<G>> parents, int count, Selection selection, Variation<G> variation, SplittableRandom random) {
        Supplier<G> parent = selection.among(parents, random);
        List<G> children = new ArrayList<>(count);
        while (children.size() < count) {
            Optional<G> child = variation.child(parent, random);
            if (child.isEmpty()) {
                break;
            }
            children.add(child.get());
        }
        return List.copyOf(children);
    }

    /// The best of some members drawn evenly.
    public static Selection tournament(int contestants) {
        return new Selection() {
            @Override
            public <G> Supplier<G> among(List<Member<G>> members, SplittableRandom random) {
                return () -> {
                    Member<G> best = members.get(random.nextInt(members.size()));
                    for (int k = 1; k < contestants; k++) {
                        Member<G> other = members.get(random.nextInt(members.size()));
                        best = other.fitness > best.fitness ? other : best;
                    }
                    return best.genome;
                };
            }
        };
    }

    /// One of the best few, evenly.
    public static Selection truncation(int parents) {
        return new Selection() {
            @Override
            public <G> Supplier<G> among(List<Member<G>> members, SplittableRandom random) {
                List<Member<G>> few = best(members, parents);
                return () -> few.get(random.nextInt(few.size())).genome;
            }
        };
    }

    /// In proportion to fitness, which is never negative; evenly where all is 0.
    public static Selection proportional() {
        return new Selection() {
            @Override
            public <G> Supplier<G> among(List<Member<G>> members, SplittableRandom random) {
                double[] sums = new double[members.size()];
                double sum = 0;
                for (int i = 0; i < sums.length; i++) {
                    sum += members.get(i).fitness;
                    sums[i] = sum;
                }
                double total = sum;
                return () -> members.get(
                                total > 0 ? above(sums, random.nextDouble() * total) : random.nextInt(sums.length))
                        .genome;
            }
        };
    }

    /// Position of the first sum above a value.
    private static int above(double[] sums, double value) {
        int low = 0;
        int high = sums.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sums[middle] > value) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
