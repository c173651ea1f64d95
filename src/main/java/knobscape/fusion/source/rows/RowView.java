package knobscape.fusion.source.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.network.Operator;
import knobscape.network.Shape;

/// A tensor of a network as rows of the nodes it is made of: concatenations, slices, reshapes and functions of each
/// element move no data of their own.
///
/// @param parts the nodes, and which of their rows each row of the tensor is made of
/// @param axis the axis whose extent counts the rows; -1 where all is one row
/// @param rows number of rows
record RowView(List<RowEdge> parts, int axis, int rows) {
    RowView {
        parts = List.copyOf(parts);
    }

    /// The rows that a node makes.
    static RowView of(int node, int axis, int rows) {
        return new RowView(List.of(RowEdge.same(node)), axis, rows);
    }

    /// The edges of a reader that reads this tensor's rows by an edge.
    ///
    /// @param by the reader's edge; its source is replaced
    List<RowEdge> read(RowEdge by) {
        return parts.stream().map(p -> compose(by, p)).toList();
    }

    /// The edges of a reader that combines them with rows of another tensor, so many.
    List<RowEdge> beside(int others) {
        return read(rows == others ? RowEdge.same(0) : RowEdge.full(0));
    }

    /// True if the largest of the last axis are taken, as a router takes them: within a row.
    boolean isKeptByTopK(Operator.Opaque o, Shape in) {
        String of = o.attributes().getOrDefault("axis", "-1");
        return o.type().equals("TopK")
                && o.domain().isEmpty()
                && axis >= 0
                && axis < in.rank() - 1
                && (of.equals("-1") || of.equals("" + (in.rank() - 1)));
    }

    /// The same with rows that are others of these.
    RowView through(RowEdge by, int newAxis, int newRows) {
        return new RowView(read(by), newAxis, newRows);
    }

    /// Both tensors, row by row.
    RowView with(RowView other) {
        var all = new ArrayList<>(parts);
        other.parts.stream().filter(p -> !all.contains(p)).forEach(all::add);
        return new RowView(all, axis, rows);
    }

    private static RowEdge compose(RowEdge by, RowEdge view) {
        int from = view.from();
        boolean plain = view.kind() == RowEdge.Kind.WINDOW && view.kernel() == 1 && view.stride() == 1;
        return switch (by.kind()) {
            case FULL -> RowEdge.full(from);
            case ACCUMULATING -> view.kind() == RowEdge.Kind.FULL ? RowEdge.full(from) : RowEdge.accumulating(from);
            case TRANSPOSED ->
                plain && view.pad() == 0
                        ? RowEdge.transposed(from, by.kernel(), by.up(), by.pad())
                        : isSame(by) ? view : RowEdge.full(from);
            case WINDOW ->
                switch (view.kind()) {
                    case FULL -> RowEdge.full(from);
                    case ACCUMULATING -> RowEdge.accumulating(from);
                    case WINDOW -> window(by, view);
                    case TRANSPOSED -> upsampled(by, view);
                };
        };
    }

    private static boolean isSame(RowEdge e) {
        return e.kernel() == 1 && e.stride() == 1 && e.up() == 1 && e.pad() == 0;
    }

    /// A window over windows: row e needs rows up to ((e - 1) s - p + R - 1) s' - p' + R'.
    private static RowEdge window(RowEdge by, RowEdge view) {
        return RowEdge.window(
                view.from(),
                (by.kernel() - 1) * view.stride() + view.kernel(),
                by.stride() * view.stride(),
                by.pad() * view.stride() + view.pad());
    }

    /// A window over rows each of which serves `up` rows.
    private static RowEdge upsampled(RowEdge by, RowEdge view) {
        int u = view.up();
        if (isSame(by)) {
            return view;
        }
        if (by.stride() == 1) {
            return RowEdge.transposed(
                    view.from(), by.kernel() - 1 + view.kernel(), u, by.kernel() - 1 - by.pad() + view.pad());
        }
        if (by.stride() % u == 0 && view.kernel() == u && view.pad() == 0) {
            int pad = Math.ceilDiv(by.pad(), u);
            return RowEdge.window(
                    view.from(), Math.floorDiv(by.kernel() - 1 - by.pad(), u) + 1 + pad, by.stride() / u, pad);
        }
        return RowEdge.full(view.from());
    }

    /// The same elements under other extents; empty where the rows are no longer rows.
    Optional<RowView> reshaped(Shape in, Shape out) {
        int same = sameAxis(in, out);
        if (rows == 1 || same >= 0) {
            return Optional.of(new RowView(parts, same, rows));
        }
        // Rows that are taken apart (the positions of an image as words), or all of them in one.
        for (int a = 1; a < out.rank(); a++) {
            long extent = out.dim(a);
            if (extent > rows && extent % rows == 0 && in.product(0, axis) == out.product(0, a)) {
                int up = Math.toIntExact(extent / rows);
                return Optional.of(through(RowEdge.transposed(0, up, up, 0), a, Math.toIntExact(extent)));
            }
        }
        return Optional.empty();
    }

    /// The axis that counts the same rows after a reshape; -1 where none does.
    private int sameAxis(Shape in, Shape out) {
        if (axis < 0 || axis >= in.rank()) {
            return -1;
        }
        long extent = in.dim(axis);
        for (int a = 0; a < out.rank(); a++) {
            if (out.dim(a) == extent && in.product(0, axis) == out.product(0, a)) {
                return a;
            }
        }
        // An axis may grow in front of it: keys and values repeated for more heads.
        for (int a = 1; a < out.rank() - 1; a++) {
            if (out.dim(a) == extent && out.dim(out.rank() - 1) == in.dim(in.rank() - 1) && axis < in.rank() - 1) {
                return a;
            }
        }
        return -1;
    }
}
