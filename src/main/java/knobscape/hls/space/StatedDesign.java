package knobscape.hls.space;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.hls.source.Pragma;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;

/// Directives that were decided elsewhere, as a design of a space.
///
/// @param configuration the closest member
/// @param left what the space does not hold, in the order stated
/// @param candidates entries of a directive file with which the space would hold it
public record StatedDesign(Configuration configuration, List<Left> left, List<String> candidates) {
    public StatedDesign {
        left = List.copyOf(left);
        candidates = List.copyOf(candidates);
    }

    /// A directive that is not in the design.
    ///
    /// @param directive as it was written
    /// @param why in words
    public record Left(String directive, String why) {}

    /// Reads directives.
    ///
    /// @param complete whether they say all ([DirectiveSpace#stated])
    public static StatedDesign of(DirectiveSpace space, List<Pragma> stated, boolean complete) {
        var uses = new ArrayUses(new Nests(space.kernel()));
        var knobNames = new PragmaKnobs(space.kernel(), uses);
        Map<String, String> wanted = new SourcePragmas(space.kernel(), uses, stated).values();
        Configuration found = space.stated(stated, complete);
        KnobSet knobs = space.space().knobs();
        var left = new ArrayList<Left>();
        var candidates = new LinkedHashMap<String, String>();
        // What the kernel's own source says too is there already.
        Set<List<Object>> own =
                space.kernel().pragmas().stream().map(StatedDesign::words).collect(Collectors.toSet());
        for (Pragma p : stated) {
            List<String> names = knobNames.of(p);
            if (names.isEmpty() && !own.contains(words(p))) {
                left.add(new Left(p.raw(), "is no knob here; put it into the source"));
            }
            for (String type : names) {
                String factor = type.replaceFirst("^partition_type@", "partition_factor@");
                for (String name : type.equals(factor) ? List.of(type) : List.of(type, factor)) {
                    String value = wanted.get(name);
                    if (value == null) {
                        continue;
                    }
                    if (knobs.indexOf(name).isEmpty() && own.contains(words(p))) {
                        break;
                    }
                    if (knobs.indexOf(name).isEmpty()) {
                        left.add(new Left(p.raw(), "the space has no knob " + name));
                        candidate(type, wanted, knobs, candidates);
                        break;
                    }
                    String asked = interval(knobs, p, name, value);
                    if (knobs.get(knobs.indexOf(name).getAsInt()).domain().levelOf(asked) < 0) {
                        left.add(new Left(p.raw(), name + " has no value " + asked));
                        candidate(type, wanted, knobs, candidates);
                        break;
                    }
                    if (!found.value(name).equals(asked)) {
                        left.add(new Left(
                                p.raw(),
                                name + " is " + found.value(name)
                                        + " instead: the space excludes it together with others"));
                        break;
                    }
                }
            }
        }
        return new StatedDesign(found, left, List.copyOf(candidates.values()));
    }

    /// An interval of 1 is said as such where the space tells it from the tool's choice.
    private static String interval(KnobSet knobs, Pragma p, String name, String value) {
        String exact = "ii=" + p.options().getOrDefault("ii", "");
        return value.equals("on")
                        && knobs.get(knobs.indexOf(name).orElseThrow()).domain().levelOf(exact) >= 0
                ? exact
                : value;
    }

    /// The entry of a directive file that adds a value to what its knob has.
    private static void candidate(
            String name, Map<String, String> wanted, KnobSet knobs, Map<String, String> candidates) {
        int at = name.indexOf('@');
        String word = name.substring(0, at);
        String location = name.substring(at + 1);
        int hash = location.lastIndexOf('#');
        String array = hash < 0 ? location : location.substring(0, hash);
        String dimension = hash < 0 ? "" : ", dim: " + location.substring(hash + 1);
        String entry = switch (word) {
            case "partition_type" -> {
                String factor = "partition_factor@" + location;
                var types = with(labels(knobs, name), "none", wanted.getOrDefault(name, "none"));
                var factors = new TreeSet<Integer>();
                Stream.concat(labels(knobs, factor).stream(), Stream.of(wanted.getOrDefault(factor, "1")))
                        .map(Integer::valueOf)
                        .filter(f -> f > 1)
                        .forEach(factors::add);
                yield "{kind: partition, at: " + quoted(array) + dimension + ", types: " + types + ", factors: "
                        + factors + "}";
            }
            case "unroll", "reshape" -> {
                var factors = new TreeSet<Integer>();
                Stream.concat(labels(knobs, name).stream(), Stream.of("1", wanted.getOrDefault(name, "1")))
                        .map(Integer::valueOf)
                        .forEach(factors::add);
                yield "{kind: " + word + ", at: " + quoted(array) + dimension + ", factors: " + factors + "}";
            }
            default ->
                "{kind: " + word + ", at: " + quoted(array) + ", values: "
                        + with(
                                labels(knobs, name),
                                word.equals("multiplier") || word.equals("storage") ? "auto" : "off",
                                wanted.getOrDefault(name, "on"))
                        + "}";
        };
        candidates.put(name.toLowerCase(Locale.ROOT), entry);
    }

    private static List<String> labels(KnobSet knobs, String name) {
        return knobs.indexOf(name).stream()
                .mapToObj(i -> knobs.get(i).domain().labels())
                .findFirst()
                .orElse(List.of());
    }

    private static List<String> with(List<String> labels, String rest, String value) {
        return Stream.of(Stream.of(rest), labels.stream(), Optional.of(value).stream())
                .flatMap(s -> s)
                .distinct()
                .toList();
    }

    /// What a pragma says and where, without how it is written.
    private static List<Object> words(Pragma p) {
        return List.of(p.directive(), p.options(), p.function());
    }

    private static String quoted(String name) {
        return name.matches("/?[A-Za-z_][A-Za-z0-9_./-]*") ? name : "\"" + name.replace("\"", "\\\"") + "\"";
    }

    /// The directive file of a space with the candidates in the place of the knobs they widen.
    public String widened(String directiveFile) {
        var lines = new ArrayList<String>();
        directiveFile.lines().forEach(line -> {
            if (candidates.stream().noneMatch(c -> line.contains(place(c) + ",") || line.contains(place(c) + "}"))) {
                lines.add(line.replaceFirst("^knobs: \\[\\].*", "knobs:"));
            }
        });
        if (!candidates.isEmpty()) {
            lines.add("");
            lines.add("  # what an imported design asks for");
            candidates.forEach(c -> lines.add("  - " + c));
        }
        return String.join("\n", lines) + "\n";
    }

    /// Kind, location and dimension of an entry.
    private static String place(String entry) {
        return entry.replaceFirst(", (types|factors|values):.*", "");
    }
}
