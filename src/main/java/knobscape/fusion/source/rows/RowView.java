package knobscape.fusion.source.rows;

import java.util.ArrayList;
import java.util.List;

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

    /// What a node makes.
    static RowView of(int node, int axis, int rows) {
        return new RowView(List.of(RowEdge.same(node)), axis, rows);
    }

    /// The edges of a reader that reads this tensor's rows by an edge.
    ///
    /// @param by the reader's edge; its source is replaced
    List<RowEdge> read(RowEdge by) {
        return parts.stream().map(p -> compose(by, p)).toList();
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
}
