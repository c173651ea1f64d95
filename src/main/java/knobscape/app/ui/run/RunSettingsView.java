package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javafx.beans.Observable;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.css.PseudoClass;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Control;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import javafx.util.StringConverter;
import knobscape.app.ui.view.Fxml;
import knobscape.work.Named;
import org.jspecify.annotations.Nullable;

/// The form with the settings of the next run. Several may be open on the same model.
public final class RunSettingsView {
    private static final int FIRST_ROW = 4;
    private static final PseudoClass WRONG = PseudoClass.getPseudoClass("danger");
    private final RunForm form;
    private final Parent root;
    private final Map<Field, Control> fields = new HashMap<>();
    private final List<Label> names = new ArrayList<>();

    @FXML
    private GridPane grid;

    @FXML
    private ComboBox<Named> methods;

    @FXML
    private Label methodHelp;

    @FXML
    private MenuButton also;

    @FXML
    private Label toolchainsName;

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
        showAlso();
        form.methods().addListener((o, was, is) -> showAlso());
        form.also().addListener((Observable o) -> nameAlso());
        var choosesTool = form.toolchains().map(t -> t.size() > 1);
        for (Node n : List.of(toolchainsName, toolchains)) {
            n.visibleProperty().bind(choosesTool);
            n.managedProperty().bind(choosesTool);
        }
        form.shown().subscribe(this::showFields);
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

    private void showAlso() {
        also.getItems().clear();
        for (Named m : form.methods().get()) {
            var item = new CheckMenuItem(m.label() + "  \u2013  " + m.description());
            item.setMnemonicParsing(false);
            item.setSelected(form.also().contains(m.name()));
            item.setOnAction(e -> {
                if (item.isSelected()) {
                    form.also().add(m.name());
                } else {
                    form.also().remove(m.name());
                }
            });
            also.getItems().add(item);
        }
        nameAlso();
    }

    private void nameAlso() {
        also.setText(
                form.also().isEmpty()
                        ? "No other method"
                        : form.methods().get().stream()
                                .filter(m -> form.also().contains(m.name()))
                                .map(Named::label)
                                .collect(Collectors.joining(", ")));
    }

    /// Label and control, twice in a row.
    private void showFields(Set<Field> shown) {
        fields.values().forEach(grid.getChildren()::remove);
        grid.getChildren().removeAll(names);
        fields.clear();
        names.clear();
        int place = 2 * FIRST_ROW;
        for (Field f : form.fields()) {
            if (shown.contains(f)) {
                Control control = f.choices().isEmpty() ? typed(f) : chosen(f);
                control.setAccessibleText(f.label() + ": " + f.help());
                control.setTooltip(new Tooltip(f.help()));
                control.focusedProperty().addListener((o, was, is) -> {
                    if (!is) {
                        form.isRight();
                    }
                });
                fields.put(f, control);
                Label name = label(f.label(), control);
                names.add(name);
                grid.add(name, 2 * (place % 2), place / 2);
                grid.add(control, 2 * (place % 2) + 1, place / 2);
                place++;
            }
        }
        showErrors(form.errors().get());
    }

    private Control typed(Field field) {
        var text = new TextField();
        text.setPrefColumnCount(7);
        text.getStyleClass().add("number-field");
        text.textProperty().bindBidirectional(form.text(field));
        text.setOnAction(e -> form.isRight());
        return text;
    }

    private Control chosen(Field field) {
        var box = new ComboBox<String>();
        box.getItems().setAll(field.choices());
        box.setMaxWidth(Double.MAX_VALUE);
        box.setMinWidth(Region.USE_PREF_SIZE);
        box.valueProperty().bindBidirectional(form.text(field));
        box.setOnAction(e -> form.isRight());
        return box;
    }

    private static Label label(String text, Node of) {
        var label = new Label(text);
        label.setLabelFor(of);
        label.setMinWidth(Region.USE_PREF_SIZE);
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
            public @Nullable Named fromString(String text) {
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
