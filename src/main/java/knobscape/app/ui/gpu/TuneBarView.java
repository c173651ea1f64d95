package knobscape.app.ui.gpu;

import javafx.beans.property.StringProperty;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.CustomMenuItem;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleGroup;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.explore.tuning.TuningMethod;
import knobscape.gpu.device.model.GpuSpec;
import org.kordamp.ikonli.javafx.FontIcon;

/// The bar at the bottom: how to tune, on what, and the run that goes on.
final class TuneBarView {
    private static final int MOST_TRIALS = 1_000_000;
    private final GpuViewModel model;
    private final HBox root = new HBox();
    private final Button tune = new Button("Tune", new FontIcon("mdi2p-play"));
    private final Button resume = new Button("Resume", new FontIcon("mdi2p-play"));
    private final Button pause = new Button("Pause", new FontIcon("mdi2p-pause"));
    private final Button stop = new Button("Stop", new FontIcon("mdi2s-stop"));
    private final MenuButton method = new MenuButton();
    private final MenuButton device = new MenuButton();
    private final MenuButton options = new MenuButton();
    private final ProgressBar progress = new ProgressBar();
    private final Label words = new Label();
    private final Label figures = new Label();

    TuneBarView(GpuViewModel model, Commands commands, Messages messages) {
        this.model = model;
        root.getStyleClass().add("run-bar");
        commands.dress(tune, GpuCommands.TUNE);
        commands.dress(resume, GpuCommands.RESUME);
        commands.dress(pause, GpuCommands.PAUSE);
        commands.dress(stop, GpuCommands.STOP);
        tune.setId("tune");
        tune.getStyleClass().add("accent");
        var methods = new ToggleGroup();
        TuningMethod.standard().forEach(m -> choice(method, methods, m.label() + "  \u2013  " + m.description(), m.name(), model.method()));
        method.textProperty().bind(model.method().map(n -> TuningMethod.standard().stream().filter(m -> m.name().equals(n)).findFirst().map(TuningMethod::label).orElse(n)));
        method.setAccessibleText("Method of tuning");
        var devices = new ToggleGroup();
        GpuSpec.all().forEach(g -> choice(device, devices, g.label() + " (model)", "model:" + g.name(), model.device()));
        device.getItems().add(new SeparatorMenuItem());
        choice(device, devices, "The CUDA device of this machine", "cuda", model.device());
        choice(device, devices, "The OpenCL device of this machine", "opencl", model.device());
        device.textProperty().bind(model.device());
        device.setAccessibleText("Device that judges");
        options.textProperty().bind(model.trials().asString().concat(" a task, seed ").concat(model.seed().asString()));
        options.setAccessibleText("Measurements of a task, and seed");
        options.getItems().addAll(entry("Measurements of a task", Integer.toString(model.trials().get()), t -> {
            int n = Integer.parseInt(t);
            if (n < 1 || n > MOST_TRIALS) {
                throw new NumberFormatException();
            }
            model.trials().set(n);
        }, "Measurements of a task are a whole number from 1 to " + MOST_TRIALS + ".", messages),
                entry("Seed", Long.toString(model.seed().get()), t -> model.seed().set(Long.parseLong(t)), "A seed is a whole number.", messages));
        progress.getStyleClass().add("run-progress");
        progress.setMinWidth(80);
        words.getStyleClass().addAll("secondary", "status-words");
        words.setMinWidth(0);
        words.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(words, Priority.ALWAYS);
        figures.setMinWidth(Region.USE_PREF_SIZE);
        for (Region r : new Region[] {tune, resume, pause, stop, method, device, options}) {
            r.setMinWidth(Region.USE_PREF_SIZE);
        }
        for (MenuButton b : new MenuButton[] {method, device, options}) {
            b.getStyleClass().add("small");
            b.setMnemonicParsing(false);
        }
        root.getChildren().addAll(resume, tune, pause, stop, method, device, options, progress, figures, words);
        model.status().subscribe(this::show);
        model.resumable().subscribe(() -> show(model.status().get()));
        show(model.status().get());
    }

    Parent root() {
        return root;
    }

    private static void choice(MenuButton menu, ToggleGroup group, String words, String value, StringProperty into) {
        var item = new RadioMenuItem(words);
        item.setMnemonicParsing(false);
        item.setToggleGroup(group);
        item.setOnAction(e -> into.set(value));
        into.subscribe(v -> item.setSelected(v.equals(value)));
        menu.getItems().add(item);
    }

    private interface Setter {
        void set(String text);
    }

    private static MenuItem entry(String name, String value, Setter setter, String wanted, Messages messages) {
        var field = new TextField(value);
        field.setPrefColumnCount(8);
        field.setAccessibleText(name);
        field.getStyleClass().addAll("small", "number-field");
        Runnable take = () -> {
            try {
                setter.set(field.getText().strip());
            } catch (NumberFormatException e) {
                messages.show(Message.warning(wanted));
            }
        };
        field.setOnAction(e -> take.run());
        field.focusedProperty().addListener((o, was, is) -> {
            if (was) {
                take.run();
            }
        });
        var spacer = new Region();
        HBox.setHgrow(spacer, Priority.ALWAYS);
        var line = new HBox(new Label(name), spacer, field);
        line.getStyleClass().add("inspector-line");
        line.setMinWidth(300);
        return new CustomMenuItem(line, false);
    }

    private void show(GpuViewModel.Status s) {
        boolean active = s.state() != GpuViewModel.State.IDLE;
        show(tune, !active);
        show(resume, !active && model.resumable().get());
        show(method, !active);
        show(device, !active);
        show(options, !active);
        show(pause, active);
        show(stop, active);
        pause.setText(s.state() == GpuViewModel.State.PAUSED ? "Resume" : "Pause");
        pause.setGraphic(new FontIcon(s.state() == GpuViewModel.State.PAUSED ? "mdi2p-play" : "mdi2p-pause"));
        progress.getStyleClass().remove("waiting");
        if (s.state() == GpuViewModel.State.PAUSED) {
            progress.getStyleClass().add("waiting");
        }
        show(progress, active);
        progress.setProgress(s.share());
        progress.setAccessibleText("Progress: " + s.words() + " " + s.figures());
        figures.setText(s.figures());
        words.setText(s.words());
    }

    private static void show(Node node, boolean on) {
        node.setVisible(on);
        node.setManaged(on);
    }
}
