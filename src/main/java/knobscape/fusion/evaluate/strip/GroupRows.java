package knobscape.fusion.evaluate.strip;

import knobscape.fusion.source.rows.RowEdge;

/// The rows that the layers of one group read, make and hand on, whatever its strips. Scratch memory for one thread.
///
/// The pace layer, the last of a group with more than one row, makes t rows a strip. Layers that it depends on make
/// exactly what it needs, the others what they can, and in the last strip everything. A group of windows alone may be
/// cut
/// into stripes of columns too, and make rows again that it could keep.
sealed class GroupRows permits Strips {
    static final int NONE = -1;
    final StripModel m;
    final int[] rows;
    final RowEdge[][] edges;
    int first;
    int last;
    int pace;
    /// Tensors that the group reads and does not make; the rows of those that stream do not count as room.
    final int[] outside;
    int outsides;
    final boolean[] streams;
    final boolean[] reaches;
    final boolean[] held;
    final boolean[] stored;
    final int[] wanted;
    final long[] bytes;
    private final int[] lastReader;
    private final int[] firstReader;
    /// The layer at whose turn rows of a layer's result come: its own, or that of the scores that it works through in
    /// blocks.
    private final int[] begins;
    /// Lists of tensors by the layer at whose turn they come, and by the last one that they are needed for.
    final int[] comes;
    final int[] comesNext;
    final int[] goes;
    final int[] goesNext;
    /// Bytes of a row that stay whatever layers come in front; 0 where the schedule may change with them.
    final long[] floorBytes;
    boolean floorIsRoom;
    boolean sidelong;
    /// True if every layer feeds the pace layer through windows, and nothing else is read.
    private boolean cuttable;
    private boolean overlaps;
    private boolean columned;
    int stripes;
    private int[] tensors = {};

    GroupRows(StripModel model) {
        m = model;
        rows = model.rows;
        edges = model.edges;
        int n = rows.length;
        outside = new int[n];
        streams = new boolean[n];
        reaches = new boolean[n];
        held = new boolean[n];
        stored = new boolean[n];
        wanted = new int[n];
        bytes = new long[n];
        lastReader = new int[n];
        firstReader = new int[n];
        begins = new int[n];
        comes = new int[n];
        comesNext = new int[n];
        goes = new int[n];
        goesNext = new int[n];
        floorBytes = new long[n];
    }

    /// Looks at the layers `a` to `b`.
    void group(int a, int b) {
        first = a;
        last = b;
        pace = b;
        while (pace > a && rows[pace] == 1) {
            pace--;
        }
        if (rows[pace] == 1) {
            pace = b;
        }
        for (int o = 0; o < outsides; o++) {
            firstReader[outside[o]] = 0;
        }
        outsides = 0;
        boolean leaps = false;
        cuttable = true;
        overlaps = false;
        columned = m.columns[pace] > 1;
        for (int i = a; i <= b; i++) {
            lastReader[i] = i;
            reaches[i] = i == pace;
            held[i] = false;
            comes[i] = NONE;
            goes[i] = NONE;
            stored[i] = m.lastUse[i] > b;
            bytes[i] = stored[i] ? m.rowBytes[i] : m.blockBytes[i];
            cuttable &= bytes[i] == m.rowBytes[i];
            overlaps |= Pieces.overlap(edges[i]);
            columned &= m.columns[i] > 0;
            for (RowEdge e : edges[i]) {
                int p = e.from();
                cuttable &= e.kind() == RowEdge.Kind.WINDOW || e.kind() == RowEdge.Kind.TRANSPOSED;
                columned &= m.columns[p] > 0;
                if (p < a && firstReader[p] == 0) {
                    firstReader[p] = i;
                    outside[outsides++] = p;
                    streams[p] = true;
                    reaches[p] = false;
                    wanted[p] = 0;
                    bytes[p] = m.rowBytes[p];
                }
                lastReader[p] = i;
                held[i] |= e.kind() == RowEdge.Kind.ACCUMULATING;
                if (p < a) {
                    leaps |= e.stride() > e.kernel();
                    streams[p] &= e.kind() == RowEdge.Kind.FULL;
                    wanted[p] = Math.max(wanted[p], e.need(rows[i], rows[p]));
                }
            }
        }
        for (int i = b; i >= a; i--) {
            boolean blocks = bytes[i] < m.rowBytes[i];
            for (RowEdge e : edges[i]) {
                reaches[e.from()] |= reaches[i];
                // Scores that never exist whole: what they are made from stays until they are used up.
                if (blocks) {
                    lastReader[e.from()] = Math.max(lastReader[e.from()], lastReader[i]);
                }
            }
            link(i);
        }
        for (int i = a; i <= b; i++) {
            begins[i] = i;
            for (RowEdge e : edges[i]) {
                if (e.from() >= a && bytes[e.from()] < m.rowBytes[e.from()]) {
                    begins[i] = Math.min(begins[i], begins[e.from()]);
                }
            }
            comesNext[i] = comes[begins[i]];
            comes[begins[i]] = i;
        }
        sidelong = false;
        stripes = 1;
        floorIsRoom = !leaps && !m.machine().counting().doubleBuffered();
        for (int i = a; i <= b; i++) {
            floorBytes[i] = reaches[i] ? bytes[i] : 0;
            floorIsRoom &= reaches[i];
            cuttable &= reaches[i];
        }
        for (int o = 0; o < outsides; o++) {
            int p = outside[o];
            sidelong |= !reaches[p];
            floorBytes[p] = reaches[p] ? Math.min(bytes[p], m.blockBytes[p]) : 0;
            floorIsRoom &= floorBytes[p] == bytes[p];
            link(p);
            comesNext[p] = comes[firstReader[p]];
            comes[firstReader[p]] = p;
        }
        cuttable &= !sidelong;
        tensors = new int[outsides + b - a + 1];
        System.arraycopy(outside, 0, tensors, 0, outsides);
        for (int i = a; i <= b; i++) {
            tensors[outsides + i - a] = i;
        }
    }

    /// True if the group can be cut into pieces that keep nothing of one another.
    boolean isCuttable() {
        return cuttable;
    }

    /// True if such pieces share rows.
    boolean overlaps() {
        return overlaps;
    }

    /// True if the group can be cut into stripes of columns.
    boolean hasColumns() {
        return cuttable && columned;
    }

    /// Goes on with stripes of columns; one stripe is whole rows.
    void narrow(Pieces across, int count) {
        stripes = count;
        for (int x : tensors) {
            bytes[x] = count == 1 ? m.rowBytes[x] : part(m.rowBytes[x], across.most(x), across.extent(x));
            floorBytes[x] = bytes[x];
        }
    }

    /// Bytes of so many columns of a row.
    static long part(long bytes, long columns, int all) {
        return Math.ceilDiv(bytes * columns, (long) all);
    }

    /// The first layer of the group.
    int first() {
        return first;
    }

    /// The layer that sets the pace, which is the last one of a group that can be cut.
    int pace() {
        return pace;
    }

    /// The group's layers and what they read from off chip.
    int[] tensors() {
        return tensors;
    }

    private void link(int tensor) {
        goesNext[tensor] = goes[lastReader[tensor]];
        goes[lastReader[tensor]] = tensor;
    }

    /// Rows of the layer that sets the pace.
    int paceRows() {
        return rows[pace];
    }

    /// Number of tensors that come from off chip.
    int outsides() {
        return outsides;
    }

    /// One of these tensors.
    int outside(int index) {
        return outside[index];
    }

    /// True if such a tensor is read whole for every strip, so that it is streamed or pinned like weights.
    boolean streams(int tensor) {
        return streams[tensor];
    }

    /// Rows of such a tensor that are loaded.
    int wanted(int tensor) {
        return wanted[tensor];
    }

    /// The first layer of the group that reads such a tensor.
    int firstReader(int tensor) {
        return firstReader[tensor];
    }

    /// True if a layer's result is written off chip.
    boolean stored(int layer) {
        return stored[layer];
    }

    int wantedOf(int tensor) {
        return tensor < first ? wanted[tensor] : rows[tensor];
    }
}
