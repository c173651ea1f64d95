package knobscape.app.ui.hls.space;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.hls.source.SourceElement;
import knobscape.app.ui.hls.space.KnobTree.Branch;
import knobscape.app.ui.hls.space.KnobTree.KnobLine;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.Metric;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.project.NumberFormats;
import knobscape.space.Knob;

/// The tree of knobs of measured designs. Where the columns are called `kind@function/place` the places make
/// the branches; else there is one branch.
final class MeasuredTree {
    private MeasuredTree() {}

    static KnobTree of(ReplaySet set) {
        ScreenThread.mustNotBe("building the tree of knobs");
        var own = new LinkedHashMap<String, List<KnobLine>>();
        var inside = new LinkedHashMap<String, Map<String, List<KnobLine>>>();
        for (Knob k : set.space().knobs().list()) {
            int at = k.name().indexOf('@');
            String place = at < 0 ? "" : k.name().substring(at + 1);
            int slash = place.indexOf('/');
            String function = slash < 0 ? place : place.substring(0, slash);
            List<String> values = k.domain().labels();
            // What was measured cannot be widened, and leaving values out would leave designs out: nothing can
            // be switched here.
            var line = new KnobLine(
                    k.name(),
                    KnobLabels.word(at < 0 ? k.name() : k.name().substring(0, at)),
                    values,
                    values.getFirst(),
                    Set.of(),
                    Set.copyOf(values));
            if (slash < 0) {
                own.computeIfAbsent(function, f -> new ArrayList<>()).add(line);
            } else {
                own.computeIfAbsent(function, f -> new ArrayList<>());
                inside.computeIfAbsent(function, f -> new LinkedHashMap<>())
                        .computeIfAbsent(place, p -> new ArrayList<>())
                        .add(line);
            }
        }
        var branches = new ArrayList<Branch>();
        own.forEach((function, knobs) -> {
            var places = inside.getOrDefault(function, Map.of()).entrySet().stream()
                    .map(e -> new Branch(
                            new SourceElement(kind(e.getValue()), e.getKey()),
                            e.getKey().substring(function.length() + 1),
                            "",
                            e.getValue(),
                            List.of()))
                    .toList();
            branches.add(
                    function.isEmpty()
                            ? new Branch(
                                    new SourceElement(SourceElement.Kind.FUNCTION, set.name()),
                                    set.name(),
                                    "columns of the file",
                                    knobs,
                                    places)
                            : new Branch(
                                    new SourceElement(SourceElement.Kind.FUNCTION, function),
                                    function,
                                    "",
                                    knobs,
                                    places));
        });
        return new KnobTree(
                List.copyOf(branches),
                set.space().fullSize(),
                set.space().size(),
                List.of(),
                set.space().knobs().size(),
                true,
                facts(set));
    }

    private static SourceElement.Kind kind(List<KnobLine> knobs) {
        return knobs.stream().anyMatch(k -> k.name().matches("(partition|reshape|bind_storage).*"))
                ? SourceElement.Kind.ARRAY
                : SourceElement.Kind.LOOP;
    }

    private static List<String> facts(ReplaySet set) {
        var facts = new ArrayList<String>();
        if (!set.description().isEmpty()) {
            facts.add(set.description());
        }
        facts.add("Columns read by "
                + (set.mappingFile().isPresent()
                        ? String.valueOf(set.mappingFile().get().getFileName())
                        : set.mappingName())
                + "; " + set.rows() + " rows.");
        for (ReplaySet.Coverage c : set.coverage()) {
            List<String> objectives = set.info().objectives().stream()
                    .filter(c.values()::containsKey)
                    .map(set.info()::metric)
                    .map(Metric::label)
                    .toList();
            int missing = c.values().keySet().stream().mapToInt(c::missing).sum();
            facts.add(c.fidelity().name() + ": " + c.designs() + " designs"
                    + (c.refused() > 0 ? ", " + c.refused() + " refused" : "") + "; "
                    + (objectives.isEmpty() ? "no objective" : String.join(", ", objectives)) + "; "
                    + (set.seconds(c.fidelity()).isPresent()
                            ? NumberFormats.duration(set.seconds(c.fidelity()).getAsDouble()) + " on average"
                            : "no times")
                    + (missing > 0 ? "; " + missing + " empty cells" : "") + ".");
        }
        return List.copyOf(facts);
    }
}
