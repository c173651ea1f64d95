package knobscape.network;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// Extents of a tensor, outermost first; a scalar has none. Extents are never negative, and the number of
/// elements is at most [#MAX_ELEMENTS].
public record Shape(List<Long> dims) {
    /// Most elements of a tensor: far above every real network, far below an overflow.
    public static final long MAX_ELEMENTS = 1L << 40;
    /// Most extents.
    public static final int MAX_RANK = 32;

    /// Throws [ShapeException] for a negative extent, too many extents or too many elements.
    public Shape {
        dims = List.copyOf(dims);
        if (dims.size() > MAX_RANK) {
            throw new ShapeException(
                    "a tensor of " + dims.size() + " axes is not supported (at most " + MAX_RANK + ")");
        }
        long elements = 1;
        for (long d : dims) {
            if (d < 0) {
                throw new ShapeException("an extent is negative in " + text(dims));
            }
            elements = d != 0 && elements > MAX_ELEMENTS / d ? Long.MAX_VALUE : elements * d;
            if (elements == Long.MAX_VALUE) {
                throw new ShapeException("a tensor of shape " + text(dims) + " is beyond every memory");
            }
        }
    }

    /// A shape of the given extents.
    public static Shape of(long... dims) {
        return new Shape(LongStream.of(dims).boxed().toList());
    }

    /// Number of extents.
    public int rank() {
        return dims.size();
    }

    /// One extent; negative axes count from the end.
    public long dim(int axis) {
        return dims.get(axis < 0 ? axis + dims.size() : axis);
    }

    /// Product of the extents; 1 for a scalar.
    public long elements() {
        return product(0, rank());
    }

    /// The same shape with one extent replaced.
    public Shape with(int axis, long extent) {
        var list = new ArrayList<>(dims);
        list.set(axis < 0 ? axis + dims.size() : axis, extent);
        return new Shape(list);
    }

    /// Product of the extents `from` (inclusive) to `to` (exclusive).
    public long product(int from, int to) {
        long n = 1;
        for (int i = from; i < to; i++) {
            n *= dims.get(i);
        }
        return n;
    }

    /// For example `1x64x56x56`; `scalar` where there is no extent.
    @Override
    public String toString() {
        return text(dims);
    }

    private static String text(List<Long> dims) {
        return dims.isEmpty()
                ? "scalar"
                : dims.stream().limit(MAX_RANK).map(String::valueOf).collect(Collectors.joining("x"));
    }
}
