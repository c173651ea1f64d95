package knobscape.app.ui.inspector;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javafx.beans.property.BooleanProperty;
import javafx.collections.ListChangeListener;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.inspector.Cells.Cell;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;

/// A drawer with pinned designs side by side, and beside the selected one what other evaluators say of it.
public final class CompareView {
    /// Least width of a name in pixels; values stand whole, and are scrolled to where there are many.
    private static final double NAME_WIDTH = 120;

    private final Results results;
    private final BooleanProperty open;
    private final Cells cells = new Cells();
    private final Parent root;

    @FXML
    private Button close;

    @FXML
    private GridPane grid;

    /// @param results the designs
    /// @param open whether somebody asked for it
    public CompareView(Results results, BooleanProperty open) {
        this.results = results;
        this.open = open;
        this.root = Fxml.load("inspector/compare", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        close.setOnAction(e -> open.set(false));
        open.addListener((o, was, is) -> show());
        results.shown().addListener((o, was, is) -> show());
        results.selected().addListener((o, was, is) -> show());
        results.pins().addListener((ListChangeListener<Integer>) c -> show());
        results.others().told().addListener((o, was, is) -> show());
        javafx.application.Platform.runLater(this::show);
    }

    private void show() {
        if (open.get()) {
            results.selectedDesign().ifPresent(d -> results.others().look(d.configuration()));
        }
        Comparison c = open.get() ? Comparison.of(results) : Comparison.NONE;
        Nodes.show(root, !c.rows().isEmpty());
        var all = new ArrayList<Cell>();
        for (int k = 0; k < c.heads().size(); k++) {
            all.add(Cell.whole(k + 1, 0, c.heads().get(k), List.of(k < c.own() ? "secondary" : "badge")));
        }
        for (int r = 0; r < c.rows().size(); r++) {
            Comparison.Line line = c.rows().get(r);
            all.add(Cell.wrapped(0, r + 1, line.name(), "plain"));
            for (int k = 0; k < line.values().size(); k++) {
                all.add(Cell.whole(
                        k + 1,
                        r + 1,
                        line.values().get(k),
                        line.best().contains(k) ? List.of("figure", "emphasis") : List.of("figure")));
            }
        }
        cells.show(grid, NAME_WIDTH, Collections.nCopies(c.heads().size(), Region.USE_COMPUTED_SIZE), all);
    }
}
