package knobscape.app.ui.view;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.Labeled;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import javafx.scene.input.MouseEvent;

/// The glossary of the manual (`src/docs/glossary.md`, packaged with the program), shown in tooltips wherever a
/// label, a column or an axis has one of its terms.
public final class Glossary {
    private static final double WIDTH = 320;
    /// Sentences are no labels.
    private static final int LONGEST_LABEL = 60;
    private static final Map<String, String> TERMS = read();
    private static final Map<String, Pattern> PATTERNS = patterns();

    private Glossary() {}

    private static Map<String, String> read() {
        try (InputStream in = Objects.requireNonNull(Glossary.class.getResourceAsStream("/knobscape/glossary.md"))) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The meaning of each term, by the term in lower case. A row of the table may hold several terms with commas
    /// between them, or a short form in brackets; `see X` takes the words of X.
    static Map<String, String> parse(String table) {
        var terms = new LinkedHashMap<String, String>();
        table.lines()
                .map(l -> l.split("\\|"))
                .filter(cells -> cells.length == 3 && !cells[1].isBlank() && !cells[1].contains("---"))
                .skip(1)
                .forEach(cells -> {
                    for (String term : cells[1].split("[,()]")) {
                        terms.put(
                                term.strip().toLowerCase(Locale.ROOT),
                                cells[2].strip().replace("`", ""));
                    }
                });
        terms.remove("");
        terms.replaceAll((term, words) -> words.startsWith("see ")
                ? Objects.requireNonNull(terms.get(words.substring(4).toLowerCase(Locale.ROOT)), words)
                : words);
        return Collections.unmodifiableMap(terms);
    }

    private static Map<String, Pattern> patterns() {
        var all = new LinkedHashMap<String, Pattern>();
        // The longest first: "measured hours" before "hours".
        TERMS.keySet().stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .forEach(t -> all.put(
                        t,
                        Pattern.compile(
                                "(?<![\\p{L}\\p{N}])" + Pattern.quote(t) + "(s|es)?(?![\\p{L}\\p{N}])",
                                Pattern.CASE_INSENSITIVE)));
        return all;
    }

    /// The terms, in lower case.
    static Set<String> terms() {
        return TERMS.keySet();
    }

    /// The longest term in a text and what it means (`hypervolume: volume between ...`); empty where there is
    /// none.
    public static Optional<String> explain(String text) {
        return PATTERNS.entrySet().stream()
                .filter(e -> e.getValue().matcher(text).find())
                .findFirst()
                .map(e -> e.getKey() + ": " + TERMS.get(e.getKey()));
    }

    /// Explains the terms in the labels and headings of views just loaded, where they have no tooltip.
    static void explain(Collection<?> loaded) {
        for (Object o : loaded) {
            switch (o) {
                case Labeled l -> explain(l);
                case TableView<?> t -> t.getColumns().forEach(Glossary::explain);
                case ScrollPane s when s.getContent() != null -> explain(Set.of(s.getContent()));
                case Parent p -> explain(p.getChildrenUnmodifiable());
                case null, default -> {}
            }
        }
    }

    /// Explains the term in a label or on a button, where it has no tooltip.
    public static <L extends Labeled> L explain(L label) {
        // A tooltip is a window of its own: it is made for a label that somebody points at.
        label.addEventHandler(MouseEvent.MOUSE_ENTERED, e -> {
            if (label.getTooltip() == null
                    && label.getText() != null
                    && label.getText().length() <= LONGEST_LABEL) {
                explain(label.getText()).ifPresent(words -> label.setTooltip(tooltip(words)));
            }
        });
        return label;
    }

    /// Explains the term in the heading of a column. The heading becomes a label of its own, which has a
    /// tooltip; the column keeps its text for menus.
    public static void explain(TableColumn<?, ?> column) {
        explain(column.getText()).ifPresent(words -> {
            var heading = new Label();
            heading.textProperty().bind(column.textProperty());
            column.setGraphic(explain(heading));
            column.getStyleClass().add("explained");
        });
    }

    private static Tooltip tooltip(String words) {
        var tooltip = new Tooltip(words);
        tooltip.setWrapText(true);
        tooltip.setMaxWidth(WIDTH);
        return tooltip;
    }
}
