package knobscape.app.ui.designs;

import java.util.List;
import java.util.stream.IntStream;
import javafx.beans.value.ObservableValue;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import javafx.scene.shape.Rectangle;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;

/// The strip across the window with the figures a person came for.
public final class HeadlineView {
    /// How many of the figures, from the first on, are large.
    private static final int LARGE = 3;

    private final ObservableValue<List<Headline>> shown;
    private final Parent root;

    @FXML
    private FlowPane figures;

    /// @param shown the figures; followed
    public HeadlineView(ObservableValue<List<Headline>> shown) {
        this.shown = shown;
        this.root = Fxml.load("designs/headline", this);
        // Bindings are followed only as long as somebody holds them.
        root.setUserData(this);
        shown.addListener((o, was, is) -> show());
        show();
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        // One row: a figure that finds no room is left out whole.
        var row = new Rectangle();
        row.widthProperty().bind(figures.widthProperty());
        row.heightProperty().bind(figures.heightProperty());
        figures.setClip(row);
    }

    private void show() {
        List<Headline> all = shown.getValue();
        figures.getChildren()
                .setAll(IntStream.range(0, all.size())
                        .mapToObj(i -> figure(all.get(i), i < LARGE))
                        .toList());
        Nodes.show(root, !figures.getChildren().isEmpty());
    }

    private static Button figure(Headline h, boolean large) {
        var title = new Label(h.title());
        title.getStyleClass().add("secondary");
        var value = new Label(h.value());
        value.getStyleClass().add(large ? "headline-value" : "emphasis");
        var words = new Label(h.words());
        words.getStyleClass().add("secondary");
        var line = new HBox(value, words);
        line.getStyleClass().add("headline-line");
        var button = new Button(null, new VBox(title, line));
        button.setContentDisplay(ContentDisplay.GRAPHIC_ONLY);
        button.getStyleClass().addAll("flat", "headline-figure");
        button.setAccessibleText(h.title() + " " + h.value() + " " + h.words());
        button.setMouseTransparent(h.act().isEmpty());
        button.setFocusTraversable(h.act().isPresent());
        button.setOnAction(e -> h.act().ifPresent(Runnable::run));
        return button;
    }
}
