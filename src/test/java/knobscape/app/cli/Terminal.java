package knobscape.app.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import knobscape.hls.HlsTools;
import knobscape.project.Runner;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A folder in which command lines are typed, and what the last of them wrote.
final class Terminal {
    private final Supplier<Path> folder;
    private final Supplier<HlsTools> tools;
    private final boolean reused;
    private Optional<CommandLine> line = Optional.empty();
    private String out = "";
    private String err = "";

    /// With the real parts; the folder is asked for at every command line, as a test class gets it later than
    /// its fields.
    Terminal(Supplier<Path> folder) {
        this(folder, HlsTools::standard);
    }

    Terminal(Supplier<Path> folder, Supplier<HlsTools> tools) {
        this(folder, tools, false);
    }

    private Terminal(Supplier<Path> folder, Supplier<HlsTools> tools, boolean reused) {
        this.folder = folder;
        this.tools = tools;
        this.reused = reused;
    }

    /// One of a fixed folder that describes its verbs to the parser once: that is half of what a short line computes.
    static Terminal ofManyLines(Path folder) {
        return new Terminal(() -> folder, HlsTools::standard, true);
    }

    private CommandLine line() {
        if (!reused || line.isEmpty()) {
            line = Optional.of(
                    Main.commandLine(new CommandContext(tools, Runner::withSystemClocks, folder.get(), false)));
        }
        return line.get();
    }

    /// The words that start a command line as a process of its own; more may be added.
    static List<String> program(String... arguments) {
        var words = new ArrayList<>(PackedProgram.words());
        words.addAll(List.of(arguments));
        return words;
    }

    /// Stops a process as Ctrl-C does.
    static void interrupt(Process process) throws IOException, InterruptedException {
        Process kill =
                new ProcessBuilder("kill", ignoresInterrupts(process) ? "-TERM" : "-INT", "" + process.pid()).start();
        if (kill.waitFor() != 0) {
            throw new IOException("no signal could be sent to process " + process.pid());
        }
    }

    /// Whether the process was started with the keyboard's signal ignored, as shells start what runs in the
    /// background; the other signal takes the same way through the program.
    private static boolean ignoresInterrupts(Process process) throws IOException {
        Path status = Path.of("/proc", "" + process.pid(), "status");
        if (!Files.exists(status)) {
            return false;
        }
        return Files.readAllLines(status).stream()
                .filter(l -> l.startsWith("SigIgn:"))
                .anyMatch(l -> (Long.parseUnsignedLong(l.substring(7).strip(), 16) & 2) != 0);
    }

    /// Runs a command line to its end and gives its exit code.
    int run(String... arguments) {
        var written = new StringWriter();
        var said = new StringWriter();
        int code = Main.execute(line().setOut(new PrintWriter(written)).setErr(new PrintWriter(said)), arguments);
        out = written.toString();
        err = said.toString();
        return code;
    }

    /// What the last command line wrote to standard output.
    String out() {
        return out;
    }

    /// What the last command line wrote to standard error.
    String err() {
        return err;
    }

    /// Standard output of the last command line as the one JSON document that it must be.
    JsonNode json() {
        return JsonMapper.builder().build().readTree(out);
    }
}
