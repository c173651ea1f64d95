package knobscape.fusion.evaluate.strip;

import knobscape.fusion.source.rows.RowEdge;

/// A group cut along one axis into pieces that keep nothing of one another: what two pieces need is made, and loaded,
/// twice. Scratch memory for one thread.
///
/// The pace layer's pieces are equally long but the last one, which makes all that is left of every tensor.
final class Pieces {
    private final int[] extents;
    private final RowEdge[][] edges;
    private final int[] atOnce;
    private final boolean whole;
    private int[] from;
    private int[] to;
    /// The same of the piece before.
    private int[] fromBefore;
    private int[] toBefore;
    private final int[] done;
    private final int[] most;
    private final long[] total;
    private final long[] steps;

    /// @param extents length of every tensor along the axis
    /// @param edges of every tensor along the axis
    /// @param atOnce what of every tensor the array works on at once
    /// @param whole whether the last piece loads what no layer of the group needs, too
    Pieces(int[] extents, RowEdge[][] edges, int[] atOnce, boolean whole) {
        this.extents = extents;
        this.atOnce = atOnce;
        this.edges = edges;
        this.whole = whole;
        from = new int[extents.length];
        to = new int[extents.length];
        fromBefore = new int[extents.length];
        toBefore = new int[extents.length];
        done = new int[extents.length];
        most = new int[extents.length];
        total = new long[extents.length];
        steps = new long[extents.length];
    }

    /// Length of a tensor.
    int extent(int tensor) {
        return extents[tensor];
    }

    /// The longest piece of a tensor.
    int most(int tensor) {
        return most[tensor];
    }

    /// All pieces of a tensor together.
    long total(int tensor) {
        return total[tensor];
    }

    /// Steps of the array in which all pieces of a tensor are made, over those in which the whole is.
    double work(int tensor) {
        return (double) steps[tensor] / Math.ceilDiv(extents[tensor], atOnce[tensor]);
    }

    /// Cuts the group of these strips.
    ///
    /// @param size length of a piece of the pace layer
    void cut(Strips group, int size) {
        int count = Math.ceilDiv(extents[group.pace()], size);
        for (int x : group.tensors()) {
            done[x] = 0;
            most[x] = 0;
            total[x] = 0;
            steps[x] = 0;
        }
        for (int c = 0; c < count; c++) {
            swap();
            piece(group, c * size, size, c == count - 1);
            for (int x : group.tensors()) {
                add(x, 1);
                done[x] = Math.max(done[x], to[x]);
            }
            if (c > 0 && c < count - 2) {
                c += skip(group, count - 2 - c);
            }
        }
    }

    private void swap() {
        int[] old = fromBefore;
        fromBefore = from;
        from = old;
        old = toBefore;
        toBefore = to;
        to = old;
    }

    /// Counts pieces of a tensor that are as long as the one at hand.
    private void add(int x, int pieces) {
        int length = Math.max(0, to[x] - Math.min(from[x], done[x]));
        most[x] = Math.max(most[x], length);
        total[x] += (long) length * pieces;
        steps[x] += (long) Math.ceilDiv(length, atOnce[x]) * pieces;
    }

    /// Skips pieces that are like this one: where every tensor has moved on by as much as its readers ask for, all that
    /// follow are as long until a tensor nears its end.
    ///
    /// @return pieces skipped
    private int skip(Strips group, int most) {
        int skip = most;
        for (int x : group.tensors()) {
            int step = to[x] - toBefore[x];
            if (step <= 0 || from[x] - fromBefore[x] != step || done[x] != to[x]) {
                return 0;
            }
            skip = Math.min(skip, (extents[x] - 1 - to[x]) / step);
            if (x >= group.first()) {
                for (RowEdge e : edges[x]) {
                    int moved = to[e.from()] - toBefore[e.from()];
                    if (step * e.stride() != moved * e.up()) {
                        return 0;
                    }
                }
            }
        }
        if (skip <= 0) {
            return 0;
        }
        for (int x : group.tensors()) {
            int by = (to[x] - toBefore[x]) * skip;
            done[x] = toBefore[x];
            add(x, skip);
            from[x] += by;
            to[x] += by;
            done[x] = to[x];
        }
        return skip;
    }

    /// Looks at a piece in the middle alone, so that the longest piece is at least what [#most] says.
    void sample(Strips group, int size) {
        int count = Math.ceilDiv(extents[group.pace()], size);
        for (int x : group.tensors()) {
            done[x] = Integer.MAX_VALUE;
        }
        piece(group, count / 2 * size, size, count == 1);
        for (int x : group.tensors()) {
            most[x] = Math.max(0, to[x] - from[x]);
        }
    }

    private void piece(Strips group, int begin, int size, boolean last) {
        int pace = group.pace();
        for (int x : group.tensors()) {
            from[x] = Integer.MAX_VALUE;
            to[x] = last && (whole || x >= group.first()) ? extents[x] : 0;
        }
        from[pace] = begin;
        to[pace] = Math.min(extents[pace], begin + size);
        for (int i = pace; i >= group.first(); i--) {
            for (RowEdge e : edges[i]) {
                int p = e.from();
                from[p] = Math.min(from[p], e.first(Math.min(from[i], done[i]), extents[p]));
                to[p] = Math.max(to[p], e.need(to[i], extents[p]));
            }
        }
    }

    /// True if pieces share anything: whether windows overlap.
    static boolean overlap(RowEdge[] edges) {
        for (RowEdge e : edges) {
            if (e.kind() == RowEdge.Kind.WINDOW ? e.kernel() > e.stride() : e.kernel() > e.up()) {
                return true;
            }
        }
        return false;
    }
}
