package knobscape.fusion.evaluate.strip;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowGraph;

/// One sample of images going through a group in stripes of columns and strips of rows, with explicit sets of cells (a
/// row of a column). It knows nothing of the formulas of [Pieces] and [Strips].
final class CellSimulation {
    private final RowGraph g;
    private final int first;
    private final int last;
    private final int pace;
    private final TreeSet<Integer> tensors = new TreeSet<>();
    private final Map<Integer, Long> moved = new HashMap<>();
    private final Map<Integer, Integer> launches = new HashMap<>();
    private final Map<Integer, Long> steps = new HashMap<>();
    private final int rowsAtOnce;
    private final int columnsAtOnce;
    private double room;

    /// @param stripes of columns
    /// @param t rows of the pace layer in a strip
    /// @param apart whether strips keep nothing of one another
    /// @param array what it makes at once, rows and columns
    CellSimulation(RowGraph g, int first, int last, int stripes, int t, boolean apart, int[] array) {
        this.g = g;
        rowsAtOnce = array[0];
        columnsAtOnce = array[1];
        this.first = first;
        this.last = last;
        int tall = last;
        while (tall > first && g.node(tall).rows() == 1) {
            tall--;
        }
        pace = g.node(tall).rows() == 1 ? last : tall;
        for (int i = first; i <= last; i++) {
            tensors.add(i);
            g.node(i).edges().forEach(e -> tensors.add(e.from()));
        }
        int width = Math.ceilDiv(g.columns(pace).count(), stripes);
        int strips = Math.ceilDiv(g.node(pace).rows(), t);
        var claimed = new HashMap<Integer, BitSet>();
        for (int c = 0; c < stripes; c++) {
            Map<Integer, BitSet> columns = needs(c * width, width, c == stripes - 1, false, claimed);
            var made = new HashMap<Integer, BitSet>();
            var rowsDone = new HashMap<Integer, BitSet>();
            for (int k = 0; k < strips; k++) {
                Map<Integer, BitSet> rows = apart
                        ? needs(k * t, t, k == strips - 1, true, rowsDone)
                        : needs(0, (k + 1) * t, k == strips - 1, true, new HashMap<>());
                strip(cells(rows, columns), made, apart);
            }
        }
    }

    double room() {
        return room;
    }

    int launches(int layer) {
        return launches.getOrDefault(layer, 0);
    }

    /// Steps in which the array makes a layer's cells.
    long steps(int layer) {
        return steps.getOrDefault(layer, 0L);
    }

    /// Cells of a tensor that were made or loaded, each as often as it was.
    long moved(int tensor) {
        return moved.getOrDefault(tensor, 0L);
    }

    private List<RowEdge> edges(int i, boolean down) {
        return down ? g.node(i).edges() : g.columns(i).edges();
    }

    private int extent(int i, boolean down) {
        return down ? g.node(i).rows() : g.columns(i).count();
    }

    /// Lines of every tensor that lines of the pace layer need; the last piece makes what no piece asked for.
    private Map<Integer, BitSet> needs(int begin, int length, boolean end, boolean down, Map<Integer, BitSet> claimed) {
        var all = new HashMap<Integer, BitSet>();
        tensors.forEach(x -> all.put(x, new BitSet()));
        all.get(pace).set(begin, Math.min(extent(pace, down), begin + length));
        // Rows of inputs come as they are needed, and whole.
        for (int x : tensors) {
            if (end && (x >= first || !down)) {
                var left = new BitSet();
                left.set(0, extent(x, down));
                left.andNot(claimed.getOrDefault(x, new BitSet()));
                all.get(x).or(left);
            }
        }
        for (int i = last; i >= first; i--) {
            int reader = i;
            all.get(i).stream()
                    .forEach(line -> edges(reader, down)
                            .forEach(e -> all.get(e.from()).or(RowSimulation.needs(e, line, extent(e.from(), down)))));
        }
        all.forEach((x, lines) -> claimed.computeIfAbsent(x, _ -> new BitSet()).or(lines));
        return all;
    }

    private Map<Integer, BitSet> cells(Map<Integer, BitSet> rows, Map<Integer, BitSet> columns) {
        var all = new HashMap<Integer, BitSet>();
        for (int x : tensors) {
            var set = new BitSet();
            int width = extent(x, false);
            rows.get(x).stream().forEach(r -> columns.get(x).stream().forEach(c -> set.set(r * width + c)));
            all.put(x, set);
        }
        return all;
    }

    private void strip(Map<Integer, BitSet> goal, Map<Integer, BitSet> made, boolean apart) {
        var fresh = new HashMap<Integer, BitSet>();
        var kept = new HashMap<Integer, BitSet>();
        var later = new HashMap<Integer, BitSet>();
        for (int x : tensors) {
            BitSet before = apart ? new BitSet() : made.getOrDefault(x, new BitSet());
            var f = (BitSet) goal.get(x).clone();
            f.andNot(before);
            fresh.put(x, f);
            kept.put(x, apart ? new BitSet() : wanted(x, before, made, goal, false));
            later.put(x, apart ? new BitSet() : wanted(x, goal.get(x), made, goal, true));
            moved.merge(x, (long) f.cardinality(), Long::sum);
            int width = extent(x, false);
            long rows = f.stream().map(c -> c / width).distinct().count();
            long columns = f.stream().map(c -> c % width).distinct().count();
            steps.merge(x, Math.ceilDiv(rows, rowsAtOnce) * Math.ceilDiv(columns, columnsAtOnce), Long::sum);
        }
        for (int i = first; i <= last; i++) {
            double live = 0;
            for (int x : tensors) {
                List<Integer> readers = readers(x);
                int begin = x < first ? readers.getFirst() : x;
                int end = readers.isEmpty() ? x : readers.getLast();
                var cells = (BitSet) (i > end ? later : kept).get(x).clone();
                if (i >= begin && i <= end) {
                    cells.or(fresh.get(x));
                }
                live += (double) cells.cardinality() * g.node(x).elements() / extent(x, false);
            }
            room = Math.max(room, live);
            if (!fresh.get(i).isEmpty()) {
                launches.merge(i, 1, Integer::sum);
            }
        }
        made.putAll(goal);
    }

    private List<Integer> readers(int x) {
        var list = new ArrayList<Integer>();
        for (int i = first; i <= last; i++) {
            if (g.node(i).edges().stream().anyMatch(e -> e.from() == x)) {
                list.add(i);
            }
        }
        return list;
    }

    /// Cells of those that exist which rows yet to be made need, in this stripe.
    private BitSet wanted(int x, BitSet exist, Map<Integer, BitSet> made, Map<Integer, BitSet> goal, boolean after) {
        var all = new BitSet();
        int width = extent(x, false);
        for (int r : readers(x)) {
            BitSet done = after ? goal.get(r) : made.getOrDefault(r, new BitSet());
            int readerWidth = extent(r, false);
            for (int row = 0; row < g.node(r).rows(); row++) {
                if (done.get(row * readerWidth, (row + 1) * readerWidth).isEmpty()) {
                    for (RowEdge e : g.node(r).edges()) {
                        if (e.from() == x) {
                            RowSimulation.needs(e, row, g.node(x).rows()).stream()
                                    .forEach(n -> all.set(n * width, (n + 1) * width));
                        }
                    }
                }
            }
        }
        all.and(exist);
        return all;
    }
}
