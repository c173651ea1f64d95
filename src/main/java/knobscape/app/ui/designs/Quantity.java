package knobscape.app.ui.designs;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Set;
import knobscape.evaluate.Metric;

/// How the values of one metric are written in one place: a unit that suits their size and a fixed number of
/// decimals, so that columns line up on the decimal point.
///
/// @param unit shown after a number or in a heading, empty for a count
/// @param divisor raw value per shown value
/// @param decimals digits behind the point
public record Quantity(String unit, double divisor, int decimals) {
    private static final double SHORT_SECONDS = 5400;
    private static final char GROUP = '\u202f';
    private static final String NOTHING = "\u2013";
    private static final Set<String> TIMES = Set.of("ns", "\u00b5s", "us", "ms", "s", "cycles");
    /// Numbers from here on are written with a power of ten.
    private static final double LONGEST = 1e10;
    /// Part of the largest value below which a value does not decide about the unit.
    private static final double LEAST_PART = 1e-4;

    private static final int SIGNIFICANT = 3;
    private static final double LEAST_SHOWN = 0.01;
    private static final int MAX_DECIMALS = 3;

    /// Suits values of `metric` between `low` and `high` (in the metric's unit; either may be NaN).
    public static Quantity of(Metric metric, double low, double high) {
        double top = Double.isFinite(high) ? Math.abs(high) : 1;
        double bottom = Double.isFinite(low) && low > 0 ? Math.min(low, top) : top;
        // Of times the best one is read most, and tables that show one value alone write it in a unit of its own.
        double least = Math.max(bottom, top * LEAST_PART);
        return switch (metric.unit()) {
            // Counts are whole; a table of somebody else may have shares and losses.
            case "" -> low % 1 == 0 && high % 1 == 0 ? new Quantity("", 1, 0) : scaled("", 1, bottom);
            case "cycles" -> new Quantity("cycles", 1, 0);
            case "ns" -> time(least, bottom, 1);
            case "us", "\u00b5s" -> time(least, bottom, 1e3);
            case "ms" -> time(least, bottom, 1e6);
            case "W" -> Math.sqrt(least * top) < 0.05 ? scaled("mW", 1e-3, bottom) : scaled("W", 1, bottom);
            default -> scaled(metric.unit(), 1, bottom);
        };
    }

    /// @param unit nanoseconds of one
    private static Quantity time(double least, double bottom, double unit) {
        double ns = least * unit;
        if (ns >= 1e9) {
            return scaled("s", 1e9 / unit, bottom);
        }
        if (ns >= 1e6) {
            return scaled("ms", 1e6 / unit, bottom);
        }
        return ns >= 1e3 ? scaled("\u00b5s", 1e3 / unit, bottom) : scaled("ns", 1 / unit, bottom);
    }

    private static Quantity scaled(String unit, double divisor, double smallest) {
        double shown = smallest / divisor;
        int digits = shown > 0 ? (int) Math.floor(Math.log10(shown)) + 1 : 1;
        return new Quantity(unit, divisor, Math.clamp(SIGNIFICANT - (long) digits, 0, MAX_DECIMALS));
    }

    /// The same unit with as many decimals as one value needs to stand alone; another unit only where this one would
    /// leave nothing but zeros of it.
    public Quantity suited(Metric metric, double value) {
        double shown = Math.abs(value / divisor);
        return shown > 0 && shown < LEAST_SHOWN
                ? of(metric, value, value)
                : decimals == 0 && (value % 1 == 0 || unit.equals("cycles"))
                        ? this
                        : scaled(unit, divisor, Math.abs(value));
    }

    /// The number alone, a dash for NaN. A minus is a true minus sign.
    public String format(double raw) {
        if (!Double.isFinite(raw)) {
            return NOTHING;
        }
        double shown = raw / divisor;
        return shown >= LONGEST
                ? Sizes.words(BigDecimal.valueOf(shown).toBigInteger())
                : grouped(String.format(Locale.ROOT, "%." + decimals + "f", shown));
    }

    /// The number with its unit.
    public String withUnit(double raw) {
        return unit.isEmpty() || !Double.isFinite(raw) ? format(raw) : format(raw) + " " + unit;
    }

    /// `Delay (µs)`, or the label alone where there is no unit.
    public String heading(String label) {
        return unit.isEmpty() ? label : label + " (" + unit + ")";
    }

    /// Narrow spaces that do not break between groups of three digits, and a true minus sign.
    static String grouped(String plain) {
        boolean negative = plain.startsWith("-");
        String digits = negative ? plain.substring(1) : plain;
        int point = digits.indexOf('.');
        String whole = point < 0 ? digits : digits.substring(0, point);
        var b = new StringBuilder(whole);
        if (whole.length() >= 4) {
            for (int i = whole.length() - 3; i > 0; i -= 3) {
                b.insert(i, GROUP);
            }
        }
        return (negative ? "\u2212" : "") + b + (point < 0 ? "" : digits.substring(point));
    }

    /// A whole number with narrow spaces between groups.
    public static String count(long n) {
        return grouped(Long.toString(n));
    }

    /// Change of a metric from `from` to `to`: percent below twofold (`−12 %`, `+61 %`, `0 %`), from there on
    /// `45× faster` of a time and `3.2× less` of anything else.
    public static String change(Metric metric, double from, double to) {
        if (!Double.isFinite(from) || !Double.isFinite(to) || from == 0) {
            return NOTHING;
        }
        double ratio = to / from;
        if (ratio >= 2 || (ratio > 0 && ratio <= 0.5)) {
            String way =
                    TIMES.contains(metric.unit()) ? ratio > 1 ? " slower" : " faster" : ratio > 1 ? " more" : " less";
            return times(Math.max(ratio, 1 / ratio)) + "\u00d7" + way;
        }
        double percent = (ratio - 1) * 100;
        String figure = Math.abs(percent) < 10 && Math.abs(percent) >= 0.05
                ? String.format(Locale.ROOT, "%+.1f", percent)
                : String.format(Locale.ROOT, "%+d", Math.round(percent));
        figure = figure.equals("+0") || figure.equals("-0") ? "0" : figure.replace('-', '\u2212');
        return figure + " %";
    }

    /// `2.4`, `45`, `1 450`.
    public static String times(double ratio) {
        return ratio < 9.95 ? String.format(Locale.ROOT, "%.1f", ratio) : count(Math.round(ratio));
    }

    /// Seconds in words for a status line: `38 s`, `6 min`, `2 h 05 min`.
    public static String duration(double seconds) {
        if (!Double.isFinite(seconds)) {
            return NOTHING;
        }
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        if (seconds < 90) {
            return Math.round(seconds) + " s";
        }
        long minutes = Math.round(seconds / 60);
        return minutes < 90
                ? minutes + " min"
                : minutes / 60 + " h " + String.format(Locale.ROOT, "%02d min", minutes % 60);
    }

    /// Tool time with its unit: minutes below an hour and a half (`42 s`, `28 min`, `11.2 h`).
    public static String spent(double seconds) {
        return seconds < SHORT_SECONDS ? duration(seconds) : hours(seconds) + " h";
    }

    /// The same inside a line: `11.2 measured hours`, `42 s of measured time`.
    ///
    /// @param hours `measured hours`
    public static String spent(double seconds, String hours) {
        return seconds < SHORT_SECONDS
                ? duration(seconds) + " of " + hours.replace("hours", "time")
                : hours(seconds) + " " + hours;
    }

    /// Tool time in hours: `0.131`, `1.24`, `11.2`, `440`.
    public static String hours(double seconds) {
        double h = seconds / 3600;
        int digits = h < 1 ? 3 : h < 10 ? 2 : h < 100 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + digits + "f", h);
    }
}
