package knobscape.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import knobscape.app.cli.Main;
import knobscape.app.system.Installation;

/// Uses the program once, as a person would, while the Java machine records what it loads and compiles (JEP
/// 483, 514 and 515); the start-up cache of the packaged program is made of this record. Runs at package time
/// with the headless window system.
public final class Training {
    private static final long WINDOW_SECONDS = 120;

    private Training() {}

    /// The training's command lines; the run is stored with the sample, so that the window has a front to draw.
    ///
    /// @param sample a project folder
    /// @param out a folder for results
    static List<List<String>> commandLines(Path sample, Path out) {
        return List.of(
                List.of("--help"),
                List.of("space", sample.toString(), "--json"),
                List.of("explore", sample.toString(), "--steps", "4", "--seed", "1", "--out", out.toString()));
    }

    /// Runs the training and ends the process: 0 when everything that was used worked.
    ///
    /// @param arguments a folder for what is written meanwhile
    /// @throws IOException when the sample cannot be copied there
    /// @throws InterruptedException when interrupted
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Path.of(arguments[0]);
        Path sample = copy(Installation.firstSample().orElseThrow(), folder.resolve("sample"));
        List<String> failed = new ArrayList<>();
        for (List<String> line : commandLines(sample, folder.resolve("out"))) {
            if (Main.execute(line.toArray(String[]::new)) != 0) {
                failed.add(String.join(" ", line));
            }
        }
        if (!openAndCloseWindow(sample, folder.resolve("times"))) {
            failed.add("gui");
        }
        failed.forEach(line -> System.err.println("failed: knobscape " + line));
        System.exit(failed.isEmpty() ? 0 : 1);
    }

    /// Opens the project and waits until its stored front and then all of it was drawn; the window closes itself then.
    private static boolean openAndCloseWindow(Path sample, Path times) throws InterruptedException {
        System.setProperty("knobscape.times", times.toString());
        Thread gui = Thread.ofPlatform().daemon().start(() -> Main.execute("gui", sample.toString()));
        gui.join(TimeUnit.SECONDS.toMillis(WINDOW_SECONDS));
        return !gui.isAlive() && Files.isRegularFile(times);
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        return to;
    }
}
