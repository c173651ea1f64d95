package knobscape.app.ui.designs;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import javafx.application.Platform;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.ListChangeListener;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyCodeCombination;
import javafx.scene.input.KeyCombination;
import javafx.scene.input.MouseEvent;
import knobscape.app.ui.designs.DesignsViewModel.Rows;
import knobscape.app.ui.designs.DesignsViewModel.Sorting;
import knobscape.app.ui.designs.TableColumns.Column;
import knobscape.app.ui.designs.TableColumns.Kind;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Glossary;
import knobscape.app.ui.view.Nodes;

/// The table of designs with the window's filter above it.
public final class DesignsView {
    private static final String HIDDEN_KEY = "designs.hidden";
    private static final String SHOWN_KEY = "designs.shown";
    private static final String WIDTH_KEY = "designs.dragged.";
    /// A column is never narrower than this, or than its first width where that is less.
    private static final double LEAST_WIDTH = 64;

    private static final KeyCombination COPY = new KeyCodeCombination(KeyCode.C, KeyCombination.SHORTCUT_DOWN);

    private final DesignsViewModel model;
    private final Settings settings;
    private final Parent root;
    private final RowList items = new RowList();
    private final Map<String, TableColumn<Integer, String>> columns = new HashMap<>();
    /// The cells there are. To refresh the table would make all of them anew.
    private final Set<DesignCell> cells = Collections.newSetFromMap(new WeakHashMap<>());
    private boolean following;
    /// True if a button of the mouse is down on the table.
    private boolean held;

    /// The order and filter of the rows shown.
    private Object asked = "";

    @FXML
    private ToggleButton paretoOnly;

    @FXML
    private ToggleButton validOnly;

    @FXML
    private TextField text;

    @FXML
    private Label problem;

    @FXML
    private Button clear;

    @FXML
    private Label count;

    @FXML
    private MenuButton columnMenu;

    @FXML
    private TableView<Integer> table;

    /// @param model what to show
    /// @param settings where widths and hidden columns are remembered
    public DesignsView(DesignsViewModel model, Settings settings) {
        this.model = model;
        this.settings = settings;
        this.root = Fxml.load("designs/designs", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    /// Moves the keyboard to the filter's words.
    public void focusFilter() {
        text.requestFocus();
        text.selectAll();
    }

    @FXML
    private void initialize() {
        Results results = model.results();
        paretoOnly.setOnAction(e -> results.setFilter(results.filter().get().withParetoOnly(paretoOnly.isSelected())));
        validOnly.setOnAction(e -> results.setFilter(results.filter().get().withValidOnly(validOnly.isSelected())));
        text.textProperty()
                .addListener(
                        (o, was, is) -> results.setFilter(results.filter().get().withText(is), text));
        text.textProperty().addListener(o -> wrong(Optional.empty()));
        wrong(Optional.empty());
        text.setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ESCAPE && !text.getText().isEmpty()) {
                text.clear();
                e.consume();
            } else if (e.getCode() == KeyCode.ENTER) {
                wrong(results.setGoal(text.getText()));
                e.consume();
            }
        });
        clear.setOnAction(e -> results.setFilter(DesignFilter.none()));
        results.filter().addListener((o, was, is) -> showFilter(is));
        showFilter(results.filter().get());
        count.textProperty().bind(model.count());

        table.addEventFilter(MouseEvent.MOUSE_PRESSED, e -> held = true);
        // After the release itself was handled: a double click on a border fits the column.
        table.addEventFilter(MouseEvent.MOUSE_RELEASED, e -> Platform.runLater(() -> held = false));
        table.setItems(items);
        table.setSortPolicy(t -> {
            List<TableColumn<Integer, ?>> order = t.getSortOrder();
            model.sort()
                    .set(
                            order.isEmpty()
                                    ? Optional.empty()
                                    : Optional.of(new Sorting(
                                            order.getFirst().getId(),
                                            order.getFirst().getSortType() == TableColumn.SortType.ASCENDING)));
            return true;
        });
        table.setOnKeyPressed(e -> {
            if (COPY.match(e)) {
                var content = new ClipboardContent();
                content.putString(model.asText());
                Clipboard.getSystemClipboard().setContent(content);
            }
        });
        table.getSelectionModel().selectedItemProperty().addListener((o, was, is) -> {
            if (!following && is != null) {
                results.select(is + 1);
            }
        });
        results.selected().addListener((o, was, is) -> follow(true));
        results.pins().addListener((ListChangeListener<Integer>) c -> cells.forEach(DesignCell::again));
        model.rows().addListener((o, was, is) -> show(is));
        results.reading().addListener(o -> sayWhyEmpty());
        show(model.rows().get());
    }

    private void show(Rows rows) {
        following = true;
        try {
            arrangeColumns(rows.columns());
            items.replace(rows.order());
            cells.forEach(DesignCell::again);
            sayWhyEmpty();
        } finally {
            following = false;
        }
        boolean rearranged = !items.isEmpty() && !asked.equals(rows.by());
        asked = rows.by();
        follow(rearranged);
        if (rearranged) {
            table.scrollTo(Math.max(0, model.selectedRow() - 2));
        }
    }

    private void sayWhyEmpty() {
        Results results = model.results();
        say(
                model.rows().get().set().size() == 0
                        ? results.nothing("Nothing has been evaluated yet")
                        : results.unknownWord()
                                .map(w -> "'" + w
                                        + "' is no knob or value here. Enter reads lut<20k and delay min as a goal.")
                                .orElse("No design passes the filter"));
    }

    private void wrong(Optional<String> goal) {
        problem.setText(goal.orElse(""));
        Nodes.show(problem, goal.isPresent());
    }

    private void say(String words) {
        var label = new Label(words);
        label.setWrapText(true);
        table.setPlaceholder(label);
    }

    private void follow(boolean scroll) {
        following = true;
        try {
            int row = model.selectedRow();
            if (row < 0) {
                table.getSelectionModel().clearSelection();
            } else if (table.getSelectionModel().getSelectedIndex() != row) {
                table.getSelectionModel().clearAndSelect(row);
                if (scroll) {
                    table.scrollTo(Math.max(0, row - 2));
                }
            }
        } finally {
            following = false;
        }
    }

    /// Keeps the columns there are, so that widths and order chosen by the person survive; adds and drops the
    /// others.
    private void arrangeColumns(List<Column> wanted) {
        List<String> ids = wanted.stream().map(Column::id).toList();
        if (!table.getColumns().stream().map(TableColumn::getId).toList().equals(ids)) {
            columns.keySet().retainAll(ids);
            wanted.forEach(c -> columns.computeIfAbsent(c.id(), id -> column(c)));
            table.getColumns().setAll(ids.stream().map(columns::get).toList());
            columnMenu
                    .getItems()
                    .setAll(wanted.stream()
                            .skip(1)
                            .map(c -> {
                                var item = new CheckMenuItem(c.title());
                                item.setMnemonicParsing(false);
                                item.selectedProperty()
                                        .bindBidirectional(requireNonNull(columns.get(c.id()))
                                                .visibleProperty());
                                return (MenuItem) item;
                            })
                            .toList());
        }
        for (Column c : wanted) {
            TableColumn<Integer, String> tableColumn = requireNonNull(columns.get(c.id()));
            tableColumn.setUserData(c);
            tableColumn.setText(c.title());
        }
    }

    private TableColumn<Integer, String> column(Column c) {
        var column = new TableColumn<Integer, String>(c.title());
        column.setId(c.id());
        column.setUserData(c);
        column.setReorderable(true);
        column.setCellValueFactory(d -> new ReadOnlyStringWrapper(
                ((Column) column.getUserData()).text().of(model.rows().get().set(), d.getValue())));
        column.setCellFactory(t -> new DesignCell(c.kind(), c.id().equals("number")));
        column.setMinWidth(Math.min(defaultWidth(c), LEAST_WIDTH));
        column.setPrefWidth(settings.number(WIDTH_KEY + c.id()).orElse(defaultWidth(c)));
        column.widthProperty().addListener((o, was, is) -> {
            // Only what the person drags: a table that was narrow for a moment is no wish.
            if (held) {
                settings.put(WIDTH_KEY + c.id(), Double.toString(is.doubleValue()));
            }
        });
        column.setVisible(
                c.shownAtFirst()
                        ? !settings.lines(HIDDEN_KEY).contains(c.id())
                        : settings.lines(SHOWN_KEY).contains(c.id()));
        column.visibleProperty().addListener((o, was, is) -> rememberVisible(c, is));
        if (c.kind() == Kind.NUMBER) {
            column.getStyleClass().add("number-column");
        }
        if (!c.id().startsWith("knob:")) {
            Glossary.explain(column);
        }
        return column;
    }

    private void rememberVisible(Column c, boolean visible) {
        String key = c.shownAtFirst() ? HIDDEN_KEY : SHOWN_KEY;
        var kept = new java.util.ArrayList<>(settings.lines(key));
        kept.remove(c.id());
        if (visible != c.shownAtFirst()) {
            kept.add(c.id());
        }
        settings.putLines(key, kept);
    }

    private static double defaultWidth(Column c) {
        double em = 7.2;
        return switch (c.id()) {
            case "number" -> 68;
            case "standing" -> 112;
            case "fidelity" -> 72;
            case "step" -> 52;
            case "origin" -> 200;
            default -> Math.clamp(c.title().length() * em + 24, c.id().startsWith("metric:") ? 88 : 64, 168);
        };
    }

    private void showFilter(DesignFilter filter) {
        paretoOnly.setSelected(filter.paretoOnly());
        validOnly.setSelected(filter.validOnly());
        if (!text.getText().equals(filter.text())) {
            text.setText(filter.text());
        }
        Nodes.show(clear, !filter.isNone());
    }

    /// A cell of the table.
    private final class DesignCell extends TableCell<Integer, String> {
        private final Kind kind;
        private final boolean number;

        DesignCell(Kind kind, boolean number) {
            this.kind = kind;
            this.number = number;
            if (kind == Kind.NUMBER) {
                getStyleClass().add("number-cell");
            }
            cells.add(this);
        }

        /// Shows what its design is now; a cell of a column that is gone may know knobs that its design has not.
        void again() {
            if (!isEmpty()
                    && columns.containsValue(getTableColumn())
                    && getTableRow() != null
                    && getTableRow().getItem() != null) {
                int index = getTableRow().getItem();
                DesignSet set = model.rows().get().set();
                if (index < set.size()) {
                    updateItem(((Column) getTableColumn().getUserData()).text().of(set, index), false);
                }
            }
        }

        @Override
        protected void updateItem(String item, boolean empty) {
            super.updateItem(item, empty);
            setText(empty ? null : item);
            if (empty || getTableRow() == null || getTableRow().getItem() == null) {
                setGraphic(null);
                return;
            }
            int index = getTableRow().getItem();
            DesignSet set = model.rows().get().set();
            if (kind == Kind.STANDING && index < set.size()) {
                DesignStanding standing = set.standing(index);
                if (!(getGraphic() instanceof MarkGlyph shown && shown.isOf(standing))) {
                    setGraphic(new MarkGlyph(standing));
                }
                return;
            }
            int pin = number ? model.results().pinOf(index + 1) : 0;
            if (pin > 0) {
                var badge = new Label(Integer.toString(pin));
                badge.getStyleClass().add("pin-badge");
                setGraphic(badge);
            } else {
                setGraphic(null);
            }
        }
    }
}
