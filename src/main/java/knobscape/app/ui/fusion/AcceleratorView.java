package knobscape.app.ui.fusion;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
import knobscape.fusion.source.Accelerator.Compute;
import knobscape.fusion.source.Accelerator.Hardware;
import knobscape.fusion.source.Accelerator.Memory;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.source.StripMachine.Energy;
import knobscape.fusion.source.StripMachine.Unrolling;
import knobscape.fusion.source.StripMachine.Widths;
import knobscape.project.NumberFormats;

/// The accelerator and the batch, number by number. A number is taken over by Enter or when the field is left;
/// one that is impossible is said and put back.
final class AcceleratorView {
    private static final double GIGA = 1e9;
    private static final double PICO = 1e-12;
    private static final String CUSTOM = "custom";
    private static final Set<String> WHOLE =
            Set.of("Processing elements", "Activations", "Weights", "K and V", "Paper: element");
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
                            boolean isPapers = a.hardware().source().isEmpty();
                            var item = new MenuItem(a.name() + ": " + ByteSize.shown(a.bufferBytes()) + ", "
                                    + NumberFormats.shortest(a.rate() / GIGA) + " GMAC/s, "
                                    + NumberFormats.shortest(a.offChipBandwidth() / GIGA) + " GB/s");
                            item.setMnemonicParsing(false);
                            item.setOnAction(e -> model.setup()
                                    .get()
                                    .ifPresent(s -> model.setAccelerator(
                                            isPapers
                                                    ? a.withBuffer(
                                                            s.accelerator().bufferBytes())
                                                    : a)));
                            return item;
                        })
                        .toList());
        commands.dress(load, FusionCommands.ACCELERATOR);
        field("Batch", "samples", s -> Integer.toString(s.batch()), (s, t) -> model.setBatch((int) number(t, true)));
        bytes("Buffer", Accelerator::bufferBytes, Accelerator::withBuffer);
        number(
                "Processing elements",
                "",
                1,
                Accelerator::pes,
                (a, v) -> with(a, new Compute(v.intValue(), a.macsPerPe(), a.frequencyHz())));
        number(
                "MACs per PE and cycle",
                "",
                1,
                Accelerator::macsPerPe,
                (a, v) -> with(a, new Compute(a.pes(), v, a.frequencyHz())));
        number(
                "Clock",
                "GHz",
                GIGA,
                Accelerator::frequencyHz,
                (a, v) -> with(a, new Compute(a.pes(), a.macsPerPe(), v)));
        field(
                "Array K\u00d7C\u00d7X\u00d7Y",
                "",
                s -> array(s.accelerator()),
                (s, t) -> model.setAccelerator(with(s.accelerator(), hardware(s.accelerator(), array(t)))));
        number(
                "Off-chip bandwidth",
                "GB/s",
                GIGA,
                Accelerator::offChipBandwidth,
                (a, v) -> with(a, new Memory(v, a.onChipBandwidth(), a.bufferBytes(), a.weightBytes())));
        number(
                "On-chip bandwidth",
                "GB/s",
                GIGA,
                Accelerator::onChipBandwidth,
                (a, v) -> with(a, new Memory(a.offChipBandwidth(), v, a.bufferBytes(), a.weightBytes())));
        number(
                "Cycles per launch",
                "",
                1,
                Accelerator::launchCycles,
                (a, v) -> new Accelerator(
                        CUSTOM, a.compute(), a.memory(), v, a.bytesPerElement(), a.options(), a.hardware()));
        number(
                "Activations",
                "bit",
                1,
                a -> widths(a).activation(),
                (a, v) -> with(
                        a, widths(a, v.intValue(), widths(a).weight(), widths(a).cache())));
        number(
                "Weights",
                "bit",
                1,
                a -> widths(a).weight(),
                (a, v) -> with(
                        a,
                        widths(
                                a,
                                widths(a).activation(),
                                v.intValue(),
                                widths(a).cache())));
        number(
                "K and V",
                "bit",
                1,
                a -> widths(a).cache(),
                (a, v) -> with(a, widths(a, widths(a).activation(), widths(a).weight(), v.intValue())));
        number(
                "Energy of a MAC",
                "pJ",
                PICO,
                a -> energy(a).mac(),
                (a, v) -> with(a, energy(a, v, energy(a).offByte(), energy(a).onByte())));
        number(
                "of a byte off chip",
                "pJ",
                PICO,
                a -> energy(a).offByte(),
                (a, v) -> with(a, energy(a, energy(a).mac(), v, energy(a).onByte())));
        number(
                "of a byte on chip",
                "pJ",
                PICO,
                a -> energy(a).onByte(),
                (a, v) -> with(a, energy(a, energy(a).mac(), energy(a).offByte(), v)));
        bytes("Paper: weights", Accelerator::weightBytes, Accelerator::withWeightCapacity);
        number(
                "Paper: element",
                "bytes",
                1,
                Accelerator::bytesPerElement,
                (a, v) -> new Accelerator(
                        CUSTOM, a.compute(), a.memory(), a.launchCycles(), v.intValue(), a.options(), a.hardware()));
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

    /// @param unit shown, `scale` of the accelerator's own
    private void number(
            String name,
            String unit,
            double scale,
            ToDoubleFunction<Accelerator> read,
            BiFunction<Accelerator, Double, Accelerator> write) {
        field(
                name,
                unit,
                s -> plain(read.applyAsDouble(s.accelerator()) / scale),
                (s, t) -> model.setAccelerator(write.apply(s.accelerator(), number(t, WHOLE.contains(name)) * scale)));
    }

    private static Accelerator with(Accelerator a, Compute compute) {
        return new Accelerator(
                CUSTOM, compute, a.memory(), a.launchCycles(), a.bytesPerElement(), a.options(), a.hardware());
    }

    private static Accelerator with(Accelerator a, Memory memory) {
        return new Accelerator(
                CUSTOM, a.compute(), memory, a.launchCycles(), a.bytesPerElement(), a.options(), a.hardware());
    }

    private static Accelerator with(Accelerator a, Hardware hardware) {
        return new Accelerator(
                CUSTOM, a.compute(), a.memory(), a.launchCycles(), a.bytesPerElement(), a.options(), hardware);
    }

    private static Widths widths(Accelerator a) {
        return a.hardware().widths();
    }

    private static Hardware widths(Accelerator a, int activation, int weight, int cache) {
        Hardware h = a.hardware();
        return new Hardware(h.array(), new Widths(activation, weight, cache), h.energy(), h.counting(), h.source());
    }

    private static Energy energy(Accelerator a) {
        return a.hardware().energy();
    }

    private static Hardware energy(Accelerator a, double mac, double offByte, double onByte) {
        if (!(Math.min(mac, Math.min(offByte, onByte)) >= 0)) {
            throw new IllegalArgumentException("an energy is 0 or more");
        }
        Hardware h = a.hardware();
        return new Hardware(h.array(), h.widths(), new Energy(mac, offByte, onByte), h.counting(), h.source());
    }

    private static String array(Accelerator a) {
        return a.hardware()
                .array()
                .map(u -> u.k() + "\u00d7" + u.c() + "\u00d7" + u.x() + "\u00d7" + u.y())
                .orElse("");
    }

    /// Empty for an array that is always full.
    private static Optional<Unrolling> array(String text) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        String[] parts = text.strip().split("[\u00d7xX* ]+");
        if (parts.length != 4) {
            throw new IllegalArgumentException(
                    "'" + text.strip() + "' is not four numbers: output channels, input channels, width, height");
        }
        int[] n = Arrays.stream(parts).mapToInt(p -> (int) number(p, true)).toArray();
        return Optional.of(new Unrolling(n[0], n[1], n[2], n[3]));
    }

    private static Hardware hardware(Accelerator a, Optional<Unrolling> array) {
        Hardware h = a.hardware();
        return new Hardware(array, h.widths(), h.energy(), h.counting(), h.source());
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
        return v == Math.rint(v) && Math.abs(v) < 1e15
                ? Long.toString((long) v)
                : new BigDecimal(v, new MathContext(6)).stripTrailingZeros().toPlainString();
    }

    private void field(String name, String unit, Function<Setup, String> read, BiConsumer<Setup, String> write) {
        var label = new Label(name);
        var field = new TextField();
        field.getStyleClass().addAll("small", "number-field");
        field.setPrefColumnCount(7);
        field.setAccessibleText(name + (unit.isEmpty() ? "" : " in " + unit));
        label.setMinWidth(javafx.scene.layout.Region.USE_PREF_SIZE);
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
