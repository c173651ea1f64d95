package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Nodes;
import knobscape.app.ui.view.Tabs;
import knobscape.app.ui.view.Tabs.Tab;

/// Figures behind a few tabs, and those of a tab behind smaller buttons below it. A figure that has nothing to show has
/// no button.
public final class FigureTabs extends StackPane {
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Tabs tabs;
    private final ReadOnlyStringWrapper shown = new ReadOnlyStringWrapper("");
    private String group = "";

    /// The piece behind a button.
    ///
    /// @param group title of the tab it stands behind
    /// @param title on its button
    /// @param body shown while it is on
    /// @param filled whether it has something to show; followed
    public record Piece(String group, String title, Node body, ObservableValue<Boolean> filled) {}

    /// @param name under which choices are remembered
    /// @param pieces in the order of their buttons; their tabs stand in the order of the first of each
    /// @param settings where choices are remembered
    public FigureTabs(String name, List<Piece> pieces, Settings settings) {
        var titles = new LinkedHashMap<String, List<Piece>>();
        pieces.forEach(
                p -> titles.computeIfAbsent(p.group(), _ -> new ArrayList<>()).add(p));
        titles.forEach((title, own) -> groups.put(title, new Group(own, settings, name + ".figure." + title)));
        this.tabs = Tabs.boxed(
                groups.entrySet().stream()
                        .map(g -> new Tab(g.getKey(), g.getValue().box))
                        .toList(),
                settings,
                name + ".tab",
                title -> {
                    group = title;
                    tellShown();
                });
        getChildren().setAll(tabs.box());
        getStyleClass().add("figure-tabs");
        setMinSize(0, 0);
    }

    /// Title of the figure that is seen.
    public ReadOnlyStringProperty shown() {
        return shown.getReadOnlyProperty();
    }

    private void tellShown() {
        Optional.ofNullable(groups.get(group)).ifPresent(g -> shown.set(g.seen.title()));
    }

    /// Turns to the figure of a title, or to the tab of that title.
    public void turnTo(String title) {
        tabs.turnTo(title);
        groups.forEach((tab, g) -> g.pieces.stream()
                .filter(p -> p.title().equals(title))
                .findFirst()
                .ifPresent(p -> {
                    g.choose(p);
                    tabs.turnTo(tab);
                }));
    }

    /// The figures behind a tab. The chosen one is seen where it has something to show, else the first that has.
    private final class Group {
        private final List<Piece> pieces;
        private final Settings settings;
        private final String key;
        private final Map<Piece, ToggleButton> buttons = new LinkedHashMap<>();
        private final FlowPane strip = new FlowPane();
        private final StackPane body = new StackPane();
        private final VBox box = new VBox(strip, body);
        private Piece chosen;
        private Piece seen;

        Group(List<Piece> pieces, Settings settings, String key) {
            this.pieces = List.copyOf(pieces);
            this.settings = settings;
            this.key = key;
            String last = settings.get(key).orElse("");
            chosen = pieces.stream()
                    .filter(p -> p.title().equals(last))
                    .findFirst()
                    .orElse(pieces.getFirst());
            seen = chosen;
            strip.getStyleClass().addAll("segments", "figure-choice");
            body.setMinSize(0, 0);
            VBox.setVgrow(body, Priority.ALWAYS);
            box.setMinSize(0, 0);
            for (Piece p : pieces) {
                var button = new ToggleButton(p.title());
                button.setMnemonicParsing(false);
                button.getStyleClass().addAll("small", "segment");
                button.setOnAction(e -> choose(p));
                buttons.put(p, button);
                p.filled().subscribe(_ -> arrange());
            }
            strip.getChildren().setAll(buttons.values());
            arrange();
        }

        void choose(Piece p) {
            chosen = p;
            settings.put(key, p.title());
            arrange();
        }

        private void arrange() {
            List<Piece> filled =
                    pieces.stream().filter(p -> p.filled().getValue()).toList();
            seen = filled.contains(chosen) || filled.isEmpty() ? chosen : filled.getFirst();
            buttons.forEach((p, b) -> {
                Nodes.show(b, filled.contains(p));
                b.setSelected(p == seen);
            });
            Nodes.show(strip, filled.size() > 1);
            if (!body.getChildren().equals(List.of(seen.body()))) {
                body.getChildren().setAll(seen.body());
            }
            tellShown();
        }
    }
}
