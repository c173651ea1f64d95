package knobscape.app.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import knobscape.app.Launcher;

/// The program as tests start it in processes of its own: its classes in one jar, beside an archive of those that a
/// run uses as the virtual machine keeps them (class-data sharing). A short command line then computes a third as
/// long. Made once in each virtual machine of tests.
final class PackedProgram {
    private static final List<String> WORDS = pack();
    private static final int SECONDS = 300;

    private PackedProgram() {}

    /// The words that start the program, up to its arguments.
    static List<String> words() {
        return WORDS;
    }

    private static List<String> pack() {
        try {
            Path folder = Files.createTempDirectory("knobscape-packed");
            Path jar = folder.resolve("knobscape.jar");
            Path archive = folder.resolve("knobscape.jsa");
            Path source = folder.resolve("k.cpp");
            Path run = folder.resolve("run");
            // Last registered, first deleted.
            Stream.of(folder, jar, archive, source).map(Path::toFile).forEach(File::deleteOnExit);
            List<String> classPath = classPath(jar);
            Files.writeString(source, "void f(int a[8]) { for (int i = 0; i < 8; i++) a[i] += i; }\n");
            make(
                    words(classPath, "-XX:ArchiveClassesAtExit=" + archive),
                    List.of("explore", source.toString(), "--steps", "1", "--init", "2", "--out", run.toString()));
            try (Stream<Path> made = Files.walk(run)) {
                made.map(Path::toFile).forEach(File::deleteOnExit);
            }
            return words(classPath, "-XX:SharedArchiveFile=" + archive);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// The class path of this virtual machine with the folder of the program's classes as a jar, for archives take
    /// no folders; without those of tests.
    private static List<String> classPath(Path jar) throws IOException {
        // Under Maven's test runner the class path proper is in a property of its own.
        String whole = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Path classes = Path.of(Launcher.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        try (var out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            out.setLevel(Deflater.NO_COMPRESSION);
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
        return Stream.concat(
                        Stream.of(jar.toString()),
                        Stream.of(whole.split(File.pathSeparator)).filter(e -> e.endsWith(".jar")))
                .toList();
    }

    private static List<String> words(List<String> classPath, String archive) {
        return List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                archive,
                "-Xlog:disable",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dknobscape.history=none",
                "-Dknobscape.home=" + Path.of("").toAbsolutePath(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath.stream()
                        .map(e -> Path.of(e).toAbsolutePath().toString())
                        .collect(Collectors.joining(File.pathSeparator)),
                Launcher.class.getName());
    }

    private static void make(List<String> program, List<String> arguments) throws IOException {
        var words = new ArrayList<>(program);
        words.addAll(arguments);
        Process p = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!p.waitFor(SECONDS, TimeUnit.SECONDS) || p.exitValue() != 0) {
                throw new IllegalStateException("the archive of the program's classes was not made: " + words);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            p.destroyForcibly();
        }
    }
}
