package knobscape.app.ui.fusion;

import java.util.List;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.Slider;
import javafx.scene.control.ToggleButton;
import javafx.scene.layout.GridPane;
import knobscape.app.ui.view.Fxml;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.evaluate.FusionReport.Layer;
import knobscape.fusion.source.ByteSize;
import knobscape.network.chain.ChainLayer;

/// One layer: its micro-batch under a slider, whether it synchronises, and where its time goes.
final class LayerView {
    private final FusionViewModel model;
    private final Parent root;
    private boolean following;

    @FXML
    private Label title;

    @FXML
    private Label shape;

    @FXML
    private Slider slider;

    @FXML
    private Label value;

    @FXML
    private ToggleButton sync;

    @FXML
    private GridPane figures;

    LayerView(FusionViewModel model) {
        this.model = model;
        this.root = Fxml.load("fusion/layer", this);
    }

    @FXML
    private void initialize() {
        slider.valueProperty().addListener((o, was, is) -> {
            if (!following) {
                int batch = model.setup().get().map(Setup::batch).orElse(1);
                model.setEntry(model.layer().get(), Math.clamp(Math.round(Math.pow(2, is.doubleValue())), 1, batch));
            }
        });
        sync.setOnAction(e -> model.toggleSync(model.layer().get()));
        model.report().addListener((o, was, is) -> show());
        model.layer().addListener((o, was, is) -> show());
        show();
    }

    Parent root() {
        return root;
    }

    private void show() {
        int i = model.layer().get();
        Optional<FusionReport> report =
                model.report().get().filter(r -> i <= r.strategy().layers());
        Optional<Layer> layer =
                i == 0 ? Optional.empty() : report.map(r -> r.layers().get(i - 1));
        Optional<ChainLayer> chain = i == 0
                ? Optional.empty()
                : model.network()
                        .get()
                        .filter(n -> i <= n.layers())
                        .map(n -> n.chain().layer(i));
        title.setText(
                i == 0
                        ? "Input"
                        : layer.map(l -> "Layer " + i + "  " + l.name()).orElse(""));
        shape.setText(chain.map(LayerView::words)
                .orElse(
                        i == 0
                                ? "Its micro-batch changes costs only where the cost model pads batches or counts the input."
                                : ""));
        following = true;
        report.ifPresent(r -> {
            int m = r.strategy().get(i);
            slider.setMax(Math.log(model.setup().get().orElseThrow().batch()) / Math.log(2));
            slider.setValue(m > 0 ? Math.log(m) / Math.log(2) : 0);
            slider.setDisable(m < 1);
            value.setText(m > 0 ? Integer.toString(m) : "\u2013");
            sync.setSelected(m < 1);
            sync.setDisable(i == 0);
        });
        following = false;
        figures.getChildren().clear();
        layer.ifPresent(l -> {
            var rows = List.of(
                    new String[] {"Time", FusionFigures.micros(l.seconds())},
                    new String[] {"bound by", FusionFigures.bound(l.bound())},
                    new String[] {"compute", FusionFigures.micros(l.computeSeconds())},
                    new String[] {"off-chip memory", FusionFigures.micros(l.offChipSeconds())},
                    new String[] {"on-chip buffer", FusionFigures.micros(l.onChipSeconds())},
                    new String[] {
                        l.launches() == 1 ? "1 launch" : l.launches() + " launches",
                        FusionFigures.micros(l.launchSeconds())
                    },
                    new String[] {"Room on chip", ByteSize.shown(l.stagedBytes())},
                    new String[] {"Off-chip traffic", ByteSize.shown(l.offChipBytes())},
                    new String[] {"On-chip traffic", ByteSize.shown(l.onChipBytes())});
            for (int k = 0; k < rows.size(); k++) {
                boolean part = k >= 2 && k <= 5;
                var name = new Label(rows.get(k)[0]);
                name.getStyleClass().add(part ? "part" : "whole");
                var figure = new Label(rows.get(k)[1]);
                figure.getStyleClass().add("figure");
                figures.addRow(k, name, figure);
                GridPane.setHalignment(figure, javafx.geometry.HPos.RIGHT);
            }
        });
    }

    private static String words(ChainLayer l) {
        String kind = switch (l.extents().type()) {
            case CONV -> "convolution " + l.extents().kernelHeight() + "\u00d7" + l.extents().kernelWidth();
            case DWCONV -> "depthwise convolution " + l.extents().kernelHeight() + "\u00d7" + l.extents().kernelWidth();
            case GROUPCONV ->
                "convolution " + l.extents().kernelHeight() + "\u00d7" + l.extents().kernelWidth() + " in " + l.extents().groups() + " groups";
            case TCONV -> "transposed convolution " + l.extents().kernelHeight() + "\u00d7" + l.extents().kernelWidth();
            case FC -> "fully connected";
            case MATMUL -> "matrix product";
        };
        return kind + ", " + l.extents().inChannels() + " \u2192 " + l.extents().outChannels()
                + (l.extents().height() > 1
                        ? ", " + l.extents().height() + "\u00d7" + l.extents().width() + " \u2192 " + l.extents().outHeight() + "\u00d7"
                                + l.extents().outWidth()
                        : "")
                + (l.poolings().isEmpty() ? "" : ", pooled to " + l.pooledHeight() + "\u00d7" + l.pooledWidth());
    }
}
