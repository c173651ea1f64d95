package knobscape.hls.rtl.build;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.compile.run.IrMachine;
import knobscape.hls.evaluate.estimator.WrittenOutDesign;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.rtl.RtlSimulator;
import knobscape.hls.source.clang.KernelRun;

/// A design as hardware.
public final class HardwareDesign {
    private final RtlModule module;
    private final WrittenOutDesign design;
    private final List<MemoryPlan> plans;
    private final Map<MemoryPlan, Integer> arguments;
    private final List<CodeRegion> regions;
    private final List<String> notes;

    HardwareDesign(
            RtlModule module,
            WrittenOutDesign design,
            List<MemoryPlan> plans,
            Map<MemoryPlan, Integer> arguments,
            List<CodeRegion> regions,
            List<String> notes) {
        this.module = module;
        this.design = design;
        this.plans = List.copyOf(plans);
        this.arguments = new HashMap<>(arguments);
        this.regions = List.copyOf(regions);
        this.notes = List.copyOf(notes);
    }

    /// The same with other hardware.
    HardwareDesign with(RtlModule other) {
        return new HardwareDesign(other, design, plans, arguments, regions, notes);
    }

    /// Inputs `start` and `arg_N` (a scalar argument by its position), outputs `done` and `result`; memories inside,
    /// and
    /// a [knobscape.hls.rtl.HostPort] into those of arguments, in the order of [#argumentBanks()].
    public RtlModule module() {
        return module;
    }

    /// The requests that are not built, a sentence each.
    public List<String> notes() {
        return notes;
    }

    /// Intervals of the pipelined loops.
    public List<Integer> intervals() {
        return regions.stream()
                .filter(CodeRegion::isPipeline)
                .map(r -> r.interval)
                .toList();
    }

    /// Cycles of the longest path through all states once.
    public int states() {
        return regions.stream().mapToInt(r -> r.isEmpty() ? 0 : r.length).sum();
    }

    /// A bank of a memory that an argument leads to.
    ///
    /// @param name of the memory in the module
    /// @param argument its position
    /// @param depth words
    /// @param width bits of a word
    public record ArgumentBank(String name, int argument, int depth, int width) {}

    /// The memories that arguments lead to, in the order of the port.
    public List<ArgumentBank> argumentBanks() {
        return plans.stream()
                .filter(arguments::containsKey)
                .flatMap(p -> java.util.stream.IntStream.range(0, p.banks)
                        .mapToObj(b -> new ArgumentBank(p.bank(b), arguments.getOrDefault(p, -1), p.depth, p.width)))
                .toList();
    }

    /// Words of every bank that an argument's bytes make.
    ///
    /// @param bytes of what the argument leads to
    public Map<String, long[]> words(int argument, byte[] bytes) {
        var all = new HashMap<String, long[]>();
        for (MemoryPlan p : plans) {
            if (arguments.getOrDefault(p, -1) == argument) {
                for (int b = 0; b < p.banks; b++) {
                    all.put(p.bank(b), new long[p.depth]);
                }
                for (long i = 0; i < p.elements(); i++) {
                    MemoryPlan.Place at = p.place(i);
                    long[] bank = all.get(p.bank(at.bank()));
                    if (bank != null) {
                        bank[at.word()] = knobscape.hls.rtl.Expr.mask(
                                MemoryShapes.word(bytes, (int) p.byteOf(i), p.bytes), p.width);
                    }
                }
            }
        }
        return all;
    }

    /// Puts an argument's bytes into a simulated design.
    void fill(RtlSimulator simulator, int argument, byte[] bytes) {
        words(argument, bytes).forEach((name, w) -> System.arraycopy(w, 0, simulator.memory(name), 0, w.length));
    }

    /// Reads an argument's bytes from a simulated design; bytes that no memory holds stay.
    void read(RtlSimulator simulator, int argument, byte[] bytes) {
        for (MemoryPlan p : plans) {
            if (arguments.getOrDefault(p, -1) == argument) {
                for (long i = 0; i < p.elements(); i++) {
                    MemoryPlan.Place at = p.place(i);
                    long word = simulator.memory(p.bank(at.bank()))[at.word()];
                    MemoryShapes.put(bytes, (int) p.byteOf(i), p.bytes, word);
                }
            }
        }
    }

    /// Cycles that the schedule says for a run on these arguments: how often each block of the design's own code runs,
    /// times its length.
    long cycles(List<byte[]> bytes, long steps) {
        var entered = new HashMap<Integer, Long>();
        var ways = new HashMap<Way, Long>();
        KernelRun.Outcome run = KernelRun.of(design.module(), design.top())
                .run(bytes, IrMachine.Limits.of(steps), (_, from, to) -> {
                    entered.merge(to, 1L, Long::sum);
                    ways.merge(new Way(from, to), 1L, Long::sum);
                });
        run.ended().ifPresent(e -> {
            throw new NotBuildable("the design cannot be run to tell its cycles: it " + e.getMessage());
        });
        long sum = 1;
        for (CodeRegion r : regions) {
            long n = entered.getOrDefault(r.head.origin, 0L) * r.head.times;
            if (r.isPipeline()) {
                long around = ways.getOrDefault(new Way(r.last.origin, r.head.origin), 0L);
                sum += (n - around) * r.length + around * r.interval;
            } else if (!r.isEmpty()) {
                sum += n * r.length;
            }
        }
        return sum;
    }

    private record Way(int from, int to) {}
}
