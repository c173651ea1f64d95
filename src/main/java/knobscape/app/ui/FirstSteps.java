package knobscape.app.ui;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.view.Fxml;

/// The help, as a page in the place of what is open: the first steps, and what each figure means.
final class FirstSteps {
    private static final Pattern STEP = Pattern.compile("(\\d+\\.) (.*)");
    private static final Pattern TERM = Pattern.compile("(\\S.*?) {2,}(\\S.*)");

    private final Runnable close;
    private final Parent root;

    @FXML
    private Button closeButton;

    @FXML
    private VBox rows;

    /// @param close closes the page
    FirstSteps(Runnable close) {
        this.close = close;
        this.root = Fxml.load("keyboard/first-steps", this);
        root.addEventFilter(KeyEvent.KEY_PRESSED, e -> {
            if (e.getCode() == KeyCode.ESCAPE) {
                close.run();
                e.consume();
            }
        });
    }

    @FXML
    private void initialize() {
        closeButton.setOnAction(e -> close.run());
        entries(text()).forEach(e -> rows.getChildren().add(row(e)));
    }

    Parent root() {
        return root;
    }

    /// Moves the keyboard to the page.
    void focus() {
        closeButton.requestFocus();
    }

    /// A heading (no words), a step or term with what it means, or a sentence (no name).
    record Entry(String name, String words) {}

    private static Node row(Entry e) {
        var words = new Label(e.words());
        words.setWrapText(true);
        words.setMinWidth(0);
        words.setMinHeight(Region.USE_PREF_SIZE);
        HBox.setHgrow(words, Priority.ALWAYS);
        if (e.name().isEmpty()) {
            return words;
        }
        var name = new Label(e.name());
        name.setMinWidth(Region.USE_PREF_SIZE);
        if (e.words().isEmpty()) {
            name.getStyleClass().add("section-title");
            return name;
        }
        name.getStyleClass().add(e.name().endsWith(".") ? "step-number" : "fact-name");
        var row = new HBox(name, words);
        row.getStyleClass().add("fact-row");
        return row;
    }

    /// The text in its parts: a heading follows a blank line, steps have numbers, terms stand before a gap, and lines
    /// that
    /// begin with blanks go on with what is above them.
    static List<Entry> entries(String text) {
        var all = new ArrayList<Entry>();
        boolean blank = true;
        for (String line : text.lines().toList()) {
            Matcher step = STEP.matcher(line);
            Matcher term = TERM.matcher(line);
            if (!line.isBlank() && line.charAt(0) == ' ' && !all.isEmpty()) {
                Entry last = all.removeLast();
                all.add(new Entry(last.name(), (last.words() + " " + line.strip()).strip()));
            } else if (step.matches()) {
                all.add(new Entry(step.group(1), step.group(2)));
            } else if (term.matches()) {
                all.add(new Entry(term.group(1), term.group(2)));
            } else if (!line.isBlank()) {
                // A long term stands alone above its meaning, which the next line brings.
                boolean named = blank || text.contains(line + "\n  ");
                all.add(named ? new Entry(line, "") : new Entry("", line));
            }
            blank = line.isBlank();
        }
        return all;
    }

    /// The words; packaged with the program.
    static String text() {
        try (InputStream in =
                Objects.requireNonNull(FirstSteps.class.getResourceAsStream("/knobscape/first-steps.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the first steps cannot be read", e);
        }
    }
}
