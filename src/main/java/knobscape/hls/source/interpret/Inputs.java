package knobscape.hls.source.interpret;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import knobscape.hls.source.exact.ExactFunction;
import knobscape.hls.source.exact.ExactProgram;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactVariable;

/// Random arguments for a top function.
public final class Inputs {
    private Inputs() {}

    /// Values of one parameter's numbers.
    ///
    /// @param low least value of integers, and of floating-point numbers
    /// @param high greatest value of integers; floating-point numbers stay below
    /// @param rising whether an array is sorted
    public record Values(long low, long high, boolean rising) {
        public Values {
            if (low > high) {
                throw new IllegalArgumentException("values from " + low + " to " + high);
            }
        }
    }

    /// Floating-point numbers where nothing is said of them.
    public static final Values REALS = new Values(-8, 8, false);

    /// Arguments drawn from `seed`.
    ///
    /// @param elements how many elements stand behind each parameter that is an address
    /// @param values of parameters by name; others draw integers from their whole range
    public static List<byte[]> random(
            ExactProgram program, Map<String, Integer> elements, Map<String, Values> values, long seed) {
        ExactFunction top = program.topFunction();
        var all = new ArrayList<byte[]>();
        for (int i = 0; i < top.parameters(); i++) {
            ExactVariable p = top.variables().get(i);
            boolean address = p.type() instanceof ExactType.Pointer;
            ExactType t = p.type() instanceof ExactType.Pointer a ? a.target() : p.type();
            int n = address ? elements.getOrDefault(p.name(), 1) : 1;
            byte[] bytes = new byte[Math.multiplyExact(n, t.size())];
            var random = new SplittableRandom(seed * 31 + i);
            Values own = values.get(p.name());
            for (int k = 0; k < n; k++) {
                fill(bytes, k * t.size(), t, own, random);
            }
            if (own != null && own.rising() && innermost(t) instanceof ExactType.Int e) {
                sort(bytes, e);
            }
            all.add(bytes);
        }
        return all;
    }

    private static ExactType innermost(ExactType t) {
        return t instanceof ExactType.Array a ? innermost(a.element()) : t;
    }

    private static void fill(
            byte[] bytes, int at, ExactType t, @org.jspecify.annotations.Nullable Values own, SplittableRandom random) {
        switch (t) {
            case ExactType.Array a -> {
                for (int i = 0; i < a.length(); i++) {
                    fill(bytes, at + i * a.element().size(), a.element(), own, random);
                }
            }
            case ExactType.Struct s -> s.fields().forEach(f -> fill(bytes, at + f.offset(), f.type(), own, random));
            case ExactType.Real r -> {
                Values v = own == null ? REALS : own;
                double x = v.low() + random.nextDouble() * ((double) v.high() - v.low());
                put(bytes, at, BigInteger.valueOf(Conversions.bits(x, r)), t.size());
            }
            case ExactType.Bool b -> put(bytes, at, BigInteger.valueOf(random.nextInt(2)), 1);
            case ExactType.Int i -> put(bytes, at, BigInteger.valueOf(integer(i, own, random)), t.size());
            case ExactType.Arbitrary a ->
                put(
                        bytes,
                        at,
                        own == null || a.isWide()
                                ? Conversions.wrap(
                                        new BigInteger(a.bits() + 8, randomBits(random)), a.bits(), a.signed())
                                : BigInteger.valueOf(Conversions.wrap(
                                        random.nextLong(own.low(), own.high() + 1), a.bits(), a.signed())),
                        t.size());
            // Nothing, and addresses inside structures: 0.
            default -> {}
        }
    }

    private static java.util.Random randomBits(SplittableRandom random) {
        return new java.util.Random(random.nextLong());
    }

    private static long integer(
            ExactType.Int t, @org.jspecify.annotations.Nullable Values own, SplittableRandom random) {
        return own == null
                ? Conversions.wrap(random.nextLong(), t.bits(), t.signed())
                : own.high() == Long.MAX_VALUE ? random.nextLong() >>> 1 : random.nextLong(own.low(), own.high() + 1);
    }

    private static void put(byte[] bytes, int at, BigInteger v, int size) {
        byte[] big = v.toByteArray();
        for (int i = 0; i < size; i++) {
            int from = big.length - 1 - i;
            bytes[at + i] = from >= 0 ? big[from] : (byte) (v.signum() < 0 ? -1 : 0);
        }
    }

    private static void sort(byte[] bytes, ExactType.Int e) {
        int n = bytes.length / e.size();
        long[] all = new long[n];
        for (int i = 0; i < n; i++) {
            for (int k = e.size() - 1; k >= 0; k--) {
                all[i] = all[i] << 8 | (bytes[i * e.size() + k] & 0xFF);
            }
            all[i] = Conversions.wrap(all[i], e.bits(), e.signed());
        }
        Arrays.sort(all);
        for (int i = 0; i < n; i++) {
            put(bytes, i * e.size(), BigInteger.valueOf(all[i]), e.size());
        }
    }
}
