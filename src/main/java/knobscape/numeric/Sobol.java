package knobscape.numeric;

import java.util.SplittableRandom;
import org.hipparchus.random.SobolSequenceGenerator;
import org.hipparchus.special.Erf;

/// Sobol points, plain or scrambled, in up to 21 dimensions, in the Gray-code order of Antonov and Saleev, 32
/// bits a coordinate. Scrambled: Matousek's random linear scrambling and a digital shift, which keep every
/// power-of-two prefix as evenly spread as the plain points.
public final class Sobol {
    /// Most dimensions.
    public static final int MAX_DIMENSION = 21;
    private static final int BITS = 32;
    /// Direction numbers of Joe and Kuo (2008) by dimension, read off the library's generator once: opening one
    /// takes milliseconds, and a step of a search needs a dozen.
    private static final int[][] DIRECTIONS = directions();

    private Sobol() {}

    private static int[][] directions() {
        int[][] v = new int[MAX_DIMENSION][BITS];
        var generator = new SobolSequenceGenerator(MAX_DIMENSION);
        double[] origin = generator.nextVector();
        for (int k = 0; k < BITS - 1; k++) {
            // In Gray-code order point 2^k differs from the one before by direction k alone.
            double[] before = k == 0 ? origin : generator.skipTo((1 << k) - 1);
            double[] at = generator.skipTo(1 << k);
            for (int d = 0; d < MAX_DIMENSION; d++) {
                v[d][k] = bits(before[d]) ^ bits(at[d]);
            }
        }
        return v;
    }

    private static int bits(double fraction) {
        return (int) (long) (fraction * 0x1p32);
    }

    /// The first `n` plain points in `[0,1)^d`, one row each; the first is the origin.
    public static double[][] plain(int n, int dimension) {
        return points(n, new int[dimension], DIRECTIONS);
    }

    /// The first `n` points of a scrambled sequence; every point is uniform on the unit cube over the choice of
    /// `seed`.
    public static double[][] scrambled(int n, int dimension, long seed) {
        requireKnown(dimension);
        var random = new SplittableRandom(seed);
        int[][] scrambled = new int[dimension][BITS];
        int[] shift = new int[dimension];
        for (int d = 0; d < dimension; d++) {
            // Lower triangular bit matrix with ones on the diagonal; row r makes output bit r from input bits 0
            // .. r.
            for (int r = 0; r < BITS; r++) {
                int row = (r == 0 ? 0 : random.nextInt() & -1 << (BITS - r)) | 1 << (BITS - 1 - r);
                for (int k = 0; k < BITS; k++) {
                    scrambled[d][k] |= (Integer.bitCount(row & DIRECTIONS[d][k]) & 1) << (BITS - 1 - r);
                }
            }
            shift[d] = random.nextInt();
        }
        return points(n, shift, scrambled);
    }

    private static void requireKnown(int dimension) {
        if (dimension < 1 || dimension > MAX_DIMENSION) {
            throw new IllegalArgumentException(
                    "Sobol points are known in 1 to " + MAX_DIMENSION + " dimensions, was " + dimension);
        }
    }

    /// The first `n` points from the one whose bits are `state`.
    private static double[][] points(int n, int[] state, int[][] directions) {
        requireKnown(state.length);
        double[][] points = new double[n][state.length];
        for (int i = 0; i < n; i++) {
            int flip = Integer.numberOfTrailingZeros(i + 1);
            for (int d = 0; d < state.length; d++) {
                points[i][d] = Integer.toUnsignedLong(state[d]) * 0x1p-32;
                state[d] ^= directions[d][flip];
            }
        }
        return points;
    }

    /// `n` scrambled points mapped to independent standard normals, one row each; no coordinate is infinite.
    public static double[][] normals(int n, int dimension, long seed) {
        double[][] points = scrambled(n, dimension, seed);
        for (double[] p : points) {
            for (int d = 0; d < dimension; d++) {
                p[d] = Math.sqrt(2) * Erf.erfInv(2 * (p[d] + 0x1p-33) - 1);
            }
        }
        return points;
    }

    /// As [#normals], then shifted and rotated so that the sample's mean is zero and its covariance (divisor n)
    /// the identity: a linear function of them then has exactly its true mean and variance however few they
    /// are. Needs `n > dimension`.
    public static double[][] matchedNormals(int n, int dimension, long seed) {
        if (n <= dimension) {
            throw new IllegalArgumentException(
                    "matching moments in " + dimension + " dimensions needs more than " + n + " points");
        }
        double[][] z = normals(n, dimension, seed);
        double[] covariance = new double[dimension * dimension];
        for (int d = 0; d < dimension; d++) {
            double mean = 0;
            for (double[] row : z) {
                mean += row[d] / n;
            }
            for (double[] row : z) {
                row[d] -= mean;
            }
        }
        for (double[] row : z) {
            for (int a = 0; a < dimension; a++) {
                for (int b = 0; b < dimension; b++) {
                    covariance[a * dimension + b] += row[a] * row[b] / n;
                }
            }
        }
        double[] v = Cholesky.of(covariance, dimension).orElseThrow().inverseFactor();
        for (double[] row : z) {
            double[] old = row.clone();
            for (int a = 0; a < dimension; a++) {
                double sum = 0;
                for (int b = 0; b <= a; b++) {
                    sum += v[a * dimension + b] * old[b];
                }
                row[a] = sum;
            }
        }
        return z;
    }
}
