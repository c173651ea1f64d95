package knobscape.app.ui;

import java.util.List;
import javafx.fxml.FXML;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.view.Fxml;

/// Asks a person to choose. Esc or a click beside it leaves everything as it is.
final class Question {
    private final VBox card;

    @FXML
    private Label title;

    @FXML
    private FlowPane answers;

    @FXML
    private Label note;

    /// A possible answer.
    ///
    /// @param id of the button, after `answer-`
    /// @param words on it
    /// @param then what it does
    record Answer(String id, String words, Runnable then) {}

    private StackPane place = new StackPane();

    Question() {
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

    /// Asks; the first answer is the one that Enter gives.
    void ask(String words, String explanation, List<Answer> choices) {
        title.setText(words);
        note.setText(explanation);
        answers.getChildren()
                .setAll(choices.stream()
                        .map(a -> {
                            var button = new Button(a.words());
                            button.setId("answer-" + a.id());
                            button.getStyleClass().add(a == choices.getFirst() ? "accent" : "plain");
                            button.setDefaultButton(a == choices.getFirst());
                            button.setOnAction(e -> {
                                close();
                                a.then().run();
                            });
                            return button;
                        })
                        .toList());
        place.setVisible(true);
        answers.getChildren().getFirst().requestFocus();
    }

    private void close() {
        place.setVisible(false);
        answers.getChildren().clear();
    }
}
