package knobscape.app.ui.hls.report;

import java.io.File;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.animation.Animation;
import javafx.animation.KeyFrame;
import javafx.animation.Timeline;
import javafx.fxml.FXML;
import javafx.geometry.HPos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.TextArea;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.DragEvent;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import javafx.util.Duration;
import knobscape.app.ui.hls.report.ToolReportViewModel.LoopRow;
import knobscape.app.ui.hls.report.ToolReportViewModel.ReportPage;
import knobscape.app.ui.hls.report.ToolReportViewModel.Row;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.hls.evaluate.vendor.ReportReader;

/// Report and log of the selected design, below its sheet. A report is dropped on the sheet.
public final class ToolReportView {
    private final ToolReportViewModel model;
    private final Consumer<String> toLoop;
    private final VBox root;
    private final Timeline clock;

    @FXML
    private Label title;

    @FXML
    private ToggleButton follow;

    @FXML
    private VBox report;

    @FXML
    private GridPane figures;

    @FXML
    private GridPane loops;

    @FXML
    private Label notes;

    @FXML
    private TextArea log;

    /// @param toLoop shows a loop in the source, by its id
    public ToolReportView(ToolReportViewModel model, Consumer<String> toLoop) {
        this.model = model;
        this.toLoop = toLoop;
        this.clock = new Timeline(new KeyFrame(Duration.millis(500), e -> model.readOn()));
        clock.setCycleCount(Animation.INDEFINITE);
        this.root = Fxml.load("hls/report", this);
        show();
    }

    /// The view.
    public Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        model.shown().addListener((o, was, is) -> show());
        model.log().addListener((o, was, is) -> {
            if (is.isEmpty()) {
                follow.setSelected(false);
            }
            show();
        });
        follow.selectedProperty().addListener((o, was, is) -> {
            Nodes.show(log, is);
            if (is) {
                model.readOn();
                clock.play();
            } else {
                clock.stop();
            }
        });
        model.text().addListener((o, was, is) -> {
            if (is.startsWith(was) && !was.isEmpty()) {
                log.appendText(is.substring(was.length()));
            } else {
                log.setText(is);
                log.end();
            }
        });
    }

    /// Lets reports be dropped on a node.
    public void takeDropsOn(Node sheet) {
        for (Node n : List.of(sheet, root)) {
            n.addEventHandler(DragEvent.DRAG_OVER, e -> {
                if (dropped(e) != null) {
                    e.acceptTransferModes(TransferMode.COPY);
                    e.consume();
                }
            });
            n.addEventHandler(DragEvent.DRAG_DROPPED, e -> {
                File file = dropped(e);
                if (file != null) {
                    model.drop(file.toPath());
                    e.setDropCompleted(true);
                    e.consume();
                }
            });
        }
    }

    private static @org.jspecify.annotations.Nullable File dropped(DragEvent e) {
        List<File> files = e.getDragboard().getFiles();
        return files.size() == 1
                        && (files.getFirst().isDirectory()
                                || ReportReader.isReport(files.getFirst().toPath()))
                ? files.getFirst()
                : null;
    }

    private void show() {
        boolean hasLog = model.log().get().isPresent();
        Nodes.show(root, hasLog || model.shown().get().isPresent());
        Nodes.show(follow, hasLog);
        Nodes.show(log, follow.isSelected());
        Nodes.show(report, model.shown().get().isPresent());
        title.setText(model.shown().get().map(ReportPage::title).orElse(""));
        model.shown().get().ifPresent(this::show);
    }

    private void show(ReportPage s) {
        columns(figures, 4);
        line(figures, 0, "", "report", "design", "ratio");
        int row = 1;
        for (Row r : s.figures()) {
            line(figures, row++, r.name(), r.report(), r.design(), r.ratio());
        }
        columns(loops, 5);
        Nodes.show(loops, !s.loops().isEmpty());
        line(loops, 0, "loop", "line", "II", "trip count", "latency");
        row = 1;
        for (LoopRow l : s.loops()) {
            line(
                    loops,
                    row,
                    l.name(),
                    l.line().isPresent() ? "" + l.line().getAsInt() : "",
                    l.interval(),
                    l.trip(),
                    l.latency());
            int at = row++;
            l.loop().ifPresent(id -> {
                var link = new Hyperlink(l.name().strip());
                link.setOnAction(e -> toLoop.accept(id));
                link.setAccessibleText("Show loop " + id + " in the source");
                loops.getChildren().removeIf(n -> GridPane.getRowIndex(n) == at && GridPane.getColumnIndex(n) == 0);
                loops.add(link, 0, at);
            });
        }
        notes.setText(String.join(
                "\n",
                Stream.concat(Stream.of("Design: " + s.design()), s.notes().stream())
                        .toList()));
    }

    private static void columns(GridPane grid, int count) {
        grid.getChildren().clear();
        grid.getColumnConstraints().clear();
        for (int i = 0; i < count; i++) {
            var c = new ColumnConstraints();
            c.setHgrow(i == 0 ? Priority.ALWAYS : Priority.NEVER);
            c.setHalignment(i == 0 ? HPos.LEFT : HPos.RIGHT);
            grid.getColumnConstraints().add(c);
        }
    }

    private static void line(GridPane grid, int row, String... words) {
        for (int i = 0; i < words.length; i++) {
            var label = new Label(words[i]);
            label.getStyleClass().add(row == 0 ? "secondary" : i == 0 ? "plain" : "figure");
            label.setMinWidth(Region.USE_PREF_SIZE);
            grid.add(label, i, row);
        }
    }
}
