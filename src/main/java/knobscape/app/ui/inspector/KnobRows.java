package knobscape.app.ui.inspector;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.WhatIf;
import knobscape.app.ui.insight.InsightViewModel;
import knobscape.project.Design;
import knobscape.space.Configuration;
import knobscape.space.Domain;

/// The knobs of a design, each with its values side by side: a click on another value shows what it would give.
final class KnobRows extends VBox {
    /// Knobs shown where none differs: those that matter most.
    private static final int MOST_AT_FIRST = 5;

    private static final int MOST_VALUES = 6;
    private static final int MOST_LETTERS = 26;

    private final Results results;
    private final InsightViewModel insight;

    KnobRows(Results results, InsightViewModel insight) {
        this.results = results;
        this.insight = insight;
        getStyleClass().add("knob-rows");
    }

    /// Shows the knobs that differ from another design, or all of them.
    void show(Design design, Optional<Design> other, boolean all) {
        DesignSet set = results.set();
        Configuration c = design.configuration();
        List<String> labels = KnobLabels.of(set.knobs());
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
        getChildren()
                .setAll(shown.stream()
                        .map(k -> row(set, c, other.map(Design::configuration), tried, k, labels.get(k)))
                        .toList());
    }

    private static IntStream varying(DesignSet set) {
        return IntStream.range(0, set.knobs().size())
                .filter(k -> set.knobs().get(k).domain().size() > 1);
    }

    private Node row(
            DesignSet set,
            Configuration c,
            Optional<Configuration> other,
            Optional<Configuration> tried,
            int knob,
            String label) {
        Domain domain = set.knobs().get(knob).domain();
        var name = new Label(label);
        name.setTooltip(new Tooltip(KnobLabels.whole(set.knobs().get(knob).name())));
        name.setMinWidth(56);
        name.getStyleClass().add("source-word");
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        int letters = domain.labels().stream().mapToInt(String::length).sum();
        Node values = domain.size() <= MOST_VALUES && letters <= MOST_LETTERS
                ? segments(c, other, tried, knob, domain, label)
                : list(c, tried, knob, domain, label);
        var row = new HBox(name, spacer, values);
        row.getStyleClass().add("knob-row");
        return row;
    }

    private HBox segments(
            Configuration c,
            Optional<Configuration> other,
            Optional<Configuration> tried,
            int knob,
            Domain domain,
            String label) {
        var box = new HBox();
        box.setAlignment(Pos.CENTER_RIGHT);
        for (int level = 0; level < domain.size(); level++) {
            int l = level;
            var b = new ToggleButton(domain.label(level));
            b.setMnemonicParsing(false);
            b.setMinWidth(Region.USE_PREF_SIZE);
            b.getStyleClass().add("knob-value");
            if (level == 0) {
                b.getStyleClass().add("first");
            }
            if (other.filter(o -> o.level(knob) == l).isPresent()) {
                b.getStyleClass().add("base");
            }
            boolean mine = c.level(knob) == level;
            b.setSelected(mine);
            // What the space does not have cannot be tried out.
            b.setDisable(!mine && insight.with(tried.orElse(c), knob, level).isEmpty());
            if (tried.filter(t -> t.level(knob) == l && !mine).isPresent()) {
                b.getStyleClass().add("tried");
            }
            b.setAccessibleText(label + " " + domain.label(level) + (mine ? ", chosen" : ", try out"));
            b.setOnAction(e -> {
                b.setSelected(mine);
                insight.tryOut(knob, l);
            });
            box.getChildren().add(b);
        }
        return box;
    }

    private Node list(Configuration c, Optional<Configuration> tried, int knob, Domain domain, String label) {
        var box = new ComboBox<String>();
        box.getItems().setAll(domain.labels());
        box.getSelectionModel().select(tried.orElse(c).level(knob));
        box.getStyleClass().add("small");
        box.setAccessibleText(label);
        box.setOnAction(e -> insight.tryOut(knob, box.getSelectionModel().getSelectedIndex()));
        return box;
    }
}
