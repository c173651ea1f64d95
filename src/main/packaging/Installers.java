import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Makes what people install out of `target/knobscape`, with a Java of its own, in `target/installers`: for Linux a
/// .deb
/// and a .tar.gz, for macOS a .dmg, for Windows an .msi; always for the system it runs on. The .deb makes its start-up
/// cache when it is installed, the .tar.gz by `lib/app/start-cache`; the others bring it along.
///
/// `mvn -q package -DskipTests && java src/main/packaging/Installers.java`
///
/// It needs jpackage's own helpers: dpkg-deb and fakeroot on Linux, WiX on Windows.
final class Installers {
    private static final String NAME = "knobscape";
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Path PROGRAM = TARGET.resolve(NAME);
    private static final Path OUT = TARGET.resolve("installers");
    private static final String OS = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    private static final boolean WINDOWS = OS.contains("win");
    private static final boolean MAC = OS.contains("mac");

    /// Modules of the JDK that the class path uses; listed by hand, as reflection hides most of it.
    private static final String MODULES =
            "java.se,jdk.charsets,jdk.crypto.ec,jdk.management,jdk.unsupported,jdk.unsupported.desktop,jdk.zipfs";

    /// Of the files of an archive, as of the jars.
    private static final Instant TIME = Instant.parse("2026-11-20T00:00:00Z");

    /// Threads have priorities, without a warning to those who may only lower them (Linux; Windows has them as it is).
    private static final List<String> PRIORITIES =
            List.of("-XX:-PrintWarnings", "-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=0");

    private static final List<String> JAVA_OPTIONS = List.of(
            "-XX:CompileThresholdScaling=5",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dknobscape.home=$APPDIR",
            "-XX:AOTCache=$APPDIR/knobscape.aot",
            "-Xlog:disable",
            "-Xlog:all=error,aot*=off,cds*=off:stderr");

    private Installers() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path jar = only(PROGRAM.resolve("lib"), NAME + "-.*\\.jar");
        String version = jar.getFileName().toString().replaceFirst("^" + NAME + "-(.*)\\.jar$", "$1");
        delete(OUT);
        Path input = OUT.resolve("input");
        copy(PROGRAM.resolve("lib"), input);
        try (Stream<Path> caches = Files.list(input)) { // for another Java than the one packed here
            for (Path c : caches.filter(p -> p.toString().endsWith(".aot")).toList()) {
                Files.delete(c);
            }
        }
        Path image = image(input, jar.getFileName().toString(), version);
        if (WINDOWS || MAC) {
            train(image);
        } else {
            script(image);
        }
        for (String type : WINDOWS ? List.of("msi") : MAC ? List.of("dmg") : List.of("deb")) {
            installer(type, image, version);
        }
        if (!WINDOWS && !MAC) {
            Path archive = OUT.resolve(NAME + "-" + version + "-linux-" + System.getProperty("os.arch") + ".tar.gz");
            run(
                    OUT,
                    List.of(
                            "tar",
                            "--sort=name",
                            "--owner=0",
                            "--group=0",
                            "--numeric-owner",
                            "--mtime=@" + TIME.getEpochSecond(),
                            "-I",
                            "gzip -n",
                            "-cf",
                            archive.toString(),
                            "-C",
                            image.getParent().toString(),
                            NAME));
        }
        delete(input);
        try (Stream<Path> made = Files.list(OUT)) {
            made.filter(Files::isRegularFile).sorted().forEach(System.out::println);
        }
    }

    /// The program with a Java, as a folder.
    private static Path image(Path input, String jar, String version) throws IOException, InterruptedException {
        var line = new ArrayList<>(common("app-image", version, OUT.resolve("image")));
        line.addAll(List.of("--input", input.toString(), "--main-jar", jar, "--main-class", "knobscape.app.Launcher"));
        line.addAll(List.of("--add-modules", MODULES));
        // The commands of the runtime stay: one makes the start-up cache. Packed modules cost no time with it.
        line.addAll(List.of("--jlink-options", "--strip-debug --no-header-files --no-man-pages --compress=zip-9"));
        for (String part : List.of("sample-projects", "licences", "LICENSE", "NOTICE", "sbom.cdx.json")) {
            if (Files.exists(PROGRAM.resolve(part))) { // Maven makes no list of parts when it is offline
                line.addAll(List.of("--app-content", PROGRAM.resolve(part).toString()));
            }
        }
        Stream.of(memory(), WINDOWS ? List.<String>of() : PRIORITIES, JAVA_OPTIONS)
                .flatMap(List::stream)
                .forEach(o -> line.addAll(List.of("--java-options", o)));
        if (WINDOWS) {
            line.add("--win-console");
        }
        jpackage(line);
        return OUT.resolve("image").resolve(MAC ? NAME + ".app" : NAME);
    }

    /// The launchers read these themselves.
    private static List<String> memory() throws IOException {
        try (Stream<String> lines = Files.lines(PROGRAM.resolve("lib/memory.options"))) {
            return lines.filter(l -> !l.startsWith("#")).toList();
        }
    }

    /// Writes the script that makes the start-up cache where the program is installed; all files get one time.
    private static void script(Path image) throws IOException {
        Path script = image.resolve("lib/app/start-cache");
        Files.copy(TARGET.resolveSibling("src/main/packaging/linux/start-cache"), script);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Stream<Path> files = Files.walk(image)) {
            for (Path f : files.toList()) {
                Files.setLastModifiedTime(f, FileTime.from(TIME));
            }
        }
    }

    private static List<String> common(String type, String version, Path to) {
        return List.of(
                "--type",
                type,
                "--name",
                NAME,
                "--dest",
                to.toString(),
                // macOS wants a first number of at least 1.
                "--app-version",
                MAC && version.startsWith("0.") ? "1" + version.substring(1) : version,
                "--vendor",
                "Knobscape",
                "--copyright",
                "Copyright 2026 the authors of Knobscape",
                "--description",
                "Explore HLS directives, GPU schedules and layer fusion with learning optimisers");
    }

    private static void installer(String type, Path image, String version) throws IOException, InterruptedException {
        var line = new ArrayList<>(common(type, version, OUT));
        line.addAll(List.of("--app-image", image.toString()));
        Path here = TARGET.resolveSibling("src/main/packaging");
        line.addAll(List.of("--license-file", PROGRAM.resolve("LICENSE").toString()));
        line.addAll(
                List.of("--file-associations", here.resolve("onnx.properties").toString()));
        if (WINDOWS) {
            line.addAll(List.of("--win-menu", "--win-per-user-install", "--win-dir-chooser"));
            line.addAll(List.of("--resource-dir", here.resolve("windows").toString()));
        } else if (!MAC) {
            line.addAll(List.of("--linux-shortcut", "--linux-menu-group", "Development"));
            line.addAll(List.of("--linux-deb-maintainer", "knobscape@example.org"));
            line.addAll(List.of("--resource-dir", here.resolve("linux").toString()));
        }
        jpackage(line);
    }

    /// The start-up cache fits one Java and one class path: those of the image.
    private static void train(Path image) throws IOException, InterruptedException {
        Path content = MAC ? image.resolve("Contents") : image;
        Path app = content.resolve("app");
        Path java =
                content.resolve(WINDOWS ? "runtime" : "runtime/Contents/Home").resolve("bin/java");
        String classPath = String.join(
                System.getProperty("path.separator"),
                Files.readAllLines(app.resolve(NAME + ".cfg")).stream()
                        .filter(l -> l.startsWith("app.classpath="))
                        .map(l -> l.substring("app.classpath=".length()).replace("$APPDIR", app.toString()))
                        .toList());
        Path training = OUT.resolve("training");
        Files.createDirectories(training);
        run(
                training,
                List.of(
                        java.toString(),
                        "-XX:AOTCacheOutput=" + app.resolve(NAME + ".aot"),
                        "@" + app.resolve("training.options"),
                        "-Dknobscape.home=" + app,
                        "-Duser.home=" + training,
                        "-Djava.util.prefs.userRoot=" + training,
                        "-classpath",
                        classPath,
                        "knobscape.app.Training",
                        training.toString()));
        delete(training);
    }

    private static void jpackage(List<String> line) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "jpackage").toString()));
        all.addAll(line);
        run(TARGET, all);
    }

    private static void run(Path folder, List<String> line) throws IOException, InterruptedException {
        var process = new ProcessBuilder(line).directory(folder.toFile()).inheritIO();
        // dpkg-deb takes it as the time of what it packs.
        process.environment().put("SOURCE_DATE_EPOCH", Long.toString(TIME.getEpochSecond()));
        int status = process.start().waitFor();
        if (status != 0) {
            throw new IllegalStateException(line.getFirst() + " ended with " + status);
        }
    }

    private static Path only(Path folder, String name) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.getFileName().toString().matches(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("run mvn package first"));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path f : files.toList()) {
                Path t = to.resolve(from.relativize(f).toString());
                if (Files.isDirectory(f)) {
                    Files.createDirectories(t);
                } else {
                    Files.copy(f, t, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(f -> {
                    try {
                        Files.delete(f);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
            }
        }
    }
}
