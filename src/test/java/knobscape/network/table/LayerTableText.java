package knobscape.network.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import knobscape.evaluate.UserError;
import knobscape.network.chain.ChainEdge;
import knobscape.network.chain.ChainLayer;
import knobscape.network.chain.Extents;
import knobscape.network.chain.LayerChain;
import knobscape.network.chain.Pooling;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Layer tables of chains, and their text.
public final class LayerTableText {
    private static final Set<String> TEXTS = Set.of("name", "type", "pool");

    private LayerTableText() {}

    /// A table of a chain. Throws [UserError] where the chain cannot be written as one: it branches, has two
    /// skips on a layer, or work other than CONV, DWCONV and FC.
    public static LayerTable of(LayerChain chain) {
        if (!isChain(chain)) {
            throw new UserError("The network '" + chain.network()
                    + "' branches and cannot be written as a layer table; write it as a JSON graph.");
        }
        var rows = new ArrayList<LayerRow>();
        for (ChainLayer l : chain.layers()) {
            List<ChainEdge> skips = chain.skips(l.index());
            Extents e = l.extents();
            ChainLayer.Type type = switch (e.type()) {
                case CONV, GROUPCONV -> ChainLayer.Type.CONV;
                case DWCONV, FC -> e.type();
                case TCONV, MATMUL ->
                    throw cannot(
                            chain, l, "a layer table has no transposed convolutions and no products of activations");
            };
            if (skips.size() > 1 || l.pooled().poolings().size() > 1) {
                throw cannot(chain, l, "it has two skips or two poolings");
            }
            rows.add(new LayerRow(
                    l.index(),
                    l.name(),
                    new Extents(
                            type,
                            e.outChannels(),
                            e.inChannels(),
                            new Extents.Size(e.height(), e.width()),
                            new Extents.Taps(
                                    e.kernelHeight(),
                                    e.kernelWidth(),
                                    e.strideHeight(),
                                    e.strideWidth(),
                                    e.padHeight(),
                                    e.padWidth()),
                            e.groups(),
                            new Extents.Size(e.outHeight(), e.outWidth())),
                    l.pooled().poolings().stream().findFirst(),
                    l.pooled().height(),
                    l.pooled().width(),
                    skips.isEmpty()
                            ? OptionalInt.empty()
                            : OptionalInt.of(skips.getFirst().from()),
                    !skips.isEmpty() && skips.getFirst().projectionWeights() > 0));
        }
        return new LayerTable(chain.network(), rows);
    }

    /// Whether every layer reads the layer before it and nothing else as its input. Skips are allowed.
    public static boolean isChain(LayerChain chain) {
        return chain.layers().stream()
                .map(l -> chain.inputs(l.index()))
                .allMatch(in -> in.size() == 1 && in.getFirst().isLink());
    }

    private static UserError cannot(LayerChain chain, ChainLayer l, String why) {
        return new UserError("Layer '" + l.name() + "' of network '" + chain.network()
                + "' cannot be written in a layer table: " + why + "; write the network as a JSON graph.");
    }

    private static Map<String, String> cells(LayerRow r) {
        var cells = new LinkedHashMap<String, String>();
        cells.put("layer", String.valueOf(r.layer()));
        cells.put("name", r.name());
        cells.put("type", r.extents().type().name());
        long[] numbers = {
            r.extents().outChannels(),
            r.extents().inChannels(),
            r.extents().height(),
            r.extents().width(),
            r.extents().kernelHeight(),
            r.extents().kernelWidth(),
            r.extents().strideHeight(),
            r.extents().padHeight(),
            r.extents().outHeight(),
            r.extents().outWidth()
        };
        for (int i = 0; i < numbers.length; i++) {
            cells.put(LayerTableFiles.COLUMNS.get(i + 3), String.valueOf(numbers[i]));
        }
        cells.put("pool", r.pooling().map(Pooling::label).orElse("none"));
        cells.put("Yp", String.valueOf(r.pooledHeight()));
        cells.put("Xp", String.valueOf(r.pooledWidth()));
        cells.put(
                "skip_from",
                r.skipFrom().isPresent() ? String.valueOf(r.skipFrom().getAsInt()) : "");
        cells.put("skip_proj", r.skipProjected() ? "1" : "0");
        cells.put("stride_x", String.valueOf(r.extents().strideWidth()));
        cells.put("pad_x", String.valueOf(r.extents().padWidth()));
        cells.put("groups", String.valueOf(r.extents().groups()));
        return cells;
    }

    /// Columns that a table needs: the optional ones only where a row differs from their defaults.
    private static List<String> columns(LayerTable table) {
        var columns = new ArrayList<>(LayerTableFiles.COLUMNS);
        if (table.rows().stream()
                .anyMatch(r -> r.extents().strideWidth() != r.extents().strideHeight())) {
            columns.add("stride_x");
        }
        if (table.rows().stream()
                .anyMatch(r -> r.extents().padWidth() != r.extents().padHeight())) {
            columns.add("pad_x");
        }
        if (table.rows().stream()
                .anyMatch(r -> r.extents().type() == ChainLayer.Type.CONV
                        && r.extents().groups() != 1)) {
            columns.add("groups");
        }
        return columns;
    }

    /// The table as CSV text, with the optional columns only where a row needs them.
    public static String csv(LayerTable table) {
        List<String> columns = columns(table);
        var text = new StringBuilder(String.join(",", columns)).append('\n');
        for (LayerRow r : table.rows()) {
            Map<String, String> cells = cells(r);
            text.append(String.join(
                            ",", columns.stream().map(c -> quoted(cells.get(c))).toList()))
                    .append('\n');
        }
        return text.toString();
    }

    private static String quoted(String cell) {
        return cell.matches("[^\",\r\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    /// The table as JSON text.
    public static String json(LayerTable table) {
        var mapper = JsonMapper.builder().build();
        ObjectNode root = mapper.createObjectNode()
                .put("format", LayerTableFiles.FORMAT)
                .put("formatVersion", LayerTableFiles.VERSION)
                .put("name", table.name());
        ArrayNode layers = root.putArray("layers");
        List<String> columns = columns(table);
        for (LayerRow r : table.rows()) {
            Map<String, String> cells = cells(r);
            ObjectNode layer = layers.addObject();
            for (String c : columns) {
                if (TEXTS.contains(c)) {
                    layer.put(c, cells.get(c));
                } else if (!cells.get(c).isEmpty()) {
                    layer.put(c, Long.parseLong(cells.get(c)));
                }
            }
        }
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    }
}
