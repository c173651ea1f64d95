package knobscape.app.ui.inspector;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.WhatIf;
import knobscape.app.ui.insight.InsightViewModel;
import knobscape.project.Design;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;

/// The knobs of a design, each with its values side by side: a click on another value shows what it would give.
/// The lines are kept while designs of one space are shown.
final class KnobList extends VBox {
    /// Knobs shown where none differs: those that matter most.
    private static final int MOST_AT_FIRST = 5;

    private final Results results;
    private final InsightViewModel insight;
    /// The knobs that the lines stand for.
    private KnobSet knobs = new KnobSet(List.of());

    private List<String> labels = List.of();
    /// The lines made so far by number of their knob.
    private final Map<Integer, KnobLine> lines = new HashMap<>();

    KnobList(Results results, InsightViewModel insight) {
        this.results = results;
        this.insight = insight;
        getStyleClass().add("knob-rows");
    }

    /// Shows the knobs that differ from another design, or all of them.
    void show(Design design, Optional<Design> other, boolean all) {
        DesignSet set = results.set();
        Configuration c = design.configuration();
        List<Integer> differing = varying(set)
                .filter(k -> other.filter(o -> o.configuration().level(k) != c.level(k))
                        .isPresent())
                .boxed()
                .toList();
        List<Integer> shown = all || (other.isEmpty() && insight.insight().get().isEmpty())
                ? varying(set).boxed().toList()
                : differing.isEmpty()
                        ? varying(set)
                                .boxed()
                                .sorted(Comparator.comparingDouble(k -> -insight.insight()
                                        .get()
                                        .map(i -> i.share(k))
                                        .orElse(0.0)))
                                .limit(MOST_AT_FIRST)
                                .toList()
                        : differing;
        Optional<Configuration> tried = results.whatIf().get().map(WhatIf::configuration);
        if (!set.knobs().equals(knobs)) {
            knobs = set.knobs();
            labels = KnobLabels.of(knobs);
            lines.clear();
        }
        List<KnobLine> wanted = shown.stream()
                .map(k -> lines.computeIfAbsent(k, n -> new KnobLine(n, knobs.get(n), labels.get(n), insight)))
                .toList();
        wanted.forEach(l -> l.show(c, other.map(Design::configuration), tried));
        if (!wanted.equals(getChildren())) {
            getChildren().setAll(wanted);
        }
    }

    private static IntStream varying(DesignSet set) {
        return IntStream.range(0, set.knobs().size())
                .filter(k -> set.knobs().get(k).domain().size() > 1);
    }
}
