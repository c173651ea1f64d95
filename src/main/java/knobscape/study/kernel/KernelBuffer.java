package knobscape.study.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.evaluate.UserError;
import knobscape.study.kernel.KernelJob.Argument;
import knobscape.study.kernel.KernelJob.Content;
import knobscape.study.source.OwnKernel.NumberType;
import knobscape.work.device.ComputeDevice;

/// An argument of a kernel on a device: a number, or memory with its first content.
final class KernelBuffer {
    private static final long SEED = 1;
    private static final int MOST_WHOLE = 100;
    private static final long MOST_BYTES = 1L << 30;
    /// Bytes before and behind a buffer that no kernel may touch.
    private static final int BORDER = 4096;

    private static final int PATTERN = 0x7FF7A5A5;

    private final Argument about;
    private final ComputeDevice.Argument argument;
    /// Memory with its borders, and the part between them.
    private final Optional<Bordered> memory;

    private final ByteBuffer initial;

    private record Bordered(ComputeDevice.Memory whole, ComputeDevice.Memory inner) {}

    /// @param place among the arguments, from 0; it decides what is drawn
    KernelBuffer(ComputeDevice device, Argument about, int place) {
        this.about = about;
        if (about.length() == 0) {
            initial = direct(about.type().bytes());
            put(initial, about.type(), 0, about.value());
            memory = Optional.empty();
            argument = new ComputeDevice.Argument.Scalar(initial);
            return;
        }
        if (about.content() == Content.SHARED) {
            initial = direct(0);
            memory = Optional.empty();
            argument = new ComputeDevice.Argument.Shared(bytes());
            return;
        }
        if (bytes() > MOST_BYTES) {
            throw new UserError("Argument " + (place + 1) + " has " + about.length()
                    + " elements; a buffer holds at most " + (MOST_BYTES >> 20) + " MiB.");
        }
        initial = first(place);
        long inner = (bytes() + 3) / 4 * 4;
        ComputeDevice.Memory whole = device.allocate(inner + 2 * BORDER);
        whole.fill(PATTERN);
        memory = Optional.of(new Bordered(whole, whole.part(BORDER, inner)));
        argument = new ComputeDevice.Argument.Address(memory.get().inner());
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private ByteBuffer first(int place) {
        int bytes = Math.toIntExact(bytes());
        if (about.content() == Content.FILE) {
            return read(Path.of(about.file()), bytes);
        }
        if (about.content() == Content.NOTHING) {
            return direct(0);
        }
        ByteBuffer values = direct(bytes);
        var random = new SplittableRandom(SEED + place);
        boolean real = isReal();
        for (int i = 0; i < about.length(); i++) {
            put(
                    values,
                    about.type(),
                    i,
                    about.content() == Content.CONSTANT
                            ? about.value()
                            : real ? random.nextDouble(-1, 1) : random.nextInt(MOST_WHOLE));
        }
        return values;
    }

    private boolean isReal() {
        return about.type() == NumberType.FLOAT || about.type() == NumberType.DOUBLE;
    }

    static long bytes(Argument a) {
        return a.length() * a.type().bytes();
    }

    private long bytes() {
        return bytes(about);
    }

    boolean isOutput() {
        return about.isOutput();
    }

    /// True if a run finds what the run before it left.
    boolean isReadAndWritten() {
        return about.isOutput() && about.content() != Content.NOTHING;
    }

    ComputeDevice.Argument argument() {
        return argument;
    }

    /// Puts the first content in; where there is none, the pattern.
    void fill() {
        memory.ifPresent(m -> {
            if (about.content() == Content.NOTHING) {
                m.inner().fill(PATTERN);
            } else {
                m.inner().write(initial);
            }
        });
    }

    /// The buffer's content, without its border.
    ByteBuffer content() {
        ByteBuffer values = direct(Math.toIntExact(bytes()));
        memory.orElseThrow().inner().read(values);
        return values;
    }

    /// How the kernel went where it must not, in words; empty where it did not.
    Optional<String> trespass() {
        if (memory.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer all = direct(Math.toIntExact(memory.get().whole().bytes()));
        memory.get().whole().read(all);
        int end = BORDER + Math.toIntExact(bytes());
        if (!isUntouched(all, 0, BORDER)) {
            return Optional.of("it writes before the beginning of");
        }
        if (!isUntouched(all, end, all.capacity())) {
            return Optional.of("it writes behind the end of");
        }
        return isOutput() || all.slice(BORDER, end - BORDER).equals(initial)
                ? Optional.empty()
                : Optional.of("it writes into what is no output,");
    }

    private static boolean isUntouched(ByteBuffer content, int from, int to) {
        for (int i = from; i < to; i++) {
            int at = i % 4;
            int shift = 8 * (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? at : 3 - at);
            if (content.get(i) != (byte) (PATTERN >>> shift)) {
                return false;
            }
        }
        return true;
    }

    /// The right content of a file, where one is named.
    static Optional<ByteBuffer> expected(Argument a) {
        return a.expected().isEmpty()
                ? Optional.empty()
                : Optional.of(read(Path.of(a.expected()), Math.toIntExact(bytes(a))));
    }

    /// Where two contents differ by more than allowed, in words. Whole numbers must be equal; of real ones the
    /// difference is compared with the value's size and with the root of the mean square of the right ones,
    /// for sums that nearly cancel.
    Optional<String> difference(ByteBuffer content, ByteBuffer right, double tolerance) {
        if (about.isSum()) {
            return differenceOfSums(content, right, tolerance);
        }
        if (content.capacity() != right.capacity()) {
            return Optional.of(about.length() + " elements; right are "
                    + right.capacity() / about.type().bytes());
        }
        double square = 0;
        for (int i = 0; i < about.length(); i++) {
            double v = get(right, about.type(), i);
            square += Double.isFinite(v) ? v * v : 0;
        }
        double size = isReal() ? Math.sqrt(square / about.length()) : 0;
        long wrong = 0;
        int worst = -1;
        for (int i = 0; i < about.length(); i++) {
            double a = get(content, about.type(), i);
            double b = get(right, about.type(), i);
            boolean same = isReal()
                    ? Double.compare(a, b) == 0 || Math.abs(a - b) <= tolerance * (Math.abs(b) + size)
                    : isEqual(content, right, i);
            if (!same) {
                wrong++;
                worst = worst < 0 ? i : worst;
            }
        }
        return wrong == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        isReal()
                                ? "%d of %d elements, the first is %d: %.6g instead of %.6g"
                                : "%d of %d elements, the first is %d: %.0f instead of %.0f",
                        wrong,
                        about.length(),
                        worst,
                        get(content, about.type(), worst),
                        get(right, about.type(), worst)));
    }

    /// Whole numbers overflow as the kernel's do; a real sum is compared with the root of the sum of squares, too.
    private Optional<String> differenceOfSums(ByteBuffer content, ByteBuffer right, double tolerance) {
        double[] sums = new double[2];
        long[] whole = new long[2];
        double squares = 0;
        for (int side = 0; side < 2; side++) {
            ByteBuffer values = side == 0 ? content : right;
            for (int i = 0; i < values.capacity() / about.type().bytes(); i++) {
                double v = get(values, about.type(), i);
                sums[side] += v;
                whole[side] += (long) v;
                squares += side * v * v;
            }
        }
        int unused = Long.SIZE - Byte.SIZE * about.type().bytes();
        boolean same = isReal()
                ? Math.abs(sums[0] - sums[1]) <= tolerance * (Math.abs(sums[1]) + Math.sqrt(squares))
                : whole[0] << unused == whole[1] << unused;
        return same
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, "its sum is %.9g instead of %.9g", sums[0], sums[1]));
    }

    private boolean isEqual(ByteBuffer a, ByteBuffer b, int i) {
        int n = about.type().bytes();
        for (int k = i * n; k < (i + 1) * n; k++) {
            if (a.get(k) != b.get(k)) {
                return false;
            }
        }
        return true;
    }

    private static void put(ByteBuffer values, NumberType type, int i, double v) {
        switch (type) {
            case FLOAT -> values.putFloat(4 * i, (float) v);
            case DOUBLE -> values.putDouble(8 * i, v);
            case CHAR, UCHAR -> values.put(i, (byte) (long) v);
            case SHORT, USHORT -> values.putShort(2 * i, (short) (long) v);
            case INT, UINT -> values.putInt(4 * i, (int) (long) v);
            case LONG, ULONG -> values.putLong(8 * i, (long) v);
        }
    }

    private static double get(ByteBuffer values, NumberType type, int i) {
        return switch (type) {
            case FLOAT -> values.getFloat(4 * i);
            case DOUBLE -> values.getDouble(8 * i);
            case CHAR -> values.get(i);
            case UCHAR -> Byte.toUnsignedInt(values.get(i));
            case SHORT -> values.getShort(2 * i);
            case USHORT -> Short.toUnsignedInt(values.getShort(2 * i));
            case INT -> values.getInt(4 * i);
            case UINT -> Integer.toUnsignedLong(values.getInt(4 * i));
            case LONG, ULONG -> values.getLong(8 * i);
        };
    }

    /// The first bytes of a file; throws [UserError] where it is shorter.
    static ByteBuffer read(Path file, int bytes) {
        ByteBuffer values = direct(bytes);
        try (FileChannel in = FileChannel.open(file)) {
            while (values.hasRemaining()) {
                if (in.read(values) < 0) {
                    throw new UserError(
                            "'" + file + "' holds " + values.position() + " bytes; the buffer has " + bytes + ".");
                }
            }
        } catch (IOException e) {
            throw new UserError("Cannot read '" + file + "': " + UserError.reason(e) + ".", e);
        }
        return values.flip();
    }

    void close() {
        memory.ifPresent(m -> {
            m.inner().close();
            m.whole().close();
        });
    }
}
