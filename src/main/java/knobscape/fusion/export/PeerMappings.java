package knobscape.fusion.export;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.fusion.evaluate.strip.GroupPlan;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowGraph;
import knobscape.fusion.source.rows.RowNode;

/// An answer as a mapping of other programs, as far as these can say it: Stream (groups and the tiles of their last
/// layer) and AccelForge (a chain of products with its loops and what stays in the buffer). What they cannot say is a
/// sentence.
public final class PeerMappings {
    /// Operators that run with the layer before them, which Stream finds by their type.
    private static final List<String> TAILS = List.of(
            "Relu",
            "Sigmoid",
            "Tanh",
            "Gelu",
            "Silu",
            "Add",
            "Sub",
            "Mul",
            "Div",
            "Pow",
            "BatchNormalization",
            "MaxPool",
            "AveragePool",
            "GlobalAveragePool",
            "Softmax",
            "LayerNormalization");
    private static final int ELEMENT_BITS = 8;

    private final StripReport report;
    private final StripModel model;
    private final RowGraph graph;
    private final Map<String, PeerFile> all = new LinkedHashMap<>();

    /// Mappings of an answer.
    public PeerMappings(StripReport report) {
        this.report = report;
        this.model = report.model();
        this.graph = model.graph();
        all.put("stream.yaml", stream());
        all.put("accelforge.yaml", accelforge());
    }

    /// Files by their names: `stream.yaml`, `accelforge.yaml`. Only those that can be said.
    public Map<String, String> files() {
        var files = new LinkedHashMap<String, String>();
        all.forEach((name, f) -> {
            if (!f.text().isEmpty()) {
                files.put(name, f.text());
            }
        });
        return files;
    }

    /// Sentences on what the files leave out, and on those that cannot be written.
    public List<String> words() {
        return all.values().stream()
                .map(PeerFile::words)
                .filter(w -> !w.isEmpty())
                .toList();
    }

    /// A file, or why there is none.
    ///
    /// @param text of the file; empty where the other program cannot say the answer
    /// @param words what the file leaves out, or why there is none: sentences
    private record PeerFile(String text, String words) {}

    // --- Stream

    /// `layers` and `fused_groups` of Stream's mapping, all on core 0.
    private PeerFile stream() {
        var missing = new LinkedHashSet<String>();
        var b = new StringBuilder("layers:\n");
        layers().forEach(i -> allocation(b, graph.node(i).name()));
        TAILS.forEach(t -> allocation(b, t));
        b.append("fused_groups:\n");
        int n = 0;
        for (StripReport.Group g : report.groups()) {
            GroupPlan p = g.plan();
            n++;
            b.append("- name: Group_").append(n).append("\n  layers:\n");
            IntStream.rangeClosed(p.first(), p.last())
                    .forEach(i -> b.append("  - ")
                            .append(quoted(graph.node(i).name()))
                            .append('\n'));
            b.append("  intra_core_tiling:");
            List<String> tiles = tiles(p);
            b.append(tiles.isEmpty() ? " []\n" : "\n");
            tiles.forEach(t -> b.append("  - ").append(t).append('\n'));
            missing(g, tiles.isEmpty() && p.pieces().strip() < report.rows(p)).forEach(missing::add);
        }
        return new PeerFile(
                b.toString(), missing.isEmpty() ? "" : "Stream's mapping does not say " + list(missing) + ".");
    }

    private static void allocation(StringBuilder b, String name) {
        b.append("- name: ").append(quoted(name)).append("\n  core_allocation: [[0]]\n");
    }

    /// Tiles of the layer that sets the pace: its batch is D0 and its rows are D2, as Stream numbers the dimensions of
    /// images.
    private List<String> tiles(GroupPlan p) {
        int pace = pace(p);
        var tiles = new ArrayList<String>();
        if (graph.columns(pace).count() == 0) {
            return tiles;
        }
        tile(tiles, pace, 0, p.pieces().samples());
        tile(tiles, pace, 2, p.pieces().strip());
        if (p.pieces().columns() > 1) {
            tile(
                    tiles,
                    pace,
                    1,
                    Math.ceilDiv(graph.columns(pace).count(), p.pieces().columns()));
        }
        if (p.pieces().tiles() > 1) {
            tile(
                    tiles,
                    pace,
                    6,
                    Math.ceilDiv(graph.node(pace).work().loops().k(), p.pieces().tiles()));
        }
        return tiles;
    }

    private void tile(List<String> tiles, int node, int dimension, long size) {
        tiles.add("dim: " + quoted(graph.node(node).name() + ".D" + dimension) + "\n    tile: " + size);
    }

    private static List<String> missing(StripReport.Group g, boolean rows) {
        var missing = new ArrayList<String>();
        if (rows) {
            missing.add("the rows of strips of products (it numbers dimensions by the rank of their tensors)");
        }
        if (g.plan().pieces().recomputes()) {
            missing.add("which rows are made again");
        }
        if (g.plan().pieces().sums()) {
            missing.add("tiles of partial sums");
        }
        if (g.parts().again() > 0
                && g.plan().pieces().tiles() == 1
                && !g.plan().pieces().sums()) {
            missing.add("which bytes of weights are pinned");
        }
        return missing;
    }

    /// The last layer of a group with more than one row.
    private int pace(GroupPlan p) {
        return IntStream.iterate(p.last(), i -> i >= p.first(), i -> i - 1)
                .filter(i -> graph.node(i).rows() > 1)
                .findFirst()
                .orElse(p.last());
    }

    private IntStream layers() {
        return IntStream.range(model.first(), model.end());
    }

    // --- AccelForge

    /// Architecture, workload and mapping of AccelForge in one file.
    private PeerFile accelforge() {
        String obstacle = obstacle();
        if (!obstacle.isEmpty()) {
            return new PeerFile("", "AccelForge is given no mapping: " + obstacle + ".");
        }
        var b = new StringBuilder("# Reads off chip: MainMemory counts an action for each bit.\n" + architecture()
                + workload() + "mapping:\n  nodes:\n");
        b.append("  - !Storage {tensors: [")
                .append(tensors(borders(), IntStream.range(0, count())))
                .append("], component: MainMemory}\n");
        List<GroupPlan> groups = report.answer().groups();
        String indent = "  ";
        if (groups.size() > 1) {
            b.append("  - !Sequential\n    nodes:\n");
            indent = "      ";
        }
        for (GroupPlan p : groups) {
            if (groups.size() > 1) {
                b.append("    - !Nested\n      nodes:\n");
            }
            group(b, p, indent);
        }
        return new PeerFile(b.toString(), "");
    }

    /// Why the answer cannot be said; empty where it can.
    private String obstacle() {
        for (int i = model.first(); i < model.end(); i++) {
            RowNode n = graph.node(i);
            List<RowEdge> edges = n.edges();
            boolean product = edges.size() == 1
                    && edges.getFirst().equals(RowEdge.same(i - 1))
                    && n.work().weights()
                            == n.work().loops().k() * n.work().loops().c()
                    && n.elements() == n.work().loops().k()
                    && n.work().macs() == n.rows() * n.work().weights()
                    && n.rows() == graph.node(0).rows();
            if (!product) {
                return "it is written for chains of products, and '" + n.name() + "' is none";
            }
            if (n.result() && i < model.end() - 1) {
                return "'" + n.name() + "' is a result and read further down";
            }
        }
        if (model.weightBytes(model.first()) != graph.node(model.first()).work().weights()
                || model.bytes(0) != graph.node(0).rows() * graph.node(0).elements()) {
            return "it is written for elements of one byte";
        }
        for (StripReport.Group g : report.groups()) {
            GroupPlan p = g.plan();
            if (p.pieces().sums()) {
                return "the loops of partial sums are not written yet";
            }
            if (model.samples() > 1 && p.pieces().strip() < graph.node(0).rows()) {
                return "strips of several samples are no tile of one loop";
            }
            if (g.parts().again() > 0 && p.pieces().tiles() == 1) {
                return "it pins whole tensors, and here a part of the weights is pinned";
            }
        }
        return "";
    }

    /// Tensors that cross a border of groups: the input, and what the last layer of each makes.
    private IntStream borders() {
        return IntStream.concat(
                IntStream.of(0), report.answer().groups().stream().mapToInt(p -> p.last() - model.first() + 1));
    }

    private int count() {
        return model.end() - model.first();
    }

    private String architecture() {
        return "arch:\n  nodes:\n"
                + memory("MainMemory", "inf", "{keep: ~Intermediates, may_keep: All}", 1)
                + memory(
                        "GlobalBuffer",
                        "" + model.machine().buffer() * ELEMENT_BITS,
                        "{keep: ~MainMemory, may_keep: All}",
                        0)
                + "  - !Compute\n"
                + "    name: MAC\n"
                + "    leak_power: 0\n"
                + "    area: 0\n"
                + "    actions:\n"
                + "    - {name: compute, energy: 0, throughput: 1}\n";
    }

    private static String memory(String name, String size, String tensors, int energy) {
        var b = new StringBuilder("  - !Memory\n    name: " + name + "\n    size: " + size
                + "\n    leak_power: 0\n    area: 0\n    tensors: " + tensors + "\n    actions:\n");
        for (String action : List.of("read", "write")) {
            b.append(String.format(Locale.ROOT, "    - {name: %s, energy: %d, throughput: inf}%n", action, energy));
        }
        return b.toString();
    }

    private String workload() {
        var b = new StringBuilder("workload:\n  iteration_space_shape:\n    m: 0 <= m < "
                + graph.node(0).rows() * model.samples() + "\n");
        for (int i = 0; i <= count(); i++) {
            b.append(String.format(
                    Locale.ROOT, "    n%d: 0 <= n%d < %d%n", i, i, graph.node(i).elements()));
        }
        b.append("  bits_per_value: {All: 8}\n  einsums:\n");
        for (int i = 0; i < count(); i++) {
            b.append(String.format(
                    Locale.ROOT,
                    "  # %s%n  - name: Product%d%n    tensor_accesses:%n    - {name: T%d, projection: [m, n%d]}%n    -"
                            + " {name: W%d, projection: [n%d, n%d]}%n    - {name: T%d, projection: [m, n%d], output:"
                            + " True}%n    renames: {weight: W%d, input: T%d, output: T%d}%n",
                    graph.node(i + 1).name().replaceAll("\\R", " "),
                    i,
                    i,
                    i,
                    i,
                    i,
                    i + 1,
                    i + 1,
                    i + 1,
                    i,
                    i,
                    i + 1));
        }
        return b.toString();
    }

    private void group(StringBuilder b, GroupPlan p, String indent) {
        int first = p.first() - model.first();
        int last = p.last() - model.first();
        long rows = 1L * p.pieces().strip() * p.pieces().samples();
        if (p.pieces().tiles() > 1) {
            long channels =
                    Math.ceilDiv(graph.node(p.first()).elements(), p.pieces().tiles());
            loop(b, indent, "n" + (last + 1), channels);
        }
        b.append(indent + "- !Storage {tensors: [" + tensors(IntStream.empty(), IntStream.rangeClosed(first, last))
                + "], component: GlobalBuffer}\n");
        if (rows < graph.node(0).rows() * model.samples()) {
            loop(b, indent, "m", rows);
        }
        b.append(indent + "- !Storage {tensors: [" + tensors(IntStream.of(first, last + 1), IntStream.empty())
                + "], component: GlobalBuffer}\n");
        for (int i = first + 1; i <= last; i++) {
            b.append(indent + "- !Storage {tensors: [T" + i + "], component: GlobalBuffer}\n");
        }
        String inner = indent;
        if (last > first) {
            b.append(indent + "- !Sequential\n" + indent + "  nodes:\n");
            inner = indent + "    ";
        }
        for (int i = first; i <= last; i++) {
            if (last > first) {
                b.append(indent + "  - !Nested\n" + indent + "    nodes:\n");
            }
            for (String rank : List.of("m", "n" + i, "n" + (i + 1))) {
                loop(b, inner, rank, 1);
            }
            b.append(inner + "- !Compute {einsum: Product" + i + ", component: MAC}\n");
        }
    }

    private static void loop(StringBuilder b, String indent, String rank, long tile) {
        b.append(indent + "- !Temporal {rank_variable: " + rank + ", tile_shape: " + tile + "}\n");
    }

    private static String tensors(IntStream rows, IntStream weights) {
        return IntStream.concat(rows, weights.map(w -> -1 - w))
                .mapToObj(t -> t < 0 ? "W" + (-1 - t) : "T" + t)
                .collect(Collectors.joining(", "));
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static String list(Set<String> parts) {
        List<String> all = List.copyOf(parts);
        return all.size() == 1
                ? all.getFirst()
                : String.join(", ", all.subList(0, all.size() - 1)) + " and " + all.getLast();
    }
}
