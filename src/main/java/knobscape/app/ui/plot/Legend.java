package knobscape.app.ui.plot;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.MarkGlyph;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results.VisibleDesigns;
import knobscape.app.ui.view.Glossary;
import knobscape.app.ui.view.Nodes;

/// Says what the marks mean and how many there are; a click leaves a kind out of the plots or takes it in
/// again. Kinds that do not occur are not named.
final class Legend extends FlowPane {
    private static final DesignStanding[] ORDER = {
        DesignStanding.FRONT,
        DesignStanding.DOMINATED,
        DesignStanding.INVALID,
        DesignStanding.PREDICTED,
        DesignStanding.LOWER
    };
    /// Kinds that are left out until they are asked for.
    static final Set<DesignStanding> HIDDEN_AT_FIRST = Set.of(DesignStanding.PREDICTED);

    /// About as much as such a mark is seen of in the figure.
    static final double FADED = 0.4;

    private final Map<DesignStanding, ToggleButton> items = new EnumMap<>(DesignStanding.class);
    private final Label baseline = new Label("baseline", MarkGlyph.baseline());
    private final Label missing = new Label("", new MarkGlyph(DesignStanding.DOMINATED));

    Legend(Consumer<Set<DesignStanding>> hide) {
        getStyleClass().add("legend");
        for (DesignStanding s : ORDER) {
            var item = new ToggleButton(s.words(), new MarkGlyph(s));
            // What a model expects is no result: it is shown on demand.
            item.setSelected(!HIDDEN_AT_FIRST.contains(s));
            item.getStyleClass().addAll("legend-item", "small", "flat");
            item.setTooltip(
                    new Tooltip("Show or hide: " + Glossary.explain(s.words()).orElse(s.words())));
            item.selectedProperty().addListener((o, was, is) -> {
                Set<DesignStanding> hidden = EnumSet.noneOf(DesignStanding.class);
                items.forEach((standing, button) -> {
                    if (!button.isSelected()) {
                        hidden.add(standing);
                    }
                });
                hide.accept(hidden);
            });
            items.put(s, item);
            getChildren().add(item);
        }
        baseline.getStyleClass().add("legend-fixed");
        missing.getStyleClass().add("legend-fixed");
        missing.getGraphic().setOpacity(FADED);
        getChildren().addAll(baseline, missing);
    }

    void update(VisibleDesigns shown) {
        DesignSet set = shown.set();
        items.forEach((s, item) -> {
            int n = s == DesignStanding.FRONT ? set.frontSize() : set.count(s);
            Nodes.show(item, n > 0 || s == DesignStanding.FRONT);
            item.setText(s.words() + (n > 0 ? " " + Quantity.count(n) : ""));
            item.setAccessibleText(s.words() + ", " + n + " designs, " + (item.isSelected() ? "shown" : "left out"));
        });
        Nodes.show(baseline, set.baseline().isPresent());
        Nodes.show(missing, shown.count() < set.size());
        missing.setText(shown.missed());
    }
}
