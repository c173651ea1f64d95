package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.numeric.Sobol;
import knobscape.pareto.Adrs;
import knobscape.pareto.ParetoFront;
import knobscape.surrogate.GaussianPosterior;
import org.junit.jupiter.api.Test;

class FrontCoverTest {
    private static final double[] UNIT = {Scale.LN10, Scale.LN10, Scale.LN10};

    private static double[] raw(double[] modelled) {
        return Arrays.stream(modelled).map(Scale.LOG10::toObjective).toArray();
    }

    /// Where nothing is uncertain the gain is the fall of ADRS itself.
    @Test
    void isTheFallOfAdrsWhereEverythingIsKnown() {
        var random = new SplittableRandom(1);
        int n = 18;
        double[][] values = new double[n][3];
        for (double[] row : values) {
            Arrays.setAll(row, j -> random.nextDouble(-1, 0));
        }
        double[][] measured = {{-0.2, -0.5, -0.3}, {-0.6, -0.1, -0.4}};
        GaussianPosterior p = GaussianPosterior.known(values, 3);
        FrontCover.FrontSample fronts = FrontCover.draw(p, measured, UNIT, new double[1][3], y -> true);
        double[] gains = new FrontCover(fronts, Sobol.normals(8, 3, 1)).score(p);
        double[][] all = new double[n + 2][];
        System.arraycopy(values, 0, all, 0, n);
        System.arraycopy(measured, 0, all, n, 2);
        double[][] front =
                Arrays.stream(ParetoFront.of(all)).map(FrontCoverTest::raw).toArray(double[][]::new);
        double[][] found = {raw(measured[0]), raw(measured[1])};
        double before = Adrs.of(front, found, Adrs.Distance.RELATIVE_WORST);
        assertThat(fronts.distance()).isCloseTo(before, within(1e-9));
        for (int i = 0; i < n; i++) {
            double after =
                    Adrs.of(front, new double[][] {found[0], found[1], raw(values[i])}, Adrs.Distance.RELATIVE_WORST);
            assertThat(gains[i]).isCloseTo(before - after, within(1e-9));
        }
    }

    /// Draws one by one are those that the score averages, and what cannot be built gains nothing in so many cases.
    @Test
    void drawsOneByOneAverageToTheScore() {
        GaussianPosterior p = GaussianPosterior.known(new double[][] {{-0.5, -0.7, -0.2}, {-0.9, -0.1, -0.6}}, 3);
        System.arraycopy(new double[] {0.04, 0, 0, 0, 0.09, 0, 0, 0, 0.01}, 0, p.covariances(), 0, 9);
        FrontCover.FrontSample fronts =
                FrontCover.draw(p, new double[][] {{-0.2, -0.2, -0.2}}, UNIT, Sobol.normals(4, 3, 2), y -> true);
        var cover = new FrontCover(fronts, Sobol.normals(64, 3, 1));
        double[] gains = cover.byDraw(p, 0);
        assertThat(Arrays.stream(gains).average().orElseThrow()).isCloseTo(cover.score(p)[0], within(1e-12));
        assertThat(FrontCover.quantile(gains, 1, 0.5))
                .isBetween(
                        Arrays.stream(gains).min().orElseThrow(),
                        Arrays.stream(gains).max().orElseThrow());
        assertThat(FrontCover.quantile(gains, 0.4, 0.5)).isZero();
        assertThat(FrontCover.quantile(gains, 0.4, 1))
                .isEqualTo(Arrays.stream(gains).max().orElseThrow());
    }

    @Test
    void nonDominatedRowsAgreeWithTheFront() {
        var random = new SplittableRandom(2);
        double[][] rows = new double[300][3];
        for (double[] row : rows) {
            Arrays.setAll(row, j -> random.nextInt(12));
        }
        assertThat(Arrays.stream(FrontCover.nonDominated(rows, 3))
                        .mapToObj(i -> rows[i])
                        .toList())
                .containsExactlyInAnyOrderElementsOf(List.of(ParetoFront.of(rows)));
    }

    @Test
    void paysForTheEndsOfAFront() {
        // A design far along one axis adds hardly any volume and half the coverage.
        double[][] values = {{-1, -0.01, -0.01}, {-0.3, -0.3, -0.29}};
        double[][] measured = {{-0.3, -0.3, -0.28}};
        GaussianPosterior p = GaussianPosterior.known(values, 3);
        double[] gains = new FrontCover(
                        FrontCover.draw(p, measured, UNIT, new double[1][3], y -> true), new double[1][3])
                .score(p);
        assertThat(gains[0]).isGreaterThan(10 * gains[1]);
    }

    @Test
    void hasNothingToGiveOnceTheFrontIsMeasured() {
        double[][] values = {{-0.5, -0.5, -0.5}, {-0.4, -0.4, -0.4}};
        GaussianPosterior p = GaussianPosterior.known(values, 3);
        double[] gains = new FrontCover(
                        FrontCover.draw(p, new double[][] {{-0.5, -0.5, -0.5}}, UNIT, new double[1][3], y -> true),
                        new double[4][3])
                .score(p);
        assertThat(gains).containsOnly(0);
    }
}
