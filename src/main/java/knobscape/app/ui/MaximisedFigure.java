package knobscape.app.ui;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.scene.Node;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import knobscape.app.ui.plot.FigureView;
import knobscape.app.ui.view.Nodes;

/// Shows one figure over everything else, and puts it back where it was.
final class MaximisedFigure {
    private final Region placeholder = new Region();
    private final StackPane holder = new StackPane();

    MaximisedFigure() {
        holder.setId("maximised");
        holder.getStyleClass().add("panel");
    }

    /// Maximises the figure under the mouse, else the largest one in `place`; puts it back where one is maximised.
    void toggle(StackPane place) {
        if (restore()) {
            return;
        }
        figures(place)
                .max(Comparator.comparing(FigureView::isHover).thenComparingDouble(f -> f.getWidth() * f.getHeight()))
                .ifPresent(f -> {
                    if (f.getParent() instanceof Pane home) {
                        home.getChildren().set(home.getChildren().indexOf(f), placeholder);
                        holder.getChildren().setAll(f);
                        place.getChildren().add(holder);
                        f.requestFocus();
                    }
                });
    }

    private static Stream<FigureView> figures(Node place) {
        return place.lookupAll(".plot").stream()
                .filter(FigureView.class::isInstance)
                .map(FigureView.class::cast)
                .filter(f -> f.getWidth() > 0 && Nodes.isShown(f));
    }

    /// Puts the figure back; false where none is maximised.
    boolean restore() {
        boolean was = holder.getParent() != null;
        Optional<Node> figure = holder.getChildren().stream().findFirst();
        holder.getChildren().clear();
        if (placeholder.getParent() instanceof Pane home && figure.isPresent()) {
            home.getChildren().set(home.getChildren().indexOf(placeholder), figure.get());
        }
        if (holder.getParent() instanceof Pane place) {
            place.getChildren().remove(holder);
        }
        return was;
    }
}
