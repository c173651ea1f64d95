package knobscape.work.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.space.Sha256;

/// Hashes of the files that results depend on. A file is read again when its size, its time or the file itself is
/// another one. Of any thread.
public final class FileHashes {
    /// A file changed so shortly before may change once more within one tick of the file system's clock.
    private static final long SETTLED_MILLIS = 2_000;

    private final long largest;
    private final Map<Path, HashedFile> known = new ConcurrentHashMap<>();

    private record HashedFile(long bytes, FileTime changed, Optional<Object> file, String hash) {}

    /// @param largest bytes; a file that has more is refused
    public FileHashes(long largest) {
        this.largest = largest;
    }

    /// SHA-256 of a file, hexadecimal. Throws [UserError] where it cannot be read.
    ///
    /// @param what it is, for the sentence that says so
    public String of(String what, Path file) {
        try {
            var now = Files.readAttributes(file, BasicFileAttributes.class);
            Optional<Object> key = Optional.ofNullable(now.fileKey());
            HashedFile seen = known.get(file);
            if (seen != null
                    && seen.bytes() == now.size()
                    && seen.changed().equals(now.lastModifiedTime())
                    && seen.file().equals(key)) {
                return seen.hash();
            }
            String hash = Sha256.of(InputFile.bytes(file, largest));
            if (System.currentTimeMillis() - now.lastModifiedTime().toMillis() > SETTLED_MILLIS) {
                known.put(file, new HashedFile(now.size(), now.lastModifiedTime(), key, hash));
            }
            return hash;
        } catch (IOException e) {
            throw new UserError("Cannot read " + what + " '" + file + "': " + UserError.reason(e) + ".", e);
        }
    }
}
