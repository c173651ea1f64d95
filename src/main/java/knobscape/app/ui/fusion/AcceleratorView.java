package knobscape.app.ui.fusion;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
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
                                            : a.name() + " (1 MAC a PE, free launches)");
                            item.setMnemonicParsing(false);
                            item.setOnAction(e -> model.setup()
                                    .get()
                                    .ifPresent(s -> model.setAccelerator(
                                            a.withBuffer(s.accelerator().bufferBytes()))));
                            return item;
                        })
                        .toList());
        commands.dress(load, FusionCommands.ACCELERATOR);
        field("Batch", "samples", s -> Integer.toString(s.batch()), (s, t) -> {
            model.setBatch(whole(t));
            return Optional.empty();
        });
        field(
                "Buffer for activations",
                "",
                s -> ByteSize.text(s.accelerator().bufferBytes()),
                (s, t) -> Optional.of(s.accelerator().withBuffer(ByteSize.parse(t))));
        field(
                "Room for weights",
                "",
                s -> ByteSize.text(s.accelerator().weightBytes()),
                (s, t) -> Optional.of(s.accelerator().withWeightCapacity(ByteSize.parse(t))));
        field(
                "Processing elements",
                "",
                s -> Integer.toString(s.accelerator().pes()),
                (s, t) -> Optional.of(with(s.accelerator(), 0, whole(t))));
        field(
                "MACs per PE and cycle",
                "",
                s -> plain(s.accelerator().macsPerPe()),
                (s, t) -> Optional.of(with(s.accelerator(), 1, number(t))));
        field(
                "Clock",
                "GHz",
                s -> plain(s.accelerator().frequencyHz() / GIGA),
                (s, t) -> Optional.of(with(s.accelerator(), 2, number(t) * GIGA)));
        field(
                "Off-chip bandwidth",
                "GB/s",
                s -> plain(s.accelerator().offChipBandwidth() / GIGA),
                (s, t) -> Optional.of(with(s.accelerator(), 3, number(t) * GIGA)));
        field(
                "On-chip bandwidth",
                "GB/s",
                s -> plain(s.accelerator().onChipBandwidth() / GIGA),
                (s, t) -> Optional.of(with(s.accelerator(), 4, number(t) * GIGA)));
        field(
                "Cycles a launch",
                "",
                s -> plain(s.accelerator().launchCycles()),
                (s, t) -> Optional.of(with(s.accelerator(), 5, number(t))));
        field(
                "Bytes an element",
                "",
                s -> Integer.toString(s.accelerator().bytesPerElement()),
                (s, t) -> Optional.of(with(s.accelerator(), 6, whole(t))));
        model.setup().addListener((o, was, is) -> show());
        show();
    }

    Parent root() {
        return root;
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

    private static int whole(String t) {
        try {
            return Integer.parseInt(t.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + t.strip() + "' is not a whole number", e);
        }
    }

    private static double number(String t) {
        try {
            return Double.parseDouble(t.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + t.strip() + "' is not a number", e);
        }
    }

    private static String plain(double v) {
        return v == Math.rint(v) && Math.abs(v) < 1e15 ? Long.toString((long) v) : Double.toString(v);
    }

    private void field(
            String name,
            String unit,
            Function<Setup, String> read,
            BiFunction<Setup, String, Optional<Accelerator>> write) {
        var label = new Label(name);
        var field = new TextField();
        field.getStyleClass().addAll("small", "number-field");
        field.setPrefColumnCount(7);
        field.setAccessibleText(name + (unit.isEmpty() ? "" : " in " + unit));
        label.setLabelFor(field);
        var words = new Label(unit);
        words.getStyleClass().add("secondary");
        words.setMinWidth(Region.USE_PREF_SIZE);
        field.setOnAction(e -> take(name, field, read, write));
        field.focusedProperty().addListener((o, was, is) -> {
            if (was) {
                take(name, field, read, write);
            }
        });
        fields.put(field, read);
        form.addRow(fields.size() - 1, label, field, words);
    }

    private void take(
            String name,
            TextField field,
            Function<Setup, String> read,
            BiFunction<Setup, String, Optional<Accelerator>> write) {
        Optional<Setup> s = model.setup().get();
        if (s.isEmpty() || field.getText().equals(read.apply(s.get()))) {
            return;
        }
        try {
            write.apply(s.get(), field.getText()).ifPresent(model::setAccelerator);
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
