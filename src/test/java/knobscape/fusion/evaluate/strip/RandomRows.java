package knobscape.fusion.evaluate.strip;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.StripMachine.Counting;
import knobscape.fusion.source.StripMachine.Energy;
import knobscape.fusion.source.StripMachine.Widths;
import knobscape.fusion.source.rows.ImageColumns;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowGraph;
import knobscape.fusion.source.rows.RowNode;
import knobscape.fusion.source.rows.RowNode.Loops;
import knobscape.fusion.source.rows.RowNode.Work;

/// Random graphs of rows and edges: chains, skips, branches, upsampling, whole operands, pooling.
public final class RandomRows {
    private RandomRows() {}

    /// A graph of so many layers.
    ///
    /// @param plain whether only windows occur that leave no row out
    public static RowGraph graph(int layers, boolean plain, RandomGenerator random) {
        var nodes = new ArrayList<RowNode>();
        int inputs = 1 + (random.nextInt(4) == 0 ? 1 : 0);
        int height = 2 + random.nextInt(14);
        for (int i = 0; i < inputs; i++) {
            nodes.add(RowNode.input("in" + i, height, 1 + random.nextInt(6)));
        }
        for (int l = 0; l < layers; l++) {
            int i = nodes.size();
            int from = random.nextInt(4) == 0 ? random.nextInt(i) : i - 1;
            int rows = nodes.get(from).rows();
            var edges = new ArrayList<RowEdge>();
            int made = first(edges, from, rows, plain, random);
            for (int p = 0; p < i; p++) {
                if (p != from && nodes.get(p).rows() == made && random.nextInt(5) == 0) {
                    edges.add(RowEdge.same(p));
                }
            }
            if (random.nextInt(8) == 0 && !plain) {
                edges.add(RowEdge.full(random.nextInt(i)));
            }
            RowNode n = RowNode.layer(
                    "l" + l,
                    made,
                    1 + random.nextInt(6),
                    new Work(
                            random.nextInt(300),
                            random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(40),
                            new Loops(1 + random.nextInt(5), 1, 1, 1)),
                    edges.stream().distinct().toList());
            if (l > 0 && random.nextInt(6) == 0) {
                n = n.asTail();
            }
            if (random.nextInt(8) == 0) {
                n = n.online(1 + random.nextInt((int) n.elements()));
            }
            nodes.add(random.nextInt(12) == 0 ? n.asResult() : n);
        }
        return new RowGraph("random", nodes, inputs, 1);
    }

    /// Images through windows that leave nothing out, with skips: rows and columns of their own.
    public static RowGraph images(int layers, RandomGenerator random) {
        return images(layers, 11, random);
    }

    /// The same of at most so many rows, and columns.
    public static RowGraph images(int layers, int most, RandomGenerator random) {
        var nodes = new ArrayList<RowNode>();
        var columns = new ArrayList<ImageColumns>();
        int height = 3 + random.nextInt(most - 2);
        int width = 3 + random.nextInt(most - 2);
        nodes.add(RowNode.input("in", height, width * (1L + random.nextInt(4))));
        columns.add(new ImageColumns(width, List.of()));
        for (int l = 0; l < layers; l++) {
            int from = random.nextInt(4) == 0 ? random.nextInt(nodes.size()) : nodes.size() - 1;
            var down = new ArrayList<RowEdge>();
            var across = new ArrayList<RowEdge>();
            int h = slide(down, from, nodes.get(from).rows(), random);
            int w = slide(across, from, columns.get(from).count(), random);
            for (int p = 0; p < nodes.size(); p++) {
                boolean same = nodes.get(p).rows() == h && columns.get(p).count() == w;
                if (p != from && same && random.nextInt(4) == 0) {
                    down.add(RowEdge.same(p));
                    across.add(RowEdge.same(p));
                }
            }
            var work = new Work(
                    (1 + random.nextInt(9)) * (long) h * w,
                    random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(40),
                    new Loops(1 + random.nextInt(5), 1, w, h));
            RowNode n = RowNode.layer("l" + l, h, w * (1L + random.nextInt(4)), work, down);
            nodes.add(random.nextInt(12) == 0 ? n.asResult() : n);
            columns.add(new ImageColumns(w, across));
        }
        return new RowGraph("images", nodes, 1, 1, columns);
    }

    /// Blocks of the same layers over and over, some of which read the block before.
    public static RowGraph blocks(int count, RandomGenerator random) {
        int height = 4 + random.nextInt(9);
        int period = 1 + random.nextInt(2);
        int[] kernels = {1 + 2 * random.nextInt(2), 1 + 2 * random.nextInt(2)};
        long[] widths = {1L + random.nextInt(5), 1L + random.nextInt(5)};
        long[] weights = {random.nextInt(40), random.nextInt(40)};
        boolean skips = random.nextBoolean();
        var nodes = new ArrayList<RowNode>();
        nodes.add(RowNode.input("in", height, 1 + random.nextInt(5)));
        for (int l = 0; l < count; l++) {
            int k = l % period;
            int i = nodes.size();
            var edges = new ArrayList<RowEdge>();
            edges.add(RowEdge.window(i - 1, kernels[k], 1, kernels[k] / 2));
            if (skips && k == 0 && i > 2) {
                edges.add(RowEdge.same(i - 2));
            }
            var work = new Work(20L * height, weights[k], new Loops(3, 1, 1, 1));
            nodes.add(RowNode.layer("l" + l, height, widths[k], work, edges));
        }
        return new RowGraph("blocks", nodes, 1, 1);
    }

    private static int slide(List<RowEdge> edges, int from, int extent, RandomGenerator random) {
        if (random.nextInt(8) == 0) {
            edges.add(RowEdge.transposed(from, 2 + random.nextInt(2), 2, 0));
            return extent * 2;
        }
        int kernel = 1 + random.nextInt(Math.min(4, extent));
        int stride = 1 + random.nextInt(Math.min(2, kernel));
        int pad = random.nextInt((kernel + 1) / 2);
        edges.add(RowEdge.window(from, kernel, stride, pad));
        return Math.max(1, (extent + 2 * pad - kernel) / stride + 1);
    }

    private static int first(List<RowEdge> edges, int from, int rows, boolean plain, RandomGenerator random) {
        switch (random.nextInt(plain ? 5 : 9)) {
            case 0 -> {
                edges.add(RowEdge.same(from));
                return rows;
            }
            case 1, 2, 3 -> {
                int kernel = 1 + random.nextInt(Math.min(4, rows));
                int stride = 1 + random.nextInt(plain ? kernel : 3);
                int pad = random.nextInt((kernel + 1) / 2);
                edges.add(RowEdge.window(from, kernel, stride, pad));
                return Math.max(1, (rows + 2 * pad - kernel) / stride + 1);
            }
            case 4 -> {
                edges.add(RowEdge.window(from, 3, 1, 1));
                return rows;
            }
            case 5 -> {
                int up = 2;
                edges.add(RowEdge.transposed(from, up + random.nextInt(2), up, 0));
                return rows * up;
            }
            case 6 -> {
                edges.add(RowEdge.full(from));
                return random.nextBoolean() ? 1 : 1 + random.nextInt(6);
            }
            case 7 -> {
                edges.add(RowEdge.accumulating(from));
                return 1;
            }
            default -> {
                edges.add(RowEdge.window(from, 1, 2, 0));
                return Math.max(1, (rows - 1) / 2 + 1);
            }
        }
    }

    /// A small machine.
    public static StripMachine machine(long buffer, Counting counting) {
        return new StripMachine(
                buffer, 10, 1, 20, 2.5, Widths.of(8), Optional.empty(), new Energy(1, 100, 3), counting);
    }
}
