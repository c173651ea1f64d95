package knobscape.app.ui.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.scene.Node;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.settings.Settings;

/// A row of buttons, one of which is on, each with something to show. Choices look alike everywhere in the
/// window.
public final class Tabs {
    private final List<ToggleButton> buttons = new ArrayList<>();
    private final VBox box = new VBox();

    /// The tab behind a button.
    ///
    /// @param title on the button
    /// @param bodies shown while it is on, side by side
    public record Tab(String title, List<Node> bodies) {
        /// One thing behind a button.
        public Tab(String title, Node body) {
            this(title, List.of(body));
        }
    }

    /// Fills `strip` with buttons and `place` with what the one on shows.
    ///
    /// @param style style classes of the buttons
    /// @param first title of the button that is on at first; the first one where there is none of that title
    /// @param turned takes the title of a button turned on, also the first
    public Tabs(Pane strip, Pane place, List<Tab> tabs, List<String> style, String first, Consumer<String> turned) {
        var group = new ToggleGroup();
        for (Tab t : tabs) {
            var button = new ToggleButton(t.title());
            button.setMnemonicParsing(false);
            button.getStyleClass().addAll(style);
            button.setToggleGroup(group);
            button.selectedProperty().addListener((o, was, is) -> {
                if (is) {
                    place.getChildren().setAll(t.bodies());
                    turned.accept(t.title());
                }
            });
            buttons.add(button);
        }
        // One stays on: a click on it changes nothing.
        group.selectedToggleProperty().addListener((o, was, is) -> {
            if (is == null) {
                group.selectToggle(was);
            }
        });
        strip.getChildren().setAll(buttons);
        named(first).or(() -> buttons.stream().findFirst()).ifPresent(b -> b.setSelected(true));
    }

    /// Tabs above what they show, in a box of their own. What is on is remembered.
    ///
    /// @param turned takes the title of a tab turned on, also the first
    public static Tabs boxed(List<Tab> tabs, Settings settings, String key, Consumer<String> turned) {
        // Tabs that do not fit beside the others stand below them.
        var strip = new FlowPane();
        strip.setMinWidth(0);
        strip.getStyleClass().add("tab-strip");
        var body = new StackPane();
        body.setMinSize(0, 0);
        VBox.setVgrow(body, Priority.ALWAYS);
        var all = new Tabs(
                strip, body, tabs, List.of("tab-button"), settings.get(key).orElse(""), title -> {
                    settings.put(key, title);
                    turned.accept(title);
                });
        all.buttons.forEach(b -> b.setMinWidth(Region.USE_PREF_SIZE));
        all.box.setMinSize(0, 0);
        all.box.getChildren().setAll(strip, body);
        return all;
    }

    /// The box of [#boxed].
    public VBox box() {
        return box;
    }

    private Optional<ToggleButton> named(String title) {
        return buttons.stream().filter(b -> b.getText().equals(title)).findFirst();
    }

    /// Turns on the button with this title, where there is one.
    public void turnTo(String title) {
        named(title).ifPresent(b -> b.setSelected(true));
    }

    /// The buttons.
    public List<ToggleButton> buttons() {
        return List.copyOf(buttons);
    }
}
