package knobscape.app.ui.fusion;

import java.util.LinkedHashMap;
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
                        : layer.map(l -> "Layer " + i + "  " + l.name() + " (paper's model)")
                                .orElse(""));
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
            var rows = new LinkedHashMap<String, String>();
            rows.put("Time", FusionFigures.micros(l.seconds()));
            rows.put("Bound by", FusionFigures.bound(l.bound()));
            rows.put("compute", FusionFigures.micros(l.times().computeSeconds()));
            rows.put("off-chip memory", FusionFigures.micros(l.times().offChipSeconds()));
            rows.put("on-chip buffer", FusionFigures.micros(l.times().onChipSeconds()));
            rows.put(
                    l.launches() == 1 ? "1 launch" : l.launches() + " launches",
                    FusionFigures.micros(l.times().launchSeconds()));
            rows.put("Room on chip", ByteSize.shown(l.stagedBytes()));
            rows.put("Off-chip traffic", ByteSize.shown(l.traffic().offChipBytes()));
            rows.put("On-chip traffic", ByteSize.shown(l.traffic().onChipBytes()));
            rows.forEach((name, figure) -> StrategyView.row(figures, name, figure, ""));
        });
    }

    private static String words(ChainLayer l) {
        var e = l.extents();
        String kernel = " " + e.kernelHeight() + "\u00d7" + e.kernelWidth();
        String kind = switch (e.type()) {
            case CONV -> "convolution" + kernel;
            case DWCONV -> "depthwise convolution" + kernel;
            case GROUPCONV -> "convolution" + kernel + " in " + e.groups() + " groups";
            case TCONV -> "transposed convolution" + kernel;
            case FC -> "fully connected";
            case MATMUL -> "matrix product";
        };
        return kind + ", " + e.inChannels() + " \u2192 " + e.outChannels()
                + (e.height() > 1
                        ? ", " + e.height() + "\u00d7" + e.width() + " \u2192 " + e.outHeight() + "\u00d7"
                                + e.outWidth()
                        : "")
                + (l.pooled().poolings().isEmpty()
                        ? ""
                        : ", pooled to " + l.pooled().height() + "\u00d7"
                                + l.pooled().width());
    }
}
