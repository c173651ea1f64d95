package knobscape.fusion.source.rows;

import java.util.BitSet;

/// The rows of one tensor that the rows of another are made from.
///
/// @param from index of the tensor that is read
/// @param kernel rows under the window, gaps of a dilation included
/// @param stride rows the window moves for each row of the reader
/// @param pad rows before the first one that exist in the window only
/// @param up rows of the reader for each row read; above 1 only where `stride` is 1
public record RowEdge(int from, Kind kind, int kernel, int stride, int pad, int up) {
    /// How rows depend on rows.
    public enum Kind {
        /// A sliding window.
        WINDOW,
        /// A sliding window over a tensor whose rows lie `up` apart: a transposed convolution or an upsampling.
        TRANSPOSED,
        /// Every row needs all rows: a fully connected layer behind a flatten, K and V of an attention.
        FULL,
        /// Every row is read once, in order, and nothing is kept: global pooling.
        ACCUMULATING
    }

    /// Throws [IllegalArgumentException] where a number is impossible.
    public RowEdge {
        if (from < 0 || kernel < 1 || stride < 1 || up < 1) {
            throw new IllegalArgumentException("an edge of kernel " + kernel + ", stride " + stride + ", up " + up);
        }
    }

    /// A sliding window.
    public static RowEdge window(int from, int kernel, int stride, int pad) {
        return new RowEdge(from, Kind.WINDOW, kernel, stride, pad, 1);
    }

    /// Row i is made from row i.
    public static RowEdge same(int from) {
        return window(from, 1, 1, 0);
    }

    /// A window over rows that lie `up` apart.
    public static RowEdge transposed(int from, int kernel, int up, int pad) {
        return new RowEdge(from, Kind.TRANSPOSED, kernel, 1, pad, up);
    }

    /// All rows for every row.
    public static RowEdge full(int from) {
        return new RowEdge(from, Kind.FULL, 1, 1, 0, 1);
    }

    /// Every row once.
    public static RowEdge accumulating(int from) {
        return new RowEdge(from, Kind.ACCUMULATING, 1, 1, 0, 1);
    }

    /// Rows of the source that the reader's rows `0..end-1` need.
    ///
    /// @param height rows of the source
    public int need(int end, int height) {
        if (end <= 0) {
            return 0;
        }
        long rows = switch (kind) {
            case WINDOW -> (long) (end - 1) * stride - pad + kernel;
            case TRANSPOSED -> Math.floorDiv(end - 1L + pad, up) + 1;
            case FULL, ACCUMULATING -> height;
        };
        return Math.clamp(rows, 0, height);
    }

    /// Rows of the source that any of the reader's rows is made from: without those that its window leaps over.
    ///
    /// @param readers rows of the reader
    /// @param height rows of the source
    public BitSet reads(int readers, int height) {
        var rows = new BitSet(height);
        if (kind != Kind.WINDOW || kernel >= stride) {
            int from = kind == Kind.WINDOW ? Math.clamp(-(long) pad, 0, height) : 0;
            rows.set(from, Math.max(from, need(readers, height)));
            return rows;
        }
        for (int r = 0; r < readers; r++) {
            long begin = (long) r * stride - pad;
            rows.set(Math.clamp(begin, 0, height), Math.clamp(begin + kernel, 0, height));
        }
        return rows;
    }

    /// The first row of the source that the reader's rows from `end` on still need; only where it has such rows.
    ///
    /// @param made rows of the source that exist
    public int first(int end, int made) {
        long row = switch (kind) {
            case WINDOW -> (long) end * stride - pad;
            case TRANSPOSED -> -Math.floorDiv(-(end + (long) pad - kernel + 1), up);
            case FULL -> 0;
            case ACCUMULATING -> made;
        };
        return Math.clamp(row, 0, made);
    }

    /// Rows the reader can make from the first `made` rows of the source.
    ///
    /// @param height rows of the source
    /// @param rows of the reader
    public int can(int made, int height, int rows) {
        if (made >= height) {
            return rows;
        }
        long end = switch (kind) {
            case WINDOW -> Math.floorDiv((long) made + pad - kernel, stride) + 1;
            case TRANSPOSED -> (long) made * up - pad;
            case FULL, ACCUMULATING -> 0;
        };
        return Math.clamp(end, 0, rows);
    }
}
