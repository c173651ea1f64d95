package knobscape.app.ui.fusion;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
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

    @FXML
    private TableColumn<Row, Row> number;

    @FXML
    private TableColumn<Row, Row> layers;

    @FXML
    private TableColumn<Row, Row> samples;

    @FXML
    private TableColumn<Row, Row> rows;

    @FXML
    private TableColumn<Row, Row> time;

    @FXML
    private TableColumn<Row, Row> offChip;

    @FXML
    private TableColumn<Row, Row> room;

    @FXML
    private TableColumn<Row, Row> energy;

    @FXML
    private TableColumn<Row, Row> weights;

    @FXML
    private TableColumn<Row, Row> waits;

    StripGroupsView(StripCurves strips) {
        this.strips = strips;
        this.root = Fxml.load("fusion/groups", this);
    }

    Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        show(number, Row::number, r -> Integer.toString(r.number()));
        show(layers, Row::number, r -> r.report().layers(r.group().plan()));
        show(
                samples,
                r -> r.group().plan().pieces().samples(),
                r -> Integer.toString(r.group().plan().pieces().samples()));
        show(
                rows,
                r -> r.group().plan().pieces().strip(),
                r -> r.report().strips(r.group().plan()));
        show(
                time,
                r -> r.group().plan().cost().seconds(),
                r -> FusionFigures.micros(r.group().plan().cost().seconds()));
        show(
                offChip,
                r -> r.group().plan().cost().offChip(),
                r -> ByteSize.shown(r.group().plan().cost().offChip()));
        show(
                room,
                r -> r.group().plan().room(),
                r -> ByteSize.shown(r.group().plan().room()));
        show(
                energy,
                r -> r.group().plan().cost().joules(),
                r -> StripView.energy(r.group().plan().cost().joules()));
        show(weights, r -> r.group().parts().again(), r -> StripReport.weights(r.group()));
        show(waits, r -> r.group().waits().ordinal(), r -> r.group().waits().words());
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

    private static void show(TableColumn<Row, Row> column, ToDoubleFunction<Row> key, Function<Row, String> text) {
        Columns.show(column, Comparator.comparingDouble(key), text, (cell, r) -> {});
    }
}
