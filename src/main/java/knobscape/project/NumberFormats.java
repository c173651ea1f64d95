package knobscape.project;

import java.util.Locale;

/// Numbers and times as a person reads them.
public final class NumberFormats {
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 86_400;

    private NumberFormats() {}

    /// Four significant digits without an exponent where the size allows, whole numbers in full: `0.4121`,
    /// `83.05`, `9120`.
    public static String shortest(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            return "-";
        }
        if (value == Math.rint(value) && size < 1e9) {
            return Long.toString((long) value);
        }
        if (size >= 1e9 || size < 1e-4) {
            return String.format(Locale.ROOT, "%.3e", value);
        }
        int decimals = Math.max(0, 3 - (int) Math.floor(Math.log10(size)));
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /// A duration in its two largest units: `38 s`, `6 min`, `2 h 05 min`, `3 d 4 h`; `-` where it is not
    /// known.
    public static String duration(double seconds) {
        if (!Double.isFinite(seconds) || seconds < 0) {
            return "-";
        }
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        if (seconds < 2 * MINUTE) {
            return Math.round(seconds) + " s";
        }
        if (seconds < 2 * HOUR) {
            return Math.round(seconds / MINUTE) + " min";
        }
        if (seconds < 2 * DAY) {
            long minutes = Math.round(seconds / MINUTE);
            return String.format(Locale.ROOT, "%d h %02d min", minutes / 60, minutes % 60);
        }
        long hours = Math.round(seconds / HOUR);
        return hours / 24 + " d " + hours % 24 + " h";
    }
}
