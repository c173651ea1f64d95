package knobscape.app.ui.gpu;

import java.util.List;
import javafx.beans.binding.Bindings;
import javafx.beans.property.BooleanProperty;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.ToggleGroup;
import knobscape.app.ui.keyboard.Commands;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.WorkBar;
import knobscape.app.ui.run.WorkStatus;
import knobscape.gpu.evaluate.model.GpuSpec;
import knobscape.gpu.search.TuningMethod;
import org.kordamp.ikonli.javafx.FontIcon;

/// The bar at the bottom: how to tune, on what, and the run in progress.
final class TuneBarView {
    private static final int MOST_TRIALS = 1_000_000;
    private static final int MOST_BATCH = 4096;
    private static final int MOST_SEEDS = 20;
    private final GpuViewModel model;
    private final Button resume = new Button("Resume", new FontIcon("mdi2p-play"));
    private final MenuButton method = new MenuButton();
    private final MenuButton device = new MenuButton();
    private final MenuButton options = new MenuButton();
    private final WorkBar bar;

    TuneBarView(GpuViewModel model, Commands commands, Messages messages) {
        this.model = model;
        var tune = new Button("Tune", new FontIcon("mdi2p-play"));
        commands.dress(tune, GpuCommands.TUNE);
        commands.dress(resume, GpuCommands.RESUME);
        tune.setId("tune");
        tune.getStyleClass().add("accent");
        buildMethods();
        buildDevices(commands);
        buildOptions(messages);
        this.bar = new WorkBar(
                commands, GpuCommands.PAUSE, GpuCommands.STOP, List.of(resume, tune), List.of(method, device, options));
        model.status().subscribe(this::show);
        model.resumable().subscribe(() -> show(model.status().get()));
        show(model.status().get());
    }

    Parent root() {
        return bar.root();
    }

    private void buildMethods() {
        var group = new ToggleGroup();
        TuningMethod.standard()
                .all()
                .forEach(m -> method.getItems()
                        .add(WorkBar.choice(
                                group,
                                m.label() + "  \u2013  " + m.description(),
                                m.name(),
                                model.form().method())));
        method.textProperty().bind(model.form().method().map(Tuning::label));
        method.setId("method");
        method.setAccessibleText("Method of tuning");
    }

    private void buildDevices(Commands commands) {
        var group = new ToggleGroup();
        GpuSpec.all()
                .forEach(g -> device.getItems()
                        .add(WorkBar.choice(
                                group,
                                g.label() + " (model)",
                                "model:" + g.name(),
                                model.form().device())));
        device.getItems()
                .addAll(
                        new SeparatorMenuItem(),
                        WorkBar.choice(
                                group,
                                "The CUDA device of this machine",
                                "cuda",
                                model.form().device()),
                        WorkBar.choice(
                                group,
                                "The OpenCL device of this machine",
                                "opencl",
                                model.form().device()),
                        new SeparatorMenuItem(),
                        commands.menuItem(GpuCommands.REPLAY));
        device.textProperty().bind(model.form().device().map(Tuning::device));
        device.setId("device");
        device.setAccessibleText("Device that evaluates");
    }

    private void buildOptions(Messages messages) {
        TuneForm f = model.form();
        options.setId("tuneOptions");
        options.setAccessibleText(
                "Measurements of a task, time, seeds, batch, templates, and peak figures of the device");
        options.textProperty()
                .bind(Bindings.createStringBinding(
                        () -> f.trials().get() + " a task"
                                + (f.minutes().get() > 0
                                        ? ", " + number(f.minutes().get()) + " min"
                                        : "")
                                + (f.seeds().get() > 1
                                        ? ", seeds " + f.seed().get() + "\u2013"
                                                + (f.seed().get() + f.seeds().get() - 1)
                                        : ", seed " + f.seed().get())
                                + (f.batch().get() > 1 ? ", batch " + f.batch().get() : ""),
                        f.trials(),
                        f.minutes(),
                        f.seeds(),
                        f.seed(),
                        f.batch()));
        options.getItems()
                .addAll(
                        WorkBar.entry(
                                "Measurements of a task",
                                f.trials(),
                                t -> f.trials().set(WorkBar.whole(t, 1, MOST_TRIALS)),
                                "Measurements of a task are a whole number from 1 to " + MOST_TRIALS + ".",
                                messages),
                        WorkBar.entry(
                                "Time limit (min), 0 for none",
                                f.minutes(),
                                t -> f.minutes().set(WorkBar.number(t, 0)),
                                "Minutes are a number from 0 (no limit) on.",
                                messages),
                        WorkBar.entry(
                                "Seed",
                                f.seed(),
                                t -> f.seed().set(Long.parseLong(t)),
                                "A seed is a whole number.",
                                messages),
                        WorkBar.entry(
                                "Runs, each with the next seed",
                                f.seeds(),
                                t -> f.seeds().set(WorkBar.whole(t, 1, MOST_SEEDS)),
                                "Runs are a whole number from 1 to " + MOST_SEEDS + ".",
                                messages),
                        new SeparatorMenuItem(),
                        WorkBar.entry(
                                "Batch",
                                f.batch(),
                                t -> f.batch().set(WorkBar.whole(t, 1, MOST_BATCH)),
                                "A batch is a whole number from 1 to " + MOST_BATCH + ".",
                                messages),
                        check("Every template (direct and Winograd)", f.allTemplates()),
                        check("With bias, ReLU and residual fused behind", f.fused()),
                        WorkBar.entry(
                                "Extents that the file leaves open (NAME=N, NAME=N)",
                                f.dims(),
                                f.dims()::set,
                                "Extents are written NAME=N.",
                                messages),
                        WorkBar.entry(
                                "AutoTVM log known before the search, empty for none",
                                f.log(),
                                f.log()::set,
                                "Name a file.",
                                messages),
                        features(f),
                        new SeparatorMenuItem(),
                        WorkBar.entry(
                                "Peak GFLOPS of the device",
                                model.roofs().peak(),
                                t -> model.roofs().peak().set(WorkBar.number(t, 0)),
                                "Peak GFLOPS are a number, 0 where they are not known.",
                                messages),
                        WorkBar.entry(
                                "Memory traffic of the device (GB/s)",
                                model.roofs().memory(),
                                t -> model.roofs().memory().set(WorkBar.number(t, 0)),
                                "Memory traffic is a number of GB/s, 0 where it is not known.",
                                messages));
    }

    private static Menu features(TuneForm f) {
        var group = new ToggleGroup();
        return new Menu(
                "What cost models see",
                null,
                WorkBar.choice(group, "The knobs", "knob", f.features()),
                WorkBar.choice(group, "Loop by loop", "itervar", f.features()),
                WorkBar.choice(group, "Relations between loops", "curve", f.features()));
    }

    private static CheckMenuItem check(String words, BooleanProperty into) {
        var item = new CheckMenuItem(words);
        item.selectedProperty().bindBidirectional(into);
        return item;
    }

    private static String number(double v) {
        return v == Math.rint(v) ? Long.toString((long) v) : Double.toString(v);
    }

    private void show(WorkStatus s) {
        bar.show(s);
        WorkBar.show(resume, !s.isActive() && model.resumable().get());
    }
}
