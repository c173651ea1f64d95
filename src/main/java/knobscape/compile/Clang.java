package knobscape.compile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;

/// Clang as a child process with limits. It reads no header of the system: only folders that the caller names.
public final class Clang {
    private static final int LARGEST_OUTPUT = 256 << 20;
    private static final int LARGEST_MESSAGES = 1 << 20;
    private static final long POLL_MILLIS = 5;
    private static final Pattern MESSAGE =
            Pattern.compile("^(?:(.*?):(\\d+):(\\d+): )?(fatal error|error|warning|note): (.*)$");
    /// Code as the source says it: no exceptions, nothing fused, names and places kept; 64-bit addresses, structs by
    /// address.
    private static final List<String> OPTIONS = List.of(
            "--target=wasm64-unknown-unknown",
            "-O0",
            "-Xclang",
            "-disable-O0-optnone",
            "-gdwarf-4",
            "-fstandalone-debug",
            "-fno-discard-value-names",
            "-fno-exceptions",
            "-fno-rtti",
            "-fno-math-errno",
            "-ffp-contract=off",
            "-fno-threadsafe-statics",
            "-fno-asynchronous-unwind-tables",
            "-Xclang",
            "-fexperimental-max-bitint-width=4096",
            "-Xclang",
            "-fnative-half-type",
            "-Xclang",
            "-fnative-half-arguments-and-returns",
            "-nostdinc",
            "-w",
            "-Wno-invalid-constexpr",
            "-Wno-non-pod-varargs",
            "-Wno-c++11-narrowing",
            "-fno-color-diagnostics",
            "-ferror-limit=50",
            "-ftemplate-depth=1024",
            "-fconstexpr-steps=10000000",
            "-fmacro-backtrace-limit=1",
            "-ftemplate-backtrace-limit=2");
    /// Options for what old C allows and clang would refuse.
    private static final List<String> C_OPTIONS = List.of(
            "-x",
            "c",
            "-std=gnu17",
            "-Wno-error=implicit-function-declaration",
            "-Wno-error=implicit-int",
            "-Wno-error=int-conversion",
            "-Wno-error=incompatible-function-pointer-types");

    private final CompileLimits limits;

    public Clang(CompileLimits limits) {
        this.limits = limits;
    }

    /// The outcome of a compilation.
    public sealed interface Outcome {
        /// It compiled.
        ///
        /// @param bitcode the module
        record Compiled(byte[] bitcode) implements Outcome {}

        /// It did not compile.
        ///
        /// @param messages in the compiler's order, at least one of them an error
        record Rejected(List<Diagnostic> messages) implements Outcome {
            public Rejected {
                messages = List.copyOf(messages);
            }
        }
    }

    /// Files that a source reads, itself included, and names of headers that are nowhere.
    ///
    /// @param files absolute
    /// @param missing as the source names them
    public record Included(List<Path> files, List<String> missing) {
        public Included {
            files = List.copyOf(files);
            missing = List.copyOf(missing);
        }
    }

    /// Includes of a source. Throws [UserError] where the limits are passed, `CancellationException` where stopped.
    public Included included(CompileUnit unit, CancellationSignal cancel) {
        return inFolder(folder -> {
            Ended ended = run(unit, List.of("-M", "-MG", "-MT", "x"), folder, cancel);
            if (!Files.exists(ended.output())) {
                // What is wrong is said by the compilation.
                return new Included(List.of(unit.main()), List.of());
            }
            var files = new ArrayList<Path>();
            var missing = new ArrayList<String>();
            String rule = Files.readString(ended.output(), StandardCharsets.UTF_8);
            String joined = rule.replace("\\\r\n", " ").replace("\\\n", " ");
            int colon = joined.indexOf(':');
            for (String word : joined.substring(colon + 1).strip().split("(?<!\\\\)\\s+")) {
                String name = word.replace("\\ ", " ").replace("$$", "$").replace("\\#", "#");
                Path path = Path.of(name);
                if (path.isAbsolute()) {
                    files.add(path.normalize());
                } else if (!name.isEmpty()) {
                    missing.add(name);
                }
            }
            return new Included(files, missing);
        });
    }

    /// The text of a source with its headers in place and its macros expanded; empty where that fails. Throws
    /// [UserError] where the limits are passed, `CancellationException` where stopped.
    public String preprocessed(CompileUnit unit, CancellationSignal cancel) {
        return inFolder(folder -> {
            Ended ended = run(unit, List.of("-E", "-P"), folder, cancel);
            return ended.status() == 0 && Files.exists(ended.output())
                    ? Files.readString(ended.output(), StandardCharsets.UTF_8)
                    : "";
        });
    }

    /// Compiles. Throws [UserError] where the limits are passed, `CancellationException` where stopped.
    public Outcome compile(CompileUnit unit, CancellationSignal cancel) {
        return inFolder(folder -> {
            Ended ended = run(unit, List.of("-c", "-emit-llvm"), folder, cancel);
            if (ended.status() == 0 && Files.exists(ended.output())) {
                return new Outcome.Compiled(Files.readAllBytes(ended.output()));
            }
            List<Diagnostic> messages = messages(ended.messages());
            if (messages.stream().noneMatch(Diagnostic::error)) {
                throw new UserError("The C++ compiler ended with status " + ended.status() + " on " + unit.main()
                        + "; does the source grow without end, or need more than " + limits.memory() + " MiB?");
            }
            return new Outcome.Rejected(messages);
        });
    }

    private record Ended(int status, Path output, String messages) {}

    private interface Work<T> {
        T in(Path folder) throws IOException;
    }

    private static <T> T inFolder(Work<T> work) {
        Path folder;
        try {
            folder = TemporaryFiles.folder("knobscape-clang");
        } catch (IOException e) {
            throw new UserError("No temporary folder can be made for the compiler: " + e.getMessage() + ".", e);
        }
        try {
            return work.in(folder);
        } catch (IOException e) {
            throw new UserError("The C++ compiler cannot be used: " + e.getMessage() + ".", e);
        } finally {
            TemporaryFiles.remove(folder);
        }
    }

    private Ended run(CompileUnit unit, List<String> action, Path folder, CancellationSignal cancel)
            throws IOException {
        Path output = folder.resolve("output");
        var command = new ArrayList<>(limits.command());
        command.add(CompilerFiles.unpack().clang().toString());
        command.addAll(OPTIONS);
        command.addAll(unit.cPlusPlus() ? List.of("-x", "c++", "-std=gnu++17") : C_OPTIONS);
        new TreeMap<>(unit.defines()).forEach((name, value) -> command.add("-D" + name + "=" + value));
        unit.includes().forEach(i -> command.add("-I" + i));
        unit.preincluded().forEach(i -> command.addAll(List.of("-include", i.toString())));
        if (!unit.replaced().isEmpty()) {
            command.addAll(
                    List.of("-ivfsoverlay", overlay(unit.replaced(), folder).toString()));
        }
        command.addAll(action);
        command.addAll(List.of("-o", output.toString(), unit.main().toString()));
        Path messages = folder.resolve("messages");
        cancel.throwIfCancelled();
        var builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(messages.toFile());
        builder.environment().keySet().removeIf(n -> n.matches("(?i)(CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|CCC_.*)"));
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            long until = System.nanoTime() + limits.time().toNanos();
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (cancel.isCancelled()) {
                    throw new CancellationException("stopped on request");
                }
                if (System.nanoTime() > until || output.toFile().length() > LARGEST_OUTPUT) {
                    throw new UserError("The C++ compiler did not finish " + unit.main() + " within "
                            + limits.time().toSeconds()
                            + " s; does the source grow without end in templates, macros or includes?");
                }
            }
            return new Ended(process.exitValue(), output, text(messages));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String text(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LARGEST_MESSAGES), StandardCharsets.UTF_8);
        }
    }

    /// A virtual file system that shows texts at the places of files; messages and places name the latter.
    private static Path overlay(Map<Path, String> replaced, Path folder) throws IOException {
        var text = new StringBuilder("{'version': 0, 'use-external-names': 'false', 'roots': [\n");
        int n = 0;
        for (var r : new TreeMap<>(replaced).entrySet()) {
            Path real = folder.resolve("replaced" + n++);
            Files.writeString(real, r.getValue(), StandardCharsets.UTF_8);
            text.append("{'type': 'file', 'name': ")
                    .append(quoted(r.getKey()))
                    .append(", 'external-contents': ")
                    .append(quoted(real))
                    .append("},\n");
        }
        Path overlay = folder.resolve("overlay.yaml");
        Files.writeString(overlay, text.append("]}\n"), StandardCharsets.UTF_8);
        return overlay;
    }

    private static String quoted(Path path) {
        return "'" + path.toString().replace("'", "''") + "'";
    }

    static List<Diagnostic> messages(String text) {
        var found = new ArrayList<Diagnostic>();
        Optional<Matcher> open = Optional.empty();
        var excerpt = new StringBuilder();
        for (String line : (text + "\nnote: end").split("\n")) {
            Matcher m = MESSAGE.matcher(line);
            if (!m.matches()) {
                // What clang would put there instead, below the caret, is left out.
                boolean shown = excerpt.toString().matches("(?s).*\\|[ ~]*\\^[ ~]*");
                if (open.isPresent() && !shown && line.matches("\\s*(\\d+ )?\\|.*")) {
                    excerpt.append(excerpt.isEmpty() ? "" : "\n").append(line);
                }
                continue;
            }
            open.ifPresent(o -> found.add(diagnostic(o, excerpt.toString())));
            excerpt.setLength(0);
            open = m.group(4).equals("note") ? Optional.empty() : Optional.of(m);
        }
        return found;
    }

    private static Diagnostic diagnostic(Matcher m, String excerpt) {
        boolean placed = m.group(1) != null;
        return new Diagnostic(
                m.group(4).endsWith("error"),
                placed ? m.group(1) : "",
                placed ? Integer.parseInt(m.group(2)) : 0,
                placed ? Integer.parseInt(m.group(3)) : 0,
                m.group(5),
                excerpt);
    }
}
