package knobscape.gpu.space.nest;

/// The error function to double precision: its power series near 0, a continued fraction of its complement
/// beyond.
final class ErrorFunction {
    private static final double SERIES_UP_TO = 2.5;
    private static final double ONE_FROM = 6;
    private static final int TERMS = 80;

    private ErrorFunction() {}

    static double of(double x) {
        double a = Math.abs(x);
        return Math.copySign(a < SERIES_UP_TO ? series(a) : a < ONE_FROM ? 1 - complement(a) : 1, x);
    }

    private static double series(double x) {
        double term = x;
        double sum = x;
        for (int n = 1; n < TERMS; n++) {
            term *= -x * x / n;
            sum += term / (2 * n + 1);
        }
        return 2 / Math.sqrt(Math.PI) * sum;
    }

    private static double complement(double x) {
        double f = 0;
        for (int n = TERMS; n > 0; n--) {
            f = n / 2.0 / (x + f);
        }
        return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + f);
    }
}
