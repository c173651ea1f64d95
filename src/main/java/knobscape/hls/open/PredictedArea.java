package knobscape.hls.open;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import knobscape.hls.rtl.Expr;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.rtl.RtlModule.Memory;
import knobscape.hls.rtl.RtlModule.MemoryPort;
import knobscape.hls.rtl.RtlModule.Write;
import org.jspecify.annotations.Nullable;

/// The area of hardware on ECP5 as counted on its records, before any tool has seen it: registers one by one, logic by
/// the inputs of each cone of gates, sums and comparisons by their carry chains, products by multipliers of 18 x 18,
/// memories by the shapes of their blocks. It stands for the area at stage `hls`, until
/// Yosys has told it.
final class PredictedArea {
    /// A table of four inputs takes three away.
    private static final double TABLE = 3;
    /// Bits of an operand of a multiplier.
    private static final int FACTOR = 18;
    /// Signals that are followed to find how wide a factor is.
    private static final int DEEPEST = 64;
    /// Words by bits of a block memory of 18 Kbit, narrow ones first.
    private static final int[][] BLOCKS = {{16_384, 1}, {8192, 2}, {4096, 4}, {2048, 9}, {1024, 18}};
    /// The same where one port writes and another one reads.
    private static final int[] WIDE = {512, 36};
    /// Words and bits of a memory made of tables, and the tables.
    private static final int SMALL_WORDS = 16;

    private static final int SMALL_BITS = 4;
    private static final int SMALL_TABLES = 6;
    /// Words up to which a memory with one writer and one reader is made of tables.
    private static final int FEW_WORDS = 64;
    /// Contents of a constant memory up to which it is logic.
    private static final long FEW_BITS = 4096;

    private final Map<String, Expr> wires = new HashMap<>();
    /// The value of each register that one value only is written to.
    private final Map<String, Expr> held = new HashMap<>();

    private final Map<String, Integer> readers = new HashMap<>();
    private double lut;
    private double ff;
    private double dsp;
    private double bram;

    private PredictedArea() {}

    /// The area of a module with those inside.
    static FabricArea of(RtlModule m) {
        FabricArea own = new PredictedArea().module(m);
        for (RtlModule.Instance i : m.instances()) {
            FabricArea a = of(i.module());
            own = new FabricArea(own.lut() + a.lut(), own.ff() + a.ff(), own.dsp() + a.dsp(), own.bram() + a.bram());
        }
        return own;
    }

    private FabricArea module(RtlModule m) {
        m.registers().stream()
                .filter(r -> r.writes().size() == 1)
                .forEach(r -> held.put(r.name(), r.writes().getFirst().value()));
        m.wires().forEach(w -> {
            wires.put(w.name(), w.value());
            w.value().reads(this::reader);
        });
        m.registers()
                .forEach(r -> r.writes().forEach(w -> {
                    w.enable().reads(this::reader);
                    w.value().reads(this::reader);
                }));
        m.instances().forEach(i -> i.inputs().values().forEach(e -> e.reads(this::reader)));
        m.memories()
                .forEach(x -> x.ports().forEach(p -> {
                    p.address().reads(this::reader);
                    p.write().ifPresent(w -> {
                        w.enable().reads(this::reader);
                        w.value().reads(this::reader);
                    });
                }));
        m.outputs().forEach(o -> readers.merge(o, 1, Integer::sum));
        m.wires().stream()
                .filter(w -> readers.getOrDefault(w.name(), 0) > 0 && !isInside(w.name()))
                .forEach(w -> whole(w.value()));
        m.registers().forEach(this::register);
        m.instances().forEach(i -> i.inputs().values().forEach(this::whole));
        m.memories().forEach(this::memory);
        return new FabricArea(lut, ff, dsp, bram);
    }

    private void reader(Expr.Ref r) {
        readers.merge(r.name(), 1, Integer::sum);
    }

    /// True if a signal is logic that only one other signal reads, of which it becomes a part.
    private boolean isInside(String name) {
        return wires.containsKey(name) && (readers.getOrDefault(name, 0) == 1 || isPlain(wires.get(name)));
    }

    /// True if a value is another one's bits.
    private static boolean isPlain(@Nullable Expr e) {
        return switch (e) {
            case null -> false;
            case Expr.Bits _, Expr.Ref _ -> true;
            case Expr.Part p -> isPlain(p.of());
            case Expr.Extended x -> isPlain(x.of());
            case Expr.Applied a ->
                a.operator() == Expr.Operator.CONCAT && a.operands().stream().allMatch(PredictedArea::isPlain);
        };
    }

    // ---- logic

    /// Counts a value with all that is only for it.
    private void whole(Expr e) {
        lut += e.width() * tables(leaves(e));
    }

    private static double tables(double leaves) {
        return leaves <= 1 ? 0 : Math.max(1, (leaves - 1) / TABLE);
    }

    /// Inputs of a bit of the cone of gates that makes a value; what stands before it is counted.
    private double leaves(Expr e) {
        return switch (e) {
            case Expr.Bits _ -> 0;
            case Expr.Ref r -> {
                Expr made = wires.get(r.name());
                yield made != null && isInside(r.name()) ? leaves(made) : 1;
            }
            case Expr.Part p -> leaves(p.of());
            case Expr.Extended x -> x.of().width() == 1 && x.width() > 1 ? first(x.of()) : leaves(x.of());
            case Expr.Applied a -> applied(a);
        };
    }

    /// A value that a cone of another width takes: it is made before.
    private double first(Expr e) {
        double n = leaves(e);
        lut += e.width() * tables(n);
        return n > 0 ? 1 : 0;
    }

    private double applied(Expr.Applied a) {
        List<Expr> of = a.operands();
        int w = a.width();
        return switch (a.operator()) {
            case AND, OR, XOR -> of.stream().mapToDouble(this::leaves).sum();
            case NOT -> leaves(of.getFirst());
            case SELECT -> first(of.get(0)) + leaves(of.get(1)) + leaves(of.get(2));
            case ADD, SUB -> {
                of.forEach(this::first);
                lut += 2 * Math.ceil(w / 2.0);
                yield 1;
            }
            case LESS, SIGNED_LESS -> {
                of.forEach(this::first);
                lut += 2 * Math.ceil(of.getFirst().width() / 2.0);
                yield 1;
            }
            case EQUAL ->
                of.getFirst().width() * of.stream().mapToDouble(this::leaves).sum();
            case ANY -> of.getFirst().width() * leaves(of.getFirst());
            case CONCAT -> {
                double most = of.stream().mapToDouble(this::first).max().orElse(0);
                yield Math.min(1, most);
            }
            case SHIFT_LEFT, SHIFT_RIGHT, SIGNED_SHIFT_RIGHT -> {
                of.forEach(this::first);
                if (!(of.get(1) instanceof Expr.Bits)) {
                    lut += w * Math.min(of.get(1).width(), Math.ceil(Math.log(w) / Math.log(2)));
                }
                yield 1;
            }
            case MUL, SIGNED_MUL -> {
                of.forEach(this::first);
                if (of.stream().noneMatch(PredictedArea::isShift)) {
                    product(own(of.get(0), 0), own(of.get(1), 0), w);
                }
                yield 1;
            }
        };
    }

    /// True if a product with it is a shift, which needs no multiplier.
    private static boolean isShift(Expr e) {
        return e instanceof Expr.Bits(long value, int _) && Long.bitCount(value) <= 1;
    }

    /// Bits of a value before it was made wider, here or in what a register holds.
    private int own(Expr e, int depth) {
        if (e instanceof Expr.Bits(long value, int _)) {
            return Long.SIZE - Long.numberOfLeadingZeros(value);
        }
        if (e instanceof Expr.Extended x) {
            return own(x.of(), depth);
        }
        Expr made = e instanceof Expr.Ref r ? wires.getOrDefault(r.name(), held.get(r.name())) : null;
        return made == null || depth == DEEPEST ? e.width() : Math.min(e.width(), own(made, depth + 1));
    }

    /// Partial products below the width count, and the sums of them.
    private void product(int first, int second, int width) {
        int parts = 0;
        for (int i = 0; i < first; i += FACTOR) {
            for (int j = 0; j < second; j += FACTOR) {
                parts += i + j < width ? 1 : 0;
            }
        }
        dsp += parts;
        lut += (parts - 1.0) * width * 0.75;
    }

    private void register(RtlModule.Register r) {
        if (readers.getOrDefault(r.name(), 0) == 0) {
            return;
        }
        ff += r.width();
        double inputs = 0;
        for (Write w : r.writes()) {
            double value = leaves(w.value());
            // The enable is a wire to the register; where several write it chooses too.
            inputs += value + (r.writes().size() > 1 ? first(w.enable()) : 0);
        }
        lut += r.width() * tables(inputs);
        boolean always =
                r.writes().stream().anyMatch(w -> w.enable() instanceof Expr.Bits(long value, int _) && value == 1);
        if (!always) {
            lut += tables(
                    r.writes().stream().mapToDouble(w -> leaves(w.enable())).sum());
        }
    }

    // ---- memories

    private void memory(Memory m) {
        for (MemoryPort p : m.ports()) {
            whole(p.address());
            p.write().ifPresent(w -> {
                whole(w.enable());
                whole(w.value());
            });
        }
        if (m.ports().isEmpty()) {
            return;
        }
        long bits = (long) m.width() * m.depth();
        long writers = m.ports().stream().filter(p -> p.write().isPresent()).count();
        long reads = m.ports().stream().filter(p -> p.read().isPresent()).count();
        if (m.depth() == 1) {
            ff += m.width() * (1 + reads);
        } else if (m.constant() && bits <= FEW_BITS) {
            lut += reads * bits / (double) SMALL_WORDS;
            ff += reads * m.width();
        } else if (writers <= 1 && (m.depth() <= SMALL_WORDS || (reads <= 1 && m.depth() <= FEW_WORDS))) {
            // Every reader has its own copy.
            double rows = Math.ceil(m.depth() / (double) SMALL_WORDS);
            lut += reads
                    * (SMALL_TABLES * rows * Math.ceil(m.width() / (double) SMALL_BITS)
                            + m.width() * tables(rows + Math.ceil(Math.log(rows) / Math.log(2))));
            ff += reads * m.width();
        } else {
            boolean simple = m.ports().size() <= 2 && writers <= 1 && reads <= 1;
            bram += IntStream.range(0, BLOCKS.length).mapToDouble(i -> blocks(m, BLOCKS[i])).min().stream()
                    .map(n -> simple ? Math.min(n, blocks(m, WIDE)) : n)
                    .sum();
        }
    }

    private static double blocks(Memory m, int[] shape) {
        return Math.ceil(m.depth() / (double) shape[0]) * Math.ceil(m.width() / (double) shape[1]);
    }
}
