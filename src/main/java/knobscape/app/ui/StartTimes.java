package knobscape.app.ui;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javafx.animation.AnimationTimer;
import javafx.stage.Stage;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import org.slf4j.LoggerFactory;

/// For `src/lab/run start` and the training of the start-up cache: writes how long after the process began the window
/// was drawn (`window`), the stored front was drawn (`front`) and the project was open (`whole`), in
/// milliseconds, a line each, and the processor time it had taken until then; then closes the window. It closes without
/// these lines where the project cannot be opened, which `src/lab/run start` says.
final class StartTimes {
    /// The system property with the file to write to.
    private static final String FILE = "knobscape.times";
    /// Pulses after which what changed is on the screen.
    private static final int DRAWN = 2;

    private StartTimes() {}

    /// Writes them where somebody asked for them.
    static void follow(Stage stage, KnobscapeWindow window) {
        Optional.ofNullable(System.getProperty(FILE)).map(Path::of).ifPresent(file -> {
            Instant begun = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
            Results results = window.hls().model().results();
            after(() -> stage.isShowing(), () -> write(file, "window", begun));
            after(() -> results.set().count(DesignStanding.FRONT) > 0, () -> write(file, "front", begun));
            after(
                    // Both projects that this is for have a stored front; its reading may not have begun yet.
                    () -> results.set().count(DesignStanding.FRONT) > 0
                            && window.hls().model().workbench().get().isPresent()
                            && !window.hls().model().runs().reading().get(),
                    () -> {
                        write(file, "whole", begun);
                        stage.close();
                    });
            after(
                    () -> !window.hls().isOpen().get()
                            && !window.messages().shown().isEmpty(),
                    () -> {
                        LoggerFactory.getLogger(StartTimes.class)
                                .error(
                                        "{}",
                                        window.messages().shown().getFirst().text());
                        stage.close();
                    });
        });
    }

    private static void after(java.util.function.BooleanSupplier condition, Runnable action) {
        var done = new AtomicBoolean();
        new AnimationTimer() {
            private int pulses;

            @Override
            public void handle(long now) {
                pulses = condition.getAsBoolean() ? pulses + 1 : 0;
                if (pulses > DRAWN && done.compareAndSet(false, true)) {
                    stop();
                    action.run();
                }
            }
        }.start();
    }

    private static void write(Path file, String what, Instant begun) {
        try {
            Files.writeString(
                    file,
                    what + " " + Duration.between(begun, Instant.now()).toMillis() + " "
                            + ProcessHandle.current()
                                    .info()
                                    .totalCpuDuration()
                                    .orElse(Duration.ZERO)
                                    .toMillis()
                            + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
