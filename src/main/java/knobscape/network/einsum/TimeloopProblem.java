package knobscape.network.einsum;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import knobscape.evaluate.YamlNode;
import knobscape.network.ImportedNetwork;
import knobscape.network.einsum.Einsum.Access;

/// A problem of Timeloop: one operator, whose data spaces are projections of its dimensions.
final class TimeloopProblem {
    private final String file;
    private final Map<String, Long> numbers = new LinkedHashMap<>();
    private final Map<String, Long> defaults = new LinkedHashMap<>();

    TimeloopProblem(String file) {
        this.file = file;
    }

    ImportedNetwork read(YamlNode.Keys problem, String name) {
        var notes = new ArrayList<String>();
        problem.values().keySet().stream()
                .filter(k -> !Set.of("version", "instance", "shape").contains(k))
                .forEach(k -> notes.add("'" + k + "' is not read."));
        YamlNode.Keys instance = YamlNode.keys(file, YamlNode.needed(file, problem, "instance"));
        YamlNode.Keys shape = YamlNode.keys(file, YamlNode.needed(file, problem, "shape"));
        for (var v : instance.values().entrySet()) {
            if (v.getValue() instanceof YamlNode.Text t && t.text().matches("\\d{1,12}")) {
                numbers.put(v.getKey(), Long.parseLong(t.text()));
            } else {
                notes.add("'" + v.getKey() + "' of the instance is not read (densities do not change traffic here).");
            }
        }
        if (shape.values().get("coefficients") instanceof YamlNode.Items list) {
            for (YamlNode c : list.items()) {
                YamlNode.Keys k = YamlNode.keys(file, c);
                defaults.put(
                        YamlNode.word(file, YamlNode.needed(file, k, "name")),
                        YamlNode.count(file, YamlNode.needed(file, k, "default")));
            }
        }
        var extents = new LinkedHashMap<String, Long>();
        for (YamlNode d : YamlNode.list(file, YamlNode.needed(file, shape, "dimensions"))) {
            String dim = YamlNode.word(file, d);
            Long size = numbers.get(dim);
            if (size == null || size < 1) {
                throw YamlNode.error(file, d.line(), "the instance gives no size for the dimension '" + dim + "'");
            }
            extents.put(dim.toLowerCase(Locale.ROOT), size);
        }
        var inputs = new ArrayList<Access>();
        Access output = null;
        String spacesKey = shape.values().containsKey("data_spaces") ? "data_spaces" : "data-spaces";
        for (YamlNode s : YamlNode.list(file, YamlNode.needed(file, shape, spacesKey))) {
            YamlNode.Keys space = YamlNode.keys(file, s);
            String tensor = YamlNode.word(file, YamlNode.needed(file, space, "name"));
            boolean weight = tensor.toLowerCase(Locale.ROOT).matches("(weight|filter|kernel|w|b)s?.*");
            var access = new Access(
                    tensor,
                    weight,
                    YamlNode.list(file, YamlNode.needed(file, space, "projection")).stream()
                            .map(this::axis)
                            .toList());
            boolean written = space.values().keySet().stream().anyMatch(k -> k.matches("read[-_]write"));
            if (written) {
                output = access;
            } else {
                inputs.add(access);
            }
        }
        if (output == null) {
            throw YamlNode.error(file, shape.line(), "no data space is written (read_write: true)");
        }
        inputs.sort(java.util.Comparator.comparing(Access::weight));
        if (inputs.size() == 2 && !inputs.get(1).weight()) {
            Access w = inputs.get(1);
            inputs.set(1, new Access(w.tensor(), true, w.axes()));
        }
        var einsum = new Einsum(name, Einsum.Kind.PRODUCT, extents, output, inputs, false);
        return EinsumNetwork.of(file, name, EinsumFiles.type(OptionalLong.empty()), List.of(einsum), notes);
    }

    /// A sum of products: `[[P, Hstride], [R]]`; a plain name stands for itself.
    private Map<String, Integer> axis(YamlNode axis) {
        var terms = new LinkedHashMap<String, Integer>();
        if (axis instanceof YamlNode.Text t) {
            return EinsumFiles.affine(file, t.line(), t.text());
        }
        for (YamlNode term : YamlNode.list(file, axis)) {
            String dim = "";
            long factor = 1;
            List<YamlNode> parts = term instanceof YamlNode.Text ? List.of(term) : YamlNode.list(file, term);
            for (YamlNode part : parts) {
                String word = YamlNode.word(file, part);
                if (defaults.containsKey(word)) {
                    factor *= numbers.getOrDefault(word, defaults.getOrDefault(word, 1L));
                } else {
                    dim = word.toLowerCase(Locale.ROOT);
                }
            }
            terms.merge(dim, (int) Math.min(factor, 1 << 20), Integer::sum);
        }
        return terms;
    }
}
