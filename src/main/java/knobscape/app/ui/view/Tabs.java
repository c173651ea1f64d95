package knobscape.app.ui.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.scene.Node;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.Pane;

/// A row of buttons, one of which is on, each with something to show. Choices look alike everywhere in the
/// window.
public final class Tabs {
    private final List<ToggleButton> buttons = new ArrayList<>();

    /// What stands behind a button.
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
