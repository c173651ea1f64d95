package knobscape.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import knobscape.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Holds the normal distribution, Sobol points and linear algebra against scipy and numpy.
class NumericGoldenTest {
    private final JsonNode golden = Golden.read("surrogate/numeric.json");

    @Test
    void normalDistributionAgreesWithScipy() {
        double[] x = Golden.vector(golden.get("x"));
        double[] cumulative = Golden.vector(golden.get("cumulative"));
        double[] density = Golden.vector(golden.get("density"));
        for (int i = 0; i < x.length; i++) {
            if (Math.abs(x[i]) < 37) {
                assertThat(StandardNormal.cumulative(x[i]))
                        .as("at %s", x[i])
                        .isCloseTo(cumulative[i], withinPercentage(1e-9));
            }
            assertThat(StandardNormal.cumulative(x[i])).isCloseTo(cumulative[i], within(2e-15));
            assertThat(StandardNormal.density(x[i])).isCloseTo(density[i], within(1e-15));
        }
        assertThat(StandardNormal.cumulative(Double.NaN)).isNaN();
    }

    @Test
    void plainSobolPointsAreScipys() {
        assertThat(Sobol.plain(64, 21)).isDeepEqualTo(Golden.matrix(golden.get("sobol")));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 99})
    void scrambledPointsStayEvenlySpread(long seed) {
        double[][] points = Sobol.scrambled(256, 4, seed);
        for (int d = 0; d < 4; d++) {
            boolean[] hit = new boolean[256];
            for (double[] p : points) {
                hit[(int) (p[d] * 256)] = true;
            }
            for (boolean h : hit) {
                assertThat(h).isTrue();
            }
        }
        // The first two dimensions are a (0, 8, 2)-net: every elementary box of area 2^-8 holds one point.
        for (int k = 0; k <= 8; k++) {
            int[] counts = new int[256];
            for (double[] p : points) {
                counts[(int) (p[0] * (1 << k)) * (1 << (8 - k)) + (int) (p[1] * (1 << (8 - k)))]++;
            }
            assertThat(counts).containsOnly(1);
        }
        assertThat(Sobol.scrambled(256, 4, seed)).isDeepEqualTo(points);
        assertThat(Sobol.scrambled(256, 4, seed + 1)).isNotEqualTo(points);
    }

    @Test
    void normalsAreScipysQuantilesOfThePoints() {
        double[] p = Golden.vector(golden.get("p"));
        double[] quantile = Golden.vector(golden.get("quantile"));
        double[][] points = Sobol.scrambled(1 << 14, 1, 3);
        double[][] normals = Sobol.normals(1 << 14, 1, 3);
        for (int i = 0; i < p.length; i++) {
            int q = i;
            int nearest = IntStream.range(0, points.length)
                    .boxed()
                    .min(Comparator.comparingDouble(k -> Math.abs(points[k][0] - p[q])))
                    .orElseThrow();
            if (p[i] > 0.01 && p[i] < 0.99) {
                assertThat(normals[nearest][0]).as("at %s", p[i]).isCloseTo(quantile[i], within(3e-3));
            }
            assertThat(StandardNormal.cumulative(normals[nearest][0]))
                    .isCloseTo(points[nearest][0] + 0x1p-33, within(1e-13));
        }
        assertThat(Arrays.stream(normals).flatMapToDouble(Arrays::stream)).allMatch(Double::isFinite);
    }

    @Test
    void matchedNormalsHaveTheMomentsTheyPromise() {
        double[][] z = Sobol.matchedNormals(12, 3, 5);
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                double sum = 0;
                double mean = 0;
                for (double[] row : z) {
                    sum += row[a] * row[b] / 12;
                    mean += row[a] / 12;
                }
                assertThat(sum).isCloseTo(a == b ? 1 : 0, within(1e-12));
                assertThat(mean).isCloseTo(0, within(1e-12));
            }
        }
        assertThatThrownBy(() -> Sobol.matchedNormals(3, 3, 1)).hasMessageContaining("more than 3 points");
        assertThatThrownBy(() -> Sobol.plain(1, 22)).hasMessageContaining("1 to 21");
    }

    @Test
    void factorisationAgreesWithNumpy() {
        double[][] rows = Golden.matrix(golden.get("matrix"));
        int n = rows.length;
        double[] a = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
        double[] inverse = Arrays.stream(Golden.matrix(golden.get("inverse")))
                .flatMapToDouble(Arrays::stream)
                .toArray();
        Cholesky c = Cholesky.of(a, n).orElseThrow();
        assertThat(c.jitter()).isZero();
        assertThat(c.logDeterminant()).isCloseTo(golden.get("logDeterminant").asDouble(), within(1e-11));
        assertThat(c.inverse()).containsExactly(inverse, within(1e-10));
        double[] b = new double[n];
        Arrays.setAll(b, i -> i - 3);
        double[] x = c.solve(b);
        double[] v = c.inverseFactor();
        double norm = 0;
        double form = 0;
        for (int i = 0; i < n; i++) {
            double ax = 0;
            double vb = 0;
            for (int j = 0; j < n; j++) {
                ax += a[i * n + j] * x[j];
                vb += v[i * n + j] * b[j];
            }
            assertThat(ax).isCloseTo(b[i], within(1e-10));
            norm += vb * vb;
            form += b[i] * x[i];
        }
        assertThat(norm).isCloseTo(form, within(1e-10));
        double[] values = SymmetricEigen.of(a, n).values();
        Arrays.sort(values);
        assertThat(values).containsExactly(Golden.vector(golden.get("eigenvalues")), within(1e-11));
    }

    @Test
    void singularMatricesAreRaisedAndHopelessOnesRefused() {
        double[] ones = {1, 1, 1, 1};
        Cholesky c = Cholesky.of(ones, 2).orElseThrow();
        assertThat(c.jitter()).isBetween(1e-16, 1e-6);
        assertThat(Cholesky.of(new double[] {1, 2, 2, 1}, 2)).isEmpty();
        assertThat(Cholesky.of(new double[] {Double.NaN, 0, 0, 1}, 2)).isEmpty();
    }

    @Test
    void minimiserFindsTheBottomOfRosenbrocksValley() {
        Lbfgs.Objective rosenbrock = (x, g) -> {
            Arrays.fill(g, 0);
            double f = 0;
            for (int i = 0; i + 1 < x.length; i++) {
                double a = x[i + 1] - x[i] * x[i];
                f += 100 * a * a + (1 - x[i]) * (1 - x[i]);
                g[i] += -400 * x[i] * a - 2 * (1 - x[i]);
                g[i + 1] += 200 * a;
            }
            return f;
        };
        double[] start = new double[10];
        Arrays.fill(start, -1);
        Lbfgs.Result r = new Lbfgs(8, 500, 2000, 1e-9, 0, 10).minimise(rosenbrock, start);
        assertThat(r.converged()).isTrue();
        assertThat(r.x()).containsExactly(new double[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, within(1e-6));
        assertThat(r.trace()).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThatThrownBy(() -> new Lbfgs(8, 5, 5, 1e-9, 0, 1).minimise((x, g) -> Double.NaN, start))
                .hasMessageContaining("not finite");
    }

    @Test
    void minimiserStaysWhereTheObjectiveIsFinite() {
        Lbfgs.Objective barrier = (x, g) -> {
            g[0] = 1 - 1 / x[0];
            return x[0] > 0 ? x[0] - Math.log(x[0]) : Double.POSITIVE_INFINITY;
        };
        Lbfgs.Result r = new Lbfgs(5, 100, 300, 1e-10, 0, 50).minimise(barrier, new double[] {20});
        assertThat(r.x()[0]).isCloseTo(1, within(1e-6));
    }
}
