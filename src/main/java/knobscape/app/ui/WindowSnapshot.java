package knobscape.app.ui;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javafx.application.Platform;
import javafx.embed.swing.SwingFXUtils;
import javafx.scene.Scene;
import javafx.scene.image.WritableImage;
import javafx.scene.layout.Pane;
import javafx.stage.Stage;
import javax.imageio.ImageIO;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.FxBackground;
import knobscape.app.ui.task.SettlingBackground;
import knobscape.app.ui.theme.Theme;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.evaluate.report.FilePlan;
import knobscape.hls.HlsTools;
import knobscape.project.BackgroundRuns;
import knobscape.project.Runner;

/// A picture of the window, drawn without a display by JavaFX's headless platform.
///
/// ```java
/// WindowSnapshot.write(Path.of("out/window.png"), Path.of("sample-projects/gemm"), 1280, 800, Theme.LIGHT);
/// ```
public final class WindowSnapshot {
    private static final long PATIENCE_MILLIS = 120_000;
    private static final long STILL_MILLIS = 250;
    private static final long LOOK_MILLIS = 20;
    private static final double STAGE_SIZE = 600;

    private WindowSnapshot() {}

    /// Draws the window with a project of any kind and its newest run, of HLS work with a design of the front
    /// selected, to a PNG file. Starts JavaFX where it does not run yet, after which no other window can be
    /// opened in this process. Not to be called on the JavaFX thread. Throws [UserError] where the project
    /// cannot be opened or the file not be written.
    ///
    /// @param png file to write
    /// @param project project folder or source file; the start page where empty
    /// @param width of the picture in pixels
    /// @param height of the picture in pixels
    /// @param theme look
    public static void write(Path png, Optional<Path> project, int width, int height, Theme theme) {
        write(png, project, width, height, theme, HlsTools.standard(), WindowSnapshot::selectFromFront);
    }

    static void write(
            Path png,
            Optional<Path> project,
            int width,
            int height,
            Theme theme,
            HlsTools tools,
            Consumer<KnobscapeWindow> action) {
        try (var sitting = new Sitting(width, height, theme, tools)) {
            project.ifPresent(sitting::open);
            sitting.act(action);
            FileOutput.write(png, sitting.picture());
        }
    }

    /// A window that nobody sees, to open things in, act upon, and take pictures of.
    static final class Sitting implements AutoCloseable {
        private final SettlingBackground background = new SettlingBackground(new FxBackground());
        private final Settings settings = Settings.inMemory();
        private final KnobscapeWindow window;

        Sitting(int width, int height, Theme theme, HlsTools tools) {
            this(width, height, theme, tools, new NoFiles());
        }

        /// @param choices answers where the window asks for a file
        Sitting(int width, int height, Theme theme, HlsTools tools, FileChoices choices) {
            startToolkit();
            settings.put("theme", theme.name().toLowerCase(java.util.Locale.ROOT));
            window = onScreen(() -> show(settings, background, tools, choices, width, height));
            settle(background);
        }

        /// Opens a project, or a file that one area takes, and waits until it stands. Throws [UserError] with
        /// the window's own words where it cannot be opened.
        void open(Path path) {
            act(w -> w.open(path));
            String problem = onScreen(() -> window.openName().isPresent()
                    ? ""
                    : window.messages().shown().stream()
                            .findFirst()
                            .map(m -> m.text())
                            .orElse(path + " cannot be opened."));
            if (!problem.isEmpty()) {
                throw new UserError(problem);
            }
        }

        /// Does something on the JavaFX thread and waits until the window stands still.
        void act(Consumer<KnobscapeWindow> action) {
            onScreen(() -> {
                action.accept(window);
                return window;
            });
            settle(background);
        }

        /// The settings that the window remembers between starts.
        Settings settings() {
            return settings;
        }

        /// The window as PNG.
        byte[] picture() {
            return onScreen(() -> WindowSnapshot.picture(window));
        }

        KnobscapeWindow window() {
            return window;
        }

        @Override
        public void close() {
            window.close();
            onScreen(() -> {
                window.root().getScene().getWindow().hide();
                return window;
            });
        }
    }

    /// Selects the member of the front in its middle by the second objective, so that the picture shows a
    /// design worth looking at.
    private static void selectFromFront(KnobscapeWindow window) {
        Results results = window.hls().model().results();
        DesignSet set = results.set();
        List<Integer> front = java.util.stream.IntStream.range(0, set.size())
                .filter(i -> set.standing(i) == DesignStanding.FRONT)
                .boxed()
                .sorted(java.util.Comparator.comparingDouble(i -> set.shownValue(
                                i,
                                set.objectives()
                                        .get(Math.min(1, set.objectives().size() - 1))
                                        .name())
                        .orElse(0)))
                .toList();
        if (!front.isEmpty()) {
            results.select(front.get(front.size() / 3) + 1);
        }
    }

    static void startToolkit() {
        System.setProperty("glass.platform", System.getProperty("glass.platform", "Headless"));
        System.setProperty("prism.order", System.getProperty("prism.order", "sw"));
        KnobscapeApplication.prepare();
        var started = new CompletableFuture<Boolean>();
        try {
            Platform.startup(() -> started.complete(true));
        } catch (IllegalStateException e) {
            // It runs already.
            Platform.runLater(() -> started.complete(true));
        }
        Platform.setImplicitExit(false);
        await(started);
    }

    private static KnobscapeWindow show(
            Settings settings,
            SettlingBackground background,
            HlsTools tools,
            FileChoices choices,
            int width,
            int height) {
        var window = new KnobscapeWindow(new KnobscapeWindow.Environment(
                tools, settings, background, Runner.behindWindow(), BackgroundRuns.ofThisUser(), choices, () -> {}));
        // The headless screen is 1000 x 1000; the content is laid out at its own size in a smaller stage.
        var holder = new Pane(window.root());
        window.root().setManaged(false);
        window.root().resizeRelocate(0, 0, width, height);
        var scene = new Scene(holder, STAGE_SIZE, STAGE_SIZE);
        window.dress(scene);
        var stage = new Stage();
        stage.setScene(scene);
        stage.show();
        return window;
    }

    private static byte[] picture(KnobscapeWindow window) {
        WritableImage image = window.root().snapshot(null, null);
        var out = new ByteArrayOutputStream();
        try {
            ImageIO.write(SwingFXUtils.fromFXImage(image, null), "png", out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /// Waits until nothing is computed, drawn or laid out any more.
    static void settle(SettlingBackground background) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        long still = 0;
        while (still < STILL_MILLIS) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the window does not come to rest");
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while drawing the window", e);
            }
            boolean quiet = onScreen(background::isSettled);
            still = quiet ? still + LOOK_MILLIS : 0;
        }
    }

    interface Work<T> {
        T run();
    }

    /// Runs something on the JavaFX thread and waits for its result.
    static <T> T onScreen(Work<T> work) {
        var result = new CompletableFuture<T>();
        Platform.runLater(() -> {
            try {
                result.complete(work.run());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return await(result);
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while drawing the window", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException r) {
                throw r;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("JavaFX does not answer", e);
        }
    }

    /// Nobody is there to choose a file.
    static class NoFiles implements FileChoices {
        @Override
        public Optional<Path> openFile(String title, List<Kind> kinds) {
            return Optional.empty();
        }

        @Override
        public Optional<Path> openFolder(String title) {
            return Optional.empty();
        }

        @Override
        public Optional<Path> saveFile(String title, String name, Kind kind) {
            return Optional.empty();
        }

        @Override
        public boolean agrees(String what, List<FilePlan> plans) {
            return false;
        }
    }
}
