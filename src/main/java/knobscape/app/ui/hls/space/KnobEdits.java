package knobscape.app.ui.hls.space;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.task.ScreenThread;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveFile.Entry;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.KnobKind;
import knobscape.hls.space.KnobNames;
import knobscape.space.Configuration;

/// Values that a person has taken out of knobs, and the directive file that says so.
///
/// @param leftOut knob name to the values taken out of it; never all of a knob's values
public record KnobEdits(Map<String, Set<String>> leftOut) {
    /// Begins the line of a directive file that says what was taken out of its space.
    public static final String WORDS = "# Taken out: ";

    public KnobEdits {
        var copy = new LinkedHashMap<String, Set<String>>();
        leftOut.forEach((k, v) -> {
            if (!v.isEmpty()) {
                copy.put(k, Collections.unmodifiableSet(new LinkedHashSet<>(v)));
            }
        });
        leftOut = Collections.unmodifiableMap(copy);
    }

    /// As [#lines()] says; what cannot be read is left out.
    public static KnobEdits of(List<String> lines) {
        var out = new LinkedHashMap<String, Set<String>>();
        lines.stream()
                .map(l -> l.split("\t"))
                .filter(p -> p.length > 1)
                .forEach(p -> out.put(p[0], new LinkedHashSet<>(List.of(p).subList(1, p.length))));
        return new KnobEdits(out);
    }

    /// One line per knob: its name and the values left out, with tabs between.
    public List<String> lines() {
        return leftOut.entrySet().stream()
                .map(e -> e.getKey() + "\t" + String.join("\t", e.getValue()))
                .toList();
    }

    /// The values left out in words: `unroll dot without 4, 8`; empty where none are.
    public String words() {
        return leftOut.entrySet().stream()
                .map(e -> KnobLabels.shortest(e.getKey()) + " without " + String.join(", ", e.getValue()))
                .collect(Collectors.joining("; "));
    }

    /// Nothing is left out.
    public static KnobEdits none() {
        return new KnobEdits(Map.of());
    }

    /// True if nothing is left out.
    public boolean isNone() {
        return leftOut.isEmpty();
    }

    /// True if a value is left out.
    public boolean isLeftOut(String knob, String value) {
        return leftOut.getOrDefault(knob, Set.of()).contains(value);
    }

    /// Takes out what a configuration does not have, except the baseline's values and those of some knobs.
    ///
    /// @param free positions of the knobs that keep all their values
    public static KnobEdits keeping(DirectiveSpace base, Configuration keep, List<Integer> free) {
        var out = new LinkedHashMap<String, Set<String>>();
        Set<String> places = free.stream()
                .map(k -> place(base.space().knobs().get(k).name()))
                .collect(Collectors.toSet());
        for (int k = 0; k < keep.knobs().size(); k++) {
            String name = base.space().knobs().get(k).name();
            if (!places.contains(place(name))) {
                var values =
                        new LinkedHashSet<>(base.space().knobs().get(k).domain().labels());
                values.remove(keep.value(k));
                values.remove(base.baseline().value(k));
                out.put(name, values);
            }
        }
        return new KnobEdits(out);
    }

    /// Takes out what is more than one value away from a configuration, except the baseline's values.
    public static KnobEdits near(DirectiveSpace base, Configuration middle) {
        var out = new LinkedHashMap<String, Set<String>>();
        for (int k = 0; k < middle.knobs().size(); k++) {
            var values =
                    new LinkedHashSet<>(base.space().knobs().get(k).domain().labels());
            List<String> order = List.copyOf(values);
            for (int l = Math.max(0, middle.level(k) - 1); l <= Math.min(order.size() - 1, middle.level(k) + 1); l++) {
                values.remove(order.get(l));
            }
            values.remove(base.baseline().value(k));
            out.put(base.space().knobs().get(k).name(), values);
        }
        return new KnobEdits(out);
    }

    /// The kind and the factor of a partition go together.
    private static String place(String knob) {
        return knob.startsWith("partition_") ? knob.substring(knob.indexOf('@')) : knob;
    }

    /// The same with a value taken out or put back. Empty where it is the last one left: a knob keeps at least
    /// one.
    ///
    /// @param values all values of the knob
    public Optional<KnobEdits> toggled(String knob, String value, List<String> values) {
        var out = new LinkedHashSet<>(leftOut.getOrDefault(knob, Set.of()));
        if (!out.remove(value)) {
            out.add(value);
        }
        if (out.containsAll(values)) {
            return Optional.empty();
        }
        var copy = new LinkedHashMap<>(leftOut);
        copy.put(knob, out);
        return Optional.of(new KnobEdits(copy));
    }

    /// The directive file of `base` without the values left out.
    ///
    /// @param base the space with all values
    /// @param part FPGA part to name in it
    /// @param clockNs clock period to name in it
    public String yaml(DirectiveSpace base, Optional<String> part, double clockNs) {
        ScreenThread.mustNotBe("writing a directive file");
        DirectiveFile all = DirectiveFile.parse(
                "the directive file of this space", DirectiveFile.write(base, part, OptionalDouble.of(clockNs)));
        var lines = new ArrayList<String>();
        lines.add("# Made by the window: values taken out of knobs by hand are missing here.");
        lines.add(WORDS + words());
        lines.add("version: 1");
        all.part().ifPresent(p -> lines.add("part: " + quoted(p)));
        lines.add("clock: " + clockNs);
        all.top().ifPresent(t -> lines.add("top: " + quoted(t)));
        lines.add("defaults: false");
        lines.add("prune: " + all.prune());
        lines.add("knobs:");
        all.knobs().forEach(e -> lines.add("  - " + entry(e, base)));
        return String.join("\n", lines) + "\n";
    }

    private String entry(Entry e, DirectiveSpace base) {
        String place = e.at().getFirst().name();
        var parts = new ArrayList<String>();
        parts.add("kind: " + e.kind().word());
        parts.add("at: " + quoted(place));
        e.dimension().ifPresent(d -> parts.add("dim: " + d));
        String valueKnob = e.kind() == KnobKind.PARTITION
                ? KnobNames.partitionType(place, e.dimension().orElse(1))
                : name(e, place);
        String factorKnob = e.kind() == KnobKind.PARTITION
                ? KnobNames.partitionFactor(place, e.dimension().orElse(1))
                : name(e, place);
        List<String> values = e.values().orElseGet(() -> e.factors().isPresent() ? List.of() : labels(base, valueKnob));
        List<String> keptFactors = e.factors().orElse(List.of()).stream()
                .map(String::valueOf)
                .filter(v -> !isLeftOut(factorKnob, v))
                .toList();
        // A partition without factors of its own would get the default ones back.
        boolean unsplit = e.kind() == KnobKind.PARTITION && e.factors().isPresent() && keptFactors.isEmpty();
        List<String> keptValues = values.stream()
                .filter(v -> !isLeftOut(valueKnob, v))
                .filter(v -> !unsplit || (!v.equals("cyclic") && !v.equals("block")))
                .toList();
        if (!keptValues.isEmpty()) {
            parts.add((e.kind() == KnobKind.PARTITION ? "types: " : "values: ")
                    + keptValues.stream().map(KnobEdits::quoted).collect(list()));
        }
        if (!keptFactors.isEmpty()) {
            parts.add("factors: " + keptFactors.stream().collect(list()));
        }
        return "{" + String.join(", ", parts) + "}";
    }

    private static String name(Entry e, String place) {
        return e.kind() == KnobKind.RESHAPE
                ? KnobNames.reshape(place, e.dimension().orElse(1))
                : e.kind().word() + "@" + place;
    }

    private static List<String> labels(DirectiveSpace base, String knob) {
        return base.space().knobs().indexOf(knob).stream()
                .mapToObj(i -> base.space().knobs().get(i).domain().labels())
                .findFirst()
                .orElse(List.of());
    }

    private static java.util.stream.Collector<CharSequence, ?, String> list() {
        return Collectors.joining(", ", "[", "]");
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
