package knobscape.compile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;

/// The compiler's files, unpacked once a user from the program's jars.
///
/// @param clang the program
/// @param llvm the library that the worker loads
record CompilerFiles(Path clang, Path llvm) {
    /// Part of the folder's name: another version is unpacked beside.
    private static final String VERSION = "20.1.7-1.5.12";

    private static final String OS = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    private static final boolean WINDOWS = OS.contains("win");
    private static final boolean MAC = OS.contains("mac");
    private static final String ARCH = System.getProperty("os.arch").matches("aarch64|arm64") ? "arm64" : "x86_64";

    /// A file of the jar and the name that the loader of the system wants.
    private record Part(String inJar, String unpacked) {}

    private static List<Part> parts() {
        if (WINDOWS) {
            return List.of(new Part("clang.exe", "clang.exe"), new Part("LLVM.dll", "LLVM.dll"));
        }
        String ending = MAC ? ".dylib" : ".so";
        String version = MAC ? ".20.1.dylib" : ".so.20.1";
        return List.of(
                new Part("clang", "clang"),
                new Part("libclang-cpp" + ending, "libclang-cpp" + version),
                new Part("libLLVM" + ending, MAC ? "libLLVM.dylib" : "libLLVM" + version));
    }

    /// Unpacks where that is not done yet. Throws [UserError] where this system has no compiler in the program.
    static CompilerFiles unpack() {
        List<Part> parts = parts();
        Path folder = folder();
        try {
            Files.createDirectories(folder);
            if (!parts.stream().allMatch(p -> Files.exists(folder.resolve(p.unpacked())))) {
                unpack(folder, parts);
            }
        } catch (IOException e) {
            throw new UserError("The C++ compiler cannot be unpacked into " + folder + ": " + e.getMessage() + ".", e);
        }
        return new CompilerFiles(
                folder.resolve(parts.getFirst().unpacked()),
                folder.resolve(parts.getLast().unpacked()));
    }

    private static Path folder() {
        Path cache = cache();
        if (cache.isAbsolute()) {
            return cache.resolve("llvm-" + VERSION);
        }
        // A user without a home, as in some containers, has it anew in each process.
        try {
            return TemporaryFiles.folder("llvm");
        } catch (IOException e) {
            throw new UserError("The C++ compiler finds no place to be unpacked: " + e.getMessage() + ".", e);
        }
    }

    /// Where caches of a user are on this system; no absolute path where the user has no home.
    private static Path cache() {
        String set = System.getenv(WINDOWS ? "LOCALAPPDATA" : "XDG_CACHE_HOME");
        Path base = set != null && !set.isBlank()
                ? Path.of(set)
                : Path.of(System.getProperty("user.home"), MAC ? "Library/Caches" : ".cache");
        return base.resolve("knobscape");
    }

    private static void unpack(Path folder, List<Part> parts) throws IOException {
        String system = (WINDOWS ? "windows" : MAC ? "macosx" : "linux") + "-" + ARCH;
        try (var channel =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            for (Part part : parts) {
                Path to = folder.resolve(part.unpacked());
                if (Files.exists(to)) {
                    continue;
                }
                String name = "/org/bytedeco/llvm/" + system + "/" + part.inJar();
                try (InputStream in = CompilerFiles.class.getResourceAsStream(name)) {
                    if (in == null) {
                        throw new UserError("This program holds no C++ compiler for " + system + ".");
                    }
                    Path half = folder.resolve(part.unpacked() + ".part");
                    Files.copy(in, half, StandardCopyOption.REPLACE_EXISTING);
                    if (!half.toFile().setExecutable(true)) {
                        throw new IOException(half + " cannot be made executable");
                    }
                    Files.move(half, to, StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }
    }
}
