package knobscape.network.einsum;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.YamlNode;
import knobscape.network.ImportedNetwork;
import knobscape.network.einsum.Einsum.Access;

/// Workloads of ZigZag and Stream: a list of layers, each with loops, an equation, and the layers its operands are
/// from.
final class ZigzagWorkload {
    private static final Pattern OPERAND = Pattern.compile("([A-Za-z]\\w*)((?:\\[\\w+])+)");
    private static final Set<String> KNOWN = Set.of(
            "id",
            "name",
            "operator_type",
            "equation",
            "dimension_relations",
            "loop_dims",
            "loop_sizes",
            "operand_precision",
            "operand_source",
            "pr_loop_dims",
            "pr_loop_sizes",
            "padding");

    private final String file;
    private final Set<String> dropped = new TreeSet<>();
    private final Map<String, String> names = new LinkedHashMap<>();
    private OptionalLong bits = OptionalLong.empty();
    private boolean otherWidths;

    ZigzagWorkload(String file) {
        this.file = file;
    }

    ImportedNetwork read(YamlNode.Items layers, String name) {
        var einsums = new ArrayList<Einsum>();
        for (YamlNode l : layers.items()) {
            einsums.add(layer(YamlNode.keys(file, l)));
        }
        var notes = new ArrayList<String>();
        if (!dropped.isEmpty()) {
            notes.add("Not read: " + String.join(", ", dropped) + ".");
        }
        if (otherWidths) {
            notes.add("All elements are taken to be as wide as the input of the first layer; give other widths with the"
                    + " accelerator.");
        }
        return EinsumNetwork.of(file, name, EinsumFiles.type(bits), einsums, notes);
    }

    private Einsum layer(YamlNode.Keys layer) {
        layer.values().keySet().stream().filter(k -> !KNOWN.contains(k)).forEach(dropped::add);
        String id = YamlNode.word(file, YamlNode.needed(file, layer, "id"));
        String given = layer.values().containsKey("name")
                ? YamlNode.word(file, YamlNode.needed(file, layer, "name"))
                : "layer" + id;
        String name = names.containsValue(given) ? given + "#" + id : given;
        if (names.put(id, name) != null) {
            throw YamlNode.error(file, layer.line(), "two layers have the id " + id);
        }
        Map<String, Long> extents = extents(layer);
        Map<String, Map<String, Integer>> indices = relations(layer);
        YamlNode equation = YamlNode.needed(file, layer, "equation");
        String type = layer.values().containsKey("operator_type")
                ? YamlNode.word(file, YamlNode.needed(file, layer, "operator_type"))
                        .toLowerCase(Locale.ROOT)
                : "";
        Map<String, String> sources = sources(layer, id);
        var accesses = new ArrayList<Access>();
        Matcher m = OPERAND.matcher(YamlNode.word(file, equation));
        while (m.find()) {
            var axes = new ArrayList<Map<String, Integer>>();
            for (String index : m.group(2).replace("[", "").split("]", -1)) {
                if (!index.isEmpty()) {
                    String dim = index.toLowerCase(Locale.ROOT);
                    axes.add(indices.getOrDefault(dim, Map.of(dim, 1)));
                }
            }
            String operand = m.group(1);
            String source = sources.getOrDefault(operand, id);
            boolean own = source.equals(id);
            accesses.add(new Access(
                    accesses.isEmpty()
                            ? name
                            : own ? name + "." + operand : names.getOrDefault(source, "layer" + source),
                    !accesses.isEmpty() && own && !operand.equals("I"),
                    axes));
        }
        if (accesses.size() < 2) {
            throw YamlNode.error(file, equation.line(), "the equation names no result and operand");
        }
        List<Access> inputs = new ArrayList<>(accesses.subList(1, accesses.size()));
        Einsum.Kind kind = Einsum.Kind.PRODUCT;
        if (type.contains("pool")) {
            kind = Einsum.Kind.POOL;
            inputs.removeIf(Access::weight);
        } else if (type.contains("add")) {
            kind = Einsum.Kind.SUM;
        }
        inputs.sort(java.util.Comparator.comparing(Access::weight));
        return new Einsum(name, kind, extents, accesses.getFirst(), inputs, true);
    }

    private Map<String, Long> extents(YamlNode.Keys layer) {
        List<YamlNode> dims = YamlNode.list(file, YamlNode.needed(file, layer, "loop_dims"));
        YamlNode sizesNode = YamlNode.needed(file, layer, "loop_sizes");
        List<YamlNode> sizes = YamlNode.list(file, sizesNode);
        if (dims.size() != sizes.size()) {
            throw YamlNode.error(file, sizesNode.line(), dims.size() + " loops have " + sizes.size() + " sizes");
        }
        var extents = new LinkedHashMap<String, Long>();
        for (int i = 0; i < dims.size(); i++) {
            extents.put(YamlNode.word(file, dims.get(i)).toLowerCase(Locale.ROOT), YamlNode.count(file, sizes.get(i)));
        }
        YamlNode precision = layer.values().get("operand_precision");
        if (precision instanceof YamlNode.Keys widths) {
            for (var w : widths.values().entrySet()) {
                String text = YamlNode.word(file, w.getValue());
                if (w.getKey().equals("I") && bits.isEmpty() && text.matches("[1-9]\\d?")) {
                    bits = OptionalLong.of(Long.parseLong(text));
                } else if (!w.getKey().equals("O") && !text.equals("0")) {
                    otherWidths |= bits.isPresent() && !text.equals(Long.toString(bits.getAsLong()));
                }
            }
        }
        return extents;
    }

    private Map<String, Map<String, Integer>> relations(YamlNode.Keys layer) {
        var indices = new LinkedHashMap<String, Map<String, Integer>>();
        YamlNode node = layer.values().get("dimension_relations");
        if (node == null) {
            return indices;
        }
        for (YamlNode r : YamlNode.list(file, node)) {
            String[] sides = YamlNode.word(file, r).split("=", -1);
            if (sides.length != 2) {
                throw YamlNode.error(file, r.line(), "a relation is an equation such as ix=2*ox+fx");
            }
            indices.put(sides[0].strip().toLowerCase(Locale.ROOT), EinsumFiles.affine(file, r.line(), sides[1]));
        }
        return indices;
    }

    private Map<String, String> sources(YamlNode.Keys layer, String id) {
        var sources = new LinkedHashMap<String, String>();
        if (layer.values().get("operand_source") instanceof YamlNode.Keys from) {
            for (var s : from.values().entrySet()) {
                String source = YamlNode.word(file, s.getValue());
                if (!source.equals(id) && !names.containsKey(source)) {
                    throw YamlNode.error(
                            file, s.getValue().line(), "there is no layer " + source + " before layer " + id);
                }
                sources.put(s.getKey(), source);
            }
        }
        return sources;
    }
}
