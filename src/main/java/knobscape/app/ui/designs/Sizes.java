package knobscape.app.ui.designs;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/// Sizes of spaces, which may exceed 10^90, in words.
public final class Sizes {
    private static final BigInteger LARGEST_PLAIN = BigInteger.valueOf(99_999_999);
    private static final String SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

    private Sizes() {}

    /// `4 812`, or `1.03 × 10¹²` from a hundred million up.
    public static String words(BigInteger size) {
        if (size.compareTo(LARGEST_PLAIN) <= 0) {
            return Quantity.count(size.longValueExact());
        }
        BigDecimal rounded = new BigDecimal(size).round(new MathContext(3, RoundingMode.HALF_UP));
        int exponent = rounded.precision() - rounded.scale() - 1;
        String mantissa = String.format(
                Locale.ROOT, "%.2f", rounded.movePointLeft(exponent).doubleValue());
        var power = new StringBuilder();
        for (char c : Integer.toString(exponent).toCharArray()) {
            power.append(SUPERSCRIPTS.charAt(c - '0'));
        }
        return mantissa + " \u00d7 10" + power;
    }

    /// The share that is left: `12 %`, `0.47 %`, `1 in 21 400`, `all`.
    public static String share(BigInteger part, BigInteger whole) {
        if (part.equals(whole)) {
            return "all";
        }
        double percent = new BigDecimal(part)
                .multiply(BigDecimal.valueOf(100))
                .divide(new BigDecimal(whole), MathContext.DECIMAL64)
                .doubleValue();
        if (percent >= 10) {
            return Math.round(percent) + " %";
        }
        if (percent >= 0.01) {
            return String.format(Locale.ROOT, percent >= 1 ? "%.1f %%" : "%.2f %%", percent);
        }
        return "1 in "
                + words(new BigDecimal(whole)
                        .divide(new BigDecimal(part.max(BigInteger.ONE)), 0, RoundingMode.HALF_UP)
                        .toBigInteger());
    }

    /// Logarithm to base 10 of a positive number of any size.
    public static double log10(BigInteger n) {
        int shift = Math.max(0, n.bitLength() - 52);
        return Math.log10(n.shiftRight(shift).doubleValue()) + shift * Math.log10(2);
    }
}
