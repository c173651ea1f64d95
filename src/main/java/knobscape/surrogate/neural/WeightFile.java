package knobscape.surrogate.neural;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Files of weights: one line of JSON that says what it is, then numbers, 4 bytes each, lowest byte first.
/// Reading allocates only what the file really holds, and nothing in a file is run.
///
/// @param header the line, whose keys `numbers` and `crc32` are those of this class
/// @param numbers all of them, finite
public record WeightFile(JsonFields header, float[] numbers) {
    private static final int LONGEST_HEADER = 1 << 16;
    private static final long LARGEST = 1L << 28;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// The bytes of a file.
    ///
    /// @param header gets the keys `numbers` and `crc32`
    /// @param parts the numbers, one part after the other
    public static byte[] bytes(ObjectNode header, float[]... parts) {
        int count = Arrays.stream(parts).mapToInt(p -> p.length).sum();
        ByteBuffer numbers = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (float[] part : parts) {
            for (float v : part) {
                numbers.putFloat(v);
            }
        }
        header.put("numbers", count).put("crc32", crc(numbers.array()));
        byte[] line = (JSON.writeValueAsString(header) + "\n").getBytes(StandardCharsets.UTF_8);
        if (line.length > LONGEST_HEADER) {
            throw new UserError("A model cannot be kept whose networks and command take more than " + LONGEST_HEADER
                    + " bytes to name.");
        }
        var out = new ByteArrayOutputStream();
        out.writeBytes(line);
        out.writeBytes(numbers.array());
        return out.toByteArray();
    }

    private static long crc(byte[] bytes) {
        var crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    /// Reads a file. Throws [UserError] naming it where there is none, or it is something else or damaged.
    ///
    /// @param what what it should hold (`sequence model`)
    /// @param format value of its key `format`
    /// @param version newest known
    public static WeightFile read(Path file, String what, String format, int version) {
        try {
            if (Files.isDirectory(file)) {
                throw new UserError("'" + file + "' is a folder; name a file with a " + what + ".");
            }
            return parse(file.toString(), InputFile.bytes(file, LARGEST), what, format, version);
        } catch (NoSuchFileException e) {
            throw new UserError("There is no file '" + file + "'.", e);
        } catch (IOException e) {
            throw new UserError("Cannot read '" + file + "': " + e.getMessage() + ".", e);
        }
    }

    /// As [#read], from its bytes.
    public static WeightFile parse(String name, byte[] bytes, String what, String format, int version) {
        int end = 0;
        while (end < Math.min(bytes.length, LONGEST_HEADER) && bytes[end] != '\n') {
            end++;
        }
        if (end >= Math.min(bytes.length, LONGEST_HEADER)) {
            throw new UserError("'" + name + "' is no " + what + ": it does not begin with a line that says so.");
        }
        JsonFields f = JsonFields.parse(name, new String(bytes, 0, end, StandardCharsets.UTF_8));
        f.checkFormat(format, version);
        byte[] rest = Arrays.copyOfRange(bytes, end + 1, bytes.length);
        if (rest.length % Float.BYTES != 0
                || rest.length / Float.BYTES != count(f, "numbers", 1, Integer.MAX_VALUE / Float.BYTES)
                || crc(rest) != f.whole("crc32").orElse(-1L)) {
            throw new UserError("'" + name + "' is damaged: its numbers are not those it was written with.");
        }
        float[] numbers = new float[rest.length / Float.BYTES];
        ByteBuffer.wrap(rest).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(numbers);
        for (float v : numbers) {
            if (!Float.isFinite(v)) {
                throw new UserError("'" + name + "' is damaged: a weight is not a finite number.");
            }
        }
        return new WeightFile(f, numbers);
    }

    /// A whole number that must be there; throws [UserError] naming the bounds.
    public static int count(JsonFields f, String key, int least, int most) {
        long v = f.whole(key).orElseThrow(() -> f.wrong(key, "given"));
        if (v < least || v > most) {
            throw f.wrong(key, "a whole number from " + least + " to " + most);
        }
        return (int) v;
    }
}
