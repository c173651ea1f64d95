package knobscape.lab.window;

import javafx.application.Application;
import javafx.scene.Scene;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.StackPane;
import javafx.stage.Stage;
import knobscape.app.system.Installation;
import knobscape.app.ui.file.SystemFileChoices;
import knobscape.app.ui.message.BannerView;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.PlotContext;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.FxBackground;
import knobscape.app.ui.theme.PaletteProbe;
import knobscape.app.ui.theme.ThemeService;
import knobscape.lab.bench.Benches;
import knobscape.lab.bench.LabMethods;

/// The window of the laboratory: tables chosen, run and looked at.
public final class LabWindow extends Application {
    /// Made by JavaFX.
    public LabWindow() {}

    /// Opens the window and returns when it is closed. Called at most once in a process.
    public static void open() {
        // Charts are drawn with Java2D into memory; its own windows are never opened.
        System.setProperty("java.awt.headless", "true");
        launch(LabWindow.class);
    }

    @Override
    public void start(Stage stage) {
        var settings = Settings.load(Settings.defaultFile());
        var background = new FxBackground();
        var messages = new Messages();
        var themes = new ThemeService(settings);
        var probe = new PaletteProbe();
        var model = new BenchViewModel(
                background,
                messages,
                settings,
                new SystemFileChoices(() -> stage, settings),
                LabMethods.tools(),
                Installation.samples(),
                Benches.all(),
                Settings.defaultFile().resolveSibling("benches"));
        var plots = new PlotContext(
                background, probe.palette(), themes::textSize, x -> messages.fail("A plot cannot be drawn", x));
        var page = new BorderPane(new BenchView(model, plots).root());
        page.setTop(new BannerView(messages).root());
        var scene = new Scene(new StackPane(page, probe), 1280, 800);
        themes.dress(scene);
        stage.setScene(scene);
        stage.setTitle("Knobscape laboratory");
        stage.setOnHidden(e -> Thread.ofPlatform().name("closing").start(() -> {
            model.shutDown();
            settings.save();
            background.close();
        }));
        stage.show();
    }
}
