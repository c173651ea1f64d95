package knobscape.space;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 as hexadecimal digits.
public final class Sha256 {
    private Sha256() {}

    /// Of a text in UTF-8.
    public static String of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The first 24 digits of a text's: short enough for the name of a file, and no two texts share them in practice.
    public static String name(String text) {
        return of(text).substring(0, 24);
    }

    /// Of pieces one after the other.
    public static String of(byte[]... pieces) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] piece : pieces) {
                digest.update(piece);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
