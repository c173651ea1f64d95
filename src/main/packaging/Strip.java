import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Takes out of the jars of the packaged program what this system never loads: native libraries of other systems, a
/// second set of LAPACK's bindings, C headers, the symbols of debuggers; and NVIDIA's PTX compiler, which may not be
/// passed on. All jars get the given time, so that two builds give the same bytes and a start-up cache fits a copy.
///
/// `java Strip.java LIB 2026-11-20T00:00:00Z`
final class Strip {
    private static final String OS = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    private static final String SYSTEM =
            OS.contains("win") ? "windows" : OS.contains("mac") ? "mac(os)?|apple" : "linux";
    private static final String ARCH =
            System.getProperty("os.arch").matches("aarch64|arm64") ? "(aarch64|arm64)" : "(x86_64|amd64)";

    /// Files that are kept only where the second expression matches as well.
    private record Rule(String file, String kept) {
        private static final String NEVER = "(?!)";

        boolean drops(String name) {
            return Pattern.compile(file).matcher(name).matches()
                    && !Pattern.compile("(?i)" + kept).matcher(name).matches();
        }
    }

    private static final List<Rule> RULES = List.of(
            new Rule("org/sqlite/native/.*", "org/sqlite/native/(" + SYSTEM + ")/" + ARCH + "/.*"),
            new Rule("lib/[^/]+/[^/]+/(lib)?xgboost4j\\..*", "lib/(" + SYSTEM + ")/" + ARCH + "/.*"),
            new Rule("lib/(lib)?JOCL_.*", "lib/.*-(" + SYSTEM + ")-" + ARCH + "\\..*"),
            new Rule("lib/(lib)?JNvPTXCompiler-.*", Rule.NEVER),
            // Of LLVM the compiler and the library of passes; what else it brings are tools for people.
            new Rule(
                    "org/bytedeco/llvm/.*",
                    "org/bytedeco/llvm/[^/]+/(clang(\\.exe)?|libclang-cpp\\..*|libLLVM\\..*|LLVM\\.dll)"),
            new Rule("org/bytedeco/openblas/.*/(lib)?jniopenblas_full\\..*", Rule.NEVER),
            new Rule("org/bytedeco/.*/(include|cmake|pkgconfig)/.*", Rule.NEVER));

    private static final String LIBRARY = ".*\\.so(\\.[0-9.]+)?";
    /// JavaFX unpacks its libraries into one folder of the user, for this program and every other with the same
    /// version;
    /// other bytes there would be put in the place of those that another one has loaded.
    private static final String SHARED = "javafx-.*\\.jar";
    private static final int ELF = 0x464C457F;
    private static final int SYMBOL_TABLE = 2;
    private static final int LOADED = 2;

    private Strip() {}

    public static void main(String[] arguments) throws IOException {
        Instant time = Instant.parse(arguments[1]);
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(arguments[0]), "*.jar")) {
            for (Path jar : jars) {
                if (!jar.getFileName().toString().matches(SHARED)) {
                    strip(jar);
                }
                Files.setLastModifiedTime(jar, FileTime.from(time));
            }
        }
    }

    /// Fills the tables of local symbols with zeros (LibTorch has 89 MB of them), which no loader reads: they are
    /// packed
    /// to nothing, and every other byte stays where it is.
    private static void blankSymbols(byte[] library) {
        ByteBuffer b = ByteBuffer.wrap(library).order(ByteOrder.LITTLE_ENDIAN);
        if (library.length < 64 || b.getInt(0) != ELF || library[4] != 2 || library[5] != 1) {
            return; // 64-bit little-endian only
        }
        long sections = b.getLong(0x28);
        int size = b.getShort(0x3A);
        for (int i = 0; i < b.getShort(0x3C); i++) {
            int at = (int) sections + i * size;
            if (b.getInt(at + 4) == SYMBOL_TABLE) {
                int names = (int) sections + b.getInt(at + 40) * size;
                for (int table : new int[] {at, names}) {
                    if ((b.getLong(table + 8) & LOADED) == 0) {
                        int from = (int) b.getLong(table + 24);
                        Arrays.fill(library, from, from + (int) b.getLong(table + 32), (byte) 0);
                    }
                }
            }
        }
    }

    private static void strip(Path jar) throws IOException {
        Predicate<ZipEntry> kept = e -> RULES.stream().noneMatch(r -> r.drops(e.getName()));
        try (var from = new ZipFile(jar.toFile())) {
            if (from.stream().allMatch(e -> kept.test(e) && !e.getName().matches(LIBRARY))) {
                return;
            }
            Path stripped = jar.resolveSibling("stripped.tmp");
            try (OutputStream file = Files.newOutputStream(stripped);
                    var to = new ZipOutputStream(file)) {
                to.setLevel(4);
                for (ZipEntry e : from.stream().filter(kept).toList()) {
                    // With its own time: JavaCPP unpacks a library anew where size or time differ from what is there,
                    // and
                    // another process that is just loading it would die of a bus error.
                    var entry = new ZipEntry(e);
                    entry.setMethod(ZipEntry.DEFLATED);
                    entry.setCompressedSize(-1);
                    to.putNextEntry(entry);
                    byte[] content = from.getInputStream(e).readAllBytes();
                    if (e.getName().matches(LIBRARY)) {
                        blankSymbols(content);
                    }
                    to.write(content);
                    to.closeEntry();
                }
            }
            Files.move(stripped, jar, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
