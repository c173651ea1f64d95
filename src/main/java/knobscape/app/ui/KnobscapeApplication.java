package knobscape.app.ui;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import javafx.application.Application;
import javafx.geometry.Rectangle2D;
import javafx.scene.input.InputEvent;
import javafx.stage.Screen;
import javafx.stage.Stage;
import knobscape.app.system.SpareMemory;
import knobscape.app.ui.file.SystemFileChoices;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.FxBackground;
import knobscape.hls.HlsTools;
import knobscape.project.BackgroundRuns;
import knobscape.project.Runner;

/// The JavaFX application.
public final class KnobscapeApplication extends Application {
    /// Held here because a logger that nobody refers to forgets its level.
    private static final Logger JAVAFX = Logger.getLogger("javafx");
    private static final double DEFAULT_WIDTH = 1280;
    private static final double DEFAULT_HEIGHT = 800;
    private static final double MIN_WIDTH = 800;
    private static final double MIN_HEIGHT = 560;

    private final SpareMemory memory = new SpareMemory();
    private Optional<KnobscapeWindow> window = Optional.empty();

    /// Made by JavaFX.
    public KnobscapeApplication() {}

    /// Opens the window and returns when it is closed. Called at most once in a process.
    ///
    /// @param project a project folder or source file to open; empty for the start page
    public static void open(Optional<Path> project) {
        prepare();
        launch(KnobscapeApplication.class, project.map(Path::toString).stream().toArray(String[]::new));
    }

    /// Settings that must be made before JavaFX starts.
    static void prepare() {
        // At every start JavaFX warns that it was loaded from the class path, which is how this program is
        // built.
        JAVAFX.setLevel(Level.SEVERE);
        // Charts are drawn with Java2D into memory; its own windows are never opened.
        System.setProperty("java.awt.headless", "true");
    }

    @Override
    public void start(Stage stage) {
        var settings = Settings.load(Settings.defaultFile());
        var made = new KnobscapeWindow(new KnobscapeWindow.Environment(
                HlsTools.standard(),
                settings,
                new FxBackground(),
                Runner.behindWindow(),
                BackgroundRuns.ofThisUser(),
                new SystemFileChoices(() -> stage, settings),
                stage::close));
        window = Optional.of(made);
        stage.setScene(made.scene(DEFAULT_WIDTH, DEFAULT_HEIGHT));
        stage.setMinWidth(MIN_WIDTH);
        stage.setMinHeight(MIN_HEIGHT);
        place(stage, settings);
        stage.titleProperty().bind(made.title());
        stage.setOnCloseRequest(e -> {
            e.consume();
            made.requestClose();
        });
        stage.addEventFilter(InputEvent.ANY, e -> memory.input());
        stage.setOnHiding(e -> remember(stage, settings));
        // Before the stage is shown: nobody who named a project wants to see the start page first.
        getParameters().getRaw().stream().findFirst().map(Path::of).ifPresent(made::open);
        stage.show();
        StartTimes.follow(stage, made);
        AnswerTimes.follow(stage, made);
    }

    /// Where the window was last, as far as a screen is there.
    private static void place(Stage stage, Settings settings) {
        stage.setWidth(settings.number("window.width").orElse(DEFAULT_WIDTH));
        stage.setHeight(settings.number("window.height").orElse(DEFAULT_HEIGHT));
        double x = settings.number("window.x").orElse(Double.NaN);
        double y = settings.number("window.y").orElse(Double.NaN);
        List<Screen> there =
                Double.isNaN(x) ? List.of() : Screen.getScreensForRectangle(new Rectangle2D(x, y, 200, 100));
        if (!there.isEmpty()) {
            stage.setX(x);
            stage.setY(y);
        }
        stage.setMaximized(
                settings.get("window.maximised").map(Boolean::parseBoolean).orElse(false));
    }

    private static void remember(Stage stage, Settings settings) {
        settings.put("window.maximised", Boolean.toString(stage.isMaximized()));
        if (!stage.isMaximized()) {
            settings.put("window.width", Double.toString(stage.getWidth()));
            settings.put("window.height", Double.toString(stage.getHeight()));
            settings.put("window.x", Double.toString(stage.getX()));
            settings.put("window.y", Double.toString(stage.getY()));
        }
    }

    /// Stops what runs and stores the rest, with the window already gone.
    @Override
    public void stop() {
        memory.close();
        window.ifPresent(w -> {
            var closing = Thread.ofPlatform().name("closing").start(w::close);
            try {
                closing.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
