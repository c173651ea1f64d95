package knobscape.hls.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import knobscape.space.KnobSet;

/// Values that a space is to have beside its own.
///
/// @param entries of a directive file, each in the place of the knob it widens
public record Widening(List<String> entries) {
    public Widening {
        entries = List.copyOf(entries);
    }

    /// More values for a knob of a space.
    public static Widening of(KnobSet knobs, String knob, List<String> values) {
        return new Widening(List.of(
                entry(knob.replaceFirst("^partition_factor@", "partition_type@"), Map.of(knob, values), knobs)));
    }

    /// The directive file of a space with these entries.
    public String of(String directiveFile) {
        var lines = new ArrayList<String>();
        directiveFile.lines().forEach(line -> {
            if (entries.stream().noneMatch(c -> line.contains(place(c) + ",") || line.contains(place(c) + "}"))) {
                lines.add(line.replaceFirst("^knobs: \\[\\].*", "knobs:"));
            }
        });
        if (!entries.isEmpty()) {
            lines.add("");
            lines.add("  # added to the space");
            entries.forEach(c -> lines.add("  - " + c));
        }
        return String.join("\n", lines) + "\n";
    }

    /// Kind, location and dimension of an entry.
    private static String place(String entry) {
        return entry.replaceFirst(", (types|factors|values):.*", "");
    }

    /// The entry of a directive file that adds values to what a knob has.
    ///
    /// @param name of the knob; of a partition that of its type
    /// @param wanted by knob the values to add
    /// @param knobs what there is
    static String entry(String name, Map<String, List<String>> wanted, KnobSet knobs) {
        int at = name.indexOf('@');
        String word = name.substring(0, at);
        String location = name.substring(at + 1);
        int hash = location.lastIndexOf('#');
        String array = hash < 0 ? location : location.substring(0, hash);
        String dimension = hash < 0 ? "" : ", dim: " + location.substring(hash + 1);
        return switch (word) {
            case "partition_type" -> {
                TreeSet<Integer> factors = factors("partition_factor@" + location, wanted, knobs);
                factors.remove(1);
                List<String> types = with(labels(knobs, name), "none", wanted.getOrDefault(name, List.of()));
                // A factor belongs to a kind that has one.
                List<String> all = factors.isEmpty() || types.contains("cyclic") || types.contains("block")
                        ? types
                        : with(types, "none", List.of("cyclic"));
                yield "{kind: partition, at: " + quoted(array) + dimension + ", types: " + all + ", factors: " + factors
                        + "}";
            }
            case "unroll", "reshape" -> {
                TreeSet<Integer> factors = factors(name, wanted, knobs);
                factors.add(1);
                yield "{kind: " + word + ", at: " + quoted(array) + dimension + ", factors: " + factors + "}";
            }
            default ->
                "{kind: " + word + ", at: " + quoted(array) + ", values: "
                        + with(
                                labels(knobs, name),
                                switch (word) {
                                    case "multiplier", "storage", "burst", "outstanding", "fifo", "allocation" ->
                                        "auto";
                                    case "bundle" -> "gmem";
                                    default -> "off";
                                },
                                wanted.getOrDefault(name, List.of("on")))
                        + "}";
        };
    }

    private static TreeSet<Integer> factors(String name, Map<String, List<String>> wanted, KnobSet knobs) {
        var factors = new TreeSet<Integer>();
        Stream.concat(labels(knobs, name).stream(), wanted.getOrDefault(name, List.of()).stream())
                .map(Integer::valueOf)
                .forEach(factors::add);
        return factors;
    }

    private static List<String> labels(KnobSet knobs, String name) {
        return knobs.indexOf(name).stream()
                .mapToObj(i -> knobs.get(i).domain().labels())
                .findFirst()
                .orElse(List.of());
    }

    private static List<String> with(List<String> labels, String rest, List<String> values) {
        return Stream.of(Stream.of(rest), labels.stream(), values.stream())
                .flatMap(s -> s)
                .distinct()
                .toList();
    }

    private static String quoted(String name) {
        return name.matches("/?[A-Za-z_][A-Za-z0-9_./-]*") ? name : "\"" + name.replace("\"", "\\\"") + "\"";
    }
}
