package knobscape.app.ui.keyboard;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import knobscape.app.ui.view.Fxml;

/// Runs every command by its name: type a part of it, Enter runs the first one found. Recent work can be opened in
/// the same way.
public final class PaletteView {
    private final Commands commands;
    private final Supplier<List<Entry>> others;
    private final Runnable close;
    private final Parent root;

    @FXML
    private TextField search;

    @FXML
    private ListView<Entry> list;

    /// Something that can be run.
    ///
    /// @param title what is searched
    /// @param words beside it: its keys, or where it is
    public record Entry(String title, String words, Runnable run) {}

    /// @param others what can be run besides commands
    /// @param close hides this
    public PaletteView(Commands commands, Supplier<List<Entry>> others, Runnable close) {
        this.commands = commands;
        this.others = others;
        this.close = close;
        this.root = Fxml.load("keyboard/palette", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    /// Begins a new search.
    public void begin() {
        search.clear();
        find();
        search.requestFocus();
    }

    @FXML
    private void initialize() {
        list.setCellFactory(l -> new Cell());
        list.setOnMouseClicked(e -> run());
        list.setFocusTraversable(false);
        search.textProperty().addListener((o, was, is) -> find());
        search.addEventFilter(KeyEvent.KEY_PRESSED, this::take);
    }

    private void take(KeyEvent e) {
        KeyCode code = e.getCode();
        if (code == KeyCode.ESCAPE) {
            close.run();
        } else if (code == KeyCode.ENTER) {
            run();
        } else if (code == KeyCode.UP || code == KeyCode.DOWN) {
            int at = list.getSelectionModel().getSelectedIndex() + (code == KeyCode.UP ? -1 : 1);
            list.getSelectionModel()
                    .select(Math.clamp(at, 0, Math.max(0, list.getItems().size() - 1)));
            list.scrollTo(list.getSelectionModel().getSelectedIndex());
        } else {
            return;
        }
        e.consume();
    }

    private void find() {
        String[] words = search.getText().toLowerCase(Locale.ROOT).strip().split("\\s+");
        list.getItems()
                .setAll(Stream.concat(
                                commands.possible().stream()
                                        .map(c -> new Entry(
                                                c.category() + ": " + c.title(),
                                                commands.bindings().text(c),
                                                () -> commands.perform(c))),
                                others.get().stream())
                        .filter(e -> Stream.of(words)
                                .allMatch(
                                        w -> e.title().toLowerCase(Locale.ROOT).contains(w)))
                        .toList());
        list.getSelectionModel().select(0);
    }

    private void run() {
        Entry chosen = list.getSelectionModel().getSelectedItem();
        if (chosen != null) {
            close.run();
            chosen.run().run();
        }
    }

    private static final class Cell extends ListCell<Entry> {
        @Override
        protected void updateItem(Entry item, boolean empty) {
            super.updateItem(item, empty);
            if (empty || item == null) {
                setGraphic(null);
                return;
            }
            var spacer = new Region();
            HBox.setHgrow(spacer, Priority.ALWAYS);
            var words = new Label(item.words());
            words.getStyleClass().add("secondary");
            setGraphic(new HBox(new Label(item.title()), spacer, words));
        }
    }
}
