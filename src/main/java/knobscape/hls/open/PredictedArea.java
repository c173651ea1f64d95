package knobscape.hls.open;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    /// Operators made once where two read the same.
    private static final Set<Expr.Operator> SHARED = EnumSet.of(
            Expr.Operator.ADD,
            Expr.Operator.SUB,
            Expr.Operator.LESS,
            Expr.Operator.SIGNED_LESS,
            Expr.Operator.EQUAL,
            Expr.Operator.ANY);
    /// Bits below which a part of a value is made before the whole.
    private static final int NARROW = 8;
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
    /// Words, times readers, up to which a memory with one writer is made of tables.
    private static final int FEW_WORDS = 64;
    /// Contents of a constant memory up to which it is logic.
    private static final long FEW_BITS = 4096;

    private final Map<String, Expr> wires = new HashMap<>();
    /// The value of each register that one value only is written to.
    private final Map<String, Expr> held = new HashMap<>();

    private final Map<String, Integer> readers = new HashMap<>();
    /// The bits of each signal that something reads.
    private final Map<String, Long> read = new HashMap<>();
    /// Values of [#SHARED] that are made.
    private final Set<Expr> made = new HashSet<>();
    /// Operands whose difference is made; a comparison of the same ones is its borrow.
    private final Set<List<Expr>> differences = new HashSet<>();

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
        for (RtlModule.Wire w : m.wires().reversed()) {
            int more = readers.getOrDefault(w.name(), 0) - 1;
            if (more > 0 && isPlain(w.value())) {
                // Who reads another signal's bits reads that signal.
                w.value().reads(r -> readers.merge(r.name(), more, Integer::sum));
            }
        }
        bitsRead(m);
        m.wires().stream()
                .filter(w -> readers.getOrDefault(w.name(), 0) > 0 && !isInside(w.name()))
                .forEach(w -> whole(w.value()));
        m.registers().forEach(this::register);
        m.instances().forEach(i -> i.inputs().values().forEach(this::whole));
        m.memories().forEach(this::memory);
        return new FabricArea(lut, ff, dsp, bram);
    }

    private void bitsRead(RtlModule m) {
        m.wires().forEach(w -> bitsRead(w.value()));
        m.instances().forEach(i -> i.inputs().values().forEach(this::bitsRead));
        m.memories()
                .forEach(x -> x.ports().forEach(p -> {
                    bitsRead(p.address());
                    p.write().ifPresent(w -> {
                        bitsRead(w.enable());
                        bitsRead(w.value());
                    });
                }));
        m.outputs().forEach(o -> read.put(o, -1L));
        var copies = new HashMap<String, Expr.Ref>();
        for (RtlModule.Register r : m.registers()) {
            for (Write w : r.writes()) {
                bitsRead(w.enable());
                if (r.writes().size() == 1 && w.value() instanceof Expr.Ref from) {
                    copies.put(r.name(), from);
                } else {
                    bitsRead(w.value());
                }
            }
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (var c : copies.entrySet()) {
                String from = c.getValue().name();
                long before = read.getOrDefault(from, 0L);
                long now = before | read.getOrDefault(c.getKey(), 0L);
                read.put(from, now);
                changed |= now != before;
            }
        }
    }

    private void bitsRead(Expr e) {
        switch (e) {
            case Expr.Bits _ -> {}
            case Expr.Ref r -> read.put(r.name(), -1L);
            case Expr.Part p -> {
                if (p.of() instanceof Expr.Ref r) {
                    read.merge(r.name(), Expr.mask(-1, p.width()) << p.low(), (a, b) -> a | b);
                } else {
                    bitsRead(p.of());
                }
            }
            case Expr.Extended x -> bitsRead(x.of());
            case Expr.Applied a -> a.operands().forEach(this::bitsRead);
        }
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
        // First, since it adds to the same sum.
        double inputs = leaves(e);
        lut += e.width() * tables(inputs);
    }

    private static double tables(double leaves) {
        return leaves <= 1 ? 0 : Math.max(1, (leaves - 1) / TABLE);
    }

    /// Inputs of a bit of the cone of gates that makes a value; what stands before it is counted.
    private double leaves(Expr e) {
        return switch (e) {
            case Expr.Bits _ -> 0;
            case Expr.Ref r -> {
                Expr of = wires.get(r.name());
                yield of instanceof Expr.Bits ? 0 : of != null && isInside(r.name()) ? leaves(of) : 1;
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
        if (SHARED.contains(a.operator()) && !made.add(a)) {
            return 1;
        }
        return switch (a.operator()) {
            case OR -> choice(a);
            case AND, XOR -> of.stream().mapToDouble(this::leaves).sum();
            case NOT -> leaves(of.getFirst());
            case SELECT ->
                constant(of.getFirst())
                        .map(c -> leaves(of.get(c == 0 ? 2 : 1)))
                        .orElseGet(() -> first(of.get(0)) + leaves(of.get(1)) + leaves(of.get(2)));
            case ADD, SUB -> {
                of.forEach(this::first);
                if (a.operator() == Expr.Operator.ADD || differences.add(of)) {
                    chain(of, w);
                }
                yield 1;
            }
            case LESS, SIGNED_LESS -> {
                if (differences.add(of)) {
                    of.forEach(this::first);
                    chain(of, of.getFirst().width());
                }
                yield 1;
            }
            case EQUAL ->
                of.getFirst().width() * of.stream().mapToDouble(this::leaves).sum();
            case ANY -> of.getFirst().width() * leaves(of.getFirst());
            case CONCAT -> {
                // What is narrow is made before; what is wide is a part of the cone.
                double sum = 0;
                for (Expr e : of) {
                    sum += e.width() * (e.width() < NARROW ? first(e) : leaves(e));
                }
                yield sum == 0 ? 0 : Math.max(1, sum / w);
            }
            case SHIFT_LEFT, SHIFT_RIGHT, SIGNED_SHIFT_RIGHT -> {
                of.forEach(this::first);
                if (!(of.get(1) instanceof Expr.Bits)) {
                    Expr moved = of.getFirst();
                    int some = a.operator() == Expr.Operator.SHIFT_LEFT ? own(moved, 0) : w - zerosBelow(moved);
                    // Stages fill what was zero.
                    lut += (some + w) / 2.0 * Math.min(of.get(1).width(), Math.ceil(Math.log(w) / Math.log(2)));
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

    /// Values of which one is chosen; one that is chosen in several cycles is one.
    private double choice(Expr.Applied or) {
        var terms = new ArrayList<Expr>();
        terms(or, terms);
        var times = new LinkedHashMap<Expr, Integer>();
        double sum = 0;
        for (Expr t : terms) {
            if (t instanceof Expr.Applied and
                    && and.operator() == Expr.Operator.AND
                    && and.operands().getFirst() instanceof Expr.Extended when
                    && when.of().width() == 1) {
                Expr value = and.operands().getLast();
                if (!constant(value).equals(Optional.of(0L))) {
                    first(when.of());
                    times.merge(named(value), 1, Integer::sum);
                }
            } else {
                sum += leaves(t);
            }
        }
        for (var e : times.entrySet()) {
            sum += 1 + leaves(e.getKey());
            lut += tables(e.getValue());
        }
        return sum;
    }

    private static void terms(Expr e, List<Expr> all) {
        if (e instanceof Expr.Applied a && a.operator() == Expr.Operator.OR) {
            a.operands().forEach(o -> terms(o, all));
        } else {
            all.add(e);
        }
    }

    /// The signal that a value is another name of.
    private Expr named(Expr e) {
        Expr of = e instanceof Expr.Ref r ? wires.get(r.name()) : null;
        return of instanceof Expr.Ref ? named(of) : e;
    }

    /// A value that is always the same; empty where it is not.
    private Optional<Long> constant(Expr e) {
        if (e instanceof Expr.Ref r) {
            Expr of = wires.get(r.name());
            return of == null ? Optional.empty() : constant(of);
        }
        return e instanceof Expr.Bits b ? Optional.of(b.value()) : Optional.empty();
    }

    /// A carry chain, two bits a cell; none where one operand has zeros below or both have zeros above.
    private void chain(List<Expr> of, int width) {
        int low = of.stream().mapToInt(PredictedArea::zerosBelow).max().orElse(0);
        int high = of.stream().mapToInt(e -> own(e, 0)).max().orElse(width);
        lut += 2 * Math.ceil(Math.max(0, Math.min(width, high + 1) - low) / 2.0);
    }

    private static int zerosBelow(Expr e) {
        return switch (e) {
            case Expr.Extended x -> zerosBelow(x.of());
            case Expr.Applied a
            when a.operator() == Expr.Operator.SHIFT_LEFT
                    && a.operands().getLast() instanceof Expr.Bits(long by, int _) ->
                (int) by + zerosBelow(a.operands().getFirst());
            case Expr.Applied a
            when a.operator() == Expr.Operator.CONCAT && a.operands().getLast() instanceof Expr.Bits(long v, int w) ->
                v == 0 ? w : Math.min(w, Long.numberOfTrailingZeros(v));
            default -> 0;
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
        Expr value = e instanceof Expr.Ref r ? wires.getOrDefault(r.name(), held.get(r.name())) : null;
        return value == null || depth == DEEPEST ? e.width() : Math.min(e.width(), own(value, depth + 1));
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
        ff += Long.bitCount(Expr.mask(read.getOrDefault(r.name(), 0L), r.width()));
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
            double enables =
                    r.writes().stream().mapToDouble(w -> leaves(w.enable())).sum();
            lut += tables(enables);
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
        } else if (writers <= 1 && (m.depth() <= SMALL_WORDS || reads * m.depth() <= FEW_WORDS)) {
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
