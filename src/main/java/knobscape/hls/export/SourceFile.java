package knobscape.hls.export;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;

/// A source file as it lies on disk, so that a changed text can be written with the same encoding and byte
/// order mark.
///
/// @param path where it lies
/// @param text its characters without byte order mark
/// @param charset how they are encoded: UTF-8, or ISO 8859-1 where the bytes are no UTF-8 (which keeps every
/// byte)
/// @param mark whether a UTF-8 byte order mark stands before them
record SourceFile(Path path, String text, Charset charset, boolean mark) {
    private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    /// No source that a tool reads comes near it.
    private static final long LARGEST = 32L << 20;

    static SourceFile read(Path path) {
        byte[] bytes;
        try {
            bytes = InputFile.bytes(path, LARGEST);
        } catch (IOException e) {
            throw new UserError(
                    "Cannot read the source '" + path + "' any more; put it back or open the project again.", e);
        }
        boolean mark = bytes.length >= MARK.length && Arrays.equals(bytes, 0, MARK.length, MARK, 0, MARK.length);
        int start = mark ? MARK.length : 0;
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, start, bytes.length - start))
                    .toString();
            return new SourceFile(path, text, StandardCharsets.UTF_8, mark);
        } catch (CharacterCodingException e) {
            return new SourceFile(
                    path, new String(bytes, StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1, false);
        }
    }

    /// The bytes of a changed text, with this file's encoding and mark.
    byte[] encode(String changed) {
        byte[] content = changed.getBytes(charset);
        if (!mark) {
            return content;
        }
        byte[] all = Arrays.copyOf(MARK, MARK.length + content.length);
        System.arraycopy(content, 0, all, MARK.length, content.length);
        return all;
    }

    /// Throws [UserError] where the file is no longer what the kernel was read from.
    void mustBe(String textRead) {
        if (!text.equals(textRead)) {
            throw new UserError(
                    "The source '" + path + "' has changed since it was read; open it again before exporting.");
        }
    }
}
