package knobscape.app.ui.fusion;

import java.util.Locale;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.VBox;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.source.ByteSize;

/// The exact answer in strips: what it gains beside every layer alone and the least possible, and what is proven.
final class StripView {
    private static final double MICRO = 1e6;

    private final StripCurves strips;
    private final Parent root;

    @FXML
    private Label speedup;

    @FXML
    private Label subject;

    @FXML
    private GridPane figures;

    @FXML
    private VBox words;

    @FXML
    private Label pending;

    StripView(StripCurves strips) {
        this.strips = strips;
        this.root = Fxml.load("fusion/answer", this);
    }

    Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        strips.answer().subscribe(this::show);
    }

    private void show(Optional<StripReport> report) {
        Nodes.show(pending, report.isEmpty());
        pending.setText(strips.pending());
        figures.getChildren().clear();
        words.getChildren().clear();
        speedup.setText(report.map(r -> faster(r.answer().speedup())).orElse(""));
        subject.setText(report.map(StripReport::subject).orElse(""));
        report.ifPresent(r -> {
            StripAnswer a = r.answer();
            row(
                    "Time",
                    FusionFigures.micros(a.total().seconds()),
                    FusionFigures.micros(a.unfused().total().seconds()));
            row("least possible", FusionFigures.micros(a.bound().seconds()), "");
            row(
                    "Off-chip traffic",
                    ByteSize.shown(a.total().offChip()),
                    ByteSize.shown(a.unfused().total().offChip()));
            row(
                    "least possible",
                    ByteSize.shown(a.bound().offChip()),
                    String.format(Locale.ROOT, "%.2f\u00d7 reached", a.trafficOverBound()));
            row("Energy", energy(a.total().joules()), energy(a.unfused().total().joules()));
            row("Room on chip", ByteSize.shown(a.room()), "");
            row("buffer", ByteSize.shown(r.model().machine().buffer()), "");
            row("Groups", a.groups().size() + " of " + r.model().graph().layers() + " layers", "");
            r.words().forEach(w -> {
                var label = new Label(w.replaceAll("(?<=\\d) us\\b", " \u00b5s"));
                label.setWrapText(true);
                label.setMinHeight(javafx.scene.layout.Region.USE_PREF_SIZE);
                words.getChildren().add(label);
            });
        });
    }

    /// @param alone the same figure of every layer alone
    private void row(String name, String figure, String alone) {
        StrategyView.row(figures, name, figure, alone);
    }

    static String energy(double joules) {
        if (joules <= 0) {
            return "unknown";
        }
        return joules < 1e-3
                ? String.format(Locale.ROOT, "%.1f \u00b5J", joules * MICRO)
                : joules < 1
                        ? String.format(Locale.ROOT, "%.1f mJ", joules * 1e3)
                        : String.format(Locale.ROOT, "%.2f J", joules);
    }

    private static String faster(double speedup) {
        return speedup < 0.995 ? times(1 / speedup) + " slower" : times(speedup) + " faster";
    }

    static String times(double ratio) {
        return String.format(Locale.ROOT, "%.2f\u00d7", ratio);
    }
}
