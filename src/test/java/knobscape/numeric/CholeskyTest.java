package knobscape.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CholeskyTest {
    private static final int N = 40;

    private static double[] matrix() {
        var random = new SplittableRandom(5);
        double[] at = new double[N];
        Arrays.setAll(at, i -> 10 * random.nextDouble());
        double[] a = new double[N * N];
        Arrays.setAll(a, k -> Math.exp(-Math.abs(at[k / N] - at[k % N])) + (k / N == k % N ? 0.1 : 0));
        return a;
    }

    private static void grow(Cholesky c, double[] a, int to) {
        for (int i = c.order(); i < to; i++) {
            c.grow(Arrays.copyOfRange(a, i * N, i * N + i), a[i * N + i], 1e-10);
        }
    }

    @Test
    void aGrownFactorIsThatOfTheWholeMatrix() {
        double[] a = matrix();
        Cholesky whole = Cholesky.of(a, N).orElseThrow();
        Cholesky grown = Cholesky.empty();
        grow(grown, a, N);
        double[] b = new SplittableRandom(6).doubles(N).toArray();
        assertThat(grown.logDeterminant()).isCloseTo(whole.logDeterminant(), within(1e-10));
        assertThat(grown.solve(b)).containsExactly(whole.solve(b), within(1e-10));
        assertThat(grown.inverse()).containsExactly(whole.inverse(), within(1e-9));
        // Of a part the inverse is another one.
        double[] part = new double[25 * 25];
        Arrays.setAll(part, k -> a[k / 25 * N + k % 25]);
        double[] inverse = Cholesky.of(part, 25).orElseThrow().inverse();
        double[] diagonal = new double[25];
        Arrays.setAll(diagonal, i -> inverse[i * 25 + i]);
        assertThat(grown.inverseDiagonal(25)).containsExactly(diagonal, within(1e-10));
    }

    @Test
    void rowsTakenBackLeaveNoTrace() {
        double[] a = matrix();
        Cholesky straight = Cholesky.empty();
        grow(straight, a, N);
        Cholesky there = Cholesky.empty();
        grow(there, a, 30);
        there.grow(new double[30], 7, 1e-10);
        there.truncate(17);
        grow(there, a, N);
        for (int i = 0; i < N; i++) {
            assertThat(there.column(i)).containsExactly(straight.column(i));
        }
        assertThat(there.whiten(new double[] {1, 2, 3})).containsExactly(straight.whiten(new double[] {1, 2, 3}));
    }

    @Test
    void aRowThatRepeatsAnotherHasTheLeastPivot() {
        Cholesky c = Cholesky.empty();
        c.grow(new double[0], 1, 1e-6);
        c.grow(new double[] {1}, 1, 1e-6);
        assertThat(c.column(1)).containsExactly(1, 1e-3);
    }
}
