package knobscape.app.ui;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import knobscape.app.ui.task.ExtentsQuestion;
import knobscape.app.ui.view.Nodes;
import knobscape.network.ImportOptions;
import knobscape.network.MissingExtents.Extent;

/// Fields for the extents that a network file leaves open.
final class ExtentsForm extends GridPane {
    private static final long LARGEST = 1_000_000;
    private static final long LARGEST_BATCH = 4096;

    private final List<Field> fields = new ArrayList<>();

    private record Field(String key, TextField text, long most) {
        OptionalLong value() {
            String typed = text.getText().strip();
            return typed.matches("\\d{1,7}") && Long.parseLong(typed) >= 1 && Long.parseLong(typed) <= most
                    ? OptionalLong.of(Long.parseLong(typed))
                    : OptionalLong.empty();
        }
    }

    private ExtentsForm(ExtentsQuestion q) {
        super(12, 4);
        q.missing().batch().ifPresent(n -> add("", "Batch", "samples per run", n, LARGEST_BATCH));
        for (Extent e : q.missing().extents()) {
            boolean named = !e.key().contains(":");
            add(e.key(), named ? e.key() : e.words(), named ? e.words() : "", proposed(e), LARGEST);
        }
    }

    /// The proposed extent: one sample, pictures of 224 pixels, sequences of 128.
    private static long proposed(Extent e) {
        return e.axis() == 0 ? 1 : e.rank() >= 4 ? 224 : 128;
    }

    private void add(String key, String name, String where, long value, long most) {
        var field = new Field(key, new TextField(Long.toString(value)), most);
        field.text.setAccessibleText(name);
        field.text.setPrefColumnCount(6);
        field.text.setMinWidth(Region.USE_PREF_SIZE);
        field.text.getStyleClass().add("number-field");
        var label = new Label(name);
        label.setLabelFor(field.text);
        label.setWrapText(true);
        label.setMinHeight(Region.USE_PREF_SIZE);
        var place = new Label(where);
        place.getStyleClass().addAll("secondary", "small");
        var wrong = new Label("From 1 to " + most + ".");
        wrong.getStyleClass().addAll("worse", "small");
        field.text.textProperty().subscribe(t -> Nodes.show(wrong, field.value().isEmpty()));
        int row = 2 * fields.size();
        addRow(row, label, field.text, place);
        add(wrong, 1, row + 1, 2, 1);
        fields.add(field);
    }

    private ImportOptions given() {
        Map<String, Long> dims = new HashMap<>();
        var batch = OptionalLong.empty();
        for (Field f : fields) {
            if (f.key.isEmpty()) {
                batch = f.value();
            } else {
                dims.put(f.key, f.value().orElseThrow());
            }
        }
        return new ImportOptions(batch, dims);
    }

    /// Asks over the window.
    static void ask(Question place, ExtentsQuestion q) {
        var form = new ExtentsForm(q);
        place.ask(
                "Sizes of " + Path.of(q.name()).getFileName(),
                "The file leaves these sizes open.",
                List.of(new Question.Answer("open", "Open", () -> q.answer().accept(form.given()))),
                new Question.Form(
                        form,
                        Bindings.createBooleanBinding(
                                () -> form.fields.stream()
                                        .allMatch(f -> f.value().isPresent()),
                                form.fields.stream()
                                        .map(f -> f.text.textProperty())
                                        .toArray(ObservableValue[]::new)),
                        q.declined()));
        TextField first = form.fields.getFirst().text;
        first.requestFocus();
        first.selectAll();
    }
}
