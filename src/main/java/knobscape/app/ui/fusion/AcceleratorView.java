package knobscape.app.ui.fusion;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import javafx.fxml.FXML;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.TextField;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.view.Fxml;
import knobscape.evaluate.UserError;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.ByteSize;

/// The accelerator and the batch, number by number. A number is taken over by Enter or when the field is left;
/// one that is impossible is said and put back.
final class AcceleratorView {
    private static final double GIGA = 1e9;
    private final FusionViewModel model;
    private final Messages messages;
    private final Commands commands;
    private final Map<TextField, Function<Setup, String>> fields = new LinkedHashMap<>();
    private final Parent root;

    @FXML
    private MenuButton presets;

    @FXML
    private Button load;

    @FXML
    private GridPane form;

    AcceleratorView(FusionViewModel model, Commands commands, Messages messages) {
        this.model = model;
        this.messages = messages;
        this.commands = commands;
        this.root = Fxml.load("fusion/accelerator", this);
    }

    @FXML
    private void initialize() {
        presets.getItems()
                .setAll(Accelerator.presets().stream()
                        .map(a -> {
                            var item = new MenuItem(
                                    a.name().equals("calibrated")
                                            ? "calibrated (to the published figures)"
                                            : a.name() + " (1 MAC per PE, free launches)");
                            item.setMnemonicParsing(false);
                            item.setOnAction(e -> model.setup()
                                    .get()
                                    .ifPresent(s -> model.setAccelerator(
                                            a.withBuffer(s.accelerator().bufferBytes()))));
                            return item;
                        })
                        .toList());
        commands.dress(load, FusionCommands.ACCELERATOR);
        field("Batch", "samples", s -> Integer.toString(s.batch()), (s, t) -> model.setBatch((int) number(t, true)));
        bytes("Buffer for activations", Accelerator::bufferBytes, Accelerator::withBuffer);
        bytes("Room for weights", Accelerator::weightBytes, Accelerator::withWeightCapacity);
        number(0, "Processing elements", "", 1, Accelerator::pes);
        number(1, "MACs per PE and cycle", "", 1, Accelerator::macsPerPe);
        number(2, "Clock", "GHz", GIGA, Accelerator::frequencyHz);
        number(3, "Off-chip bandwidth", "GB/s", GIGA, Accelerator::offChipBandwidth);
        number(4, "On-chip bandwidth", "GB/s", GIGA, Accelerator::onChipBandwidth);
        number(5, "Cycles per launch", "", 1, Accelerator::launchCycles);
        number(6, "Bytes per element", "", 1, Accelerator::bytesPerElement);
        model.setup().addListener((o, was, is) -> show());
        show();
    }

    Parent root() {
        return root;
    }

    private void bytes(
            String name, ToLongFunction<Accelerator> read, BiFunction<Accelerator, Long, Accelerator> write) {
        field(
                name,
                "",
                s -> ByteSize.text(read.applyAsLong(s.accelerator())),
                (s, t) -> model.setAccelerator(write.apply(s.accelerator(), ByteSize.parse(t))));
    }

    /// @param which number of the accelerator, counted as [#with] does
    /// @param unit shown, `scale` of the accelerator's own
    private void number(int which, String name, String unit, double scale, ToDoubleFunction<Accelerator> read) {
        boolean whole = which == 0 || which == 6;
        field(
                name,
                unit,
                s -> plain(read.applyAsDouble(s.accelerator()) / scale),
                (s, t) -> model.setAccelerator(with(s.accelerator(), which, number(t, whole) * scale)));
    }

    private static Accelerator with(Accelerator a, int which, double v) {
        return new Accelerator(
                "custom",
                which == 0 ? (int) v : a.pes(),
                which == 1 ? v : a.macsPerPe(),
                which == 2 ? v : a.frequencyHz(),
                which == 3 ? v : a.offChipBandwidth(),
                which == 4 ? v : a.onChipBandwidth(),
                a.bufferBytes(),
                a.weightBytes(),
                which == 5 ? v : a.launchCycles(),
                which == 6 ? (int) v : a.bytesPerElement(),
                a.options());
    }

    private static double number(String t, boolean whole) {
        try {
            return whole ? Integer.parseInt(t.strip()) : Double.parseDouble(t.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + t.strip() + "' is not a " + (whole ? "whole number" : "number"), e);
        }
    }

    private static String plain(double v) {
        return v == Math.rint(v) && Math.abs(v) < 1e15 ? Long.toString((long) v) : Double.toString(v);
    }

    private void field(String name, String unit, Function<Setup, String> read, BiConsumer<Setup, String> write) {
        var label = new Label(name);
        var field = new TextField();
        field.getStyleClass().addAll("small", "number-field");
        field.setPrefColumnCount(7);
        field.setAccessibleText(name + (unit.isEmpty() ? "" : " in " + unit));
        label.setLabelFor(field);
        var words = new Label(unit);
        words.getStyleClass().add("secondary");
        words.setMinWidth(Region.USE_PREF_SIZE);
        Runnable take = () -> model.setup()
                .get()
                .filter(s -> !field.getText().equals(read.apply(s)))
                .ifPresent(s -> take(name, () -> write.accept(s, field.getText())));
        field.setOnAction(e -> take.run());
        field.focusedProperty().addListener((o, was, is) -> {
            if (was) {
                take.run();
            }
        });
        fields.put(field, read);
        form.addRow(fields.size() - 1, label, field, words);
    }

    private void take(String name, Runnable write) {
        try {
            write.run();
        } catch (UserError e) {
            messages.fail(name + " cannot be set", e);
        } catch (IllegalArgumentException e) {
            messages.show(Message.error(name + ": " + e.getMessage() + "."));
        }
        show();
    }

    private void show() {
        model.setup().get().ifPresent(s -> {
            presets.setText(s.accelerator().name());
            fields.forEach((field, read) -> field.setText(read.apply(s)));
        });
    }
}
