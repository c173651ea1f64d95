package knobscape.app.ui.view;

import java.util.function.Function;
import javafx.application.Platform;
import javafx.beans.binding.Bindings;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Labeled;
import javafx.scene.control.SplitPane;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;
import javafx.util.StringConverter;
import knobscape.app.ui.settings.Settings;

/// Common operations on a node.
public final class Nodes {
    private Nodes() {}

    /// Shows a node, or hides it so that it takes no room.
    public static void show(Node node, boolean on) {
        node.setVisible(on);
        node.setManaged(on);
    }

    /// True if a node and all around it are visible.
    public static boolean isShown(Node node) {
        return node.isVisible() && (node.getParent() == null || isShown(node.getParent()));
    }

    /// Gives a node or leaves it a style class.
    public static void style(Node node, String styleClass, boolean on) {
        if (!on) {
            node.getStyleClass().remove(styleClass);
        } else if (!node.getStyleClass().contains(styleClass)) {
            node.getStyleClass().add(styleClass);
        }
    }

    /// Two nodes with a divider that the settings remember under `key`.
    ///
    /// @param share of the first at first
    public static SplitPane split(
            Settings settings, String key, double share, Orientation way, Node first, Node second) {
        var split = new SplitPane(first, second);
        split.setOrientation(way);
        Runnable place = () -> split.setDividerPositions(settings.number(key).orElse(share));
        place.run();
        // A pane of another size shares out the difference by rules of its own, and its divider wanders.
        (way == Orientation.VERTICAL ? split.heightProperty() : split.widthProperty())
                .addListener(_ -> Platform.runLater(place));
        split.addEventFilter(
                MouseEvent.MOUSE_RELEASED, e -> settings.put(key, Double.toString(split.getDividerPositions()[0])));
        return split;
    }

    /// Lets the words of a control in a flow take several lines where one is wider than the flow.
    public static void wrap(Labeled words, Region flow) {
        words.setWrapText(true);
        words.maxWidthProperty().bind(flow.widthProperty());
        words.minHeightProperty()
                .bind(Bindings.createDoubleBinding(
                        () -> words.prefHeight(Math.min(flow.getWidth(), words.prefWidth(-1))),
                        flow.widthProperty(),
                        words.fontProperty()));
    }

    /// Puts text on the clipboard.
    public static void copy(String text) {
        var content = new ClipboardContent();
        content.putString(text);
        Clipboard.getSystemClipboard().setContent(content);
    }

    /// Says the choices of a box in words.
    public static <T> void words(ComboBox<T> box, Function<T, String> words) {
        box.setConverter(new StringConverter<>() {
            @Override
            public String toString(T item) {
                return item == null ? "" : words.apply(item);
            }

            @Override
            public T fromString(String text) {
                return box.getItems().stream()
                        .filter(i -> words.apply(i).equals(text))
                        .findFirst()
                        .orElse(box.getValue());
            }
        });
    }
}
