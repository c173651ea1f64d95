package knobscape.pareto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Properties that hold for every set of points, tried on seeded random ones.
class ParetoPropertiesTest {

    /// Points on a grid of tenths, so that ties are many, and some outside the reference.
    private static double[][] points(SplittableRandom random, int n, int m) {
        double[][] p = new double[n][m];
        for (double[] row : p) {
            Arrays.setAll(row, j -> random.nextInt(13) / 10.0);
        }
        return p;
    }

    private static double[] ones(int m) {
        double[] r = new double[m];
        Arrays.fill(r, 1.0);
        return r;
    }

    /// Counts grid cells of side 0.1 whose lower corner some point covers: exact for points on that grid.
    private static double bruteForce(double[][] points, int m) {
        int cells = (int) Math.pow(10, m);
        long covered = 0;
        for (int c = 0; c < cells; c++) {
            double[] middle = new double[m];
            int rest = c;
            for (int j = 0; j < m; j++) {
                middle[j] = rest % 10 / 10.0 + 0.05;
                rest /= 10;
            }
            if (Arrays.stream(points).anyMatch(p -> Dominance.weaklyDominates(p, middle))) {
                covered++;
            }
        }
        return covered * Math.pow(0.1, m);
    }

    @ParameterizedTest
    @CsvSource({"1,4", "2,1", "2,9", "3,1", "3,12", "4,1", "4,10", "5,6"})
    void hypervolumeEqualsCountedCells(int m, int n) {
        var random = new SplittableRandom(17 + m * 100 + n);
        for (int trial = 0; trial < (m > 4 ? 5 : 40); trial++) {
            double[][] p = points(random, n, m);
            assertThat(Hypervolume.of(p, ones(m))).isCloseTo(bruteForce(p, m), within(1e-9));
        }
    }

    @ParameterizedTest
    @CsvSource({"1,0", "1,5", "2,0", "2,15", "3,0", "3,25", "4,0", "4,25", "5,8"})
    void improvementIsTheGainOfHypervolume(int m, int n) {
        var random = new SplittableRandom(5 + m * 100 + n);
        for (int trial = 0; trial < 60; trial++) {
            double[][] p = points(random, n, m);
            var boxes = NonDominatedBoxes.of(p, ones(m));
            double[] y = points(random, 1, m)[0];
            if (trial % 2 == 0) {
                Arrays.setAll(y, j -> y[j] + random.nextDouble(-0.3, 0.1));
            }
            double[][] more = Arrays.copyOf(p, n + 1);
            more[n] = y;
            double gain = Hypervolume.of(more, ones(m)) - Hypervolume.of(p, ones(m));
            assertThat(boxes.improvement(y)).isCloseTo(gain, within(1e-12));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void boxesAreDisjointAndFew(int m) {
        var random = new SplittableRandom(m);
        double[][] p = new double[40][m];
        for (double[] row : p) {
            Arrays.setAll(row, j -> Math.abs(random.nextGaussian()));
            double norm = Math.sqrt(Arrays.stream(row).map(v -> v * v).sum());
            Arrays.setAll(row, j -> 1 - row[j] / norm);
        }
        var boxes = NonDominatedBoxes.of(p, ones(m));
        for (int a = 0; a < boxes.count(); a++) {
            for (int b = a + 1; b < boxes.count(); b++) {
                boolean overlap = true;
                for (int j = 0; j < m; j++) {
                    overlap &= Math.max(boxes.lower(a, j), boxes.lower(b, j))
                            < Math.min(boxes.upper(a, j), boxes.upper(b, j));
                }
                assertThat(overlap).as("boxes %d and %d overlap", a, b).isFalse();
            }
        }
        if (m == 2) {
            assertThat(boxes.count()).isEqualTo(41);
        } else if (m == 3) {
            assertThat(boxes.count()).isLessThanOrEqualTo(81);
        } else {
            assertThat(boxes.count()).isLessThanOrEqualTo(1600);
        }
    }

    @Test
    void frontKeepsTiesAndListsThemOnce() {
        var front = new ParetoFront<String>(2);
        assertThat(front.add(new double[] {1, 2}, "a")).isTrue();
        assertThat(front.add(new double[] {1, 2}, "b")).isTrue();
        assertThat(front.add(new double[] {1, 3}, "c")).isFalse();
        assertThat(front.add(new double[] {0, 5}, "d")).isTrue();
        assertThat(front.size()).isEqualTo(3);
        assertThat(front.vectors()).isDeepEqualTo(new double[][] {{1, 2}, {0, 5}});
        assertThat(front.add(new double[] {1, 1}, "e")).isTrue();
        assertThat(front.members().stream().map(ParetoFront.Member::item)).containsExactly("d", "e");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void incrementalFrontEqualsPairwiseComparison(int m) {
        var random = new SplittableRandom(99 + m);
        for (int trial = 0; trial < 50; trial++) {
            double[][] p = points(random, 30, m);
            int[] expected = java.util.stream.IntStream.range(0, p.length)
                    .filter(i -> Arrays.stream(p).noneMatch(q -> Dominance.dominates(q, p[i])))
                    .toArray();
            assertThat(ParetoFront.nonDominated(p)).containsExactly(expected);
        }
    }

    @Test
    void emptyAndOutsideSets() {
        assertThat(Hypervolume.of(new double[0][], ones(3))).isZero();
        assertThat(Hypervolume.of(new double[][] {{1, 0, 0}}, ones(3))).isZero();
        assertThat(ParetoFront.of(new double[0][])).isEmpty();
        assertThat(NonDominatedBoxes.of(new double[0][], ones(3)).improvement(new double[] {0, 0.5, 0.5}))
                .isEqualTo(0.25);
    }

    @Test
    void badInputIsRefused() {
        assertThatThrownBy(() -> Hypervolume.of(new double[][] {{1, Double.NaN}}, ones(2)))
                .hasMessageContaining("not a number");
        assertThatThrownBy(() -> Hypervolume.of(new double[][] {{1}}, ones(2)))
                .hasMessageContaining("expected 2 objectives");
        assertThatThrownBy(() -> new ParetoFront<String>(2).add(new double[] {1, 2, 3}, "x"))
                .hasMessageContaining("expected 2");
        assertThatThrownBy(() -> Adrs.of(new double[0][], new double[0][], Adrs.Distance.RELATIVE_WORST))
                .hasMessageContaining("at least one");
        assertThatThrownBy(() ->
                        Adrs.of(new double[][] {{0, 1}}, new double[][] {{1, 1}}, Adrs.Distance.RELATIVE_WORST))
                .hasMessageContaining("positive");
        assertThatThrownBy(() -> NonDominatedBoxes.of(new double[0][], new double[0]))
                .hasMessageContaining("one objective");
    }

    @Test
    void adrsOfNothingIsInfinite() {
        assertThat(Adrs.of(new double[][] {{1, 1}}, new double[0][], Adrs.Distance.EUCLIDEAN_SCALED))
                .isInfinite();
        assertThat(Adrs.of(new double[][] {{1, 2}}, new double[][] {{1, 2}}, Adrs.Distance.EUCLIDEAN_SCALED))
                .isZero();
        assertThat(Adrs.of(new double[][] {{1, 2}}, new double[][] {{0.5, 3}}, Adrs.Distance.RELATIVE_WORST))
                .isEqualTo(0.5);
    }
}
