package knobscape.fusion.source;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Sizes of memories as people write them: `20MB`, `1.5 GB`, `512KiB`, `4096 B`. MB is 10^6 bytes, MiB is 2^20.
public final class ByteSize {
    private record Unit(String name, long bytes) {}

    private static final List<Unit> UNITS = List.of(
            new Unit("B", 1),
            new Unit("kB", 1_000),
            new Unit("MB", 1_000_000),
            new Unit("GB", 1_000_000_000L),
            new Unit("KiB", 1L << 10),
            new Unit("MiB", 1L << 20),
            new Unit("GiB", 1L << 30));
    private static final Pattern FORM = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)\\s*([A-Za-z]+)");
    private static final double LARGEST = 1L << 50;

    private ByteSize() {}

    /// Bytes of `text`. Throws [IllegalArgumentException] with a sentence part (`'20' has no unit; ...`) where
    /// it is no size, is not a whole number of bytes or is above 2^50.
    public static long parse(String text) {
        var m = FORM.matcher(text.strip());
        if (!m.matches()) {
            boolean bare = text.strip().matches("\\d+(\\.\\d+)?");
            throw new IllegalArgumentException("'" + text + "' " + (bare ? "has no unit" : "is not a size")
                    + "; write for example 20MB, 512KiB or 4096B");
        }
        Unit unit = UNITS.stream()
                .filter(u -> u.name().equalsIgnoreCase(m.group(2)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + m.group(2) + "' is not a unit of size; known are "
                        + String.join(", ", UNITS.stream().map(Unit::name).toList())));
        double bytes = Double.parseDouble(m.group(1)) * unit.bytes();
        if (bytes > LARGEST) {
            throw new IllegalArgumentException("'" + text + "' is larger than any memory; give at most 1024 TiB");
        }
        return Math.round(bytes);
    }

    /// The size in the largest decimal unit that keeps it exact to a byte (`20MB`, `19267584B`); [#parse] reads
    /// it back.
    public static String text(long bytes) {
        for (Unit unit : List.of(UNITS.get(3), UNITS.get(2), UNITS.get(1))) {
            if (bytes != 0 && bytes % unit.bytes() == 0) {
                return bytes / unit.bytes() + unit.name();
            }
        }
        return bytes + "B";
    }

    /// The size for a person, rounded: `19.27 MB`.
    public static String shown(double bytes) {
        double size = Math.abs(bytes);
        if (size < 1e3) {
            return String.format(Locale.ROOT, "%.0f B", bytes);
        }
        return size < 1e6
                ? String.format(Locale.ROOT, "%.2f kB", bytes / 1e3)
                : size < 1e9
                        ? String.format(Locale.ROOT, "%.2f MB", bytes / 1e6)
                        : String.format(Locale.ROOT, "%.2f GB", bytes / 1e9);
    }
}
