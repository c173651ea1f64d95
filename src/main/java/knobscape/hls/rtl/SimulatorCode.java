package knobscape.hls.rtl;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import knobscape.hls.rtl.Expr.Operator;
import knobscape.hls.rtl.RtlModule.Memory;
import knobscape.hls.rtl.RtlModule.MemoryPort;
import knobscape.hls.rtl.RtlModule.Register;

/// Writes byte code that computes signals. Every signal is a `long` in an array, its unused bits are 0. The code comes
/// in
/// small pieces, of which only those run that read something new.
final class SimulatorCode {
    /// Nodes of expressions a piece computes; about 12 bytes of code each.
    private static final int NODES = 80;
    /// Nodes of one value; larger ones are cut.
    private static final int LARGEST = 60;
    /// Pieces of a class: one word of the bits that say which have to run.
    private static final int GROUP = Long.SIZE;
    private static final int NOW = 0;
    private static final int STATE = 1;
    private static final int FREE = 2;
    private static final ClassDesc HERE =
            SimulatorCode.class.describeConstable().orElseThrow();
    private static final ClassDesc HOLDER =
            SimulatorState.class.describeConstable().orElseThrow();
    private static final ClassDesc LONGS = ConstantDescs.CD_long.arrayType();
    private static final MethodTypeDesc PIECE = MethodTypeDesc.of(ConstantDescs.CD_void, LONGS, HOLDER);

    private final Map<String, Integer> slots;
    private final List<Statement> waiting = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    /// Slots of wires by the piece that computes them.
    private final Map<Integer, Integer> madeBy = new HashMap<>();
    /// Wires of the present method in its local variables.
    private final Map<String, Integer> locals = new HashMap<>();
    private final List<List<Integer>> readers = new ArrayList<>();
    private final List<List<Integer>> memoryReaders = new ArrayList<>();
    private int nodes;

    /// 64 pieces.
    interface Group {
        /// Runs one piece.
        ///
        /// @param which from 0 to 63
        void run(int which, SimulatorState state);
    }

    /// A signal that is computed, in a piece.
    ///
    /// @param wire its name; empty for what waits for the clock
    /// @param memory whose words it reads, -1 for none
    private record Statement(Optional<String> wire, List<Expr> reads, int memory, Consumer<CodeBuilder> code) {}

    private record Piece(List<Statement> statements) {}

    SimulatorCode(Map<String, Integer> slots, int memories) {
        this.slots = slots;
        for (int i = 0; i < slots.size(); i++) {
            readers.add(new ArrayList<>(2));
        }
        for (int i = 0; i < memories; i++) {
            memoryReaders.add(new ArrayList<>(2));
        }
    }

    /// Code that follows is in other groups than the code before. Gives the number of groups so far.
    int flushGroup() {
        flush();
        while (pieces.size() % GROUP != 0) {
            pieces.add(new Piece(List.of()));
        }
        return pieces.size() / GROUP;
    }

    /// Pieces that read a slot, by slot.
    List<int[]> readers() {
        return numbers(readers);
    }

    /// Pieces that read a memory, by memory.
    List<int[]> memoryReaders() {
        return numbers(memoryReaders);
    }

    private static List<int[]> numbers(List<List<Integer>> lists) {
        return lists.stream()
                .map(l -> l.stream().mapToInt(Integer::intValue).distinct().toArray())
                .toList();
    }

    /// The code of everything.
    List<Group> groups() {
        flushGroup();
        for (int p = 0; p < pieces.size(); p++) {
            for (Statement s : pieces.get(p).statements()) {
                int here = p;
                s.reads()
                        .forEach(v -> v.reads(r -> {
                            int at = slot(r.name());
                            if (madeBy.getOrDefault(at, -1) != here) {
                                readers.get(at).add(here);
                            }
                        }));
                if (s.memory() >= 0) {
                    memoryReaders.get(s.memory()).add(p);
                }
            }
        }
        var all = new ArrayList<Group>();
        for (int g = 0; g < pieces.size(); g += GROUP) {
            all.add(group(pieces.subList(g, g + GROUP)));
        }
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

    /// A wire; those that it reads come before.
    void wire(String name, Expr value) {
        int at = slot(name);
        add(size(value), new Statement(Optional.of(name), List.of(value), -1, c -> {
            push(c, value);
            int local = local(name);
            c.lstore(local);
            if (readers.get(at).isEmpty()) {
                c.aload(NOW).loadConstant(at).lload(local).lastore();
                return;
            }
            Label same = c.newLabel();
            c.lload(local).aload(NOW).loadConstant(at).laload().lcmp().ifeq(same);
            c.aload(NOW).loadConstant(at).lload(local).lastore();
            c.aload(STATE)
                    .loadConstant(at)
                    .invokevirtual(HOLDER, "changed", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int));
            c.labelBinding(same);
        }));
        madeBy.put(at, pieces.size());
    }

    private int local(String name) {
        return locals.computeIfAbsent(name, _ -> FREE + 2 * locals.size());
    }

    void register(Register r) {
        var reads = new ArrayList<Expr>(List.of(new Expr.Ref(r.name(), r.width())));
        int size = 2;
        for (RtlModule.Write w : r.writes()) {
            reads.add(w.enable());
            reads.add(w.value());
            size += size(w.enable()) + size(w.value());
        }
        int at = slot(r.name());
        add(size, new Statement(Optional.empty(), reads, -1, c -> {
            int local = local("next of " + r.name());
            c.aload(NOW).loadConstant(at).laload().lstore(local);
            for (RtlModule.Write w : r.writes()) {
                Label end = c.newLabel();
                push(c, w.enable());
                c.l2i().ifeq(end);
                push(c, w.value());
                c.lstore(local).labelBinding(end);
            }
            next(c, at, local);
        }));
    }

    private static void next(CodeBuilder c, int at, int local) {
        Label same = c.newLabel();
        c.lload(local).aload(NOW).loadConstant(at).laload().lcmp().ifeq(same);
        c.aload(STATE)
                .loadConstant(at)
                .lload(local)
                .invokevirtual(
                        HOLDER,
                        "next",
                        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_long));
        c.labelBinding(same);
    }

    /// A read sees what stood there before the clock; a port that writes does not read.
    void memory(int number, Memory m) {
        for (MemoryPort p : m.ports()) {
            p.read().ifPresent(r -> read(number, m, p, r));
            p.write().ifPresent(w -> write(number, p, w));
        }
    }

    private void read(int number, Memory m, MemoryPort p, String register) {
        var reads = new ArrayList<>(List.of(p.address(), new Expr.Ref(register, m.width())));
        p.write().ifPresent(w -> reads.add(w.enable()));
        int at = slot(register);
        add(
                reads.stream().mapToInt(SimulatorCode::size).sum() + 3,
                new Statement(Optional.empty(), reads, number, c -> {
                    Label end = c.newLabel();
                    p.write().ifPresent(w -> {
                        push(c, w.enable());
                        c.l2i().ifne(end);
                    });
                    c.aload(STATE).loadConstant(number);
                    push(c, p.address());
                    int local = local("next of " + register);
                    c.invokevirtual(
                                    HOLDER,
                                    "word",
                                    MethodTypeDesc.of(
                                            ConstantDescs.CD_long, ConstantDescs.CD_int, ConstantDescs.CD_long))
                            .lstore(local);
                    next(c, at, local);
                    c.labelBinding(end);
                }));
    }

    private void write(int number, MemoryPort p, RtlModule.Write w) {
        List<Expr> reads = List.of(p.address(), w.enable(), w.value());
        int size = reads.stream().mapToInt(SimulatorCode::size).sum();
        room(size);
        int piece = pieces.size();
        add(size, new Statement(Optional.empty(), reads, -1, c -> {
            Label end = c.newLabel();
            push(c, w.enable());
            c.l2i().ifeq(end);
            c.aload(STATE).loadConstant(number);
            push(c, p.address());
            push(c, w.value());
            c.loadConstant(piece)
                    .invokevirtual(
                            HOLDER,
                            "write",
                            MethodTypeDesc.of(
                                    ConstantDescs.CD_void,
                                    ConstantDescs.CD_int,
                                    ConstantDescs.CD_long,
                                    ConstantDescs.CD_long,
                                    ConstantDescs.CD_int));
            c.labelBinding(end);
        }));
    }

    private void room(int size) {
        if (nodes > 0 && nodes + size > NODES) {
            flush();
        }
    }

    private void add(int size, Statement s) {
        room(size);
        nodes += size;
        waiting.add(s);
    }

    private void flush() {
        if (!waiting.isEmpty()) {
            pieces.add(new Piece(List.copyOf(waiting)));
            waiting.clear();
            nodes = 0;
        }
    }

    private Group group(List<Piece> of) {
        var name = ClassDesc.of(SimulatorCode.class.getPackageName(), "SimulatedPart");
        byte[] bytes = ClassFile.of().build(name, b -> {
            b.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                    .withInterfaceSymbols(Group.class.describeConstable().orElseThrow())
                    .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            ConstantDescs.MTD_void,
                            ClassFile.ACC_PUBLIC,
                            c -> c.aload(0)
                                    .invokespecial(
                                            ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                    .return_());
            for (int k = 0; k < of.size(); k++) {
                Piece p = of.get(k);
                if (!p.statements().isEmpty()) {
                    b.withMethodBody("p" + k, PIECE, ClassFile.ACC_STATIC, c -> {
                        locals.clear();
                        p.statements().forEach(s -> s.code().accept(c));
                        c.return_();
                    });
                }
            }
            b.withMethodBody(
                    "run",
                    MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int, HOLDER),
                    ClassFile.ACC_PUBLIC,
                    c -> choose(c, name, of));
        });
        try {
            var lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
            return (Group) lookup.lookupClass().getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the simulator's code is not accepted", e);
        }
    }

    private static void choose(CodeBuilder c, ClassDesc name, List<Piece> of) {
        var cases = new ArrayList<SwitchCase>();
        for (int k = 0; k < of.size(); k++) {
            if (!of.get(k).statements().isEmpty()) {
                cases.add(SwitchCase.of(k, c.newLabel()));
            }
        }
        Label none = c.newLabel();
        c.aload(2).getfield(HOLDER, "now", LONGS).aload(2);
        c.iload(1).tableswitch(none, cases);
        for (SwitchCase x : cases) {
            c.labelBinding(x.target())
                    .invokestatic(name, "p" + x.caseValue(), PIECE)
                    .return_();
        }
        c.labelBinding(none).pop2().return_();
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
            case Expr.Ref r -> {
                Integer local = locals.get(r.name());
                if (local == null) {
                    c.aload(NOW).loadConstant(slot(r.name())).laload();
                } else {
                    c.lload(local);
                }
            }
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
