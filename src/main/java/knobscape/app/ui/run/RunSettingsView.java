package knobscape.app.ui.run;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javafx.beans.Observable;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ObjectProperty;
import javafx.beans.value.ObservableValue;
import javafx.css.PseudoClass;
import javafx.fxml.FXML;
import javafx.geometry.VPos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Control;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import javafx.util.StringConverter;
import knobscape.app.ui.view.Fxml;
import knobscape.work.Named;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.ValueType;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// The form with the settings of the next run. Several may be open on the same model.
public final class RunSettingsView {
    private static final PseudoClass WRONG = PseudoClass.getPseudoClass("danger");
    private final RunForm form;
    private final Parent root;
    private final Map<Parameter<?>, Entry> fields = new HashMap<>();
    private int row;

    @FXML
    private GridPane grid;

    @FXML
    private ComboBox<Named> methods;

    @FXML
    private Label methodsName;

    @FXML
    private Label methodHelp;

    @FXML
    private ToggleButton further;

    @FXML
    private Label alsoName;

    @FXML
    private MenuButton also;

    @FXML
    private Label toolchainsName;

    @FXML
    private ComboBox<Named> toolchains;

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
        // Methods that repeat a paper are for those who look further.
        ObservableValue<List<Named>> offered = Bindings.createObjectBinding(
                () -> form.methods().get().stream()
                        .filter(m -> further.isSelected() || !m.isOfPaper() || isChosen(m))
                        .toList(),
                form.methods(),
                further.selectedProperty());
        follow(methods, offered, form.method());
        // Bindings are followed only as long as somebody holds them.
        methods.setUserData(offered);
        follow(toolchains, form.toolchains(), form.toolchain());
        showAlso();
        form.methods().addListener((o, was, is) -> showAlso());
        form.also().addListener((Observable o) -> nameAlso());
        var choosesTool = form.toolchains().map(t -> t.size() > 1);
        choosesTool.subscribe(c -> showFields());
        further.selectedProperty().subscribe(on -> {
            further.setGraphic(new FontIcon(on ? "mdi2c-chevron-down" : "mdi2c-chevron-right"));
            showFields();
        });
        form.shown().subscribe(s -> showFields());
        form.errors().addListener((o, was, is) -> showErrors(is));
        form.method().addListener((o, was, is) -> showHelp());
        showErrors(form.errors().get());
        showHelp();
    }

    private boolean isChosen(Named method) {
        return form.method().get().filter(method::equals).isPresent();
    }

    private void showHelp() {
        methodHelp.setText(form.method().get().map(Named::description).orElse(""));
    }

    private void showErrors(Map<Parameter<?>, String> errors) {
        if (errors.keySet().stream().anyMatch(p -> form.section(p) == RunForm.Section.FURTHER)
                && !further.isSelected()) {
            // What is wrong stands under its field.
            further.setSelected(true);
            return;
        }
        fields.forEach((p, field) -> {
            String why = errors.getOrDefault(p, "");
            field.control.pseudoClassStateChanged(WRONG, !why.isEmpty());
            field.problem.setText(shortened(p, why));
            field.problem.setVisible(!why.isEmpty());
            field.problem.setManaged(!why.isEmpty());
        });
    }

    /// The requirement, without the field's name above it and the text in it.
    private static String shortened(Parameter<?> p, String why) {
        String rest = why.startsWith(p.label() + " ") ? why.substring(p.label().length() + 1) : why;
        return rest.isEmpty()
                ? ""
                : Character.toUpperCase(rest.charAt(0)) + rest.substring(1).replaceFirst(", not '[^']*'\\.$", ".");
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

    /// A control, and what is wrong with it in the row below.
    private record Entry(Control control, Label problem) {}

    /// Sections in one column: what ends a run, what is made of what for which target, how it is searched; the rest is
    /// folded away. Label, control and unit in a row, what is wrong below.
    private void showFields() {
        Set<Parameter<?>> shown = form.shown().get();
        grid.getChildren().clear();
        fields.clear();
        row = 0;
        section("Goal and budget", shown, RunForm.Section.BUDGET);
        boolean target = form.toolchains().get().size() > 1
                || shown.stream().anyMatch(p -> form.section(p) == RunForm.Section.TARGET);
        if (target) {
            heading("Target", "section-title");
        }
        if (form.toolchains().get().size() > 1) {
            put(toolchainsName, 0, row, 1);
            put(toolchains, 1, row++, 2);
        }
        section("", shown, RunForm.Section.TARGET);
        heading("Method", "section-title");
        put(methodsName, 0, row, 1);
        put(methods, 1, row, 2);
        grid.add(methodHelp, 1, 2 * row++ + 1, 2, 1);
        put(further, 0, row++, 3);
        if (further.isSelected()) {
            put(alsoName, 0, row, 1);
            put(also, 1, row++, 2);
            section("", shown, RunForm.Section.FURTHER);
        }
        showErrors(form.errors().get());
    }

    /// The fields of a section; a group of them begins with its name.
    private void section(String title, Set<Parameter<?>> shown, RunForm.Section section) {
        List<Parameter<?>> own = form.fields().stream()
                .filter(p -> shown.contains(p) && form.section(p) == section)
                .toList();
        if (!title.isEmpty() && !own.isEmpty()) {
            heading(title, "section-title");
        }
        String group = "";
        for (Parameter<?> p : own) {
            if (section == RunForm.Section.FURTHER && !p.words().group().equals(group)) {
                group = p.words().group();
                heading(group, "secondary");
            }
            show(p, row++);
        }
    }

    private void heading(String words, String styleClass) {
        var heading = new Label(words);
        heading.getStyleClass().add(styleClass);
        put(heading, 0, row++, 3);
    }

    private void show(Parameter<?> p, int row) {
        Control control = switch (p.type()) {
            case ValueType.Choice<?> c -> chosen(p, c.labels());
            case ValueType.Flag f -> chosen(p, f.labels());
            case ValueType.Text t when !t.suggestions().get().isEmpty() -> suggested(p, t);
            default -> typed(p);
        };
        control.setAccessibleText(p.label() + ": " + p.words().help());
        control.setTooltip(new Tooltip(tip(p)));
        control.focusedProperty().addListener((o, was, is) -> {
            if (!is) {
                form.isRight();
            }
        });
        var problem = new Label();
        problem.getStyleClass().addAll("worse", "small");
        problem.setWrapText(true);
        problem.setMinHeight(Region.USE_PREF_SIZE);
        fields.put(p, new Entry(control, problem));
        put(label(p.words().label(), control), 0, row, 1);
        put(control, 1, row, p.words().unit().isEmpty() ? 2 : 1);
        if (!p.words().unit().isEmpty()) {
            var unit = label(p.words().unit(), control);
            unit.getStyleClass().add("secondary");
            put(unit, 2, row, 1);
        }
        grid.add(problem, 1, 2 * row + 1, 2, 1);
    }

    /// The meaning of a parameter, and what holds where nothing is typed.
    private static String tip(Parameter<?> p) {
        String usual = p.usualText();
        return p.words().help() + (usual.isEmpty() ? "" : " (default: " + usual + ")") + ".";
    }

    private void put(Node node, int column, int row, int span) {
        GridPane.setValignment(node, VPos.BASELINE);
        grid.add(node, column, 2 * row, span, 1);
    }

    private Control typed(Parameter<?> p) {
        var text = new TextField();
        if (p.type() instanceof ValueType.Whole<?> || p.type() instanceof ValueType.Real) {
            text.getStyleClass().add("number-field");
        }
        text.setPromptText(p.words().none());
        text.textProperty().bindBidirectional(form.text(p));
        text.setOnAction(e -> form.isRight());
        return text;
    }

    private Control chosen(Parameter<?> p, List<String> labels) {
        var box = new ComboBox<String>();
        box.getItems().setAll(labels);
        box.setMaxWidth(Double.MAX_VALUE);
        box.setMinWidth(0);
        box.valueProperty().bindBidirectional(form.text(p));
        box.setOnAction(e -> form.isRight());
        return box;
    }

    /// Any text, some suggested: those that hold what is typed.
    private Control suggested(Parameter<?> p, ValueType.Text type) {
        List<String> all = type.suggestions().get();
        var box = new ComboBox<String>();
        box.setEditable(true);
        box.getItems().setAll(all);
        box.setMaxWidth(Double.MAX_VALUE);
        box.getEditor().textProperty().bindBidirectional(form.text(p));
        box.getEditor().setOnKeyTyped(e -> {
            String typed = box.getEditor().getText().strip().toLowerCase(Locale.ROOT);
            List<String> fitting = all.stream()
                    .filter(s -> s.toLowerCase(Locale.ROOT).contains(typed))
                    .toList();
            box.getItems().setAll(fitting.isEmpty() ? all : fitting);
            box.show();
        });
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
            ComboBox<Named> box, ObservableValue<List<Named>> all, ObjectProperty<Optional<Named>> chosen) {
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
            Optional<Named> now = chosen.get();
            // With other entries the selected number would show another one.
            box.getSelectionModel().clearSelection();
            box.getItems().setAll(all.getValue());
            box.setValue(now.orElse(null));
        };
        all.addListener((o, was, is) -> follow.run());
        chosen.addListener((o, was, is) -> box.setValue(is.orElse(null)));
        box.setOnAction(e -> Optional.ofNullable(box.getValue()).ifPresent(v -> chosen.set(Optional.of(v))));
        follow.run();
    }
}
