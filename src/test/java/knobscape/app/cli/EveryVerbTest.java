package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

/// Every verb, with every option given what cannot be, and in surroundings where it cannot work: each ends, with one
/// sentence and an exit code, and never in an internal error. A new verb belongs into [#lines()].
@Tag("slow")
class EveryVerbTest {
    private static final List<String> BAD =
            List.of("", "-1", "0", "NaN", "nothing", "=3", "99999999999999999999", "/dev/null/x", "a\u001bb");
    private static final int SECONDS = 120;

    /// Verbs whose line names a stored run.
    private static final List<String> OF_RUNS = List.of("ask", "tell", "runs", "export", "why", "what-if");

    /// Verbs that read or write a file whose name the locale may spell otherwise.
    private static final List<String> OF_PATHS = List.of("space", "explore", "runs", "export");

    @TempDir
    private Path dir;

    private Path folder;
    private final List<Path> mounted = new ArrayList<>();
    private final Terminal terminal = new Terminal(() -> folder);

    @BeforeEach
    void make() throws Exception {
        folder = Files.createDirectories(dir.resolve("work"));
        files(folder);
    }

    @AfterEach
    void unmount() throws Exception {
        for (Path place : mounted) {
            new ProcessBuilder("umount", place.toString()).start().waitFor();
        }
    }

    private void files(Path to) throws Exception {
        Files.writeString(
                to.resolve("k.cpp"),
                "void scale(int in[8], int out[8]) {\nl:\n  for (int i = 0; i < 8; i++) { out[i] = in[i] * 3; }\n}\n");
        try (InputStream in = EveryVerbTest.class.getResourceAsStream("/knobscape/gpu/tuning/small.json")) {
            Files.write(
                    to.resolve("n.json"), java.util.Objects.requireNonNull(in).readAllBytes());
        }
        Files.writeString(to.resolve("d.csv"), "pipeline@scale/l,delay,lut\noff,9,9\non,3,12\n");
        Files.writeString(
                to.resolve("s.study.yaml"),
                "study: 1\nparameters: {n: [1, 2, 3, 4]}\nobjectives: {time: minimise}\n"
                        + "measure: {command: [echo, \"{n}\"]}\n");
        Files.writeString(
                to.resolve("csynth.xml"),
                "<profile><UserAssignments><TopModelName>k</TopModelName></UserAssignments></profile>");
    }

    /// A project with a run and one that is told.
    private void runs() {
        assertThat(terminal.run("explore", "k.cpp", "--steps", "1", "--init", "2", "--out", "done"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.run("explore", "k.cpp", "--toolchain", "told", "--steps", "2", "--out", "told"))
                .as(terminal::err)
                .isZero();
    }

    /// For every verb a command line that does little.
    private static Map<String, List<String>> lines() {
        var lines = new LinkedHashMap<String, List<String>>();
        lines.put("gui", List.of());
        lines.put("space", List.of("k.cpp"));
        lines.put("advise", List.of("k.cpp", "--loops", "1"));
        lines.put("explore", List.of("k.cpp", "--steps", "1", "--init", "2", "--out", "e"));
        lines.put(
                "tune", List.of("n.json", "--device", "model:t4", "--method", "random", "--trials", "2", "--out", "t"));
        lines.put("fuse", List.of("n.json", "--method", "dp", "--out", "f"));
        lines.put(
                "fusion-train",
                List.of("alexnet", "--steps", "1", "--lessons", "1", "--batch", "1", "--model", "/dev/null/m"));
        lines.put(
                "gtuner-train",
                List.of("n.json", "--trials", "1", "--population", "2", "--epochs", "1", "--weights", "/dev/null/w"));
        lines.put("study", List.of("s.study.yaml", "--trials", "1", "--init", "2", "--out", "s"));
        lines.put("ask", List.of("told"));
        lines.put("tell", List.of("told", "1", "delay=5", "lut=3", "power=1"));
        lines.put("runs", List.of("done"));
        lines.put("export", List.of("done", "--as", "csv"));
        lines.put("why", List.of("done"));
        lines.put("what-if", List.of("done", "--design", "1", "--set", "none=1"));
        lines.put("calibrate", List.of("k.cpp", "--designs", "d.csv"));
        lines.put("report", List.of("csynth.xml"));
        lines.put("history", List.of("--import", "d.csv", "--history", "h.db"));
        lines.put("background", List.of());
        lines.put("doctor", List.of("--parts"));
        // A folder that is there would wait for an agent.
        lines.put("mcp", List.of("no-such-folder"));
        return lines;
    }

    private static List<String> words(String verb) {
        return Stream.concat(Stream.of(verb), lines().getOrDefault(verb, List.of()).stream())
                .toList();
    }

    /// The command line of a verb with an option added, which stands there no second time.
    private static List<String> words(String verb, OptionSpec option, String value) {
        var words = new ArrayList<>(words(verb));
        boolean isSwitch = option.arity().max() == 0;
        int at = words.indexOf(option.longestName());
        if (at >= 0) {
            words.subList(at, at + (isSwitch ? 1 : 2)).clear();
        }
        words.add(option.longestName() + (isSwitch ? "" : "=" + value));
        return words;
    }

    @Test
    void everyVerbIsHere() {
        assertThat(lines().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Main.commandLine().getSubcommands().keySet());
    }

    /// What is wrong with an answer; empty where nothing is.
    private static String wrong(int code, String out, String err) {
        String all = out + err;
        if (all.contains("nternal error") || all.contains("Exception") || all.contains("\tat ")) {
            return "an internal error";
        }
        if (code < 0 || code > 2) {
            return "exit code " + code;
        }
        if (all.codePoints().anyMatch(c -> c == 0x1b)) {
            return "a control character";
        }
        List<String> lines = err.lines().toList();
        if (code == 2 && lines.size() != 1) {
            return "wrong usage in " + lines.size() + " lines";
        }
        return code != 0 && (lines.isEmpty() || lines.getLast().isBlank()) ? "no sentence" : "";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "space",
                "advise",
                "explore",
                "tune",
                "fuse",
                "study",
                "fusion-train",
                "gtuner-train",
                "ask",
                "tell",
                "runs",
                "export",
                "why",
                "what-if",
                "calibrate",
                "report",
                "history",
                "background",
                "doctor",
                "mcp"
            })
    void whateverAnOptionIsGivenIsAnsweredInWords(String verb) throws Exception {
        if (OF_RUNS.contains(verb)) {
            runs();
        }
        var wrong = new ArrayList<String>();
        try (ExecutorService one = Executors.newSingleThreadExecutor()) {
            for (OptionSpec o : Main.commandLine()
                    .getSubcommands()
                    .get(verb)
                    .getCommandSpec()
                    .options()) {
                if (List.of("--help", "--json", "--follow", "--minutes").contains(o.longestName())) {
                    continue;
                }
                for (String bad : o.arity().max() == 0 ? List.of("") : BAD) {
                    String[] words = words(verb, o, bad).toArray(String[]::new);
                    String problem;
                    try {
                        int code = one.submit(() -> terminal.run(words)).get(SECONDS, TimeUnit.SECONDS);
                        problem = wrong(code, terminal.out(), terminal.err());
                    } catch (TimeoutException e) {
                        wrong.add(String.join(" ", words) + " does not end");
                        one.shutdownNow();
                        break;
                    }
                    if (!problem.isEmpty()) {
                        wrong.add(String.join(" ", words) + ": " + problem + ": " + terminal.err());
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private Path mount(String options) throws Exception {
        Path place = Files.createDirectories(dir.resolve("mount" + mounted.size()));
        Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", options, "tmpfs", place.toString())
                .redirectErrorStream(true)
                .start();
        assumeTrue(mount.waitFor() == 0, "file systems may not be mounted here, so a full one is not tried");
        mounted.add(place);
        return place;
    }

    private void everyVerbSays(String cause) {
        var wrong = new ArrayList<String>();
        for (String verb : lines().keySet()) {
            if (verb.equals("gui") || verb.equals("background")) {
                continue; // They write to the folder of the user, not to this one.
            }
            int code = terminal.run(words(verb).toArray(String[]::new));
            String problem = wrong(code, terminal.out(), terminal.err());
            if (!problem.isEmpty()) {
                wrong.add(verb + ": " + problem + ": " + terminal.err());
            }
            if (code == 1 && terminal.err().contains("damaged")) {
                wrong.add(verb + " calls it damage: " + terminal.err());
            }
            if (List.of("explore", "tune", "fuse", "history").contains(verb)
                    && !terminal.err().contains(cause)) {
                wrong.add(verb + " does not say '" + cause + "': " + terminal.err());
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskIsSaidByEveryVerb() throws Exception {
        folder = mount("size=1m");
        files(folder);
        try (var out = Files.newOutputStream(folder.resolve("fill"))) {
            while (true) {
                out.write(new byte[1024]);
            }
        } catch (IOException e) {
            // Now it is full.
        }
        everyVerbSays("disk is full");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileSystemThatCannotBeWrittenIsSaidAndTheAdviceWorks() throws Exception {
        folder = mount("size=20m");
        files(folder);
        runs();
        Path there = folder;
        Process remount = new ProcessBuilder("mount", "-o", "remount,ro", folder.toString()).start();
        assumeTrue(remount.waitFor() == 0, "a file system may not be made read-only here");
        everyVerbSays("ead-only");
        for (String source : List.of("done", "k.cpp")) {
            assertThat(terminal.run(
                            "explore",
                            there.resolve(source).toString(),
                            "--steps",
                            "1",
                            "--init",
                            "2",
                            "--out",
                            dir.resolve("elsewhere " + source).toString()))
                    .as(terminal::err)
                    .isZero();
        }
        assertThat(terminal.run("runs", "done")).as(terminal::err).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"C.UTF-8", "C", "xx_YY.UTF-8"})
    void everyVerbWorksWithoutAHomeUnderAnyLocale(String locale) throws Exception {
        runs();
        var wrong = new ArrayList<String>();
        // Every verb under the poorest locale; under the others those that the locale's spelling of paths concerns.
        for (String verb : locale.equals("C") ? lines().keySet() : OF_PATHS) {
            List<String> words = verb.equals("gui") ? List.of("gui", "--help") : words(verb);
            var answer = process(locale, words);
            String problem = wrong(answer.code, answer.out, answer.err);
            if (!problem.isEmpty()) {
                wrong.add(String.join(" ", words) + ": " + problem + ": " + answer.err);
            }
            if (OF_PATHS.contains(verb) && answer.code != 0) {
                wrong.add(String.join(" ", words) + " fails: " + answer.err);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private record Answer(int code, String out, String err) {}

    private Answer process(String locale, List<String> words) throws Exception {
        var all = new ArrayList<>(Terminal.program());
        all.add(1, "-Djava.awt.headless=true");
        all.add(1, "-Duser.home=?");
        all.addAll(words);
        Path out = dir.resolve("out.txt");
        Path err = dir.resolve("err.txt");
        var builder = new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().put("LC_ALL", locale);
        Process p = builder.start();
        p.getOutputStream().close();
        if (!p.waitFor(SECONDS, TimeUnit.SECONDS)) {
            p.destroyForcibly();
            return new Answer(-1, "", "does not end");
        }
        return new Answer(
                p.exitValue(),
                new String(Files.readAllBytes(out), StandardCharsets.ISO_8859_1),
                new String(Files.readAllBytes(err), StandardCharsets.ISO_8859_1));
    }
}
