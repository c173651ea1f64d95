package knobscape.app.ui.keyboard;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.view.Fxml;

/// The list of shortcuts, to read and to change: press "Change", then the new keys.
public final class ShortcutsView {
    private static final List<String> ORDER = List.of("File", "Edit", "Run", "Design", "Export", "View", "Help");
    private final KeyBindings bindings;
    private final Runnable close;
    private final Parent root;

    @FXML
    private Button reset;

    @FXML
    private Button closeButton;

    @FXML
    private TextField search;

    @FXML
    private Label note;

    @FXML
    private VBox rows;

    private Optional<Command> changing = Optional.empty();

    /// @param bindings what to show and change
    /// @param close closes the page
    public ShortcutsView(KeyBindings bindings, Runnable close) {
        this.bindings = bindings;
        this.close = close;
        this.root = Fxml.load("keyboard/shortcuts", this);
        root.addEventFilter(KeyEvent.KEY_PRESSED, e -> {
            if (changing.isPresent()) {
                take(e);
            } else if (e.getCode() == KeyCode.ESCAPE) {
                close.run();
                e.consume();
            }
        });
    }

    @FXML
    private void initialize() {
        closeButton.setOnAction(e -> close.run());
        reset.setOnAction(e -> {
            bindings.reset();
            note.setText("All shortcuts are back to their defaults.");
        });
        search.textProperty().addListener((o, was, is) -> show());
        bindings.version().addListener((o, was, is) -> show());
        show();
    }

    /// The view.
    public Parent root() {
        return root;
    }

    /// Moves the keyboard to the search field.
    public void focus() {
        search.requestFocus();
    }

    /// True if the next keys are meant for a change.
    public boolean isChanging() {
        return changing.isPresent();
    }

    private void take(KeyEvent e) {
        Command command = changing.orElseThrow();
        if (e.getCode() == KeyCode.ESCAPE) {
            changing = Optional.empty();
            note.setText("Nothing was changed.");
        } else if (e.getCode() == KeyCode.BACK_SPACE || e.getCode() == KeyCode.DELETE) {
            changing = Optional.empty();
            bindings.clear(command);
            note.setText(command.title() + " has no shortcut now.");
        } else {
            Optional<KeyCombination> keys = KeyBindings.combinationOf(e);
            keys.ifPresent(k -> {
                changing = Optional.empty();
                Optional<Command> robbed = bindings.change(command, k);
                note.setText(command.title() + " is " + k.getDisplayText() + " now."
                        + robbed.map(r -> " " + r.title() + " no longer has a shortcut.")
                                .orElse(""));
            });
        }
        e.consume();
        show();
    }

    private void show() {
        rows.getChildren().clear();
        String word = search.getText().toLowerCase(Locale.ROOT).strip();
        List<Command> all = bindings.commands().stream()
                .filter(c -> word.isEmpty()
                        || c.title().toLowerCase(Locale.ROOT).contains(word)
                        || bindings.text(c).toLowerCase(Locale.ROOT).contains(word))
                .toList();
        List<String> categories = all.stream()
                .map(Command::category)
                .distinct()
                .sorted(java.util.Comparator.comparingInt(c -> ORDER.contains(c) ? ORDER.indexOf(c) : ORDER.size()))
                .toList();
        categories.forEach(category -> {
            var heading = new Label(category);
            heading.getStyleClass().add("section-title");
            rows.getChildren().add(heading);
            all.stream()
                    .filter(c -> c.category().equals(category))
                    .forEach(c -> rows.getChildren().add(row(c)));
        });
    }

    private Node row(Command c) {
        var title = new Label(c.title());
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        boolean here = changing.filter(c::equals).isPresent();
        var keys = new Label(here ? "Press the new keys" : bindings.text(c));
        keys.getStyleClass().add(here ? "keys-waiting" : "keys");
        keys.setVisible(!keys.getText().isEmpty());
        var change = new Button("Change");
        change.getStyleClass().addAll("small", "flat");
        change.setAccessibleText("Change the shortcut of " + c.title());
        change.setOnAction(e -> {
            changing = Optional.of(c);
            note.setText("Press the new keys for \u201c" + c.title()
                    + "\u201d. Backspace takes the shortcut away, Esc leaves it as it is.");
            root.requestFocus();
            show();
        });
        var row = new HBox(title, spacer, keys, change);
        row.getStyleClass().add("shortcut-row");
        return row;
    }
}
