package knobscape.explore.active;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransductiveDesignTest {

    private static double[][] rows(int n, int d, long seed) {
        var random = new SplittableRandom(seed);
        return IntStream.range(0, n).mapToObj(i -> random.doubles(d).toArray()).toArray(double[][]::new);
    }

    /// Total predictive variance left over all rows after observing `observed` with noise mu: trace(K - K_S
    /// (K_SS + mu I)^-1 K_S^T), by adding one observation at a time. What one more pick removes is exactly the
    /// score that the method maximises.
    private static double leftOver(double[][] kernel, double mu, int... observed) {
        double[][] k = Arrays.stream(kernel).map(double[]::clone).toArray(double[][]::new);
        for (int v : observed) {
            double[] pivot = k[v].clone();
            double s = k[v][v] + mu;
            for (int i = 0; i < k.length; i++) {
                for (int j = 0; j < k.length; j++) {
                    k[i][j] -= pivot[i] * pivot[j] / s;
                }
            }
        }
        return IntStream.range(0, k.length).mapToDouble(i -> k[i][i]).sum();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyPickIsTheOneThatLeavesLeastVarianceOverAllRows(long seed) {
        double[][] kernel = TransductiveDesign.gaussianKernel(rows(25, 3, seed));
        int[] chosen = TransductiveDesign.select(kernel, 4, 0.1);
        for (int round = 0; round < chosen.length; round++) {
            int[] before = Arrays.copyOf(chosen, round);
            double best = IntStream.range(0, 25)
                    .filter(v -> Arrays.stream(before).noneMatch(b -> b == v))
                    .mapToDouble(v -> {
                        int[] with = Arrays.copyOf(before, before.length + 1);
                        with[before.length] = v;
                        return leftOver(kernel, 0.1, with);
                    })
                    .min()
                    .orElseThrow();
            int[] with = Arrays.copyOf(chosen, round + 1);
            assertThat(leftOver(kernel, 0.1, with)).isCloseTo(best, org.assertj.core.api.Assertions.within(1e-9));
        }
    }

    @Test
    void picksSpreadOverClustersBeforeRepeatingOne() {
        double[][] rows = new double[30][];
        var random = new SplittableRandom(7);
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new double[] {i % 3 + 0.01 * random.nextDouble(), (i % 3) * 2 + 0.01 * random.nextDouble()};
        }
        int[] chosen = TransductiveDesign.select(TransductiveDesign.gaussianKernel(rows), 3, 0.1);
        assertThat(Arrays.stream(chosen).map(i -> i % 3).boxed()).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void neverPicksTwiceAndStopsAtTheNumberOfRows() {
        assertThat(TransductiveDesign.select(TransductiveDesign.distances(rows(12, 2, 3)), 40, 0.1))
                .hasSize(12)
                .doesNotHaveDuplicates();
    }

    @Test
    void randomisedFormDependsOnItsSeedAlone() {
        double[][] rows = rows(200, 4, 9);
        int[] a = TransductiveDesign.randomised(rows, 16, 5, 60, 0.1, new SplittableRandom(1));
        assertThat(a)
                .hasSize(16)
                .doesNotHaveDuplicates()
                .isEqualTo(TransductiveDesign.randomised(rows, 16, 5, 60, 0.1, new SplittableRandom(1)))
                .isNotEqualTo(TransductiveDesign.randomised(rows, 16, 5, 60, 0.1, new SplittableRandom(2)));
    }

    @Test
    void refusesAPenaltyThatIsNotPositive() {
        assertThatThrownBy(() -> TransductiveDesign.select(new double[1][1], 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mu");
    }

    /// Algorithm 1 of the BTED paper written out: the matrix is deflated as a whole and the score is computed
    /// afresh for every row, its denominator by magnitude.
    private static int[] plain(double[][] kernel, int count, double mu) {
        double[][] k = Arrays.stream(kernel).map(double[]::clone).toArray(double[][]::new);
        var chosen = new java.util.ArrayList<Integer>();
        while (chosen.size() < count) {
            double[][] now = k;
            int best = IntStream.range(0, k.length)
                    .filter(v -> !chosen.contains(v))
                    .boxed()
                    .max(java.util.Comparator.comparingDouble(
                            v -> Arrays.stream(now[v]).map(x -> x * x).sum() / Math.abs(now[v][v] + mu)))
                    .orElseThrow();
            chosen.add(best);
            double[][] next = new double[k.length][k.length];
            for (int i = 0; i < k.length; i++) {
                for (int j = 0; j < k.length; j++) {
                    next[i][j] = k[i][j] - k[i][best] * k[best][j] / (k[best][best] + mu);
                }
            }
            k = next;
        }
        return chosen.stream().mapToInt(Integer::intValue).toArray();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void onDistancesItIsAlgorithmOneAsWritten(long seed) {
        double[][] distances = TransductiveDesign.distances(rows(60, 5, seed));
        assertThat(TransductiveDesign.select(distances, 12, 0.1, TransductiveDesign.Penalty.PRINTED))
                .isEqualTo(plain(distances, 12, 0.1));
    }

    /// Block sizes 16, 32, .. 256 and five knobs of a few values each on logarithmic axes, as in a measured
    /// convolution: large sizes are 0.1 apart. With the printed sign `k(v,v)` comes near -mu next to chosen
    /// rows.
    @Test
    void onDistancesThePenaltyKeepsItFromNeighboursOfChosenRows() {
        var random = new SplittableRandom(1);
        double[][] rows = new double[400][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new double[] {
                Math.log(16 * random.nextInt(1, 17)) / Math.log(2),
                random.nextInt(5),
                Math.log(random.nextInt(1, 5)) / Math.log(2),
                Math.log(random.nextInt(1, 5)) / Math.log(2),
                random.nextInt(2),
                random.nextInt(2)
            };
        }
        double[][] distances = TransductiveDesign.distances(rows);
        assertThat(close(distances, TransductiveDesign.select(distances, 64, 0.1)))
                .isZero();
        assertThat(close(distances, TransductiveDesign.select(distances, 64, 0.1, TransductiveDesign.Penalty.PRINTED)))
                .isPositive();
    }

    private static long close(double[][] distances, int[] chosen) {
        return Arrays.stream(chosen)
                .filter(i -> Arrays.stream(chosen).anyMatch(j -> j != i && distances[i][j] < 0.5))
                .count();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void onAPositiveDefiniteKernelThePenaltiesAreTheSame(long seed) {
        double[][] kernel = TransductiveDesign.gaussianKernel(rows(60, 5, seed));
        assertThat(TransductiveDesign.select(kernel, 12, 0.1))
                .isEqualTo(TransductiveDesign.select(kernel, 12, 0.1, TransductiveDesign.Penalty.PRINTED))
                .isEqualTo(plain(kernel, 12, 0.1));
    }

    @Test
    void batchesChooseAmongTheUnionOfTheirSetsWithoutRepeatingARow() {
        double[][] first = rows(80, 3, 1);
        double[][] second = rows(80, 3, 2);
        System.arraycopy(first, 0, second, 0, 40);
        var chosen = TransductiveDesign.batch(
                java.util.List.of(first, second), 16, 0.1, TransductiveDesign.Penalty.WITH_THE_SIGN);
        assertThat(chosen.stream().map(c -> Arrays.toString((c.set() == 0 ? first : second)[c.row()])))
                .hasSize(16)
                .doesNotHaveDuplicates();
        assertThat(TransductiveDesign.batch(
                        java.util.List.of(first, second), 16, 0.1, TransductiveDesign.Penalty.WITH_THE_SIGN))
                .isEqualTo(chosen);
    }
}
