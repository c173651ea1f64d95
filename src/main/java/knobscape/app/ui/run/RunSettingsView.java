package knobscape.app.ui.run;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.VBox;
import javafx.util.StringConverter;
import knobscape.app.ui.run.RunForm.Field;
import knobscape.project.Method;
import knobscape.project.Toolchain;

/// The form with the settings of the next run. Several may be open on the same model.
public final class RunSettingsView {
    private static final PseudoClass WRONG = PseudoClass.getPseudoClass("danger");
    private static final List<Field> LEFT = List.of(Field.SEED, Field.STEPS, Field.EARLY_STOP);
    private static final List<Field> RIGHT = List.of(Field.INITIAL, Field.PARALLEL, Field.WAIT);

    private final RunForm form;
    private final List<String> parts;
    private final VBox root = new VBox();
    private final Label methodHelp = new Label();
    private final Label problem = new Label();
    private final Map<Field, TextField> fields = new EnumMap<>(Field.class);

    /// @param form what is typed
    /// @param parts names of the FPGA parts there are; the choice is absent where there are none
    public RunSettingsView(RunForm form, List<String> parts) {
        this.form = form;
        this.parts = parts;
        build();
    }

    /// The view.
    public Parent root() {
        return root;
    }

    private void build() {
        root.getStyleClass().add("run-settings");
        var grid = new GridPane();
        grid.getStyleClass().add("form");
        var methods = choice(form.methods(), form.method(), Method::label, "Method");
        grid.add(label("Method", methods), 0, 0);
        grid.add(methods, 1, 0, 3, 1);
        methodHelp.getStyleClass().add("secondary");
        methodHelp.setWrapText(true);
        methodHelp.setMaxWidth(380);
        grid.add(methodHelp, 1, 1, 3, 1);
        int row = 2;
        var toolchains = choice(form.toolchains(), form.toolchain(), Toolchain::label, "Toolchain");
        grid.add(label("Toolchain", toolchains), 0, row);
        grid.add(toolchains, 1, row++, 3, 1);
        if (!parts.isEmpty()) {
            var part = new ComboBox<String>();
            part.getItems().setAll(parts);
            part.setEditable(false);
            part.setMaxWidth(Double.MAX_VALUE);
            part.setAccessibleText("FPGA part");
            part.valueProperty().bindBidirectional(form.part());
            var name = label("Part", part);
            grid.add(name, 0, row);
            grid.add(part, 1, row);
            onlyForKernels(name);
            onlyForKernels(part);
        }
        addField(grid, Field.CLOCK, parts.isEmpty() ? 0 : 2, row++).forEach(this::onlyForKernels);
        for (int i = 0; i < LEFT.size(); i++) {
            addField(grid, LEFT.get(i), 0, row);
            List<Node> right = addField(grid, RIGHT.get(i), 2, row++);
            if (RIGHT.get(i) == Field.WAIT) {
                right.forEach(this::onlyForKernels);
            }
        }
        problem.getStyleClass().add("worse");
        problem.setWrapText(true);
        problem.setMaxWidth(480);
        root.getChildren().addAll(grid, problem);
        form.errors().addListener((o, was, is) -> showErrors(is));
        form.method().addListener((o, was, is) -> showHelp());
        showErrors(form.errors().get());
        showHelp();
    }

    private void showHelp() {
        methodHelp.setText(form.method().get().map(Method::description).orElse(""));
    }

    private void showErrors(Map<Field, String> errors) {
        fields.forEach((f, text) -> text.pseudoClassStateChanged(WRONG, errors.containsKey(f)));
        problem.setText(String.join(" ", errors.values()));
        problem.setVisible(!errors.isEmpty());
        problem.setManaged(!errors.isEmpty());
    }

    private void onlyForKernels(Node node) {
        node.visibleProperty().bind(form.measured().not());
        node.managedProperty().bind(form.measured().not());
    }

    private List<Node> addField(GridPane grid, Field field, int column, int row) {
        var text = new TextField();
        text.setPrefColumnCount(7);
        text.getStyleClass().add("number-field");
        text.textProperty().bindBidirectional(form.text(field));
        text.setTooltip(new Tooltip(field.help()));
        text.setAccessibleText(field.label() + ": " + field.help());
        text.focusedProperty().addListener((o, was, is) -> {
            if (!is) {
                form.check();
            }
        });
        fields.put(field, text);
        var name = label(field.label(), text);
        grid.add(name, column, row);
        grid.add(text, column + 1, row);
        return List.of(name, text);
    }

    private static Label label(String text, Node of) {
        var label = new Label(text);
        label.setLabelFor(of);
        label.setMinWidth(javafx.scene.layout.Region.USE_PREF_SIZE);
        return label;
    }

    private static <T> ComboBox<T> choice(ReadOnlyObjectProperty<List<T>> all, ObjectProperty<Optional<T>> chosen, Function<T, String> label, String name) {
        var box = new ComboBox<T>();
        box.setMaxWidth(Double.MAX_VALUE);
        box.setAccessibleText(name);
        box.setConverter(new StringConverter<>() {
            @Override
            public String toString(T item) {
                return item == null ? "" : label.apply(item);
            }

            @Override
            public T fromString(String text) {
                return box.getItems().stream().filter(i -> label.apply(i).equals(text)).findFirst().orElse(null);
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
        return box;
    }
}
