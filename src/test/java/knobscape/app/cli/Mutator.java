package knobscape.app.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Changes files as accidents and malice do: bits, pieces lost or doubled, pieces of another file, and words that
/// readers stumble over. The same seed gives the same files.
final class Mutator {
    private static final int LARGEST = 1 << 18;
    private static final List<byte[]> WORDS = java.util.stream.Stream.of(
                    "0",
                    "-1",
                    "1e308",
                    "-1e-320",
                    "NaN",
                    "2147483648",
                    "9223372036854775808",
                    "99999999999999999999",
                    "\"",
                    "'",
                    "\\",
                    "\u0000",
                    "\uFEFF",
                    "\r\n",
                    ",",
                    ";",
                    ":",
                    "{",
                    "}",
                    "[",
                    "]",
                    "(",
                    ")",
                    "<",
                    ">",
                    "/*",
                    "*/",
                    "//",
                    "#if 0\n",
                    "#include \"",
                    "#define A A A\n",
                    "null",
                    "true",
                    "{}",
                    "[]",
                    "\"\"",
                    "\\ud800",
                    "*",
                    "&",
                    "%s",
                    "../",
                    "$(x)",
                    "template<int N>",
                    "for(;;)",
                    "?:",
                    "\t",
                    "-",
                    "=",
                    "\u00e9")
            .map(w -> w.getBytes(StandardCharsets.UTF_8))
            .toList();

    private final Random random;

    Mutator(long seed) {
        this.random = new Random(seed);
    }

    /// One of `seeds`, changed in one to eight places.
    byte[] next(List<byte[]> seeds) {
        byte[] file = pick(seeds);
        for (int i = random.nextInt(8); i >= 0; i--) {
            file = changed(file, seeds);
        }
        return file.length > LARGEST ? Arrays.copyOf(file, LARGEST) : file;
    }

    private byte[] pick(List<byte[]> all) {
        return all.get(random.nextInt(all.size()));
    }

    private byte[] changed(byte[] file, List<byte[]> seeds) {
        int at = random.nextInt(file.length + 1);
        int length = Math.min(file.length - at, 1 << random.nextInt(9));
        return switch (random.nextInt(8)) {
            case 0 -> flipped(file, at);
            case 1 -> spliced(file, at, at + length, new byte[0]);
            case 2 -> spliced(file, at, at, Arrays.copyOfRange(file, at, at + length));
            case 3 -> Arrays.copyOf(file, at);
            case 4 -> {
                byte[] other = pick(seeds);
                int from = random.nextInt(other.length + 1);
                yield spliced(
                        file, at, at + length, Arrays.copyOfRange(other, from, Math.min(other.length, from + length)));
            }
            case 5 -> spliced(file, at, at, repeated(pick(WORDS), random.nextInt(20) == 0 ? 2000 : 1));
            default -> spliced(file, at, Math.min(file.length, at + random.nextInt(4)), pick(WORDS));
        };
    }

    private byte[] flipped(byte[] file, int at) {
        byte[] copy = file.clone();
        if (at < copy.length) {
            copy[at] ^= (byte) (1 << random.nextInt(8));
        }
        return copy;
    }

    private static byte[] repeated(byte[] word, int times) {
        var b = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            b.writeBytes(word);
        }
        return b.toByteArray();
    }

    private static byte[] spliced(byte[] file, int from, int to, byte[] middle) {
        var b = new ByteArrayOutputStream();
        b.write(file, 0, from);
        b.writeBytes(middle);
        b.write(file, to, file.length - to);
        return b.toByteArray();
    }
}
