package knobscape.app.ui.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Round values for an axis.
final class AxisTicks {
    private static final char THIN = '\u202f';

    private AxisTicks() {}

    /// Multiples of 1, 2 or 5 times a power of ten between `low` and `high`, about `count` of them.
    static List<Double> linear(double low, double high, int count) {
        return multiples(step((high - low) / Math.max(1, count)), low, high, count);
    }

    /// As [#linear], whole numbers alone.
    static List<Double> whole(double low, double high, int count) {
        return multiples(Math.max(1, step((high - low) / Math.max(1, count))), low, high, count);
    }

    private static List<Double> multiples(double step, double low, double high, int count) {
        // A single value, or one so large that no step changes it, has itself as its only tick.
        if (!(step > 0) || !Double.isFinite(step) || low + step == low) {
            return List.of(low);
        }
        var ticks = new ArrayList<Double>();
        long first = (long) Math.ceil(low / step - 1e-9);
        for (long k = first; k * step <= high + step * 1e-9 && k - first <= 10L * count + 10; k++) {
            ticks.add(k * step);
        }
        return ticks;
    }

    static double step(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double mantissa = rough / power;
        return power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
    }

    /// Values for a logarithmic axis: powers of ten, with 2 and 5 between where there is room, linear ones
    /// within less than half a decade.
    static List<Double> logarithmic(double low, double high, int count) {
        double decades = Math.log10(high / low);
        if (!(decades >= 0.6)) {
            return linear(low, high, count).stream().filter(v -> v > 0).toList();
        }
        double[] mantissas = decades * 3 <= count + 1
                ? new double[] {1, 2, 5}
                : decades * 2 <= count + 1 ? new double[] {1, 3} : new double[] {1};
        int stride = Math.max(1, (int) Math.ceil(decades / Math.max(1, count)));
        var ticks = new ArrayList<Double>();
        for (int e = (int) Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
            if (Math.floorMod(e, stride) != 0) {
                continue;
            }
            for (double m : mantissas) {
                double v = m * Math.pow(10, e);
                if (v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9)) {
                    ticks.add(v);
                }
            }
        }
        return ticks;
    }

    /// Label of a tick: plain digits, thousands as `12k`, millions as `3M`.
    static String label(double value, double spacing) {
        double size = Math.abs(value);
        if (size >= 1e6 && (spacing >= 1e5 || spacing == 0)) {
            return trimmed(value / 1e6, 1) + THIN + "M";
        }
        if (size >= 1e4 && (spacing >= 100 || spacing == 0)) {
            return trimmed(value / 1e3, 1) + THIN + "k";
        }
        int decimals = spacing > 0
                ? Math.clamp((long) -Math.floor(Math.log10(spacing) + 1e-9), 0, 6)
                : size > 0 ? Math.clamp((long) -Math.floor(Math.log10(size) + 1e-9), 0, 6) : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f", value).replace('-', '\u2212');
    }

    /// A value to four digits, as a tooltip has room for.
    static String exact(double value) {
        return !Double.isFinite(value) || Math.abs(value) >= 1e6
                ? label(value, 0)
                : new BigDecimal(value)
                        .round(new MathContext(Math.abs(value) >= 1e4 ? 6 : 4))
                        .stripTrailingZeros()
                        .toPlainString()
                        .replace('-', '\u2212');
    }

    private static String trimmed(double v, int decimals) {
        String s = String.format(Locale.ROOT, "%." + decimals + "f", v);
        return (s.endsWith(".0") ? s.substring(0, s.length() - 2) : s).replace('-', '\u2212');
    }
}
