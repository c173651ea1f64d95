package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.theme.Theme;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsTools;
import knobscape.project.BackgroundRuns;
import knobscape.project.Project;
import knobscape.project.RunControl;
import knobscape.project.RunRecord;
import knobscape.project.RunStatus;
import knobscape.project.ThisProgram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// A run that goes on in a process of its own when the window is closed, and is found and watched at the next start.
@Tag("slow")
class BackgroundRunTest {
    private static final long PATIENCE_NANOS = 240_000_000_000L;

    @TempDir(cleanup = CleanupMode.NEVER) // a process may still be ending
    private Path folder;

    private Path project;
    private BackgroundRuns runs;
    private Optional<String> config = Optional.empty();

    @BeforeEach
    void copy() throws Exception {
        config = Optional.ofNullable(System.getProperty("knobscape.config"));
        System.setProperty("knobscape.config", folder.resolve("user").toString());
        runs = BackgroundRuns.ofThisUser();
        project = folder.resolve("gemm");
        try (Stream<Path> files = Files.walk(Path.of("sample-projects/gemm"))) {
            for (Path f : files.sorted(Comparator.naturalOrder())
                    .filter(f -> !f.getFileName().toString().startsWith("runs.db"))
                    .toList()) {
                Files.copy(
                        f,
                        project.resolve(
                                Path.of("sample-projects/gemm").relativize(f).toString()));
            }
        }
        // Random designs, each waited for: minutes in all, were it not stopped.
        Path json = project.resolve("knobscape.json");
        Files.writeString(
                json,
                Files.readString(json)
                        .replaceFirst(
                                "\\}\\s*$",
                                ", \"run\": {\"method\": \"random\", \"toolchain\": \"estimator\", \"steps\": 400, \"earlyStop\": 0, \"waitFactor\": 0.0005}}"));
    }

    @AfterEach
    void end() throws Exception {
        runs.list().forEach(e -> {
            runs.remove(e);
            RunControl.ask(e.project(), e.id(), RunControl.Wish.STOP);
        });
        until(() -> runs.take().map(BackgroundRunTest::give).isPresent());
        config.ifPresentOrElse(
                c -> System.setProperty("knobscape.config", c), () -> System.clearProperty("knobscape.config"));
    }

    private static boolean give(AutoCloseable right) {
        try {
            right.close();
            return true;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void until(java.util.function.BooleanSupplier holds) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(end);
            Thread.sleep(100);
        }
    }

    private Optional<RunRecord> stored() {
        try (Project p = Project.open(project)) {
            return p.runs().flatMap(r -> r.find(1));
        } catch (UserError e) {
            return Optional.empty();
        }
    }

    private static String said(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static RunState state(WindowSnapshot.Sitting s) {
        return WindowSnapshot.onScreen(() -> run(s).status().get().state());
    }

    private static RunViewModel run(WindowSnapshot.Sitting s) {
        return s.window().hls().model().runs();
    }

    @Test
    void goesOnIsFoundWatchedPausedAndStopped() throws Exception {
        var first = new WindowSnapshot.Sitting(1280, 800, Theme.LIGHT, HlsTools.standard());
        first.open(project);
        WindowSnapshot.onScreen(() -> {
            run(first).start();
            return "";
        });
        until(() -> state(first) == RunState.RUNNING
                && stored().filter(r -> r.step() >= 0).isPresent());
        WindowSnapshot.onScreen(() -> {
            first.window().requestClose();
            first.window().root().lookupAll(".button").stream()
                    .filter(b -> "answer-background".equals(b.getId()))
                    .forEach(b -> ((javafx.scene.control.Button) b).fire());
            return "";
        });
        first.close();
        assertThat(runs.list()).hasSize(1);

        int before = stored().orElseThrow().step();
        until(() -> stored().filter(r -> r.status() == RunStatus.RUNNING && r.step() > before)
                .isPresent());

        try (var second = new WindowSnapshot.Sitting(1280, 800, Theme.LIGHT, HlsTools.standard())) {
            assertThat(WindowSnapshot.onScreen(() -> second.window().messages().shown()))
                    .anySatisfy(m -> assertThat(m.text()).contains("run 1").contains("continues in the background"));
            // What is watched never comes to rest.
            WindowSnapshot.onScreen(() -> {
                second.window().open(project);
                return "";
            });
            until(() -> state(second) == RunState.RUNNING);
            int seen = WindowSnapshot.onScreen(
                    () -> run(second).current().get().orElseThrow().step());
            until(() -> WindowSnapshot.onScreen(
                            () -> run(second).current().get().orElseThrow().step())
                    > seen);

            WindowSnapshot.onScreen(() -> {
                run(second).pause();
                return "";
            });
            until(() -> state(second) == RunState.PAUSED);
            WindowSnapshot.onScreen(() -> {
                run(second).resume();
                return "";
            });
            until(() -> state(second) == RunState.RUNNING);
            WindowSnapshot.onScreen(() -> {
                run(second).stop();
                return "";
            });
            until(() -> state(second) == RunState.STOPPED);
        }
        until(() -> runs.list().isEmpty());
        assertThat(stored().orElseThrow().status()).isEqualTo(RunStatus.STOPPED);
    }

    @Test
    void closingTheProjectAsksAndARunHandedOverIsFollowedOn() throws Exception {
        Path said = folder.resolve("followed.txt");
        try (var hand = new Hand(Theme.LIGHT)) {
            hand.sitting().open(project);
            WindowSnapshot.onScreen(() -> {
                run(hand.sitting()).start();
                return "";
            });
            until(() -> state(hand.sitting()) == RunState.RUNNING
                    && stored().filter(r -> r.step() >= 0).isPresent());
            Process follower = new ProcessBuilder(ThisProgram.command(
                            List.of("-Dknobscape.config=" + folder.resolve("user")),
                            List.of("runs", project.toString(), "--follow", "--every", "0.2")))
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            until(() -> said(said).contains("step"));

            hand.chord(KeyCode.CONTROL, KeyCode.W);
            Hand.until(
                    () -> hand.robot().lookup("#answer-background").tryQuery().isPresent());
            assertThat(hand.window().hls().isOpen().get()).isTrue();
            hand.robot().clickOn("#answer-background");
            Hand.until(() -> !hand.window().hls().isOpen().get());
            until(() -> !runs.list().isEmpty()
                    && stored().filter(r -> r.status() == RunStatus.RUNNING).isPresent());
            int before = stored().orElseThrow().step();
            until(() -> stored().orElseThrow().step() > before);
            assertThat(follower.isAlive()).as(said(said)).isTrue();
            assertThat(hand.window().messages().shown())
                    .anySatisfy(m -> assertThat(m.text()).contains("continues in the background"));

            RunControl.ask(project, 1, RunControl.Wish.STOP);
            until(() -> !follower.isAlive());
            assertThat(follower.exitValue()).isEqualTo(1);
            assertThat(said(said)).contains("Ended, stopped");
        }
    }

    @Test
    void aRunThatIsPausedAtTheEndIsOfferedAtTheNextStart() throws Exception {
        var first = new WindowSnapshot.Sitting(1280, 800, Theme.LIGHT, HlsTools.standard());
        first.open(project);
        // It is asked for while it is being set up, and handed over once it has begun.
        WindowSnapshot.onScreen(() -> {
            run(first).start();
            first.window().requestClose();
            ((javafx.scene.control.Button) first.window().root().lookup("#answer-pause")).fire();
            return "";
        });
        until(() -> state(first) == RunState.RUNNING && stored().isPresent());
        first.close();
        assertThat(runs.list())
                .singleElement()
                .satisfies(e -> assertThat(e.state()).isEqualTo(BackgroundRuns.State.PAUSED));
        assertThat(stored().orElseThrow().status()).isEqualTo(RunStatus.STOPPED);
        try (var second = new WindowSnapshot.Sitting(1280, 800, Theme.LIGHT, HlsTools.standard())) {
            assertThat(WindowSnapshot.onScreen(() -> second.window().messages().shown()))
                    .anySatisfy(m -> assertThat(m.text()).contains("is paused"));
        }
        runs.list().forEach(runs::remove);
    }
}
