package knobscape.network.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import knobscape.evaluate.UserError;
import knobscape.network.ElementType;
import knobscape.network.ImportedNetwork;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.ShapeException;
import knobscape.network.Window;

/// Topology files of SCALE-Sim: a row a layer, `Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width,
/// Channels, Num Filter, Strides,` or, of products of matrices, `Layer, M, N, K,`.
///
/// The file says nothing of what goes from layer to layer. A layer reads the one before it where its extents allow
/// that:
/// with a margin up to the filter, behind a pooling, or flattened; else it reads an input of its own, which is said.
final class ScaleSimTopology {
    private static final int MAX_LAYERS = 100_000;
    private static final int CONV_CELLS = 8;
    private static final int GEMM_CELLS = 4;

    private final String file;
    private final NetworkBuilder b;
    private final Map<String, Integer> names = new HashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    /// Layers that do not read the one before.
    private final List<String> apart = new ArrayList<>();
    private final long batch;
    private String last = "";

    private ScaleSimTopology(String file, String name, long batch) {
        this.file = file;
        this.batch = batch;
        b = new NetworkBuilder(name, ElementType.INT8);
    }

    /// True if lines are such a file.
    static boolean isOne(List<String> lines) {
        if (lines.isEmpty()) {
            return false;
        }
        String head = lines.getFirst().toLowerCase(Locale.ROOT).replace(" ", "");
        return head.contains("ifmapheight") || head.matches("layer(name)?,m,n,k,?.*");
    }

    /// Reads the lines of a file. Throws [UserError] naming file and line of what is wrong.
    static ImportedNetwork read(List<String> lines, String file, String name, long batch) {
        var reader = new ScaleSimTopology(file, name, batch);
        boolean products = !lines.getFirst().toLowerCase(Locale.ROOT).contains("ifmap");
        for (int i = 1; i < lines.size(); i++) {
            // Titles of parts stand alone in their lines: `Transformer,`.
            boolean title = lines.get(i).matches("[^,]+,[\\s,]*");
            if (!title && !lines.get(i).replace(",", "").isBlank()) {
                reader.row(i + 1, lines.get(i), products);
            }
        }
        return reader.end();
    }

    private ImportedNetwork end() {
        if (names.isEmpty()) {
            throw new UserError(file + " has no layer below its heading.");
        }
        ends.add(last);
        if (!apart.isEmpty()) {
            String first = "'" + apart.getFirst() + "'";
            int more = apart.size() - 1;
            notes.add(
                    more == 0
                            ? first
                                    + " does not read the layer before it, whose result has other extents; it reads an input of its own."
                            : first + " and " + more + (more == 1 ? " other layer" : " other layers")
                                    + " do not read the layer before them, whose results have other extents; they read inputs of their own.");
        }
        return new ImportedNetwork(b.output(ends.toArray(String[]::new)).build(), notes);
    }

    private void row(int line, String text, boolean products) {
        String[] cells = text.split(",");
        int wanted = products ? GEMM_CELLS : CONV_CELLS;
        if (cells.length < wanted) {
            throw new UserError(
                    file + ", line " + line + ": a layer has " + wanted + " cells, not " + cells.length + ".");
        }
        if (names.size() >= MAX_LAYERS) {
            throw new UserError(file + " has more than " + MAX_LAYERS + " layers.");
        }
        String given = cells[0].strip();
        int count = names.merge(given, 1, Integer::sum);
        String name = count == 1 ? given : given + "#" + count;
        try {
            int[] v = new int[wanted - 1];
            for (int i = 0; i < v.length; i++) {
                v[i] = number(cells[i + 1], line);
            }
            last = products ? product(name, v) : convolution(name, v);
        } catch (ShapeException e) {
            throw new UserError(file + ", line " + line + ": " + e.getMessage() + ".", e);
        }
    }

    private int number(String cell, int line) {
        try {
            int v = Integer.parseInt(cell.strip());
            if (v > 0) {
                return v;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new UserError(file + ", line " + line + ": '" + cell.strip() + "' is no count from 1.");
    }

    private String product(String name, int[] v) {
        Shape wanted = Shape.of(v[0], v[2]);
        String x = last.isEmpty() || !b.shape(last).equals(wanted) ? own(name, wanted) : last;
        return b.add(name, new Operator.MatMul(), x, b.weight(name + ".weight", v[2], v[1]));
    }

    private String convolution(String name, int[] v) {
        int h = v[0];
        int w = v[1];
        int r = v[2];
        int s = v[3];
        int c = v[4];
        int stride = v[6];
        String x = source(name, c, h, w, r, s);
        int down = h - Math.toIntExact(b.shape(x).dim(2));
        int across = w - Math.toIntExact(b.shape(x).dim(3));
        var window = new Window(
                List.of(r, s),
                List.of(stride, stride),
                List.of(down / 2, across / 2),
                List.of(down - down / 2, across - across / 2),
                List.of(1, 1));
        return b.add(name, new Operator.Conv(window, 1), x, b.weight(name + ".weight", v[5], c, r, s));
    }

    /// The tensor of c channels that a layer reads, without its margin.
    private String source(String name, int c, int h, int w, int r, int s) {
        if (!last.isEmpty()) {
            Shape before = b.shape(last);
            long height = before.dim(2);
            long width = before.dim(3);
            if (before.dim(1) == c && fits(h, height, r) && fits(w, width, s)) {
                return last;
            }
            if (before.dim(1) == c && h == 1 && w == 1) {
                return b.add(name + ".pool", new Operator.GlobalPool(Operator.Gathering.AVERAGE), last);
            }
            if (h == 1 && w == 1 && before.elements() == (long) c * batch) {
                return b.add(name + ".flat", new Operator.Reshape(Shape.of(batch, c, 1, 1)), last);
            }
            for (int k = 2; k <= 4 && before.dim(1) == c; k++) {
                if (fits(h, height / k, r) && fits(w, width / k, s)) {
                    return b.add(
                            name + ".pool",
                            new Operator.Pool(Operator.Gathering.MAX, Window.square(k, k, 0), false, true),
                            last);
                }
            }
        }
        return own(name, Shape.of(batch, c, h, w));
    }

    /// True if extents are those before, with a margin that a filter can reach.
    private static boolean fits(int extent, long before, int filter) {
        return before > 0 && extent >= before && extent - before <= 2L * (filter / 2);
    }

    private String own(String name, Shape shape) {
        if (!last.isEmpty()) {
            ends.add(last);
            apart.add(name);
        }
        return b.input(name + ".input", shape);
    }
}
