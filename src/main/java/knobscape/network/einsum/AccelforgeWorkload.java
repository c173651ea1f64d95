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
import java.util.stream.Stream;
import knobscape.evaluate.YamlNode;
import knobscape.network.ImportOptions;
import knobscape.network.ImportedNetwork;
import knobscape.network.MissingExtents;
import knobscape.network.einsum.Einsum.Access;

/// A workload of AccelForge: Einsums over rank variables, as text or as lists of accesses.
final class AccelforgeWorkload {
    private static final Pattern RANGE = Pattern.compile("\\s*0\\s*<=\\s*(\\w+)\\s*<\\s*(\\d{1,12})\\s*");
    private static final Pattern ACCESS = Pattern.compile("(\\w+)\\s*\\[([^\\]]*)]");
    private static final Set<String> KNOWN = Set.of("rank_sizes", "iteration_space_shape", "bits_per_value", "einsums");

    private final String file;
    private final ImportOptions options;
    private final Set<String> dropped = new TreeSet<>();
    private final Map<String, Long> sizes = new LinkedHashMap<>();
    private final Set<String> made = new TreeSet<>();
    private final Map<String, MissingExtents.Extent> missing = new LinkedHashMap<>();

    AccelforgeWorkload(String file, ImportOptions options) {
        this.file = file;
        this.options = options;
    }

    ImportedNetwork read(YamlNode.Keys workload, String name) {
        workload.values().keySet().stream().filter(k -> !KNOWN.contains(k)).forEach(dropped::add);
        if (workload.values().get("rank_sizes") instanceof YamlNode.Keys ranks) {
            ranks.values().forEach((k, v) -> sizes.put(k.toLowerCase(Locale.ROOT), YamlNode.count(file, v)));
        }
        ranges(workload, sizes);
        OptionalLong bits = OptionalLong.empty();
        if (workload.values().get("bits_per_value") instanceof YamlNode.Keys widths) {
            for (YamlNode w : widths.values().values()) {
                bits = OptionalLong.of(YamlNode.count(file, w));
            }
            if (widths.values().size() > 1) {
                dropped.add("different bits_per_value");
            }
        }
        var einsums = new ArrayList<Einsum>();
        for (YamlNode e : YamlNode.list(file, YamlNode.needed(file, workload, "einsums"))) {
            einsums.add(einsum(YamlNode.keys(file, e), einsums.size()));
        }
        if (!missing.isEmpty()) {
            throw new MissingExtents(file, List.copyOf(missing.values()), OptionalLong.empty());
        }
        List<String> notes = dropped.isEmpty() ? List.of() : List.of("Not read: " + String.join(", ", dropped) + ".");
        return EinsumNetwork.of(file, name, EinsumFiles.type(bits), einsums, notes);
    }

    /// Ranges of rank variables: `0 <= m < 128`, in a list or by key.
    private void ranges(YamlNode.Keys of, Map<String, Long> into) {
        YamlNode space = of.values().get("iteration_space_shape");
        if (space == null) {
            return;
        }
        Stream<YamlNode> all =
                space instanceof YamlNode.Keys k ? k.values().values().stream() : YamlNode.list(file, space).stream();
        all.forEach(r -> {
            String text = YamlNode.word(file, r);
            Matcher m = RANGE.matcher(text);
            if (m.matches() && Long.parseLong(m.group(2)) > 0) {
                into.put(m.group(1).toLowerCase(Locale.ROOT), Long.parseLong(m.group(2)));
            } else {
                dropped.add("the range '" + text + "'");
            }
        });
    }

    private record TensorAccess(String tensor, boolean written, List<Map<String, Integer>> axes) {}

    private Einsum einsum(YamlNode.Keys e, int number) {
        var own = new LinkedHashMap<>(sizes);
        ranges(e, own);
        var reads = new ArrayList<TensorAccess>();
        String name = "einsum" + (number + 1);
        if (e.values().get("einsum") instanceof YamlNode.Text formula) {
            Matcher m = ACCESS.matcher(formula.text());
            while (m.find()) {
                reads.add(new TensorAccess(m.group(1), reads.isEmpty(), textAxes(m.group(2), formula.line())));
            }
            name = reads.isEmpty() ? name : reads.getFirst().tensor();
        } else {
            for (YamlNode a : YamlNode.list(file, YamlNode.needed(file, e, "tensor_accesses"))) {
                YamlNode.Keys k = YamlNode.keys(file, a);
                boolean written = k.values().get("output") instanceof YamlNode.Text t
                        && t.text().equalsIgnoreCase("true");
                reads.add(new TensorAccess(
                        YamlNode.word(file, YamlNode.needed(file, k, "name")),
                        written,
                        axes(YamlNode.needed(file, k, "projection"))));
            }
        }
        if (e.values().get("name") instanceof YamlNode.Text t && !t.text().isBlank()) {
            name = t.text();
        }
        TensorAccess out = reads.stream()
                .filter(TensorAccess::written)
                .findFirst()
                .orElseThrow(() -> YamlNode.error(file, e.line(), "the einsum writes no tensor"));
        List<TensorAccess> in = reads.stream().filter(r -> !r.written()).toList();
        if (in.isEmpty()) {
            throw YamlNode.error(file, e.line(), "the einsum '" + name + "' reads no tensor");
        }
        String data = in.stream()
                .filter(r -> made.contains(r.tensor()))
                .findFirst()
                .orElseGet(() -> in.stream()
                        .filter(r -> r.axes().stream().anyMatch(x -> x.size() > 1))
                        .findFirst()
                        .orElse(in.getFirst()))
                .tensor();
        var inputs = new ArrayList<Access>();
        for (TensorAccess r : in) {
            boolean weight = !r.tensor().equals(data) && !made.contains(r.tensor());
            inputs.add(
                    inputs.isEmpty() || !r.tensor().equals(data)
                            ? new Access(r.tensor(), weight, r.axes())
                            : new Access(r.tensor(), false, r.axes()));
        }
        inputs.sort(java.util.Comparator.comparing(Access::weight));
        made.add(out.tensor());
        for (TensorAccess r : reads) {
            r.axes().forEach(x -> x.keySet().forEach(d -> extent(d, own)));
        }
        return new Einsum(name, Einsum.Kind.PRODUCT, own, new Access(out.tensor(), false, out.axes()), inputs, false);
    }

    private void extent(String dim, Map<String, Long> own) {
        if (own.containsKey(dim)) {
            return;
        }
        Long given = options.dims().get(dim);
        if (given != null) {
            own.put(dim, given);
        } else {
            missing.put(dim, new MissingExtents.Extent(dim, "the rank '" + dim + "'", "--dim " + dim + "=N", 0, 1));
            own.put(dim, 1L);
        }
    }

    private List<Map<String, Integer>> textAxes(String inside, int line) {
        var axes = new ArrayList<Map<String, Integer>>();
        for (String part : inside.split(",", -1)) {
            if (!part.isBlank()) {
                axes.add(EinsumFiles.affine(file, line, part.substring(part.indexOf(':') + 1)));
            }
        }
        return axes;
    }

    private List<Map<String, Integer>> axes(YamlNode projection) {
        List<YamlNode> all = projection instanceof YamlNode.Keys k
                ? List.copyOf(k.values().values())
                : YamlNode.list(file, projection);
        return all.stream()
                .map(p -> EinsumFiles.affine(file, p.line(), YamlNode.word(file, p)))
                .toList();
    }
}
