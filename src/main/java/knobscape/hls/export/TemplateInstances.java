package knobscape.hls.export;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;

/// Instances of one template: functions of their own to the tool and in the space, one text in the source. A
/// pragma speaks to all of them, and so does a directive, which the tool makes a pragma of ([ToolNames]).
final class TemplateInstances {
    private final Kernel kernel;
    /// Instances by the place of their common body, in the kernel's order.
    private final Map<Location, List<String>> byBody = new LinkedHashMap<>();
    private final Set<String> later = new HashSet<>();

    TemplateInstances(Kernel kernel) {
        this.kernel = kernel;
        for (Function f : kernel.functions()) {
            byBody.computeIfAbsent(f.bodyStart(), b -> new ArrayList<>()).add(f.name());
        }
        byBody.values().forEach(names -> later.addAll(names.subList(1, names.size())));
    }

    /// True if the function is the first, or the only one, of its text.
    boolean first(String function) {
        return !later.contains(function);
    }

    /// Places of texts whose instances are to be spelled differently, each with what becomes of that.
    Map<Location, String> disagreements(List<Spelling> spellings) {
        var found = new LinkedHashMap<Location, String>();
        for (List<String> names : byBody.values()) {
            String first = names.getFirst();
            List<String> others = names.stream()
                    .skip(1)
                    .filter(n -> !said(spellings, n).equals(said(spellings, first)))
                    .toList();
            if (!others.isEmpty()) {
                found.put(
                        kernel.function(first).orElseThrow().location(),
                        "the design treats " + String.join(", ", others) + " unlike " + first
                                + ", but they share one text; its pragmas and directives are those of " + first);
            }
        }
        return found;
    }

    private Set<String> said(List<Spelling> spellings, String function) {
        return spellings.stream()
                .filter(s -> s.function().equals(function))
                .map(s -> place(s.place()) + s.pragma())
                .collect(Collectors.toSet());
    }

    private String place(Spelling.Place place) {
        return switch (place) {
            case Spelling.Place.InLoop(String id) ->
                kernel.loop(id).orElseThrow().keyword().toString();
            case Spelling.Place.InFunction(String name) ->
                kernel.function(name).orElseThrow().location().toString();
            case Spelling.Place.AfterDeclaration(String id) ->
                kernel.array(id).orElseThrow().location().toString();
            case Spelling.Place.AfterStatement(Location statement) -> statement.toString();
        };
    }
}
