package knobscape.app.ui.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.css.PseudoClass;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Control;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.GridPane;
import javafx.util.StringConverter;
import knobscape.app.ui.view.Fxml;
import knobscape.work.Named;

/// The form with the settings of the next run. Several may be open on the same model.
public final class RunSettingsView {
    private static final PseudoClass WRONG = PseudoClass.getPseudoClass("danger");
    /// Label and control, twice in a row.
    private static final List<Field> ORDER =
            List.of(Field.SEED, Field.INITIAL, Field.STEPS, Field.PARALLEL, Field.EARLY_STOP, Field.WAIT);

    private final RunForm form;
    private final Parent root;
    private final Map<Field, Control> fields = new HashMap<>();

    @FXML
    private GridPane grid;

    @FXML
    private ComboBox<Named> methods;

    @FXML
    private Label methodHelp;

    @FXML
    private ComboBox<Named> toolchains;

    @FXML
    private Label problem;

    /// @param form what is typed
    public RunSettingsView(RunForm form) {
        this.form = form;
        this.root = Fxml.load("run/run-settings", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        follow(methods, form.methods(), form.method());
        follow(toolchains, form.toolchains(), form.toolchain());
        int row = 3;
        var all = Stream.concat(form.fields().stream().filter(f -> !ORDER.contains(f)), ORDER.stream())
                .toList();
        int column = 0;
        for (Field f : all) {
            addField(f, column, row);
            row += column == 0 ? 0 : 1;
            column = column == 0 ? 2 : 0;
        }
        form.errors().addListener((o, was, is) -> showErrors(is));
        form.method().addListener((o, was, is) -> showHelp());
        showErrors(form.errors().get());
        showHelp();
    }

    private void showHelp() {
        methodHelp.setText(form.method().get().map(Named::description).orElse(""));
    }

    private void showErrors(Map<Field, String> errors) {
        fields.forEach((f, text) -> text.pseudoClassStateChanged(WRONG, errors.containsKey(f)));
        problem.setText(String.join(" ", errors.values()));
        problem.setVisible(!errors.isEmpty());
        problem.setManaged(!errors.isEmpty());
    }

    private void addField(Field field, int column, int row) {
        Control control = field.choices().isEmpty() ? typed(field) : chosen(field);
        control.setAccessibleText(field.label() + ": " + field.help());
        control.setTooltip(new Tooltip(field.help()));
        control.focusedProperty().addListener((o, was, is) -> {
            if (!is) {
                form.isRight();
            }
        });
        fields.put(field, control);
        var name = label(field.label(), control);
        grid.add(name, column, row);
        grid.add(control, column + 1, row);
        for (Node n : List.of(name, control)) {
            var shown = Bindings.createBooleanBinding(() -> form.shown().get().contains(field), form.shown());
            n.visibleProperty().bind(shown);
            n.managedProperty().bind(shown);
        }
    }

    private Control typed(Field field) {
        var text = new TextField();
        text.setPrefColumnCount(7);
        text.getStyleClass().add("number-field");
        text.textProperty().bindBidirectional(form.text(field));
        return text;
    }

    private Control chosen(Field field) {
        var box = new ComboBox<String>();
        box.getItems().setAll(field.choices());
        box.setMaxWidth(Double.MAX_VALUE);
        box.valueProperty().bindBidirectional(form.text(field));
        return box;
    }

    private static Label label(String text, Node of) {
        var label = new Label(text);
        label.setLabelFor(of);
        label.setMinWidth(javafx.scene.layout.Region.USE_PREF_SIZE);
        return label;
    }

    private static void follow(
            ComboBox<Named> box, ReadOnlyObjectProperty<List<Named>> all, ObjectProperty<Optional<Named>> chosen) {
        box.setConverter(new StringConverter<>() {
            @Override
            public String toString(Named item) {
                return item == null ? "" : item.label();
            }

            @Override
            public Named fromString(String text) {
                return box.getItems().stream()
                        .filter(i -> i.label().equals(text))
                        .findFirst()
                        .orElse(null);
            }
        });
        Runnable follow = () -> {
            box.getItems().setAll(all.get());
            box.setValue(chosen.get().orElse(null));
        };
        all.addListener((o, was, is) -> follow.run());
        chosen.addListener((o, was, is) -> box.setValue(is.orElse(null)));
        box.setOnAction(e -> Optional.ofNullable(box.getValue()).ifPresent(v -> chosen.set(Optional.of(v))));
        follow.run();
    }
}
