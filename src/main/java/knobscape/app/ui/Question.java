package knobscape.app.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableBooleanValue;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;

/// Asks a person to choose. Esc or a click beside it leaves everything as it is.
final class Question {
    private final VBox card;

    @FXML
    private Label title;

    @FXML
    private StackPane body;

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

    /// Fields before an answer.
    ///
    /// @param fields to fill in
    /// @param right whether they are
    /// @param declined what follows where nobody answers
    record Form(Node fields, ObservableBooleanValue right, Runnable declined) {}

    private Overlay place = new Overlay();
    private Optional<Form> form = Optional.empty();

    Question() {
        card = Fxml.load("window/question", this);
    }

    /// Takes the layer it stands on.
    void placeIn(Overlay overlay) {
        place = overlay;
        place.displayProperty().addListener((o, was, is) -> {
            Optional<Form> left = form;
            form = Optional.empty();
            left.filter(f -> !is).ifPresent(f -> f.declined().run());
        });
    }

    boolean isAsking() {
        return place.isDisplay();
    }

    /// Asks; the first answer is the one that Enter gives.
    void ask(String words, String explanation, List<Answer> choices) {
        show(words, explanation, choices, Optional.empty());
    }

    /// Asks to fill in a form; one that is right can be answered or cancelled.
    void ask(String words, String explanation, List<Answer> choices, Form filled) {
        var all = new ArrayList<>(choices);
        all.add(new Answer("cancel", "Cancel", filled.declined()));
        show(words, explanation, all, Optional.of(filled));
        answers.getChildren().getFirst().disableProperty().bind(Bindings.not(filled.right()));
    }

    private void show(String words, String explanation, List<Answer> choices, Optional<Form> filled) {
        title.setText(words);
        note.setText(explanation);
        body.getChildren().setAll(filled.map(Form::fields).stream().toList());
        Nodes.show(body, filled.isPresent());
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
        form = filled;
        answers.getChildren().getFirst().requestFocus();
    }

    private void close() {
        form = Optional.empty();
        place.hide(true);
        answers.getChildren().clear();
    }
}
