package knobscape.app.ui.fusion;

import java.util.Comparator;
import java.util.List;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import knobscape.app.ui.view.Columns;
import knobscape.app.ui.view.Fxml;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.export.StripReport.Group;
import knobscape.fusion.source.ByteSize;

/// The groups of the exact answer, one a row.
final class StripGroupsView {
    private record Row(int number, StripReport report, Group group) {}

    private final StripCurves strips;
    private final Parent root;

    @FXML
    private Label count;

    @FXML
    private TableView<Row> table;

    StripGroupsView(StripCurves strips) {
        this.strips = strips;
        this.root = Fxml.load("fusion/groups", this);
    }

    Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        var number = Columns.figures(table, "#", 30, Row::number, r -> Integer.toString(r.number()));
        var layers = Columns.words(
                table, "Layers", 190, r -> r.report().layers(r.group().plan()));
        var samples = Columns.figures(
                table,
                "Samples",
                72,
                r -> r.group().plan().pieces().samples(),
                r -> Integer.toString(r.group().plan().pieces().samples()));
        var rows = Columns.figures(
                table,
                "Rows",
                76,
                r -> r.group().plan().pieces().strip(),
                r -> r.report().strips(r.group().plan()));
        var time = Columns.figures(
                table,
                "Time",
                68,
                r -> r.group().plan().cost().seconds(),
                r -> FusionFigures.micros(r.group().plan().cost().seconds()));
        var offChip = Columns.figures(
                table,
                "Off-chip",
                76,
                r -> r.group().plan().cost().offChip(),
                r -> ByteSize.shown(r.group().plan().cost().offChip()));
        var room = Columns.figures(
                table,
                "Room",
                76,
                r -> r.group().plan().room(),
                r -> ByteSize.shown(r.group().plan().room()));
        var energy = Columns.figures(
                table,
                "Energy",
                76,
                r -> r.group().plan().cost().joules(),
                r -> StripView.energy(r.group().plan().cost().joules()));
        var weights = Columns.words(table, "Weights", 118, r -> StripReport.weights(r.group()));
        var waits = Columns.words(table, "Bound by", 122, r -> r.group().waits().words());
        // Layers are in their order, not in that of their names.
        layers.setComparator(Comparator.comparingInt(Row::number));
        number.setMaxWidth(30);
        // What room is left is of the names.
        List.of(time, offChip, room, waits, weights, rows, samples, energy)
                .forEach(c -> c.setMaxWidth(c.getMinWidth()));
        Columns.fit(table, List.of(number, layers, time, offChip, room, waits, weights, rows, samples, energy));
        strips.answer().subscribe(report -> {
            List<Row> all = report.map(r -> {
                        List<Group> groups = r.groups();
                        return java.util.stream.IntStream.range(0, groups.size())
                                .mapToObj(i -> new Row(i + 1, r, groups.get(i)))
                                .toList();
                    })
                    .orElse(List.of());
            table.getItems().setAll(all);
            count.setText(all.isEmpty() ? "" : all.size() + (all.size() == 1 ? " group" : " groups"));
        });
    }
}
