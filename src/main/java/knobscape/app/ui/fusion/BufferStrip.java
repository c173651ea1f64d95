package knobscape.app.ui.fusion;

import java.util.Locale;
import java.util.Optional;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.Slider;
import javafx.scene.control.ToggleGroup;
import knobscape.app.ui.view.Fxml;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.source.ByteSize;

/// The size of the buffer under a slider, and what the strategy does when it changes.
final class BufferStrip {
    private static final double LEAST = Math.log(16_000);
    private static final double MOST = Math.log(256e6);
    private final FusionViewModel model;
    private final Parent root;
    private boolean following;

    @FXML
    private Slider slider;

    @FXML
    private Label size;

    @FXML
    private MenuButton mode;

    @FXML
    private MenuButton least;

    BufferStrip(FusionViewModel model) {
        this.model = model;
        this.root = Fxml.load("fusion/buffer", this);
    }

    Parent root() {
        return root;
    }

    @FXML
    private void initialize() {
        slider.setMax(MOST);
        slider.setMin(LEAST);
        slider.setValue(LEAST);
        slider.setBlockIncrement((MOST - LEAST) / 48);
        slider.valueProperty().addListener((o, was, is) -> {
            if (!following) {
                model.setBuffer(rounded(Math.exp(is.doubleValue())));
            }
        });
        var group = new ToggleGroup();
        for (BufferChangePolicy f : model.follows()) {
            var item = new RadioMenuItem(f.words());
            item.setMnemonicParsing(false);
            item.setToggleGroup(group);
            item.setOnAction(e -> model.followMode().set(f));
            model.followMode().subscribe(now -> item.setSelected(now == f || now.equals(f)));
            mode.getItems().add(item);
        }
        mode.textProperty().bind(model.followMode().map(BufferChangePolicy::words));
        var objectives = new ToggleGroup();
        for (Objective o : Objective.values()) {
            var item = new RadioMenuItem(label(o));
            item.setUserData(o);
            item.setToggleGroup(objectives);
            item.setOnAction(e -> model.setObjective(o));
            least.getItems().add(item);
        }
        model.setup().subscribe(this::show);
    }

    private static String label(Objective o) {
        return FusionSettings.OBJECTIVE.type().labels().get(o.ordinal());
    }

    /// To three digits.
    private static long rounded(double bytes) {
        double unit = Math.pow(10, Math.floor(Math.log10(bytes)) - 2);
        return Math.round(Math.round(bytes / unit) * unit);
    }

    private void show(Optional<Setup> setup) {
        setup.ifPresent(s -> {
            following = true;
            least.getItems().forEach(i -> ((RadioMenuItem) i).setSelected(i.getUserData() == s.objective()));
            least.setText("Least " + label(s.objective()).toLowerCase(Locale.ROOT));
            double at = Math.clamp(Math.log(s.accelerator().bufferBytes()), LEAST, MOST);
            if (!slider.isValueChanging() || Math.abs(slider.getValue() - at) > (MOST - LEAST) / 20) {
                slider.setValue(at);
            }
            size.setText(ByteSize.shown(s.accelerator().bufferBytes()));
            following = false;
        });
    }
}
