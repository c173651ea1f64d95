package knobscape.app.ui.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.ButtonBar.ButtonData;
import javafx.scene.control.ButtonType;
import javafx.scene.control.Dialog;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.GridPane;
import javafx.stage.Window;
import knobscape.network.MissingExtents;

/// Asks for the extents that a network file leaves open.
final class ExtentsDialog {
    private static final long LARGEST = 1_000_000;

    private ExtentsDialog() {}

    /// The proposed extent: one sample, pictures of 224 pixels, sequences of 128.
    static long proposed(MissingExtents.Extent e) {
        return e.axis() == 0 ? 1 : e.rank() >= 4 ? 224 : 128;
    }

    /// Shows it over a window; empty where the person cancels.
    static Optional<Map<String, Long>> ask(String network, List<MissingExtents.Extent> missing, Window owner) {
        var fields = new LinkedHashMap<String, TextField>();
        var grid = new GridPane(12, 8);
        var title = new Label("The file fixes the shapes of this network except for these extents:");
        title.setWrapText(true);
        grid.add(title, 0, 0, 2, 1);
        for (MissingExtents.Extent e : missing) {
            var words = new Label(e.key().contains(":") ? e.words() : e.key() + " (" + e.words() + ")");
            var field = new TextField(Long.toString(proposed(e)));
            field.setAccessibleText("Extent " + e.key());
            field.setPrefColumnCount(8);
            words.setLabelFor(field);
            grid.addRow(fields.size() + 1, words, field);
            fields.put(e.key(), field);
        }
        var open = new ButtonType("Open", ButtonData.OK_DONE);
        var dialog = new Dialog<ButtonType>();
        dialog.setTitle("Extents of " + network);
        dialog.initOwner(owner);
        dialog.getDialogPane().setContent(grid);
        dialog.getDialogPane().getButtonTypes().addAll(open, ButtonType.CANCEL);
        dialog.getDialogPane()
                .lookupButton(open)
                .disableProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> fields.values().stream().anyMatch(f -> value(f).isEmpty()),
                        fields.values().stream().map(TextField::textProperty).toArray(ObservableValue[]::new)));
        TextField first = fields.firstEntry().getValue();
        dialog.setOnShown(_ -> {
            first.requestFocus();
            first.selectAll();
        });
        if (dialog.showAndWait().filter(open::equals).isEmpty()) {
            return Optional.empty();
        }
        var given = new LinkedHashMap<String, Long>();
        fields.forEach((key, f) -> given.put(key, value(f).orElseThrow()));
        return Optional.of(given);
    }

    private static OptionalLong value(TextField f) {
        String text = f.getText().strip();
        return text.matches("\\d{1,7}") && Long.parseLong(text) >= 1 && Long.parseLong(text) <= LARGEST
                ? OptionalLong.of(Long.parseLong(text))
                : OptionalLong.empty();
    }
}
