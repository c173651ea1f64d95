package knobscape.app.ui.run;

import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.ScrollPane;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Lazy;

/// The settings of the next run, and *Run*, in a sheet at the right: what is behind it stays in sight while they are
/// chosen. It closes by its button, by Esc, and when a run begins.
final class RunSheet {
    /// Made when it is first opened: nobody waits for it at the start.
    private final Lazy<Parent> settings;
    private final Parent root;
    private Runnable closed = () -> {};

    @FXML
    private ScrollPane body;

    @FXML
    private Button close;

    @FXML
    private Button run;

    RunSheet(RunViewModel model, Commands commands) {
        this.settings = new Lazy<>(() -> new RunSettingsView(model.form()).root());
        this.root = Fxml.load("run/run-sheet", this);
        root.setVisible(false);
        commands.dress(run, RunCommands.RUN);
        model.status().addListener((o, was, is) -> {
            if (is.state().isActive()) {
                root.setVisible(false);
            }
        });
    }

    @FXML
    private void initialize() {
        close.setOnAction(e -> close());
    }

    Node root() {
        return root;
    }

    /// Opens it where it is not open.
    void show() {
        if (!root.isVisible()) {
            toggle(() -> {});
        }
    }

    /// Opens it, or closes it.
    ///
    /// @param then done when it closes without a run
    void toggle(Runnable then) {
        if (root.isVisible()) {
            close();
            return;
        }
        closed = then;
        body.setContent(settings.get());
        root.setVisible(true);
        settings.get().lookupAll(".combo-box").stream().findFirst().ifPresent(Node::requestFocus);
    }

    private void close() {
        root.setVisible(false);
        closed.run();
    }
}
