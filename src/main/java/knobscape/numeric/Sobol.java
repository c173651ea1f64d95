package knobscape.numeric;

import java.util.SplittableRandom;

/// Sobol points, plain or scrambled, in up to 21 dimensions, with the direction numbers of Joe and Kuo (2008, set D6). Points come in the
/// Gray-code order of Antonov and Saleev, 32 bits a coordinate. Scrambled: Matousek's random linear scrambling and a digital
/// shift, which keep every power-of-two prefix as evenly spread as the plain points.
public final class Sobol {
    /// Most dimensions.
    public static final int MAX_DIMENSION = 21;
    /// Most points; beyond 2^30 the direction numbers run out of bits.
    public static final int MAX_POINTS = 1 << 30;
    private static final int BITS = 32;

    /// For dimensions 2, 3, ...: degree s and coefficients a of the primitive polynomial, then the initial numbers m_1 .. m_s.
    private static final int[][] JOE_KUO = {
        {1, 0, 1}, {2, 1, 1, 3}, {3, 1, 1, 3, 1}, {3, 2, 1, 1, 1}, {4, 1, 1, 1, 3, 3}, {4, 4, 1, 3, 5, 13},
        {5, 2, 1, 1, 5, 5, 17}, {5, 4, 1, 1, 5, 5, 5}, {5, 7, 1, 1, 7, 11, 19}, {5, 11, 1, 1, 5, 1, 1}, {5, 13, 1, 1, 1, 3, 11},
        {5, 14, 1, 3, 5, 5, 31}, {6, 1, 1, 3, 3, 9, 7, 49}, {6, 13, 1, 1, 1, 15, 21, 21}, {6, 16, 1, 3, 1, 13, 27, 49},
        {6, 19, 1, 1, 1, 15, 7, 5}, {6, 22, 1, 3, 1, 15, 13, 25}, {6, 25, 1, 1, 5, 5, 19, 61},
        {7, 1, 1, 3, 7, 11, 23, 15, 103}, {7, 4, 1, 3, 7, 13, 13, 15, 69}};

    private final int dimension;
    private final int[][] directions;
    private final int[] state;
    private int index;

    private Sobol(int dimension, int[][] directions, int[] state) {
        this.dimension = dimension;
        this.directions = directions;
        this.state = state;
    }

    /// The plain sequence; its first point is the origin.
    public static Sobol plain(int dimension) {
        return new Sobol(dimension, directions(dimension), new int[dimension]);
    }

    /// A scrambled sequence; every point is uniform on the unit cube over the choice of `seed`.
    public static Sobol scrambled(int dimension, long seed) {
        var random = new SplittableRandom(seed);
        int[][] v = directions(dimension);
        int[] shift = new int[dimension];
        for (int d = 0; d < dimension; d++) {
            // Lower triangular bit matrix with ones on the diagonal; row r makes output bit r from input bits 0 .. r.
            int[] matrix = new int[BITS];
            for (int r = 0; r < BITS; r++) {
                int above = r == 0 ? 0 : random.nextInt() & -1 << BITS - r;
                matrix[r] = above | 1 << BITS - 1 - r;
            }
            for (int k = 0; k < BITS; k++) {
                int out = 0;
                for (int r = 0; r < BITS; r++) {
                    out |= (Integer.bitCount(matrix[r] & v[d][k]) & 1) << BITS - 1 - r;
                }
                v[d][k] = out;
            }
            shift[d] = random.nextInt();
        }
        return new Sobol(dimension, v, shift);
    }

    private static int[][] directions(int dimension) {
        if (dimension < 1 || dimension > MAX_DIMENSION) {
            throw new IllegalArgumentException("Sobol points are known in 1 to " + MAX_DIMENSION + " dimensions, was " + dimension);
        }
        int[][] v = new int[dimension][BITS];
        for (int k = 0; k < BITS; k++) {
            v[0][k] = 1 << BITS - 1 - k;
        }
        for (int d = 1; d < dimension; d++) {
            int[] entry = JOE_KUO[d - 1];
            int s = entry[0];
            int a = entry[1];
            for (int k = 0; k < BITS; k++) {
                if (k < s) {
                    v[d][k] = entry[2 + k] << BITS - 1 - k;
                } else {
                    v[d][k] = v[d][k - s] ^ v[d][k - s] >>> s;
                    for (int j = 1; j < s; j++) {
                        v[d][k] ^= (a >>> s - 1 - j & 1) * v[d][k - j];
                    }
                }
            }
        }
        return v;
    }

    /// The next point as 32-bit fractions, read as unsigned multiples of 2^-32.
    private void advance(int[] bits) {
        if (index == MAX_POINTS) {
            throw new IllegalStateException("no more than 2^30 Sobol points");
        }
        System.arraycopy(state, 0, bits, 0, dimension);
        int flip = Integer.numberOfTrailingZeros(++index);
        for (int d = 0; d < dimension; d++) {
            state[d] ^= directions[d][flip];
        }
    }

    /// The next `n` points in `[0,1)^d`, one row each.
    public double[][] next(int n) {
        double[][] points = new double[n][dimension];
        int[] bits = new int[dimension];
        for (double[] p : points) {
            advance(bits);
            for (int d = 0; d < dimension; d++) {
                p[d] = Integer.toUnsignedLong(bits[d]) * 0x1p-32;
            }
        }
        return points;
    }

    /// `n` scrambled points mapped to independent standard normals, one row each; no coordinate is infinite.
    public static double[][] normals(int n, int dimension, long seed) {
        double[][] points = scrambled(dimension, seed).next(n);
        for (double[] p : points) {
            for (int d = 0; d < dimension; d++) {
                p[d] = StandardNormal.quantile(p[d] + 0x1p-33);
            }
        }
        return points;
    }

    /// As [#normals], then shifted and rotated so that the sample's mean is zero and its covariance (divisor n) the identity: a linear
    /// function of them then has exactly its true mean and variance however few they are. Needs `n > dimension`.
    public static double[][] matchedNormals(int n, int dimension, long seed) {
        if (n <= dimension) {
            throw new IllegalArgumentException("matching moments in " + dimension + " dimensions needs more than " + n + " points");
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
