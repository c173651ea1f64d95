package knobscape.app.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import knobscape.evaluate.TemporaryFiles;
import knobscape.work.tool.SearchPath;

/// The parts of a machine that are examined.
///
/// @param variables of the environment
/// @param properties of the Java runtime
record Machine(Map<String, String> variables, Properties properties) {
    private static final int ANSWER_SECONDS = 10;
    private static final int VIVADO_SECONDS = 60;
    private static final int LONGEST_LINE = 400;

    Optional<String> environment(String name) {
        return Optional.ofNullable(variables.get(name)).filter(v -> !v.isBlank());
    }

    private boolean isWindows() {
        return properties.getProperty("os.name", "").startsWith("Windows");
    }

    private List<Path> folders(String variable) {
        return environment(variable)
                .map(v -> List.of(v.split(Pattern.quote(properties.getProperty("path.separator")))))
                .orElse(List.of())
                .stream()
                .filter(f -> !f.isBlank())
                .map(Path::of)
                .toList();
    }

    /// A program on the PATH.
    Optional<Path> program(String name) {
        List<String> endings = isWindows() ? List.of(".exe", ".bat", ".cmd") : List.of("");
        return folders("PATH").stream()
                .flatMap(f -> endings.stream().map(e -> f.resolve(name + e)))
                .filter(SearchPath::isProgram)
                .findFirst();
    }

    /// A library where the system's loader would look first.
    Optional<Path> library(String linux, String windows) {
        if (isWindows()) {
            return folders("PATH").stream()
                    .map(f -> f.resolve(windows))
                    .filter(Files::exists)
                    .findFirst();
        }
        var places = new ArrayList<>(folders("LD_LIBRARY_PATH"));
        List.of(
                        "/usr/lib/x86_64-linux-gnu",
                        "/usr/lib/aarch64-linux-gnu",
                        "/usr/lib64",
                        "/usr/lib",
                        "/usr/local/lib",
                        "/usr/local/cuda/lib64")
                .forEach(f -> places.add(Path.of(f)));
        return places.stream().map(f -> f.resolve(linux)).filter(Files::exists).findFirst();
    }

    /// Names of the OpenCL devices' drivers registered.
    List<String> openClVendors() {
        Path folder = Path.of("/etc/OpenCL/vendors");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(n -> n.endsWith(".icd"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /// The line that begins with `PARTS` which Vivado prints for a command of Tcl, within a minute.
    Optional<String> vivado(String command) {
        try {
            Path folder = TemporaryFiles.folder("knobscape-doctor");
            try {
                Path script = Files.writeString(folder.resolve("ask.tcl"), command + "\nexit\n");
                Path said = folder.resolve("said");
                Process p = new ProcessBuilder(
                                program("vivado").orElseThrow().toString(),
                                "-mode",
                                "batch",
                                "-nojournal",
                                "-nolog",
                                "-source",
                                script.toString())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
                p.getOutputStream().close();
                boolean ended = p.waitFor(VIVADO_SECONDS, TimeUnit.SECONDS);
                p.descendants().forEach(ProcessHandle::destroyForcibly);
                p.destroyForcibly();
                try (var lines = Files.lines(said, StandardCharsets.ISO_8859_1)) {
                    return lines.limit(10_000)
                            .map(String::strip)
                            .filter(l -> ended && l.matches("PARTS \\d+"))
                            .findFirst();
                }
            } finally {
                TemporaryFiles.remove(folder);
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /// First line that a program prints, where it ends well within ten seconds.
    Optional<String> firstLine(String... command) {
        Optional<Path> program = program(command[0]);
        if (program.isEmpty()) {
            return Optional.empty();
        }
        var words = new ArrayList<>(List.of(command));
        words.set(0, program.get().toString());
        try {
            Process p = new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectInput(ProcessBuilder.Redirect.from(
                            Path.of(isWindows() ? "NUL" : "/dev/null").toFile()))
                    .start();
            try {
                if (!p.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS) || p.exitValue() != 0) {
                    return Optional.empty();
                }
                String text = new String(p.getInputStream().readNBytes(LONGEST_LINE), StandardCharsets.UTF_8);
                return text.lines().map(String::strip).filter(l -> !l.isEmpty()).findFirst();
            } finally {
                p.destroyForcibly();
            }
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
