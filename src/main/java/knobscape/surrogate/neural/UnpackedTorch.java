package knobscape.surrogate.neural;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;

/// LibTorch's files as JavaCPP unpacks them, once per user. Where a process is killed while it does, a cut library
/// stays behind; the system maps it when another library asks for it, and the process dies of a bus error without a
/// word.
final class UnpackedTorch {
    private UnpackedTorch() {}

    /// Removes files that are shorter or longer than those they were unpacked from, so that they are unpacked again.
    /// Waits for other processes that unpack. What cannot be read or removed is left: loading says what is wrong.
    static void discardCut() {
        try {
            Path cache = Loader.getCacheDir().toPath();
            // The lock that JavaCPP holds while it unpacks.
            try (FileChannel channel = FileChannel.open(
                            cache.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                discardCut(cache);
            }
        } catch (IOException | RuntimeException e) {
            return;
        }
    }

    /// @param cache has a folder for every jar, called as the jar
    static void discardCut(Path cache) throws IOException {
        for (Path jar : list(cache)) {
            List<Path> files;
            try (Stream<Path> all = Files.walk(jar)) {
                files = all.filter(f -> Files.isRegularFile(f) && !Files.isSymbolicLink(f))
                        .toList();
            }
            for (Path file : files) {
                if (isCut(file, jar)) {
                    Files.delete(file);
                }
            }
        }
    }

    private static List<Path> list(Path cache) throws IOException {
        try (Stream<Path> all = Files.list(cache)) {
            return all.filter(p -> p.getFileName().toString().endsWith(".jar") && Files.isDirectory(p))
                    .toList();
        }
    }

    private static boolean isCut(Path file, Path jar) throws IOException {
        String entry = jar.relativize(file).toString().replace('\\', '/');
        URL packed = UnpackedTorch.class.getClassLoader().getResource(entry);
        // Folders of other versions are none of ours.
        return packed != null
                && packed.openConnection() instanceof JarURLConnection c
                && c.getJarFileURL().getPath().endsWith("/" + jar.getFileName())
                && c.getContentLengthLong() != Files.size(file);
    }
}
