import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Takes out of the jars of the packaged program what this system never loads: native libraries of other systems, a
/// second set of LAPACK's bindings, C headers; and NVIDIA's PTX compiler, which may not be passed on. All jars get the
/// given time, so that two builds give the same bytes and the start-up cache fits a copy.
///
/// `java Strip.java LIB 2026-11-20T00:00:00Z`
final class Strip {
    private static final String OS = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    private static final String SYSTEM = OS.contains("win") ? "windows" : OS.contains("mac") ? "mac(os)?|apple" : "linux";
    private static final String ARCH =
            System.getProperty("os.arch").matches("aarch64|arm64") ? "(aarch64|arm64)" : "(x86_64|amd64)";

    /// Files that are kept only where the second expression matches as well.
    private record Rule(String file, String kept) {
        private static final String NEVER = "(?!)";

        boolean drops(String name) {
            return Pattern.compile(file).matcher(name).matches() && !Pattern.compile("(?i)" + kept).matcher(name).matches();
        }
    }

    private static final List<Rule> RULES = List.of(
            new Rule("org/sqlite/native/.*", "org/sqlite/native/(" + SYSTEM + ")/" + ARCH + "/.*"),
            new Rule("lib/[^/]+/[^/]+/(lib)?xgboost4j\\..*", "lib/(" + SYSTEM + ")/" + ARCH + "/.*"),
            new Rule("lib/(lib)?JOCL_.*", "lib/.*-(" + SYSTEM + ")-" + ARCH + "\\..*"),
            new Rule("lib/(lib)?JNvPTXCompiler-.*", Rule.NEVER),
            new Rule("org/bytedeco/openblas/.*/(lib)?jniopenblas_full\\..*", Rule.NEVER),
            new Rule("org/bytedeco/.*/(include|cmake|pkgconfig)/.*", Rule.NEVER));

    private Strip() {}

    public static void main(String[] arguments) throws IOException {
        Instant time = Instant.parse(arguments[1]);
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(arguments[0]), "*.jar")) {
            for (Path jar : jars) {
                strip(jar, time);
                Files.setLastModifiedTime(jar, FileTime.from(time));
            }
        }
    }

    private static void strip(Path jar, Instant time) throws IOException {
        Predicate<ZipEntry> kept = e -> RULES.stream().noneMatch(r -> r.drops(e.getName()));
        try (var from = new ZipFile(jar.toFile())) {
            if (from.stream().allMatch(kept)) {
                return;
            }
            Path stripped = jar.resolveSibling("stripped.tmp");
            try (OutputStream file = Files.newOutputStream(stripped);
                    var to = new ZipOutputStream(file)) {
                to.setLevel(9);
                for (ZipEntry e : from.stream().filter(kept).toList()) {
                    var entry = new ZipEntry(e.getName());
                    entry.setTimeLocal(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
                    to.putNextEntry(entry);
                    from.getInputStream(e).transferTo(to);
                    to.closeEntry();
                }
            }
            Files.move(stripped, jar, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
