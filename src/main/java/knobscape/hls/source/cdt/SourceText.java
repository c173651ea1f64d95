package knobscape.hls.source.cdt;

import java.util.Arrays;
import knobscape.hls.source.Location;

/// One file's text with the places of its lines.
final class SourceText {
    private final String name;
    private final String text;
    private final int[] lineStarts;

    /// @param name shown to people
    /// @param text without a byte order mark
    SourceText(String name, String text) {
        this.name = name;
        this.text = text;
        int[] starts = new int[64];
        int n = 1;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\n') {
                if (n == starts.length) {
                    starts = Arrays.copyOf(starts, 2 * n);
                }
                starts[n++] = i + 1;
            }
        }
        lineStarts = Arrays.copyOf(starts, n);
    }

    String name() {
        return name;
    }

    String text() {
        return text;
    }

    /// Place of `length` characters from `offset`; both are cut to the text.
    Location location(int offset, int length) {
        int o = Math.clamp(offset, 0, text.length());
        int line = line(o);
        return new Location(name, line, o - lineStarts[line - 1] + 1, o, Math.clamp(length, 0, text.length() - o));
    }

    int line(int offset) {
        int at = Arrays.binarySearch(lineStarts, offset);
        return at >= 0 ? at + 1 : -at - 1;
    }
}
