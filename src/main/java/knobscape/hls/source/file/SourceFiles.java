package knobscape.hls.source.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;

/// Reads source files as text. What comes from elsewhere is bounded.
public final class SourceFiles {
    /// Largest file that is read.
    public static final long MAX_BYTES = 16L << 20;

    private SourceFiles() {}

    /// The main file's text without byte order mark; a [UserError] for what cannot be a source.
    public static String readMain(Path file) {
        if (!Files.exists(file)) {
            throw new UserError("There is no file " + file + ".");
        }
        if (Files.isDirectory(file)) {
            throw new UserError(file + " is a folder; name a C or C++ source file in it.");
        }
        if (!Files.isRegularFile(file)) {
            throw new UserError(file + " is not an ordinary file; name a C or C++ source file.");
        }
        byte[] bytes;
        try {
            bytes = bytes(file)
                    .orElseThrow(() -> new UserError(
                            file + " is larger than " + (MAX_BYTES >> 20) + " MB; name a C or C++ source file."));
        } catch (AccessDeniedException e) {
            throw new UserError(file + " may not be read; check its permissions.", e);
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage() + ".", e);
        }
        notText(bytes).ifPresent(why -> {
            throw new UserError(file + " is not a text file (" + why + "); name a C or C++ source file in UTF-8.");
        });
        return InputFile.decode(bytes);
    }

    /// Why bytes cannot be a source: UTF-16, a control character that no text has, or mostly bytes beyond ASCII
    /// that are no UTF-8.
    private static Optional<String> notText(byte[] bytes) {
        if (bytes.length >= 2
                && ((bytes[0] == (byte) 0xFE && bytes[1] == (byte) 0xFF)
                        || (bytes[0] == (byte) 0xFF && bytes[1] == (byte) 0xFE))) {
            return Optional.of("it is in UTF-16");
        }
        int line = 1;
        int beyond = 0;
        for (byte b : bytes) {
            if (b == '\n') {
                line++;
            }
            // Form feeds and vertical tabs part pages of old sources; a DOS editor ends a file with 0x1A.
            if ((b >= 0 && b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x0B && b != 0x1A)
                    || b == 0x7F) {
                return Optional.of("line " + line + " holds the control character "
                        + String.format(java.util.Locale.ROOT, "0x%02X", b));
            }
            if (b < 0) {
                beyond++;
            }
        }
        return 3L * beyond > bytes.length && InputFile.utf8(bytes).isEmpty()
                ? Optional.of("most of it is neither ASCII nor UTF-8")
                : Optional.empty();
    }

    /// A header's text; empty where it cannot be read as one.
    public static Optional<String> readHeader(Path file) {
        try {
            return Files.isRegularFile(file) ? bytes(file).map(InputFile::decode) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes((int) MAX_BYTES + 1);
            return bytes.length > MAX_BYTES ? Optional.empty() : Optional.of(bytes);
        }
    }
}
