package knobscape.app.ui;

import java.util.List;
import javafx.fxml.FXML;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
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

    private Overlay place = new Overlay();

    Question() {
        card = Fxml.load("window/question", this);
    }

    /// Takes the layer it stands on.
    void placeIn(Overlay overlay) {
        place = overlay;
    }

    boolean isAsking() {
        return place.isDisplay();
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
        place.show(card);
        answers.getChildren().getFirst().requestFocus();
    }

    private void close() {
        place.hide(true);
        answers.getChildren().clear();
    }
}
