package knobscape.app.ui.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javafx.fxml.FXML;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.run.RunCommands;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.NameShortener;
import knobscape.app.ui.view.Nodes;
import knobscape.evaluate.replay.ColumnRoles;
import knobscape.evaluate.replay.ColumnRoles.Column;
import knobscape.evaluate.replay.ColumnRoles.Role;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.study.StudyWorkbench;

/// The strip above the pictures of a table of results: what each column is for, as chips whose menus correct it, and
/// the button that searches among the designs.
final class ColumnsView {
    /// As many chips stand in sight at first.
    private static final int MOST = 10;
    private static final int MOST_LETTERS = 22;
    private static final Map<Role, String> SIGNS = Map.of(Role.MINIMISE, "\u2193 ", Role.MAXIMISE, "\u2191 ");

    private final StudyViewModel model;
    private final Commands commands;
    private final Parent root;
    private boolean unfolded;

    @FXML
    private FlowPane chips;

    @FXML
    private Label words;

    @FXML
    private MenuButton study;

    @FXML
    private Button search;

    ColumnsView(StudyViewModel model, Commands commands) {
        this.model = model;
        this.commands = commands;
        this.root = Fxml.load("study/columns", this);
        model.study().addListener((o, was, is) -> show());
        show();
    }

    Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        commands.dress(search, RunCommands.RUN);
        search.setText("Search this");
    }

    private void show() {
        Optional<StudyWorkbench> bench = model.study().get().map(w -> w.bench());
        Optional<ReplaySet> set = bench.flatMap(StudyWorkbench::table);
        Nodes.show(root, set.isPresent());
        set.ifPresent(s -> show(s, bench.get().settings().inputs().size() > 0));
    }

    /// @param fixed whether the project names a mapping, which is its own to change
    private void show(ReplaySet set, boolean fixed) {
        ColumnRoles roles = set.roles();
        words.setText(set.description());
        words.setTooltip(new Tooltip(set.description()));
        Nodes.show(study, !roles.studies().isEmpty());
        study.setText("Study: " + roles.study());
        study.setDisable(fixed);
        study.getItems()
                .setAll(roles.studies().stream()
                        .map(name -> {
                            var item = new MenuItem(name);
                            item.setMnemonicParsing(false);
                            item.setOnAction(e -> model.readColumns(roles.ofStudy(name)));
                            return item;
                        })
                        .toList());
        List<Column> columns = roles.columns();
        Map<String, String> names =
                NameShortener.of(columns.stream().map(Column::name).toList(), MOST_LETTERS);
        var all = new ArrayList<Node>();
        columns.stream()
                .limit(unfolded ? columns.size() : MOST)
                .forEach(c -> all.add(chip(roles, c, names.getOrDefault(c.name(), c.name()), fixed)));
        if (columns.size() > MOST) {
            var more = new Button(unfolded ? "Fewer" : columns.size() - MOST + " more");
            more.getStyleClass().addAll("small", "flat");
            more.setOnAction(e -> {
                unfolded = !unfolded;
                show(set, fixed);
            });
            all.add(more);
        }
        chips.getChildren().setAll(all);
    }

    private MenuButton chip(ColumnRoles roles, Column column, String name, boolean fixed) {
        var chip = new MenuButton(SIGNS.getOrDefault(column.role(), "")
                + name
                + (Set.of(Role.NOTE, Role.STATUS, Role.UNUSED).contains(column.role())
                        ? " \u00b7 " + column.role().words()
                        : ""));
        chip.setMnemonicParsing(false);
        chip.getStyleClass()
                .addAll("chip", "small", "column-" + column.role().name().toLowerCase(java.util.Locale.ROOT));
        chip.setAccessibleText("Column " + column.name() + ": " + column.role().words());
        chip.setTooltip(new Tooltip(column.name() + ": " + column.role().words()
                + (fixed ? "\nThe project's own mapping says so." : "\nClick to say what it is for.")));
        chip.setDisable(column.possible().size() < 2 || fixed);
        var group = new ToggleGroup();
        for (Role role : Role.values()) {
            if (column.possible().contains(role)) {
                var item = new RadioMenuItem(role.words());
                item.setToggleGroup(group);
                item.setSelected(role == column.role());
                item.setOnAction(e -> {
                    if (role != column.role()) {
                        model.readColumns(roles.with(column.name(), role));
                    }
                });
                chip.getItems().add(item);
            }
        }
        return chip;
    }
}
