package knobscape.evaluate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/// Reads files that a person names: regular files only, and never more than a bound. A pipe may never end, and
/// a device such as `/dev/zero` says that it is empty and then gives bytes for ever.
public final class InputFile {
    private static final String MARK = "\ufeff";

    private InputFile() {}

    /// Makes sure that a file that exists is a regular file; folders and absent files are left to the caller,
    /// who knows what should stand there. Throws [UserError] otherwise.
    public static void requireRegular(Path file) {
        if (Files.exists(file) && !Files.isDirectory(file) && !Files.isRegularFile(file)) {
            throw new UserError("'" + file + "' is a pipe, a device or another special file; name a regular file"
                    + " (copy its contents into one).");
        }
    }

    /// All bytes of a file. Throws [UserError] where it is a special file or longer than `largest` bytes.
    public static byte[] bytes(Path file, long largest) throws IOException {
        return read(file, largest, false);
    }

    private static byte[] read(Path file, long largest, boolean isPacked) throws IOException {
        requireRegular(file);
        // The size is not asked for: files of the system give more than they say.
        try (InputStream raw = Files.newInputStream(file);
                InputStream in = isPacked ? new GZIPInputStream(raw) : raw) {
            byte[] bytes = in.readNBytes((int) Math.min(largest + 1, Integer.MAX_VALUE - 8));
            if (bytes.length > largest) {
                throw new UserError("'" + file + "' is larger than " + (largest >> 10)
                        + " KiB, which no such file is; it is not read.");
            }
            return bytes;
        }
    }

    /// All text of a file, as [#bytes], unpacked where it is called `.gz`; throws `CharacterCodingException` where it
    /// is
    /// neither UTF-8 nor, with a byte order mark, UTF-16. The mark is taken away.
    public static String text(Path file, long largest) throws IOException {
        byte[] bytes = read(file, largest, file.toString().endsWith(".gz"));
        Charset charset = charset(bytes);
        return unmarked(charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    }

    /// The text of a source or a script: UTF-8, or ISO 8859-1 where it is not that (every byte is a character there, so
    /// offsets stay meaningful). A byte order mark is taken away.
    public static String decode(byte[] bytes) {
        return unmarked(utf8(bytes).orElseGet(() -> new String(bytes, StandardCharsets.ISO_8859_1)));
    }

    /// Bytes as UTF-8; empty where they are something else.
    public static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static String unmarked(String text) {
        return text.startsWith(MARK) ? text.substring(1) : text;
    }

    /// All text of a file, where nobody has more to say of what goes wrong: throws [UserError].
    public static String required(Path file, long largest) {
        try {
            return text(file, largest);
        } catch (IOException e) {
            throw new UserError("Cannot read '" + file + "': " + UserError.reason(e) + ".", e);
        }
    }

    /// The characters of a text by its first bytes: UTF-16 where they are its byte order mark, or every other one is 0
    /// as in a table of Latin letters without the mark, else UTF-8.
    public static Charset charset(byte[] beginning) {
        if (beginning.length < 4) {
            return StandardCharsets.UTF_8;
        }
        int first = beginning[0] & 0xFF;
        int second = beginning[1] & 0xFF;
        if ((first == 0xFF && second == 0xFE)
                || (first != 0 && second == 0 && beginning[2] != 0 && beginning[3] == 0)) {
            return StandardCharsets.UTF_16LE;
        }
        return (first == 0xFE && second == 0xFF)
                        || (first == 0 && second != 0 && beginning[2] == 0 && beginning[3] != 0)
                ? StandardCharsets.UTF_16BE
                : StandardCharsets.UTF_8;
    }
}
