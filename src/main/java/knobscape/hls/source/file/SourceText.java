package knobscape.hls.source.file;

import java.util.Arrays;
import knobscape.hls.source.Location;

/// One file's text with the places of its lines.
public final class SourceText {
    private final String name;
    private final String text;
    private final int[] lineStarts;

    /// @param name shown to people
    /// @param text without a byte order mark
    public SourceText(String name, String text) {
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

    /// Without a byte order mark.
    public String text() {
        return text;
    }

    /// Place of `length` characters from `offset`; both are cut to the text.
    public Location location(int offset, int length) {
        int o = Math.clamp(offset, 0, text.length());
        int line = line(o);
        return new Location(name, line, o - lineStarts[line - 1] + 1, o, Math.clamp(length, 0, text.length() - o));
    }

    /// The 1-based line of an offset.
    public int line(int offset) {
        int at = Arrays.binarySearch(lineStarts, offset);
        return at >= 0 ? at + 1 : -at - 1;
    }

    /// Offset of a 1-based line and a 1-based column in bytes of UTF-8, as a compiler counts.
    public int offset(int line, int column) {
        int start = lineStarts[Math.clamp(line, 1, lineStarts.length) - 1];
        int end = line < lineStarts.length ? lineStarts[line] : text.length();
        int bytes = 1;
        int at = start;
        while (at < end && bytes < column) {
            int c = text.codePointAt(at);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            at += Character.charCount(c);
        }
        return at;
    }
}
