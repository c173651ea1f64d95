package knobscape.app.ui.plot;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.fxml.FXML;
import javafx.scene.control.ComboBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import knobscape.app.ui.task.LatestTask;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;

/// A figure of something that is chosen above it, gathered and drawn away from the screen.
///
/// @param <T> what can be chosen
final class ChosenFigure<T> {
    private final FigureView figure;
    private final LatestTask<FigureView.Content> gathering;
    private final VBox root;

    @FXML
    private ComboBox<T> choice;

    /// @param name of the figure, for screen readers
    /// @param id of the choice
    /// @param prompt what is chosen, for screen readers
    /// @param words a choice in words
    /// @param changed called when another one is chosen
    ChosenFigure(
            PlotContext context,
            String name,
            String id,
            String prompt,
            Function<T, String> words,
            Consumer<ChosenFigure<T>> changed) {
        this.figure = new FigureView(context, name, FigureView.NOTHING_TO_CHOOSE);
        this.gathering = new LatestTask<>(context.background(), figure::show, context.failed());
        this.root = Fxml.load("plot/chosen", this);
        VBox.setVgrow(figure, Priority.ALWAYS);
        root.getChildren().add(figure);
        choice.setId(id);
        choice.setAccessibleText(prompt);
        Nodes.words(choice, words);
        choice.valueProperty().addListener((o, was, is) -> changed.accept(this));
    }

    VBox root() {
        return root;
    }

    /// The chosen figure.
    Optional<T> chosen() {
        return Optional.ofNullable(choice.getValue());
    }

    /// Offers choices; the one that was chosen stays where it is among them.
    void offer(List<T> choices) {
        if (!choices.equals(choice.getItems())) {
            T before = choice.getValue();
            choice.getItems().setAll(choices);
            choice.setValue(
                    before != null && choices.contains(before)
                            ? before
                            : choices.stream().findFirst().orElse(null));
        }
    }

    /// Shows what is gathered away from the screen; a newer request replaces one that has not begun.
    void show(Callable<FigureView.Content> content) {
        gathering.submit(content);
    }
}
