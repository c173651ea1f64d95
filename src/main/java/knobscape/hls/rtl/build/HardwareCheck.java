package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.compile.run.IrMachine;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.rtl.RtlSimulator;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.clang.KernelInputs;
import knobscape.hls.source.clang.KernelInputs.Parameter;
import knobscape.hls.source.clang.KernelRun;

/// Runs a design and the kernel as it is written on the same random inputs. The kernel runs from its own compiled code
/// without any of the passes that hardware is made with.
public final class HardwareCheck {
    private static final long STEPS = 400_000_000;
    /// By how much the steps on further kinds of inputs are fewer.
    private static final long AGAIN = 20;
    /// Cycles between two looks at the signal.
    private static final long LOOK = 20_000;
    /// Work of a simulation at most, as [RtlSimulator#work] counts it: about a minute.
    private static final long MOST_WORK = 500_000_000;
    /// How many times as much what has run so far must promise for the rest not to be waited for.
    private static final long HOPELESS = 4;
    /// Cycles of a run at most.
    private static final long MOST_CYCLES = 30_000_000;
    /// Inputs on which a small design is run, and cycles after which no more follow.
    private static final long MOST_RUNS = 8;

    private static final long MANY_CYCLES = 20_000;
    private static final int INFINITE = 0x7F800000;
    private static final int EXPONENT = 0x7F800000;

    private final KernelRun run;
    private final long mostWork;
    private final HardwareBuilder builder;
    private final Map<Long, Expected> known = new HashMap<>();

    private record Expected(List<byte[]> arguments, KernelRun.Outcome outcome) {}

    /// The result of a check.
    ///
    /// @param difference a sentence about the first difference, empty where there is none
    /// @param cycles from start to the end
    /// @param vectors what went in and came out
    public record Result(Optional<String> difference, long cycles, Vectors vectors) {}

    /// The values that a run of a design was given and those it left.
    ///
    /// @param scalars by input of the module
    /// @param before words of the arguments' memories at the start, by memory
    /// @param after the same at the end
    /// @param result bits of what is returned
    public record Vectors(
            Map<String, Long> scalars, Map<String, long[]> before, Map<String, long[]> after, OptionalLong result) {
        public Vectors {
            scalars = Map.copyOf(scalars);
            before = Map.copyOf(before);
            after = Map.copyOf(after);
        }
    }

    /// Cycles that the schedule says for the same inputs.
    public long scheduled(HardwareDesign design, long seed) {
        return design.cycles(expected(seed).arguments(), STEPS);
    }

    /// Throws [NotBuildable] where the kernel cannot be run.
    ///
    /// @param builder of the designs
    public HardwareCheck(CompiledSource source, Kernel kernel, HardwareBuilder builder, CancellationSignal cancel) {
        this(source, kernel, builder, MOST_WORK, cancel);
    }

    /// @param mostWork of a check, as [RtlSimulator#work] counts it
    HardwareCheck(
            CompiledSource source, Kernel kernel, HardwareBuilder builder, long mostWork, CancellationSignal cancel) {
        this.builder = builder;
        this.mostWork = mostWork;
        run = KernelRun.of(source, kernel.top(), cancel)
                .orElseThrow(() -> new NotBuildable("the kernel has no body to run"));
    }

    /// Runs a design on random inputs, small ones on several, and compares results and cycles with the kernel and
    /// the schedule: the first run that differs, or else the first. Throws [NotBuildable] where that would take too
    /// long, so that nothing unchecked is a result.
    ///
    /// @param cancel ends it with a `CancellationException`
    public Result check(HardwareDesign design, CancellationSignal cancel) {
        Optional<Result> first = Optional.empty();
        var s = new RtlSimulator(design.module());
        long sum = 0;
        for (long seed = 1; seed <= MOST_RUNS && sum < MANY_CYCLES; seed++) {
            long cycles;
            try {
                cycles = scheduled(design, seed);
            } catch (NotBuildable e) {
                if (first.isEmpty()) {
                    throw e;
                }
                continue;
            }
            if (cycles > MOST_CYCLES) {
                throw new NotBuildable("the design takes " + cycles
                        + " cycles, too many to be run for its check (at most " + MOST_CYCLES
                        + "); make the kernel's loops shorter");
            }
            cancel.throwIfCancelled();
            s.reset();
            Result r = run(s, design, expected(seed), 2 * cycles + 1000, cancel);
            if (r.difference().isPresent()) {
                return r;
            }
            if (r.cycles() != cycles) {
                return new Result(
                        Optional.of("it takes " + r.cycles() + " cycles where the schedule says " + cycles),
                        r.cycles(),
                        r.vectors());
            }
            first = first.or(() -> Optional.of(r));
            sum += cycles;
        }
        return first.orElseThrow();
    }

    /// Runs the kernel alone. Throws [NotBuildable] where that is not possible.
    public void probe() {
        expected(1);
    }

    /// Runs once, without a look at the schedule.
    ///
    /// @param seed of the inputs
    /// @param most cycles after which it counts as never ending
    Result check(HardwareDesign design, long seed, long most, CancellationSignal cancel) {
        return run(new RtlSimulator(design.module()), design, expected(seed), most, cancel);
    }

    private Result run(RtlSimulator s, HardwareDesign design, Expected e, long most, CancellationSignal cancel) {
        var scalars = new HashMap<String, Long>();
        for (int i = 0; i < run.parameters().size(); i++) {
            Parameter p = run.parameters().get(i);
            byte[] bytes = e.arguments().get(i);
            design.fill(s, p.index(), bytes);
            String input = "arg_" + p.index();
            if (design.module().inputs().stream().anyMatch(x -> x.name().equals(input))) {
                long value = MemoryShapes.word(bytes, 0, Math.min(Long.BYTES, bytes.length));
                scalars.put(input, value);
                s.set(input, value);
            }
        }
        Map<String, long[]> before = words(design, s);
        s.set(HardwareEmitter.START, 1);
        s.clock();
        s.set(HardwareEmitter.START, 0);
        OptionalLong cycles = OptionalLong.empty();
        long waited = 0;
        for (; cycles.isEmpty() && waited < most; waited += LOOK) {
            cancel.throwIfCancelled();
            // Half of `most` is what the schedule says.
            if (s.work() > mostWork || (waited > 0 && s.work() / waited * (most / 2) > HOPELESS * mostWork)) {
                throw new NotBuildable("the design is too large to be run for its check: of some " + most / 2
                        + " cycles " + Math.round((double) waited * mostWork / s.work())
                        + " would take as long as a check may; a smaller design or shorter loops can be checked");
            }
            cycles = s.until(HardwareEmitter.DONE, LOOK - 1);
        }
        long n = cycles.isEmpty() ? most : waited - LOOK + cycles.getAsLong() + 1;
        if (cycles.isPresent()) {
            s.clock();
        }
        var vectors = new Vectors(
                scalars,
                before,
                words(design, s),
                design.module().outputs().contains(HardwareEmitter.RESULT)
                        ? OptionalLong.of(s.get(HardwareEmitter.RESULT))
                        : OptionalLong.empty());
        return new Result(
                cycles.isEmpty() ? Optional.of("it does not end within " + most + " cycles") : difference(design, s, e),
                n,
                vectors);
    }

    private static Map<String, long[]> words(HardwareDesign design, RtlSimulator s) {
        var all = new HashMap<String, long[]>();
        design.argumentBanks().forEach(b -> all.put(b.name(), s.memory(b.name()).clone()));
        return all;
    }

    private Optional<String> difference(HardwareDesign design, RtlSimulator s, Expected e) {
        for (int i = 0; i < run.parameters().size(); i++) {
            Parameter p = run.parameters().get(i);
            byte[] got = e.arguments().get(i).clone();
            byte[] want = e.outcome().after().get(i);
            design.read(s, p.index(), got);
            int at = Arrays.mismatch(want, got);
            if (at >= 0 && !same(want, got, isReal(p))) {
                return Optional.of("byte " + at + " of '" + p.name() + "' differs");
            }
        }
        return result(design, s, e.outcome().result());
    }

    private static boolean isReal(Parameter p) {
        knobscape.compile.ir.IrDebugType t = p.type();
        while (t instanceof knobscape.compile.ir.IrDebugType.Alias
                || t instanceof knobscape.compile.ir.IrDebugType.Elements) {
            t = t instanceof knobscape.compile.ir.IrDebugType.Alias a
                    ? a.target()
                    : ((knobscape.compile.ir.IrDebugType.Elements) t).element();
        }
        return t instanceof knobscape.compile.ir.IrDebugType.Basic b
                && b.encoding() == knobscape.compile.ir.IrDebugType.Encoding.FLOATING;
    }

    /// Floats are the same too where both are no numbers, or one is too small for a normal one and the other zero.
    private static boolean same(byte[] want, byte[] got, boolean real) {
        if (!real) {
            return false;
        }
        for (int at = 0; at + Float.BYTES <= want.length; at += Float.BYTES) {
            int a = (int) MemoryShapes.word(want, at, Float.BYTES);
            int b = (int) MemoryShapes.word(got, at, Float.BYTES);
            boolean nothing = (a & 0x7FFFFFFF) > INFINITE && (b & 0x7FFFFFFF) > INFINITE;
            boolean tiny = (a & EXPONENT) == 0 && (b & EXPONENT) == 0;
            if (a != b && !nothing && !tiny) {
                return false;
            }
        }
        return true;
    }

    private static Optional<String> result(HardwareDesign design, RtlSimulator s, byte[] want) {
        if (want.length == 0) {
            return Optional.empty();
        }
        if (!design.module().outputs().contains(HardwareEmitter.RESULT)) {
            // What is too large for a value comes back where the first argument says.
            byte[] got = new byte[want.length];
            design.read(s, 0, got);
            return Arrays.equals(want, got) ? Optional.empty() : Optional.of("the returned struct differs");
        }
        int bits = design.module().widths().getOrDefault(HardwareEmitter.RESULT, 1);
        long expected =
                knobscape.hls.rtl.Expr.mask(MemoryShapes.word(want, 0, Math.min(Long.BYTES, want.length)), bits);
        long got = s.get(HardwareEmitter.RESULT);
        return expected == got
                ? Optional.empty()
                : Optional.of("it returns " + Long.toHexString(got) + ", not " + Long.toHexString(expected)
                        + " (hexadecimal)");
    }

    private synchronized Expected expected(long seed) {
        Expected before = known.get(seed);
        if (before != null) {
            return before;
        }
        var elements = new HashMap<String, Integer>();
        for (Parameter p : run.parameters()) {
            if (p.address()) {
                elements.put(
                        p.name(),
                        builder.elements(p)
                                .map(Long::intValue)
                                .orElseThrow(() -> new NotBuildable("the size of what argument '" + p.name()
                                        + "' points to is not known; write it as an array, a[N]")));
            }
        }
        int smallest = elements.values().stream()
                .mapToInt(n -> n)
                .filter(n -> n > 1)
                .min()
                .orElse(Byte.MAX_VALUE);
        var tried = new ArrayList<String>();
        for (KernelInputs.Values kind : List.of(
                new KernelInputs.Values(0, Math.min(255, smallest - 1), false),
                new KernelInputs.Values(0, smallest - 1, true),
                new KernelInputs.Values(0, 15, false),
                new KernelInputs.Values(1, 1, false))) {
            var values = new HashMap<String, KernelInputs.Values>();
            run.parameters().stream().filter(Parameter::isWhole).forEach(p -> values.put(p.name(), kind));
            List<byte[]> arguments = KernelInputs.random(run.parameters(), elements, values, seed);
            // What has ended in no way so far is not waited for as long again.
            long steps = tried.isEmpty() ? STEPS : STEPS / AGAIN;
            KernelRun.Outcome o = run.run(arguments, IrMachine.Limits.of(steps), (_, _, _) -> {});
            if (o.ended().isEmpty()) {
                var made = new Expected(arguments, o);
                known.put(seed, made);
                return made;
            }
            tried.add(String.valueOf(o.ended().get().getMessage()));
        }
        throw new NotBuildable("the kernel cannot be run on random inputs to check it: it " + tried.getFirst()
                + "; every loop must end for small numbers too");
    }
}
