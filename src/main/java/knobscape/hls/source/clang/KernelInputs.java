package knobscape.hls.source.clang;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import knobscape.compile.ir.IrDebugType;
import knobscape.compile.ir.IrFunction;
import knobscape.hls.source.ScalarType;
import org.jspecify.annotations.Nullable;

/// Random arguments for a function.
public final class KernelInputs {
    private static final int MARGIN = 8;
    private static final String RESULT = "agg.result";

    private KernelInputs() {}

    /// Values of one parameter's numbers.
    ///
    /// @param low least value of integers, and of floating-point numbers
    /// @param high greatest value of integers; floating-point numbers stay below
    /// @param rising whether an array is sorted
    public record Values(long low, long high, boolean rising) {
        /// Floating-point numbers where nothing is said of them.
        public static final Values REALS = new Values(-8, 8, false);

        public Values {
            if (low > high) {
                throw new IllegalArgumentException("values from " + low + " to " + high);
            }
        }
    }

    /// A parameter of the source.
    ///
    /// @param index among the arguments of the compiled function
    /// @param address whether what it leads to is drawn, not itself
    /// @param type of what is drawn
    public record Parameter(String name, int index, boolean address, IrDebugType type) {
        /// Bytes of one element.
        public long bytes() {
            return Math.max(1, bytesOf(type));
        }

        /// Type of its innermost elements.
        public ScalarType element() {
            return DebugTypes.element(innermost(type));
        }

        /// True if integers are among what is drawn.
        public boolean isWhole() {
            return KernelInputs.isWhole(type);
        }
    }

    /// The parameters of a function, in order.
    public static List<Parameter> parameters(IrFunction f) {
        int first = hasResultAddress(f) ? 1 : 0;
        var all = new ArrayList<Parameter>();
        for (IrFunction.IrVariable v : f.variables()) {
            if (v.argument() > first && all.stream().noneMatch(p -> p.index() == v.argument() - 1)) {
                boolean address = DebugTypes.plain(v.type()) instanceof IrDebugType.Address;
                IrDebugType type = DebugTypes.plain(v.type()) instanceof IrDebugType.Address(IrDebugType to, boolean _)
                        ? to
                        : v.type();
                all.add(new Parameter(v.name(), v.argument() - 1, address, type));
            }
        }
        all.sort(java.util.Comparator.comparingInt(Parameter::index));
        return all;
    }

    /// True if the first argument says where the result goes.
    static boolean hasResultAddress(IrFunction f) {
        return !f.arguments().isEmpty()
                && f.arguments().getFirst().pointee().isPresent()
                && f.arguments().getFirst().name().equals(RESULT);
    }

    /// Arguments drawn from `seed`, as they lie in memory.
    ///
    /// @param elements how many elements stand behind each parameter that is an address
    /// @param values of parameters by name; others draw integers from their whole range
    public static List<byte[]> random(
            List<Parameter> parameters, Map<String, Integer> elements, Map<String, Values> values, long seed) {
        var all = new ArrayList<byte[]>();
        for (int i = 0; i < parameters.size(); i++) {
            Parameter p = parameters.get(i);
            int n = p.address() ? elements.getOrDefault(p.name(), 1) : 1;
            int size = (int) p.bytes();
            byte[] bytes = new byte[Math.multiplyExact(n, size)];
            var random = new SplittableRandom(seed * 31 + i);
            Values own = values.get(p.name());
            for (int k = 0; k < n; k++) {
                fill(bytes, k * size, p.type(), own, random);
            }
            if (own != null && own.rising()) {
                whole(innermost(p.type()))
                        .filter(w -> w.bits() <= Long.SIZE)
                        .ifPresent(w -> sort(bytes, w, (int) bytesOf(innermost(p.type()))));
            }
            all.add(bytes);
        }
        return all;
    }

    private static IrDebugType innermost(IrDebugType t) {
        return DebugTypes.plain(t) instanceof IrDebugType.Elements e ? innermost(e.element()) : t;
    }

    static long bytesOf(IrDebugType t) {
        IrDebugType plain = DebugTypes.plain(t);
        return plain instanceof IrDebugType.Elements e
                ? e.dims().stream().reduce(bytesOf(e.element()), (a, b) -> a * Math.max(1, b))
                : plain.bits() / Byte.SIZE;
    }

    private static boolean isWhole(IrDebugType t) {
        return switch (DebugTypes.plain(t)) {
            case IrDebugType.Elements e -> isWhole(e.element());
            case IrDebugType.Composite c ->
                whole(c).isPresent() || c.members().stream().anyMatch(m -> isWhole(m.type()));
            case IrDebugType other -> whole(other).isPresent();
        };
    }

    /// The type of an integer.
    private static Optional<ScalarType> whole(IrDebugType t) {
        return Optional.of(DebugTypes.element(t)).filter(s -> s.kind() == ScalarType.Kind.INTEGER);
    }

    private static void fill(byte[] bytes, int at, IrDebugType type, @Nullable Values own, SplittableRandom random) {
        int size = (int) bytesOf(type);
        ScalarType scalar = DebugTypes.element(type);
        switch (DebugTypes.plain(type)) {
            case IrDebugType.Elements e -> {
                int each = (int) Math.max(1, bytesOf(e.element()));
                for (int k = 0; k < size / each; k++) {
                    fill(bytes, at + k * each, e.element(), own, random);
                }
            }
            case IrDebugType.Composite c
            when scalar.kind() == ScalarType.Kind.INTEGER || scalar.kind() == ScalarType.Kind.FIXED ->
                put(bytes, at, arbitrary(scalar, own, random), size);
            // A queue is empty.
            case IrDebugType.Composite c
            when DebugTypes.streamed(c).isEmpty() ->
                c.members().forEach(m -> fill(bytes, at + (int) (m.offset() / Byte.SIZE), m.type(), own, random));
            case IrDebugType.Basic b
            when b.encoding() == IrDebugType.Encoding.BOOLEAN ->
                put(bytes, at, BigInteger.valueOf(random.nextInt(2)), 1);
            case IrDebugType.Basic b
            when b.encoding() == IrDebugType.Encoding.FLOATING -> {
                Values v = own == null ? Values.REALS : own;
                double x = v.low() + random.nextDouble() * ((double) v.high() - v.low());
                put(bytes, at, BigInteger.valueOf(real(x, size)), size);
            }
            case IrDebugType.Basic _, IrDebugType.Enumeration _ ->
                put(bytes, at, BigInteger.valueOf(integer(size, scalar.signed(), own, random)), size);
            // Nothing, and addresses inside structures: 0.
            default -> {}
        }
    }

    private static BigInteger arbitrary(ScalarType t, @Nullable Values own, SplittableRandom random) {
        if (own == null || t.bits() > Long.SIZE) {
            return wrap(new BigInteger(t.bits() + MARGIN, new Random(random.nextLong())), t.bits(), t.signed());
        }
        return wrap(BigInteger.valueOf(random.nextLong(own.low(), own.high() + 1)), t.bits(), t.signed());
    }

    private static BigInteger wrap(BigInteger x, int bits, boolean signed) {
        BigInteger low = x.and(BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE));
        return signed && low.testBit(bits - 1) ? low.subtract(BigInteger.ONE.shiftLeft(bits)) : low;
    }

    private static long real(double x, int size) {
        return switch (size) {
            case Short.BYTES -> Float.floatToFloat16((float) x);
            case Float.BYTES -> Float.floatToRawIntBits((float) x);
            default -> Double.doubleToRawLongBits(x);
        };
    }

    private static long integer(int size, boolean signed, @Nullable Values own, SplittableRandom random) {
        return own == null
                ? wrap(BigInteger.valueOf(random.nextLong()), size * Byte.SIZE, signed)
                        .longValue()
                : own.high() == Long.MAX_VALUE ? random.nextLong() >>> 1 : random.nextLong(own.low(), own.high() + 1);
    }

    private static void put(byte[] bytes, int at, BigInteger v, int size) {
        byte[] big = v.toByteArray();
        for (int i = 0; i < size; i++) {
            int from = big.length - 1 - i;
            bytes[at + i] = from >= 0 ? big[from] : (byte) (v.signum() < 0 ? -1 : 0);
        }
    }

    private static void sort(byte[] bytes, ScalarType type, int size) {
        long[] all = new long[bytes.length / size];
        for (int i = 0; i < all.length; i++) {
            long x = 0;
            for (int k = size - 1; k >= 0; k--) {
                x = x << Byte.SIZE | (bytes[i * size + k] & 0xFF);
            }
            all[i] = wrap(BigInteger.valueOf(x), Math.min(Long.SIZE, type.bits()), type.signed())
                    .longValue();
        }
        Arrays.sort(all);
        for (int i = 0; i < all.length; i++) {
            put(bytes, i * size, BigInteger.valueOf(all[i]), size);
        }
    }
}
