package knobscape.surrogate.gp;

/// A stationary covariance as a function of the squared scaled distance `r2 = sum ((x_d - x'_d) / l_d)^2`; 1 at
/// distance 0. Every kernel has loops of its own: one that called through this type for each element would take
/// longer as soon as a program uses two kernels.
enum StationaryKernel {
    /// Smoothness 5/2: `(1 + sqrt5 r + 5 r^2 / 3) exp(-sqrt5 r)` (thesis Eq. 3.16, with the root of the
    /// distance that the printed equation lacks; Rasmussen and Williams 2006, Eq. 4.17).
    MATERN52 {
        @Override
        void fill(double[] r2, double[] values, double[] slopes) {
            for (int p = 0; p < r2.length; p++) {
                double a = SQRT5 * Math.sqrt(r2[p]);
                double e = Math.exp(-a);
                values[p] = (1 + a + a * a / 3) * e;
                slopes[p] = 5.0 / 3 * (1 + a) * e;
            }
        }

        @Override
        void values(double[] r2) {
            for (int p = 0; p < r2.length; p++) {
                double a = SQRT5 * Math.sqrt(Math.max(0, r2[p]));
                r2[p] = (1 + a + a * a / 3) * Math.exp(-a);
            }
        }

        // The exponential by a polynomial at a 64th of its argument, squared six times, which the compiler
        // turns into vector instructions.
        @Override
        void roughValues(double[] r2) {
            for (int p = 0; p < r2.length; p++) {
                double a = Math.min(45, SQRT5 * Math.sqrt(Math.max(0, r2[p])));
                double t = a * (-1.0 / 64);
                double e = 1 + t * (1 + t * (0.5 + t * (1.0 / 6 + t * (1.0 / 24 + t * (1.0 / 120)))));
                e *= e;
                e *= e;
                e *= e;
                e *= e;
                e *= e;
                e *= e;
                r2[p] = (1 + a + a * a * (1.0 / 3)) * e;
            }
        }
    },
    /// `exp(-r^2 / 2)`.
    SQUARED_EXPONENTIAL {
        @Override
        void fill(double[] r2, double[] values, double[] slopes) {
            for (int p = 0; p < r2.length; p++) {
                values[p] = Math.exp(-0.5 * r2[p]);
                slopes[p] = values[p];
            }
        }

        @Override
        void values(double[] r2) {
            for (int p = 0; p < r2.length; p++) {
                r2[p] = Math.exp(-0.5 * Math.max(0, r2[p]));
            }
        }
    };

    private static final double SQRT5 = Math.sqrt(5);

    /// Fills in the covariances and `-2 dk / d(r2)`, so that `dk / d log l_d = slope * ((x_d - x'_d) / l_d)^2`.
    abstract void fill(double[] r2, double[] values, double[] slopes);

    /// Turns squared distances into covariances; of a distance that rounding left below 0 into 1.
    abstract void values(double[] r2);

    /// As [#values], to 1e-8 of a value where it is not tiny: for sorting out many points.
    void roughValues(double[] r2) {
        values(r2);
    }
}
