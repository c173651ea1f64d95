package knobscape.app.ui;

import java.util.List;
import java.util.function.Consumer;
import javafx.fxml.FXML;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.area.Area;
import knobscape.app.ui.view.Fxml;

/// Asks what shall be done with something that several areas take. Esc or a click beside it leaves everything
/// as it is.
final class AreaQuestion {
    private final VBox card;

    @FXML
    private Label title;

    @FXML
    private FlowPane answers;

    private StackPane place = new StackPane();

    AreaQuestion() {
        card = Fxml.load("window/question", this);
        card.addEventFilter(KeyEvent.KEY_PRESSED, e -> {
            if (e.getCode() == KeyCode.ESCAPE) {
                close();
                e.consume();
            }
        });
    }

    /// Takes the layer it stands on.
    void placeIn(StackPane overlay) {
        place = overlay;
        place.getChildren().add(card);
        place.setVisible(false);
        place.addEventHandler(MouseEvent.MOUSE_PRESSED, e -> {
            if (e.getTarget() == place) {
                close();
            }
        });
    }

    boolean isAsking() {
        return place.isVisible();
    }

    /// Asks, and hands the answer on.
    void ask(String name, List<Area> areas, Consumer<Area> then) {
        title.setText("What do you want to optimise in " + name + "?");
        answers.getChildren()
                .setAll(areas.stream()
                        .map(a -> {
                            var button = new Button(a.title());
                            button.setId("answer-" + a.id());
                            button.getStyleClass().add(a == areas.getFirst() ? "accent" : "plain");
                            button.setOnAction(e -> {
                                close();
                                then.accept(a);
                            });
                            return button;
                        })
                        .toList());
        place.setVisible(true);
        answers.getChildren().getFirst().requestFocus();
    }

    private void close() {
        place.setVisible(false);
    }
}
