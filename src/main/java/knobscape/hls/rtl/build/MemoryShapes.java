package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrDebugType;
import knobscape.compile.ir.IrGlobal;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.WrittenOutDesign;
import knobscape.hls.rtl.build.MemoryPlan.Role;
import knobscape.hls.rtl.build.ValueFacts.Range;

/// Finds the memory and the element of every access: arrays, structs and structs of arrays come apart into plain
/// memories.
final class MemoryShapes {
    private final WrittenOutDesign design;
    private final CodeReader code;
    private final Map<Integer, IrType> arguments;
    private final Map<Key, MemoryPlan> plans = new HashMap<>();
    private final List<MemoryPlan> all = new ArrayList<>();
    private final Map<MemoryPlan, Integer> argumentOf = new HashMap<>();

    /// A member of a memory.
    private record Key(IrValue root, long lane) {}

    /// An element found: dimensions and index so far.
    private static final class Walk {
        private final List<Long> dims = new ArrayList<>();
        private final List<Long> strides = new ArrayList<>();
        private SumForm<DataOp> index = SumForm.of(0);
        private SumForm<DataOp> rest;
        private long lane;

        Walk(SumForm<DataOp> bytes) {
            rest = bytes;
        }
    }

    /// @param arguments what each pointer argument leads to, by its position
    MemoryShapes(WrittenOutDesign design, CodeReader code, Map<Integer, IrType> arguments) {
        this.design = design;
        this.code = code;
        this.arguments = arguments;
        for (CodeReader.RawAccess a : code.accesses) {
            try {
                place(a);
            } catch (NotBuildable e) {
                throw e.at(a.op().location);
            }
        }
    }

    List<MemoryPlan> plans() {
        return all;
    }

    /// The argument behind a memory, by its position.
    Optional<Integer> argument(MemoryPlan plan) {
        return Optional.ofNullable(argumentOf.get(plan));
    }

    private void place(CodeReader.RawAccess a) {
        IrType type = type(a);
        var w = new Walk(a.bytes());
        walk(type, w);
        code.queued(a.root())
                .filter(_ -> w.dims.size() == 1)
                .ifPresent(n -> w.dims.set(0, Math.min(n, w.dims.getFirst())));
        DataOp op = a.op();
        int width = op.kind == DataOp.Kind.STORE ? op.arg(0).width : op.width;
        var key = new Key(a.root(), w.lane);
        MemoryPlan plan = plans.get(key);
        if (plan == null) {
            plan = plan(a.root(), w, width);
            plans.put(key, plan);
            all.add(plan);
        }
        if (plan.width != width) {
            throw new NotBuildable("'" + plan.name + "' is accessed by " + width + " and by " + plan.width
                    + " bits, which is not built");
        }
        op.access = new MemoryAccess(plan, w.index, code.facts);
        plan.accesses++;
    }

    private IrType type(CodeReader.RawAccess a) {
        if (a.root() instanceof IrValue.Argument(int index, IrType _)) {
            return Optional.ofNullable(arguments.get(index))
                    .orElseThrow(() -> new NotBuildable("the size of what argument '"
                            + design.top().arguments().get(index).name()
                            + "' points to is not known; write it as an array, a[N]"));
        }
        return code.rootType(a.root())
                .orElseThrow(() -> new NotBuildable("memory that is defined elsewhere is not built"));
    }

    private void walk(IrType type, Walk w) {
        switch (type) {
            case IrType.Array a -> {
                var dims = new ArrayList<IrType.Array>();
                IrType element = a;
                while (element instanceof IrType.Array x) {
                    dims.add(x);
                    element = x.element();
                }
                long size = element.bytes();
                long elements = 1;
                for (IrType.Array x : dims) {
                    w.dims.add(x.length());
                    w.strides.add(x.element().bytes());
                    elements *= x.length();
                }
                SumForm<DataOp> outer = SumForm.of(0);
                SumForm<DataOp> inner = SumForm.of(w.rest.constant());
                for (var e : w.rest.factors().entrySet()) {
                    if (e.getValue() % size == 0) {
                        outer = outer.plus(e.getKey().sum(), e.getValue() / size);
                    } else {
                        inner = inner.plus(e.getKey().sum(), e.getValue());
                    }
                }
                long q = Math.floorDiv(low(inner), size);
                w.index = w.index.times(elements).plus(outer, 1).plus(q);
                w.rest = inner.plus(-q * size);
                walk(element, w);
            }
            case IrType.Struct s -> {
                long low = low(w.rest);
                int member = 0;
                for (int k = 0; k < s.members().size(); k++) {
                    if (s.offsets().get(k) <= low) {
                        member = k;
                    }
                }
                Range r = code.facts.range(w.rest);
                long from = s.offsets().get(member);
                if (r.low() < from || r.high() >= from + s.members().get(member).bytes()) {
                    throw new NotBuildable("an index that may leave its member of a struct is not built");
                }
                w.lane += from;
                w.rest = w.rest.plus(-from);
                walk(s.members().get(member), w);
            }
            case IrType.Int _, IrType.Real _ -> {
                if (!w.rest.equals(SumForm.of(0))) {
                    throw new NotBuildable("an access to a part of an element is not built");
                }
                if (w.dims.isEmpty()) {
                    w.dims.add(1L);
                    w.strides.add(type.bytes());
                }
            }
            default -> throw new NotBuildable("memory of type " + type + " is not built");
        }
    }

    private long low(SumForm<DataOp> f) {
        return f.isConstant() ? f.constant() : code.facts.range(f).low();
    }

    private MemoryPlan plan(IrValue root, Walk w, int width) {
        Optional<IrGlobal> global =
                root instanceof IrValue.Symbol s ? design.module().global(s.name()) : Optional.empty();
        boolean argument = root instanceof IrValue.Argument;
        Role role = argument
                ? Role.ARGUMENT
                : global.isEmpty() ? Role.LOCAL : global.get().constant() ? Role.CONSTANT : Role.STATIC;
        String called = design.sourceName(root).orElse("local").replaceAll("\\W", "_");
        String unique = called + (w.lane > 0 ? "_" + w.lane : "");
        boolean taken = all.stream().anyMatch(p -> p.name.equals(unique));
        var plan = new MemoryPlan(
                taken ? unique + "_x" + all.size() : unique,
                role,
                width,
                w.dims,
                w.strides,
                w.lane,
                design.divisions(root));
        if (root instanceof IrValue.Argument(int index, IrType _)) {
            argumentOf.put(plan, index);
        }
        global.flatMap(IrGlobal::initialiser).ifPresent(i -> plan.initial = initial(i, plan));
        return plan;
    }

    private static List<Long> initial(IrConstant value, MemoryPlan plan) {
        byte[] bytes = new byte[(int) value.type().bytes()];
        put(bytes, 0, value);
        var words = new ArrayList<Long>();
        for (long i = 0; i < plan.elements(); i++) {
            words.add(word(bytes, (int) plan.byteOf(i), plan.bytes));
        }
        return words;
    }

    /// A little-endian number.
    static long word(byte[] bytes, int at, int count) {
        long x = 0;
        for (int k = count - 1; k >= 0; k--) {
            x = x << Byte.SIZE | (bytes[at + k] & 0xFF);
        }
        return x;
    }

    /// Writes a little-endian number.
    static void put(byte[] bytes, int at, int count, long x) {
        for (int k = 0; k < count; k++) {
            bytes[at + k] = (byte) (x >> (k * Byte.SIZE));
        }
    }

    private static void put(byte[] bytes, int at, IrConstant c) {
        switch (c) {
            case IrConstant.Table t -> {
                int width = (int) t.element().bytes();
                for (int i = 0; i < t.bits().length; i++) {
                    put(bytes, at + i * width, width, t.bits()[i]);
                }
            }
            case IrConstant.Aggregate a -> {
                for (int i = 0; i < a.members().size(); i++) {
                    IrConstant m = a.members().get(i);
                    long offset = a.type() instanceof IrType.Struct s
                            ? s.offsets().get(i)
                            : i * m.type().bytes();
                    put(bytes, at + (int) offset, m);
                }
            }
            case IrConstant.Whole w ->
                put(bytes, at, (int) w.type().bytes(), w.value().longValue());
            case IrConstant.Floating f -> {
                boolean wide = f.type().bytes() == Double.BYTES;
                put(
                        bytes,
                        at,
                        (int) f.type().bytes(),
                        wide ? Double.doubleToRawLongBits(f.value()) : Float.floatToRawIntBits((float) f.value()));
            }
            case IrConstant.Zero _, IrConstant.Undefined _ -> {}
            default -> throw new NotBuildable("a global that starts as an address is not built");
        }
    }

    /// The type of the compiler for one of the source.
    static IrType compiled(IrDebugType t) {
        return switch (t) {
            case IrDebugType.Alias a -> compiled(a.target());
            case IrDebugType.Elements e -> {
                IrType inner = compiled(e.element());
                for (int k = e.dims().size() - 1; k >= 0; k--) {
                    inner = new IrType.Array(e.dims().get(k), inner);
                }
                yield inner;
            }
            case IrDebugType.Composite c -> {
                var members = new ArrayList<IrType>();
                var offsets = new ArrayList<Long>();
                c.members().forEach(m -> {
                    members.add(compiled(m.type()));
                    offsets.add(m.offset() / Byte.SIZE);
                });
                yield new IrType.Struct("", members, offsets, t.bits() / Byte.SIZE);
            }
            case IrDebugType.Basic b
            when b.encoding() == IrDebugType.Encoding.FLOATING -> new IrType.Real((int) t.bits());
            case IrDebugType.Basic _, IrDebugType.Enumeration _ -> new IrType.Int((int) t.bits());
            default -> throw new NotBuildable("an argument of type " + t + " is not built");
        };
    }
}
