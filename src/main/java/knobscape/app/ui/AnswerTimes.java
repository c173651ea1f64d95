package knobscape.app.ui;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javafx.event.Event;
import javafx.geometry.Point2D;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.stage.Stage;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.run.RunContinuation;
import knobscape.app.ui.run.RunViewModel;
import knobscape.project.RunRecord;

/// For `src/lab/run window`: continues the open project's newest run and gives the window input while designs arrive,
/// then
/// once more when they all have; writes how many milliseconds after each input the window was laid out anew with its
/// answer (`answer KIND MS`, a line each), the designs, and the memory; then closes the window.
final class AnswerTimes {
    /// The system property with the file to write to.
    private static final String FILE = "knobscape.answers";
    /// The system property with the steps to continue the run by.
    private static final String MORE = "knobscape.answers.more";
    /// Between an answer and the next input: somebody in a hurry.
    private static final long PAUSE_MILLIS = 60;
    private static final long LOOK_MILLIS = 20;
    private static final long PATIENCE_SECONDS = 120;
    /// Rounds of all inputs at rest, when every design is there.
    private static final int ROUNDS = 10;
    /// Before the memory of a window that nobody touches is looked at.
    private static final long REST_SECONDS = 12;
    private static final String ROWS = "#table .virtual-flow";
    private static final double MEGA = 1 << 20;

    private final KnobscapeWindow window;
    private final List<String> lines = new ArrayList<>();
    private int turn;

    /// How long an answer took, and what of that the window's own thread computed.
    private record Answered(long nanos, long computing) {}

    private AnswerTimes(KnobscapeWindow window) {
        this.window = window;
    }

    /// Measures where somebody asked for it.
    static void follow(Stage stage, KnobscapeWindow window) {
        Optional.ofNullable(System.getProperty(FILE))
                .map(Path::of)
                .ifPresent(file -> Thread.ofPlatform()
                        .name("answers")
                        .daemon(true)
                        .start(() -> {
                            try {
                                new AnswerTimes(window).measure(file);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            } finally {
                                WindowSnapshot.onScreen(() -> {
                                    stage.close();
                                    return stage;
                                });
                            }
                        }));
    }

    private void measure(Path file) throws IOException, InterruptedException {
        RunViewModel run = window.study().model().runs();
        Results results = window.study().model().results();
        until(() -> run.runs().size() == 1
                && results.set().size() > 0
                && RunContinuation.of(run).run().isPresent());
        int before = WindowSnapshot.onScreen(() -> {
            RunRecord stored = RunContinuation.of(run).run().orElseThrow();
            RunContinuation.of(run).more(stored, Integer.getInteger(MORE, 0));
            return results.set().size();
        });
        // What is known is replayed first.
        until(() -> results.set().size() > before);
        until(() -> shown(ROWS).findAny().isPresent());
        int beforeInput = WindowSnapshot.onScreen(() -> results.set().size());
        while (WindowSnapshot.onScreen(run::anyActive)) {
            round("while designs arrive");
        }
        lines.add("live " + (WindowSnapshot.onScreen(() -> results.set().size()) - beforeInput));
        for (int i = 0; i < ROUNDS; i++) {
            round("at rest");
        }
        lines.add("designs " + WindowSnapshot.onScreen(() -> results.set().size()));
        lines.add(String.format(
                Locale.ROOT,
                "heap %.1f",
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEGA));
        lines.add(String.format(Locale.ROOT, "resident %.1f", residentMegabytes()));
        TimeUnit.SECONDS.sleep(REST_SECONDS);
        lines.add(String.format(Locale.ROOT, "rested %.1f", residentMegabytes()));
        Files.write(file, lines);
    }

    private static void until(WindowSnapshot.Work<Boolean> holds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!WindowSnapshot.onScreen(holds)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the run does not go on");
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private void round(String when) throws InterruptedException {
        answer("arrow in the table, " + when, () -> key(node("#table"), KeyCode.DOWN));
        answer("wheel over the table, " + when, () -> wheel(node(ROWS), turn % 2 == 0 ? -120 : 120));
        answer("mouse over the front, " + when, () -> mouse(node("#scatters .image-pane"), MouseEvent.MOUSE_MOVED));
        answer("click on the front, " + when, () -> {
            mouse(node("#scatters .image-pane"), MouseEvent.MOUSE_PRESSED);
            mouse(node("#scatters .image-pane"), MouseEvent.MOUSE_RELEASED);
            mouse(node("#scatters .image-pane"), MouseEvent.MOUSE_CLICKED);
        });
        answer("arrow along the front, " + when, () -> key(plot(), KeyCode.RIGHT));
        answer(
                "word of the filter, " + when,
                () -> ((TextField) node("#text")).setText(turn % 2 == 0 ? "width=4" : ""));
        answer("front only, " + when, () -> ((ToggleButton) node("#paretoOnly")).fire());
        answer("all again, " + when, () -> ((ToggleButton) node("#paretoOnly")).fire());
        turn++;
    }

    /// Gives an input and waits until the window is laid out with what it changed.
    private void answer(String kind, Runnable input) throws InterruptedException {
        long asked = System.nanoTime();
        var drawn = new CompletableFuture<Answered>();
        WindowSnapshot.onScreen(() -> {
            var threads = ManagementFactory.getThreadMXBean();
            long begun = threads.getCurrentThreadCpuTime();
            input.run();
            Scene scene = window.root().getScene();
            var once = new Runnable[1];
            once[0] = () -> {
                scene.removePostLayoutPulseListener(once[0]);
                drawn.complete(new Answered(System.nanoTime() - asked, threads.getCurrentThreadCpuTime() - begun));
            };
            scene.addPostLayoutPulseListener(once[0]);
            javafx.application.Platform.requestNextPulse();
            return scene;
        });
        try {
            Answered answered = drawn.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            lines.add(String.format(
                    Locale.ROOT,
                    "answer %s %.3f %.3f",
                    kind.replace(' ', '_'),
                    answered.nanos() / 1e6,
                    answered.computing() / 1e6));
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the window does not answer", e);
        }
        Thread.sleep(PAUSE_MILLIS);
    }

    private Node node(String selector) {
        return shown(selector).findFirst().orElseThrow(() -> new IllegalStateException("no " + selector));
    }

    private Stream<Node> shown(String selector) {
        return window.root().lookupAll(selector).stream().filter(n -> {
            for (Node p = n; p != null; p = p.getParent()) {
                if (!p.isVisible()) {
                    return false;
                }
            }
            return n.getBoundsInLocal().getWidth() > 0;
        });
    }

    private Node plot() {
        return node("#scatters .plot");
    }

    private static void key(Node node, KeyCode code) {
        node.requestFocus();
        for (var type : List.of(KeyEvent.KEY_PRESSED, KeyEvent.KEY_RELEASED)) {
            Event.fireEvent(node, new KeyEvent(type, "", code.getName(), code, false, false, false, false));
        }
    }

    private void mouse(Node node, javafx.event.EventType<MouseEvent> type) {
        double x = node.getBoundsInLocal().getWidth() * (0.2 + 0.6 * (turn % 23) / 23);
        double y = node.getBoundsInLocal().getHeight() * (0.2 + 0.6 * (turn % 17) / 17);
        Point2D at = node.localToScreen(x, y);
        boolean down = type == MouseEvent.MOUSE_PRESSED;
        Event.fireEvent(
                node,
                new MouseEvent(
                        type,
                        x,
                        y,
                        at.getX(),
                        at.getY(),
                        type == MouseEvent.MOUSE_MOVED ? MouseButton.NONE : MouseButton.PRIMARY,
                        1,
                        false,
                        false,
                        false,
                        false,
                        down,
                        false,
                        false,
                        true,
                        false,
                        true,
                        null));
    }

    private static void wheel(Node node, double pixels) {
        Point2D at = node.localToScreen(4, 4);
        Event.fireEvent(
                node,
                new ScrollEvent(
                        ScrollEvent.SCROLL,
                        4,
                        4,
                        at.getX(),
                        at.getY(),
                        false,
                        false,
                        false,
                        false,
                        false,
                        false,
                        0,
                        pixels,
                        0,
                        pixels,
                        ScrollEvent.HorizontalTextScrollUnits.NONE,
                        0,
                        ScrollEvent.VerticalTextScrollUnits.NONE,
                        0,
                        0,
                        null));
    }

    /// The process's share of the machine's memory; of the virtual machine's own where the system does not say.
    private static double residentMegabytes() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (Files.isReadable(status)) {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("VmRSS:")) {
                    return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
                }
            }
        }
        var memory = ManagementFactory.getMemoryMXBean();
        return (memory.getHeapMemoryUsage().getCommitted()
                        + memory.getNonHeapMemoryUsage().getCommitted())
                / MEGA;
    }
}
