package knobscape.app.ui.hls.source;

import java.util.Locale;
import java.util.stream.Collectors;
import knobscape.app.ui.designs.Quantity;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.TripCount;

/// The findings in a source, in a few words.
public final class SourceWords {
    private SourceWords() {}

    /// `64 iterations`, `2 to 64 iterations, 33 on average`, `unknown trip count`, `64 iterations (stated)`.
    public static String trip(TripCount t) {
        if (t.min().isEmpty() && t.max().isEmpty()) {
            return t.average().isEmpty()
                    ? "unknown trip count"
                    : plain(t.average().getAsDouble()) + " iterations on average (measured in a run)";
        }
        String stated = switch (t.certainty()) {
            case STATED -> " (stated in the source)";
            case MEASURED -> " (measured in a run)";
            case EXACT, BOUNDED, UNKNOWN -> "";
        };
        if (t.min().equals(t.max())) {
            long n = t.max().getAsLong();
            return Quantity.count(n) + (n == 1 ? " iteration" : " iterations") + stated;
        }
        if (t.min().isEmpty()) {
            return "at most " + Quantity.count(t.max().getAsLong()) + " iterations" + stated;
        }
        if (t.max().isEmpty()) {
            return "at least " + Quantity.count(t.min().getAsLong()) + " iterations" + stated;
        }
        return Quantity.count(t.min().getAsLong()) + " to "
                + Quantity.count(t.max().getAsLong()) + " iterations"
                + t.average().stream()
                        .mapToObj(a -> ", " + plain(a) + " on average")
                        .collect(Collectors.joining()) + stated;
    }

    private static String plain(double v) {
        return v == Math.rint(v) ? Quantity.count((long) v) : String.format(Locale.ROOT, "%.1f", v);
    }

    /// `m1[64][64] of float, 32 bit`.
    public static String array(ArrayVariable a) {
        return a.name() + dimensions(a) + " of " + a.element().spelling() + ", "
                + a.element().bits() + " bit";
    }

    /// `[64][64]`, with `[?]` for an unknown dimension.
    public static String dimensions(ArrayVariable a) {
        return a.dims().stream()
                .map(d -> "[" + (d == 0 ? "?" : Quantity.count(d)) + "]")
                .collect(Collectors.joining());
    }
}
