package knobscape.app.ui.view;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import javafx.scene.Node;
import javafx.scene.layout.Pane;

/// Nodes of one kind in a pane, kept while what they show changes. A new node costs its style and its layout, which
/// for a sheet of many rows is most of the time of a selection; a new text in a kept one costs little.
///
/// @param <N> kind of the nodes
public final class NodePool<N extends Node> {
    private final Supplier<N> maker;
    private final List<N> nodes = new ArrayList<>();

    /// @param maker of a node that shows nothing yet
    public NodePool(Supplier<N> maker) {
        this.maker = maker;
    }

    /// Shows a value in a node each, in this order.
    ///
    /// @param pane holds these nodes and nothing else, and is always the same one
    /// @param filler writes a value into a node, whatever the node showed before
    public <V> void show(Pane pane, List<V> values, BiConsumer<N, V> filler) {
        while (nodes.size() < values.size()) {
            nodes.add(maker.get());
        }
        for (int i = 0; i < values.size(); i++) {
            filler.accept(nodes.get(i), values.get(i));
        }
        int shown = pane.getChildren().size();
        if (shown > values.size()) {
            pane.getChildren().remove(values.size(), shown);
        } else if (shown < values.size()) {
            pane.getChildren().addAll(nodes.subList(shown, values.size()));
        }
    }
}
