package knobscape.app.ui.inspector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import javafx.collections.ObservableListBase;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.insight.InsightViewModel;
import knobscape.app.ui.view.Nodes;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;

/// One knob with its values side by side, or in a list where they are many or long.
final class KnobLine extends HBox {
    private static final int MOST_VALUES = 6;
    private static final int MOST_LETTERS = 26;

    private final int knob;
    private final Domain domain;
    private final String label;
    private final InsightViewModel insight;
    private final List<ToggleButton> segments = new ArrayList<>();
    private final Optional<ComboBox<String>> list;
    /// Level of the design shown.
    private int level;

    /// True if the list is being set to what is shown, which is no choice of a person.
    private boolean showing;

    /// @param number index of the knob
    /// @param knob the knob
    /// @param label short name
    KnobLine(int number, Knob knob, String label, InsightViewModel insight) {
        this.knob = number;
        this.domain = knob.domain();
        this.label = label;
        this.insight = insight;
        var name = new Label(label);
        name.setTooltip(new Tooltip(KnobLabels.whole(knob.name())));
        name.setMinWidth(ObjectiveLine.NAME_WIDTH);
        name.getStyleClass().add("source-word");
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        boolean few = domain.size() <= MOST_VALUES
                && domain.labels().stream()
                                .map(KnobLabels::value)
                                .mapToInt(String::length)
                                .sum()
                        <= MOST_LETTERS;
        list = few ? Optional.empty() : Optional.of(list());
        getChildren().addAll(name, spacer, list.<Node>map(l -> l).orElseGet(this::segments));
        getStyleClass().add("knob-row");
    }

    private HBox segments() {
        var box = new HBox();
        box.setAlignment(Pos.CENTER_RIGHT);
        for (int l = 0; l < domain.size(); l++) {
            int own = l;
            var b = new ToggleButton(KnobLabels.value(domain.label(l)));
            b.setMnemonicParsing(false);
            b.setMinWidth(Region.USE_PREF_SIZE);
            b.getStyleClass().add("knob-value");
            if (l == 0) {
                b.getStyleClass().add("first");
            }
            b.setOnAction(e -> {
                b.setSelected(level == own);
                insight.tryOut(knob, own);
            });
            segments.add(b);
        }
        box.getChildren().addAll(segments);
        return box;
    }

    private ComboBox<String> list() {
        var list = new ComboBox<String>();
        list.setItems(new ObservableListBase<>() {
            @Override
            public String get(int level) {
                return KnobLabels.value(domain.label(level));
            }

            @Override
            public int size() {
                return domain.size();
            }
        });
        list.getStyleClass().add("small");
        list.setAccessibleText(label);
        list.setOnAction(e -> {
            if (!showing) {
                insight.tryOut(knob, list.getSelectionModel().getSelectedIndex());
            }
        });
        return list;
    }

    /// @param design the configuration shown
    /// @param other compared with
    /// @param tried what is tried out in its place
    void show(Configuration design, Optional<Configuration> other, Optional<Configuration> tried) {
        level = design.level(knob);
        showing = true;
        list.ifPresent(l -> l.getSelectionModel().select(tried.orElse(design).level(knob)));
        showing = false;
        // What the space does not have cannot be tried out.
        IntPredicate open =
                l -> l == level || insight.with(tried.orElse(design), knob, l).isPresent();
        for (int l = 0; l < segments.size(); l++) {
            int at = l;
            boolean mine = l == level;
            ToggleButton b = segments.get(l);
            b.setSelected(mine);
            b.setDisable(!open.test(l));
            Nodes.style(b, "base", other.filter(o -> o.level(knob) == at).isPresent());
            Nodes.style(
                    b, "tried", !mine && tried.filter(t -> t.level(knob) == at).isPresent());
            b.setAccessibleText(label + " " + domain.label(l) + (mine ? ", chosen" : ", try out"));
        }
    }
}
