package knobscape.hls.rtl;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import knobscape.hls.rtl.Expr.Operator;
import knobscape.hls.rtl.RtlModule.Memory;
import knobscape.hls.rtl.RtlModule.MemoryPort;
import knobscape.hls.rtl.RtlModule.Register;

/// Writes byte code that computes signals. Every signal is a `long` in an array, its unused bits are 0. Methods stay
/// small, as the virtual machine compiles no large ones.
final class SimulatorCode {
    /// Nodes of expressions a method computes; about 12 bytes of code each.
    private static final int NODES = 380;
    /// Nodes of one value; larger ones are cut.
    private static final int LARGEST = 120;
    private static final int VALUES = 1;
    private static final int MEMORIES = 2;
    private static final ClassDesc HERE =
            SimulatorCode.class.describeConstable().orElseThrow();

    private final Map<String, Integer> slots;
    private final int behind;
    private final List<Consumer<CodeBuilder>> waiting = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final Set<Integer> read = new HashSet<>();
    private final Set<Integer> written = new HashSet<>();
    private boolean always;
    private int nodes;

    /// A piece of the code and what it depends on.
    ///
    /// @param code computes it
    /// @param reads slots of other pieces that it reads
    /// @param from first slot of wires that it writes
    /// @param to after the last one; the same where it writes none
    /// @param always whether it does more than to compute slots from slots
    record Piece(Part code, int[] reads, int from, int to, boolean always) {}

    /// Byte code.
    interface Part {
        /// @param values of all signals
        /// @param memories words of all memories
        void run(long[] values, long[][] memories);
    }

    /// @param behind distance from a register to its next value
    SimulatorCode(Map<String, Integer> slots, int behind) {
        this.slots = slots;
        this.behind = behind;
    }

    /// The code so far; what follows is other code.
    List<Piece> made() {
        flush();
        List<Piece> all = List.copyOf(pieces);
        pieces.clear();
        return all;
    }

    /// The same value with parts as wires of their own, so that no method gets large.
    ///
    /// @param wire makes a wire
    static Expr small(Expr e, UnaryOperator<Expr> wire) {
        return size(e) <= LARGEST ? e : cut(e, wire);
    }

    private static Expr cut(Expr e, UnaryOperator<Expr> wire) {
        return switch (e) {
            case Expr.Bits _, Expr.Ref _ -> e;
            case Expr.Part p -> new Expr.Part(small(p.of(), wire), p.low(), p.width());
            case Expr.Extended x -> new Expr.Extended(small(x.of(), wire), x.width(), x.signed());
            case Expr.Applied a -> {
                List<Expr> operands = new ArrayList<>();
                a.operands().forEach(o -> operands.add(small(o, wire)));
                for (int sum = operands.stream().mapToInt(SimulatorCode::size).sum(); sum + 3 > LARGEST; ) {
                    int largest = 0;
                    for (int i = 1; i < operands.size(); i++) {
                        largest = size(operands.get(i)) > size(operands.get(largest)) ? i : largest;
                    }
                    if (size(operands.get(largest)) <= 1) {
                        break;
                    }
                    sum -= size(operands.get(largest)) - 1;
                    operands.set(largest, wire.apply(operands.get(largest)));
                }
                yield new Expr.Applied(a.operator(), operands, a.width());
            }
        };
    }

    private int slot(String name) {
        Integer at = slots.get(name);
        if (at == null) {
            throw new IllegalArgumentException("no signal is named " + name);
        }
        return at;
    }

    void wire(String name, Expr value) {
        add(size(value), List.of(value), c -> {
            c.aload(VALUES).loadConstant(slot(name));
            push(c, value);
            c.lastore();
        });
        written.add(slot(name));
    }

    void register(Register r) {
        int at = slot(r.name());
        add(1, List.of(new Expr.Ref(r.name(), r.width())), c -> copy(c, at));
        for (RtlModule.Write w : r.writes()) {
            add(size(w.enable()) + size(w.value()), List.of(w.enable(), w.value()), c -> {
                Label end = c.newLabel();
                push(c, w.enable());
                c.l2i().ifeq(end).aload(VALUES).loadConstant(at + behind);
                push(c, w.value());
                c.lastore().labelBinding(end);
            });
        }
    }

    private void copy(CodeBuilder c, int at) {
        c.aload(VALUES)
                .loadConstant(at + behind)
                .aload(VALUES)
                .loadConstant(at)
                .laload()
                .lastore();
    }

    /// Reads first, then writes: a read sees what stood there before the clock.
    void memory(int number, Memory m) {
        flush();
        for (MemoryPort p : m.ports()) {
            p.read().ifPresent(r -> {
                int at = slot(r);
                add(size(p.address()) + p.write().map(w -> size(w.enable())).orElse(0) + 3, List.of(), c -> {
                    copy(c, at);
                    Label end = c.newLabel();
                    p.write().ifPresent(w -> {
                        push(c, w.enable());
                        c.lconst_0().lcmp().ifne(end);
                    });
                    c.aload(VALUES).loadConstant(at + behind);
                    word(c, number, m, p);
                    Label outside = c.newLabel();
                    Label stored = c.newLabel();
                    c.dup().loadConstant(m.depth()).if_icmpge(outside);
                    c.laload().goto_(stored);
                    c.labelBinding(outside).pop2().lconst_0();
                    c.labelBinding(stored).lastore();
                    c.labelBinding(end);
                });
            });
        }
        for (MemoryPort p : m.ports()) {
            p.write()
                    .ifPresent(w -> add(size(p.address()) + size(w.enable()) + size(w.value()), List.of(), c -> {
                        Label end = c.newLabel();
                        Label outside = c.newLabel();
                        push(c, w.enable());
                        c.lconst_0().lcmp().ifeq(end);
                        word(c, number, m, p);
                        c.dup().loadConstant(m.depth()).if_icmpge(outside);
                        push(c, w.value());
                        c.lastore().goto_(end);
                        c.labelBinding(outside).pop2();
                        c.labelBinding(end);
                    }));
        }
        always = true;
        flush();
        always = false;
    }

    /// The memory and the index of the word; one that is no index becomes the depth.
    private void word(CodeBuilder c, int number, Memory m, MemoryPort p) {
        c.aload(MEMORIES).loadConstant(number).aaload();
        push(c, p.address());
        c.loadConstant((long) m.depth())
                .invokestatic(
                        ClassDesc.of("java.lang.Math"),
                        "min",
                        MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long))
                .l2i();
    }

    private void add(int size, List<Expr> values, Consumer<CodeBuilder> code) {
        if (nodes > 0 && nodes + size > NODES) {
            flush();
        }
        values.forEach(v -> v.reads(x -> {
            if (!written.contains(slot(x.name()))) {
                read.add(slot(x.name()));
            }
        }));
        nodes += size;
        waiting.add(code);
    }

    private void flush() {
        if (waiting.isEmpty()) {
            return;
        }
        List<Consumer<CodeBuilder>> these = List.copyOf(waiting);
        waiting.clear();
        nodes = 0;
        var name = ClassDesc.of(SimulatorCode.class.getPackageName(), "SimulatedPart");
        byte[] bytes = ClassFile.of()
                .build(
                        name,
                        b -> b.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withInterfaceSymbols(
                                        Part.class.describeConstable().orElseThrow())
                                .withMethodBody(
                                        ConstantDescs.INIT_NAME,
                                        ConstantDescs.MTD_void,
                                        ClassFile.ACC_PUBLIC,
                                        c -> c.aload(0)
                                                .invokespecial(
                                                        ConstantDescs.CD_Object,
                                                        ConstantDescs.INIT_NAME,
                                                        ConstantDescs.MTD_void)
                                                .return_())
                                .withMethodBody(
                                        "run",
                                        MethodTypeDesc.of(
                                                ConstantDescs.CD_void,
                                                ConstantDescs.CD_long.arrayType(),
                                                ConstantDescs.CD_long.arrayType()
                                                        .arrayType()),
                                        ClassFile.ACC_PUBLIC,
                                        c -> {
                                            these.forEach(x -> x.accept(c));
                                            c.return_();
                                        }));
        try {
            var lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
            pieces.add(new Piece(
                    (Part) lookup.lookupClass().getDeclaredConstructor().newInstance(),
                    read.stream().mapToInt(Integer::intValue).sorted().toArray(),
                    written.stream().mapToInt(Integer::intValue).min().orElse(0),
                    written.stream().mapToInt(Integer::intValue).max().orElse(-1) + 1,
                    always));
            read.clear();
            written.clear();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the simulator's code is not accepted", e);
        }
    }

    private static int size(Expr e) {
        return switch (e) {
            case Expr.Bits _, Expr.Ref _ -> 1;
            case Expr.Part p -> 2 + size(p.of());
            case Expr.Extended x -> 3 + size(x.of());
            case Expr.Applied a ->
                3 + a.operands().stream().mapToInt(SimulatorCode::size).sum();
        };
    }

    /// Leaves the value on the stack.
    private void push(CodeBuilder c, Expr e) {
        switch (e) {
            case Expr.Bits b -> c.loadConstant(b.value());
            case Expr.Ref r -> c.aload(VALUES).loadConstant(slot(r.name())).laload();
            case Expr.Part p -> {
                push(c, p.of());
                if (p.low() > 0) {
                    c.loadConstant(p.low()).lushr();
                }
                if (p.low() + p.width() < p.of().width()) {
                    masked(c, p.width());
                }
            }
            case Expr.Extended x -> {
                pushSigned(c, x.of(), x.signed());
                if (x.signed()) {
                    masked(c, x.width());
                }
            }
            case Expr.Applied a -> applied(c, a);
        }
    }

    private void pushSigned(CodeBuilder c, Expr e, boolean signed) {
        push(c, e);
        int up = Long.SIZE - e.width();
        if (signed && up > 0) {
            c.loadConstant(up).lshl().loadConstant(up).lshr();
        }
    }

    private static void masked(CodeBuilder c, int width) {
        if (width < Long.SIZE) {
            c.loadConstant((1L << width) - 1).land();
        }
    }

    private void applied(CodeBuilder c, Expr.Applied a) {
        Expr x = a.operands().getFirst();
        int w = a.width();
        switch (a.operator()) {
            case ADD, SUB, MUL -> {
                push(c, x);
                push(c, a.operands().get(1));
                c.with(OperatorInstruction.of(
                        a.operator() == Operator.ADD
                                ? Opcode.LADD
                                : a.operator() == Operator.SUB ? Opcode.LSUB : Opcode.LMUL));
                masked(c, w);
            }
            case SIGNED_MUL -> {
                pushSigned(c, x, true);
                pushSigned(c, a.operands().get(1), true);
                c.lmul();
                masked(c, w);
            }
            case AND, OR, XOR -> {
                push(c, x);
                push(c, a.operands().get(1));
                c.with(OperatorInstruction.of(
                        a.operator() == Operator.AND
                                ? Opcode.LAND
                                : a.operator() == Operator.OR ? Opcode.LOR : Opcode.LXOR));
            }
            case NOT -> {
                push(c, x);
                c.loadConstant(Expr.mask(-1, w)).lxor();
            }
            case EQUAL, LESS, SIGNED_LESS, ANY -> truth(c, a);
            case SHIFT_LEFT, SHIFT_RIGHT, SIGNED_SHIFT_RIGHT -> shift(c, a);
            case SELECT -> {
                Label no = c.newLabel();
                Label end = c.newLabel();
                push(c, x);
                c.l2i().ifeq(no);
                push(c, a.operands().get(1));
                c.goto_(end).labelBinding(no);
                push(c, a.operands().get(2));
                c.labelBinding(end);
            }
            case CONCAT -> {
                push(c, x);
                for (Expr more : a.operands().subList(1, a.operands().size())) {
                    c.loadConstant(more.width()).lshl();
                    push(c, more);
                    c.lor();
                }
            }
        }
    }

    private void truth(CodeBuilder c, Expr.Applied a) {
        boolean signed = a.operator() == Operator.SIGNED_LESS;
        pushSigned(c, a.operands().getFirst(), signed);
        if (a.operator() == Operator.ANY) {
            c.lconst_0();
        } else {
            pushSigned(c, a.operands().get(1), signed);
        }
        if (a.operator() == Operator.LESS) {
            c.invokestatic(
                    ClassDesc.of("java.lang.Long"),
                    "compareUnsigned",
                    MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_long, ConstantDescs.CD_long));
        } else {
            c.lcmp();
        }
        Label yes = c.newLabel();
        Label end = c.newLabel();
        switch (a.operator()) {
            case EQUAL -> c.ifeq(yes);
            case ANY -> c.ifne(yes);
            default -> c.iflt(yes);
        }
        c.lconst_0().goto_(end).labelBinding(yes).lconst_1().labelBinding(end);
    }

    private void shift(CodeBuilder c, Expr.Applied a) {
        boolean signed = a.operator() == Operator.SIGNED_SHIFT_RIGHT;
        pushSigned(c, a.operands().getFirst(), signed);
        push(c, a.operands().get(1));
        String name = a.operator() == Operator.SHIFT_LEFT ? "left" : signed ? "signedRight" : "right";
        c.invokestatic(
                HERE, name, MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long));
        masked(c, a.width());
    }

    /// Shifts; a distance of 64 or more moves everything out.
    static long left(long x, long by) {
        return Long.compareUnsigned(by, Long.SIZE) >= 0 ? 0 : x << by;
    }

    static long right(long x, long by) {
        return Long.compareUnsigned(by, Long.SIZE) >= 0 ? 0 : x >>> by;
    }

    static long signedRight(long x, long by) {
        return x >> (Long.compareUnsigned(by, Long.SIZE) >= 0 ? Long.SIZE - 1 : by);
    }
}
