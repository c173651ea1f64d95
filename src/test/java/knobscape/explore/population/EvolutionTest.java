package knobscape.explore.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import knobscape.explore.GridSpace;
import knobscape.explore.population.Evolution.Member;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;

class EvolutionTest {
    private static final int BITS = 60;

    /// Strings of bits; fitness is the number of ones.
    private static final class Bits implements Evolution.Operators<boolean[]> {
        @Override
        public boolean[] draw(SplittableRandom random) {
            boolean[] g = new boolean[BITS];
            for (int i = 0; i < BITS; i++) {
                g[i] = random.nextBoolean();
            }
            return g;
        }

        @Override
        public Optional<boolean[]> child(Supplier<boolean[]> parent, SplittableRandom random) {
            boolean[] child = parent.get().clone();
            boolean[] other = parent.get();
            for (int i = 0; i < BITS; i++) {
                child[i] = random.nextDouble() < 1.0 / BITS
                        ? random.nextBoolean()
                        : random.nextBoolean() ? child[i] : other[i];
            }
            return Optional.of(child);
        }
    }

    private static double ones(boolean[] g) {
        return IntStream.range(0, g.length).filter(i -> g[i]).count();
    }

    private static List<Double> bests(Evolution.Selection selection, int elites, long seed) {
        var search = new Evolution<>(40, elites, selection, new Bits(), new SplittableRandom(seed));
        var bests = new ArrayList<Double>();
        double best = 0;
        for (int g = 0; g < 40; g++) {
            List<boolean[]> asked = search.ask();
            assertThat(asked).hasSize(g == 0 ? 40 : 40 - elites);
            double[] fitness = asked.stream().mapToDouble(EvolutionTest::ones).toArray();
            search.tell(fitness);
            best = Math.max(best, Arrays.stream(fitness).max().orElseThrow());
            bests.add(best);
        }
        return bests;
    }

    @Test
    void everySelectionClimbsFarBeyondChance() {
        for (long seed = 1; seed <= 3; seed++) {
            for (Evolution.Selection s :
                    List.of(Evolution.tournament(3), Evolution.truncation(16), Evolution.proportional())) {
                List<Double> bests = bests(s, 2, seed);
                // Half of the bits plus four standard deviations is what 1600 draws reach.
                assertThat(bests.getLast()).isGreaterThan(BITS / 2.0 + 4.5 * Math.sqrt(BITS / 4.0));
                assertThat(bests).isEqualTo(bests(s, 2, seed));
            }
        }
    }

    @Test
    void parentsAreDrawnInProportionToTheirFitness() {
        List<Member<String>> members =
                List.of(new Member<>("none", 0), new Member<>("one", 1), new Member<>("three", 3));
        Supplier<String> parents = Evolution.proportional().among(members, new SplittableRandom(1));
        int three = 0;
        for (int i = 0; i < 20_000; i++) {
            String p = parents.get();
            assertThat(p).isNotEqualTo("none");
            three += p.equals("three") ? 1 : 0;
        }
        assertThat(three / 20_000.0).isCloseTo(0.75, within(0.015));
        List<Member<String>> nothing = List.of(new Member<>("a", 0), new Member<>("b", 0));
        Supplier<String> even = Evolution.proportional().among(nothing, new SplittableRandom(1));
        assertThat(IntStream.range(0, 50).mapToObj(_ -> even.get()).distinct()).hasSize(2);
    }

    @Test
    void truncationDrawsFromTheBestAloneAndATournamentOfAllButTheWorst() {
        List<Member<Integer>> members = IntStream.range(0, 10)
                .mapToObj(i -> new Member<>(i, i * 7 % 10))
                .toList();
        Supplier<Integer> few = Evolution.truncation(3).among(members, new SplittableRandom(2));
        assertThat(IntStream.range(0, 200).mapToObj(_ -> few.get()).distinct()).containsExactlyInAnyOrder(7, 4, 1);
        assertThat(Evolution.best(members, 2)).extracting(Member::genome).containsExactly(7, 4);
        double[] counts = new double[10];
        Supplier<Integer> pairs = Evolution.tournament(2).among(members, new SplittableRandom(3));
        for (int i = 0; i < 20_000; i++) {
            counts[pairs.get()]++;
        }
        // The best of two of ten: rank r (worst 0) with probability (2 r + 1) / 100.
        for (Member<Integer> m : members) {
            assertThat(counts[m.genome()] / 20_000).isCloseTo((2 * m.fitness() + 1) / 100, within(0.012));
        }
    }

    @Test
    void breedingEndsWhereTheSpaceHasNoMore() {
        var left = new int[] {3};
        assertThat(Evolution.breed(
                        List.of(new Member<>("a", 1)),
                        10,
                        Evolution.truncation(1),
                        (p, _) -> left[0]-- > 0 ? Optional.of(p.get()) : Optional.empty(),
                        new SplittableRandom(1)))
                .hasSize(3);
    }

    @Test
    void operatorsOfConfigurationsTakeEachKnobOfAParent() {
        GridSpace space = GridSpace.of(6, 6, 6, 6);
        Configuration a = Configuration.of(space.knobs(), 0, 1, 2, 3);
        Configuration b = Configuration.of(space.knobs(), 5, 4, 4, 5);
        var random = new SplittableRandom(4);
        for (int i = 0; i < 100; i++) {
            Configuration one = Recombination.onePoint(a, b, random);
            Configuration mixed = Recombination.uniform(a, b, random);
            boolean isSecond = false;
            for (int k = 0; k < 4; k++) {
                assertThat(mixed.level(k)).isIn(a.level(k), b.level(k));
                isSecond |= one.level(k) == b.level(k);
                assertThat(one.level(k)).isEqualTo(isSecond ? b.level(k) : a.level(k));
            }
            assertThat(Recombination.mutate(a, 0, random)).isEqualTo(a);
        }
    }
}
