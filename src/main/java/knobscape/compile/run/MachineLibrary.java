package knobscape.compile.run;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.compile.Transformation;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrType;
import knobscape.compile.run.Frame.Step;

/// The compiler's own functions, those of the C library, and queues. `sqrt`, `fabs`, `floor` and their like are exact;
/// of
/// `exp`, `sin` and their like C fixes no last bit: here it is that of the number nearest to what `StrictMath`
/// computes.
/// Output that is printed or written goes nowhere.
final class MachineLibrary {
    private static final Map<String, DoubleUnaryOperator> ONE = Map.ofEntries(
            Map.entry("sqrt", Math::sqrt),
            Map.entry("fabs", Math::abs),
            Map.entry("floor", Math::floor),
            Map.entry("ceil", Math::ceil),
            Map.entry("trunc", v -> v < 0 ? Math.ceil(v) : Math.floor(v)),
            Map.entry("rint", Math::rint),
            Map.entry("nearbyint", Math::rint),
            Map.entry("roundeven", Math::rint),
            Map.entry("round", v -> Math.copySign(rounded(Math.abs(v)), v)),
            Map.entry("exp", StrictMath::exp),
            Map.entry("exp2", v -> StrictMath.pow(2, v)),
            Map.entry("expm1", StrictMath::expm1),
            Map.entry("log", StrictMath::log),
            Map.entry("log2", v -> StrictMath.log(v) / StrictMath.log(2)),
            Map.entry("log10", StrictMath::log10),
            Map.entry("log1p", StrictMath::log1p),
            Map.entry("sin", StrictMath::sin),
            Map.entry("cos", StrictMath::cos),
            Map.entry("tan", StrictMath::tan),
            Map.entry("asin", StrictMath::asin),
            Map.entry("acos", StrictMath::acos),
            Map.entry("atan", StrictMath::atan),
            Map.entry("sinh", StrictMath::sinh),
            Map.entry("cosh", StrictMath::cosh),
            Map.entry("tanh", StrictMath::tanh),
            Map.entry("cbrt", StrictMath::cbrt));
    private static final Map<String, DoubleBinaryOperator> TWO = Map.ofEntries(
            Map.entry("pow", StrictMath::pow),
            Map.entry("fmod", (a, b) -> a % b),
            Map.entry("atan2", StrictMath::atan2),
            Map.entry("hypot", StrictMath::hypot),
            Map.entry("fmin", MachineLibrary::least),
            Map.entry("fmax", MachineLibrary::greatest),
            Map.entry("minnum", MachineLibrary::least),
            Map.entry("maxnum", MachineLibrary::greatest),
            Map.entry("copysign", Math::copySign),
            Map.entry("fdim", (a, b) -> a > b ? a - b : 0));
    private static final Pattern INTRINSIC = Pattern.compile("llvm\\.([a-z_.]+?)(?:\\.(?:p0|[if]\\d+|v\\d+\\w+))*");
    private static final Set<String> NOTHING = Set.of(
            "lifetime.start",
            "lifetime.end",
            "assume",
            "dbg.declare",
            "dbg.value",
            "dbg.label",
            "stackrestore",
            "donothing",
            "sideeffect",
            "experimental.noalias.scope.decl",
            "invariant.start",
            "invariant.end",
            "prefetch");
    /// Of the standard library's classes for text, as the compiler calls them: they write only.
    private static final Pattern WRITTEN = Pattern.compile(
            "_ZNK?St(?:7ostream|8ofstream|12stringstream|6string)\\w*|_ZSt(?:4endl|5flush|3hex|3dec|5fixed|10scientific|4left|5right)\\w*|_ZSt(?:4setw|12setprecision|7setfill)\\w*|_ZStpl\\w*|_ZSt9to_string\\w*");
    private static final Set<String> PRINTED =
            Set.of("printf", "fprintf", "puts", "putchar", "fflush", "fclose", "system", "fwrite", "remove", "time");
    private static final long LARGEST = 1L << 30;
    private static final int QUEUE = 1 << 16;

    private final MachineMemory memory;
    private final LibraryRandom random = new LibraryRandom();
    /// Elements taken from and put into each queue so far, by its address.
    private final Map<Long, long[]> queues = new HashMap<>();

    private final Map<Long, Long> sizes = new HashMap<>();

    /// The program ended itself.
    static final class Exit extends RuntimeException {
        private static final long serialVersionUID = 1;

        Exit() {
            super("", null, false, false);
        }
    }

    MachineLibrary(MachineMemory memory) {
        this.memory = memory;
    }

    private static double rounded(double v) {
        double floor = Math.floor(v);
        return v - floor >= 0.5 ? floor + 1 : floor;
    }

    private static double least(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
    }

    private static double greatest(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
    }

    /// True if a call computes nothing: a marker of ours, or a word to the compiler.
    static boolean isNothing(String name) {
        Matcher m = INTRINSIC.matcher(name);
        return Transformation.isMarker(name) || (m.matches() && NOTHING.contains(m.group(1)));
    }

    /// One of the compiler's own functions; empty for other names. Throws [Ended] for one that is not run.
    Optional<Step> intrinsic(String name, IrInstruction i, int[] from) {
        Matcher m = INTRINSIC.matcher(name);
        if (!m.matches()) {
            return Optional.empty();
        }
        String what = m.group(1);
        int to = i.id();
        return Optional.of(
                switch (what) {
                    case "memcpy", "memmove", "memcpy.inline" ->
                        f -> memory.copy(f.narrow[from[0]], f.narrow[from[1]], count(f.narrow[from[2]]));
                    case "memset" ->
                        f -> memory.fill(f.narrow[from[0]], (byte) f.narrow[from[1]], count(f.narrow[from[2]]));
                    case "stacksave" -> f -> f.narrow[to] = 0;
                    case "expect" -> f -> f.narrow[to] = f.narrow[from[0]];
                    case "trap" ->
                        _ -> {
                            throw new Ended("reaches code that C gives no meaning");
                        };
                    case "fmuladd", "fma" -> multiplied(i, what.equals("fma"), from);
                    default ->
                        i.type() instanceof IrType.Real(int bits) ? real(what, bits, to, from) : whole(what, i, from);
                });
    }

    private static Step multiplied(IrInstruction i, boolean once, int[] from) {
        int bits = MachineOperations.realBits(i.type());
        int to = i.id();
        return f -> {
            double a = Numbers.real(f.narrow[from[0]], bits);
            double b = Numbers.real(f.narrow[from[1]], bits);
            double c = Numbers.real(f.narrow[from[2]], bits);
            double product = once ? 0 : Numbers.real(Numbers.bits(a * b, bits), bits);
            double sum = !once
                    ? product + c
                    : bits == Float.SIZE ? Math.fma((float) a, (float) b, (float) c) : Math.fma(a, b, c);
            f.narrow[to] = Numbers.bits(sum, bits);
        };
    }

    private static Step real(String what, int bits, int to, int[] from) {
        DoubleUnaryOperator one = ONE.get(what);
        if (one != null) {
            return f -> f.narrow[to] = Numbers.bits(one.applyAsDouble(Numbers.real(f.narrow[from[0]], bits)), bits);
        }
        DoubleBinaryOperator two = TWO.get(what);
        if (two == null) {
            throw new Ended("needs llvm." + what + ", which is not run here");
        }
        return f -> f.narrow[to] = Numbers.bits(
                two.applyAsDouble(Numbers.real(f.narrow[from[0]], bits), Numbers.real(f.narrow[from[1]], bits)), bits);
    }

    private static Step whole(String what, IrInstruction i, int[] from) {
        int width = MachineOperations.bits(i);
        int to = i.id();
        if (width > Long.SIZE) {
            throw MachineOperations.unknown(i);
        }
        return switch (what) {
            case "smax" -> f -> f.narrow[to] = Math.max(f.narrow[from[0]], f.narrow[from[1]]);
            case "smin" -> f -> f.narrow[to] = Math.min(f.narrow[from[0]], f.narrow[from[1]]);
            case "umax" ->
                f -> f.narrow[to] = Long.compareUnsigned(f.narrow[from[0]], f.narrow[from[1]]) > 0
                        ? f.narrow[from[0]]
                        : f.narrow[from[1]];
            case "umin" ->
                f -> f.narrow[to] = Long.compareUnsigned(f.narrow[from[0]], f.narrow[from[1]]) < 0
                        ? f.narrow[from[0]]
                        : f.narrow[from[1]];
            case "abs" -> f -> f.narrow[to] = Numbers.signed(Math.abs(f.narrow[from[0]]), width);
            case "ctpop" ->
                f -> f.narrow[to] = Numbers.signed(Long.bitCount(Numbers.unsigned(f.narrow[from[0]], width)), width);
            case "ctlz" ->
                f -> f.narrow[to] = Numbers.signed(
                        Long.numberOfLeadingZeros(Numbers.unsigned(f.narrow[from[0]], width)) - (Long.SIZE - width),
                        width);
            case "cttz" ->
                f -> f.narrow[to] =
                        Numbers.signed(Math.min(width, Long.numberOfTrailingZeros(f.narrow[from[0]])), width);
            case "bswap" ->
                f -> f.narrow[to] = Numbers.signed(Long.reverseBytes(f.narrow[from[0]]) >>> (Long.SIZE - width), width);
            case "fshl", "fshr" -> funnel(what.equals("fshl"), width, to, from);
            case "uadd.sat", "usub.sat" -> saturated(what.equals("uadd.sat"), width, to, from);
            default -> throw new Ended("needs llvm." + what + ", which is not run here");
        };
    }

    /// At the largest number, or at 0.
    private static Step saturated(boolean sum, int width, int to, int[] from) {
        return f -> {
            long a = f.narrow[from[0]];
            long b = f.narrow[from[1]];
            long made = Numbers.signed(sum ? a + b : a - b, width);
            boolean beyond = sum ? Long.compareUnsigned(made, a) < 0 : Long.compareUnsigned(a, b) < 0;
            f.narrow[to] = beyond ? (sum ? -1 : 0) : made;
        };
    }

    private static Step funnel(boolean left, int width, int to, int[] from) {
        return f -> {
            BigInteger both = Numbers.unsigned(BigInteger.valueOf(f.narrow[from[0]]), width)
                    .shiftLeft(width)
                    .or(Numbers.unsigned(BigInteger.valueOf(f.narrow[from[1]]), width));
            int by = (int) Long.remainderUnsigned(Numbers.unsigned(f.narrow[from[2]], width), width);
            BigInteger moved = left ? both.shiftLeft(by).shiftRight(width) : both.shiftRight(by);
            f.narrow[to] = Numbers.signed(moved.longValue(), width);
        };
    }

    private static long count(long bytes) {
        if (bytes < 0 || bytes > LARGEST) {
            throw new Ended("handles " + bytes + " bytes at once");
        }
        return bytes;
    }

    /// A function without a body; gives the bits of its result.
    long call(String name, IrInstruction i, long[] a) {
        if (Transformation.QUEUES.contains(name)) {
            return queue(name, a[0]);
        }
        if (PRINTED.contains(name)) {
            return 0;
        }
        if (WRITTEN.matcher(name).matches()) {
            return a.length > 0 ? a[0] : 0;
        }
        if (i.type() instanceof IrType.Real(int bits)) {
            String plain = bits == Float.SIZE && name.endsWith("f") ? name.substring(0, name.length() - 1) : name;
            DoubleUnaryOperator one = ONE.get(plain);
            DoubleBinaryOperator two = TWO.get(plain);
            if (one != null) {
                return Numbers.bits(one.applyAsDouble(Numbers.real(a[0], bits)), bits);
            }
            if (two != null) {
                return Numbers.bits(two.applyAsDouble(Numbers.real(a[0], bits), Numbers.real(a[1], bits)), bits);
            }
        }
        return other(name, a);
    }

    private long other(String name, long[] a) {
        switch (name) {
            case "memcpy", "memmove" -> memory.copy(a[0], a[1], count(a[2]));
            case "memset" -> memory.fill(a[0], (byte) a[1], count(a[2]));
            case "rand" -> {
                return random.next();
            }
            case "srand" -> random.seed((int) a[0]);
            case "abs", "labs" -> {
                return Math.abs(a[0]);
            }
            case "malloc", "_Znwm", "_Znam" -> {
                return allocated(a[0]);
            }
            case "calloc" -> {
                return allocated(Math.multiplyExact(a[0], a[1]));
            }
            case "realloc" -> {
                long at = allocated(a[1]);
                memory.copy(at, a[0], Math.min(a[1], sizes.getOrDefault(a[0], 0L)));
                return at;
            }
            case "free", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm" -> {}
            case "exit" -> throw new Exit();
            case "abort" -> throw new Ended("aborts itself");
            case "fopen" -> {
                String mode = text(a[1]);
                if (!mode.startsWith("w") && !mode.startsWith("a")) {
                    throw new Ended("opens a file to read ('fopen'), which is not done here");
                }
                return allocated(1);
            }
            default -> throw new Ended("calls '" + name + "', which is not known here");
        }
        return a.length > 0 ? a[0] : 0;
    }

    private long allocated(long bytes) {
        long at = memory.allocate(Math.max(1, count(bytes)));
        sizes.put(at, bytes);
        return at;
    }

    private String text(long at) {
        var out = new StringBuilder();
        IrType letter = new IrType.Int(Byte.SIZE);
        for (long p = at; out.length() < Byte.MAX_VALUE; p++) {
            long c = memory.load(p, letter);
            if (c == 0) {
                break;
            }
            out.append((char) c);
        }
        return out.toString();
    }

    /// Which element of a queue comes next.
    private long queue(String name, long at) {
        long[] ends = queues.computeIfAbsent(at, _ -> new long[2]);
        boolean some = ends[0] < ends[1];
        return switch (name) {
            case "__kn_poll" -> some ? -1 : 0;
            case "__kn_rd" -> {
                if (!some) {
                    throw new Ended("reads from an empty stream");
                }
                yield ends[0]++ % QUEUE;
            }
            default -> {
                if (ends[1] - ends[0] >= QUEUE) {
                    throw new Ended("fills a stream with more than " + QUEUE + " elements");
                }
                yield ends[1]++ % QUEUE;
            }
        };
    }
}
