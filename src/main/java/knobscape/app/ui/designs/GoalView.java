package knobscape.app.ui.designs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.ContentDisplay;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.FlowPane;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.evaluate.Metric;
import org.kordamp.ikonli.javafx.FontIcon;

/// The line above the pictures: the goal, and what the window filters by as chips.
public final class GoalView {
    /// Letters of a prompt that fit.
    private static final int PROMPT = 18;

    private final Results results;
    private final Parent root;

    @FXML
    private TextField goal;

    @FXML
    private FlowPane chips;

    @FXML
    private Label problem;

    public GoalView(Results results) {
        this.results = results;
        this.root = Fxml.load("designs/goal", this);
        results.shown().addListener((o, was, is) -> show());
        results.filter().addListener((o, was, is) -> show());
        show();
    }

    /// The view.
    public Parent root() {
        return root;
    }

    /// Moves the keyboard to the goal.
    public void focusGoal() {
        goal.requestFocus();
        goal.selectAll();
    }

    @FXML
    private void initialize() {
        goal.setOnAction(e -> {
            Optional<String> wrong = results.setGoal(goal.getText());
            say(wrong);
            if (wrong.isEmpty()) {
                goal.clear();
            }
        });
        goal.setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ESCAPE && !goal.getText().isEmpty()) {
                goal.clear();
                say(Optional.empty());
                e.consume();
            }
        });
        say(Optional.empty());
    }

    private void say(Optional<String> wrong) {
        problem.setText(wrong.orElse(""));
        Nodes.show(problem, wrong.isPresent());
    }

    private void show() {
        DesignSet set = results.set();
        DesignFilter filter = results.filter().get();
        List<Metric> objectives = set.objectives();
        if (!objectives.isEmpty()) {
            String first = objectives.getFirst().name();
            String several = objectives.getLast().name() + "<20k " + first + " min";
            goal.setPromptText("Goal: "
                    + (objectives.size() > 1 && several.length() <= PROMPT
                            ? several
                            : first.length() <= PROMPT ? first + "<2" : "A<2 B min"));
        }
        Nodes.show(root, set.size() > 0 || set.baseline().isPresent());
        var all = new ArrayList<Node>();
        filter.ranges()
                .forEach((axis, range) ->
                        all.add(chip(FilterWords.of(axis, range, set), () -> filter.withoutRange(axis))));
        filter.best().ifPresent(b -> all.add(chip(Headline.words(b, set), () -> filter.withBest(Optional.empty()))));
        chips.getChildren().setAll(all);
        Nodes.show(chips, !all.isEmpty());
    }

    private Button chip(String words, java.util.function.Supplier<DesignFilter> without) {
        var chip = new Button(words, new FontIcon("mdi2c-close"));
        chip.setMnemonicParsing(false);
        chip.getStyleClass().addAll("chip", "small");
        chip.setContentDisplay(ContentDisplay.RIGHT);
        chip.setAccessibleText("Remove " + words);
        chip.setOnAction(e -> results.setFilter(without.get()));
        return chip;
    }
}
