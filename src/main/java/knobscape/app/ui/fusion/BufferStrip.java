package knobscape.app.ui.fusion;

import java.util.Optional;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.Slider;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import knobscape.fusion.source.ByteSize;

/// The size of the buffer under a slider, and what the strategy does when it changes.
final class BufferStrip extends HBox {
    private static final double STEP = 500_000;
    private static final double LEAST = Math.log(STEP);
    private static final double MOST = Math.log(256e6);
    private final Slider slider = new Slider(LEAST, MOST, LEAST);
    private final Label size = new Label();
    private boolean following;

    BufferStrip(FusionViewModel model) {
        getStyleClass().addAll("panel-header", "buffer-strip");
        var title = new Label("Buffer");
        title.getStyleClass().add("panel-title");
        title.setMinWidth(Region.USE_PREF_SIZE);
        slider.setId("buffer");
        slider.setAccessibleText("Size of the on-chip buffer for activations");
        slider.setBlockIncrement((MOST - LEAST) / 48);
        HBox.setHgrow(slider, Priority.ALWAYS);
        slider.setMinWidth(96);
        size.setMinWidth(72);
        size.getStyleClass().add("figure");
        slider.valueProperty().addListener((o, was, is) -> {
            if (!following) {
                model.setBuffer((long) (Math.max(1, Math.round(Math.exp(is.doubleValue()) / STEP)) * STEP));
            }
        });
        var mode = new MenuButton();
        mode.setId("follow");
        mode.setMnemonicParsing(false);
        mode.getStyleClass().addAll("small", "flat");
        mode.setAccessibleText("What the strategy does when the buffer changes");
        mode.setMinWidth(Region.USE_PREF_SIZE);
        var group = new ToggleGroup();
        for (Follow f : model.follows()) {
            var item = new RadioMenuItem(f.words());
            item.setMnemonicParsing(false);
            item.setToggleGroup(group);
            item.setOnAction(e -> model.followMode().set(f));
            model.followMode().subscribe(now -> item.setSelected(now == f || now.equals(f)));
            mode.getItems().add(item);
        }
        mode.textProperty().bind(model.followMode().map(Follow::words));
        getChildren().addAll(title, slider, size, mode);
        model.setup().subscribe(this::show);
    }

    private void show(Optional<Setup> setup) {
        setup.ifPresent(s -> {
            following = true;
            double at = Math.clamp(Math.log(s.accelerator().bufferBytes()), LEAST, MOST);
            if (!slider.isValueChanging() || Math.abs(slider.getValue() - at) > (MOST - LEAST) / 20) {
                slider.setValue(at);
            }
            size.setText(ByteSize.shown(s.accelerator().bufferBytes()));
            following = false;
        });
    }
}
