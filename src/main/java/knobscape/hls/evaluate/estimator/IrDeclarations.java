package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.compile.Transformation;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrDebugType;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrFunction.IrVariable;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.IrOrders.MemberShape;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryName;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryOrder;
import knobscape.hls.space.Directive.Storage;

/// Which memories a variable of the unoptimised code names: itself, or what callers pass for a parameter.
final class IrDeclarations {
    private static final int DEEPEST = 16;
    /// Our stand-ins for the tool's numbers of any width.
    private static final Pattern ARBITRARY = Pattern.compile("ap_(?:int|fixed)_base<(\\d+),");

    private final IrModule compiled;
    private final String top;
    private final Map<String, AffineForms> forms = new HashMap<>();
    /// Calls of each function.
    private final Map<String, List<Call>> calls = new HashMap<>();
    /// Values stored to each local variable, by function.
    private final Map<String, Map<Integer, List<IrValue>>> stored = new HashMap<>();

    private record Call(String caller, IrInstruction instruction) {}

    IrDeclarations(IrModule compiled, String top) {
        this.compiled = compiled;
        this.top = top;
        for (IrFunction f : compiled.functions()) {
            if (f.isDeclaration()) {
                continue;
            }
            var of = new AffineForms(f, IrLoops.of(f));
            forms.put(f.name(), of);
            var values = new HashMap<Integer, List<IrValue>>();
            for (IrInstruction i : of.code()) {
                i.callee()
                        .ifPresent(c ->
                                calls.computeIfAbsent(c, _ -> new ArrayList<>()).add(new Call(f.name(), i)));
                if (i.opcode() == IrOpcode.STORE && i.operands().get(1) instanceof IrValue.Result r) {
                    values.computeIfAbsent(r.instruction(), _ -> new ArrayList<>())
                            .add(i.operands().getFirst());
                }
            }
            stored.put(f.name(), values);
        }
    }

    /// The name by which a local variable is known however often its function is inlined.
    static MemoryName local(IrVariable v) {
        return new MemoryName(
                "@" + v.location().file() + ":" + v.location().line() + ":"
                        + v.location().column(),
                v.name());
    }

    /// The memories that a variable is or stands for.
    Set<MemoryName> named(String function, IrValue variable) {
        Set<MemoryName> all = new HashSet<>();
        collect(function, variable, all, 0);
        return all;
    }

    private void collect(String function, IrValue value, Set<MemoryName> into, int depth) {
        AffineForms f = forms.get(function);
        if (f == null || depth > DEEPEST) {
            return;
        }
        switch (f.pointer(value).root()) {
            case IrValue.Symbol s -> into.add(new MemoryName("", s.name()));
            case IrValue.Argument a -> passed(function, a.index(), into, depth + 1);
            case IrValue.Result r -> {
                IrInstruction i = f.code().get(r.instruction());
                if (i.opcode() == IrOpcode.ALLOCA) {
                    variable(function, r, into, depth);
                } else if (i.opcode() == IrOpcode.LOAD && i.operands().getFirst() instanceof IrValue.Result slot) {
                    List<IrValue> values = values(function, slot.instruction());
                    values.forEach(v -> collect(function, v, into, depth + 1));
                }
            }
            default -> {}
        }
    }

    private List<IrValue> values(String function, int slot) {
        Map<Integer, List<IrValue>> of = stored.get(function);
        return of == null ? List.of() : of.getOrDefault(slot, List.of());
    }

    /// A parameter's own place stands for what is passed, another variable for itself.
    private void variable(String function, IrValue.Result alloca, Set<MemoryName> into, int depth) {
        List<IrValue> values = values(function, alloca.instruction());
        if (values.size() == 1 && values.getFirst() instanceof IrValue.Argument a) {
            passed(function, a.index(), into, depth + 1);
            return;
        }
        compiled.function(function).stream()
                .flatMap(f -> f.variables().stream())
                .filter(v -> v.address() && v.value().equals(alloca))
                .findFirst()
                .ifPresent(v -> into.add(local(v)));
    }

    /// How many pointers into a memory the calls of each function take, the most in one call; what stands for a pragma
    /// takes none.
    Map<String, Integer> taken(MemoryName memory) {
        var all = new HashMap<String, Integer>();
        calls.forEach((callee, of) -> {
            if (callee.startsWith("llvm.") || Transformation.isMarker(callee)) {
                return;
            }
            for (Call c : of) {
                int count = 0;
                for (IrValue o : c.instruction().operands()) {
                    boolean pointer = o.type() instanceof IrType.Pointer;
                    count += pointer && named(c.caller(), o).contains(memory) ? 1 : 0;
                }
                if (count > 0) {
                    all.merge(callee, count, Math::max);
                }
            }
        });
        return all;
    }

    private void passed(String function, int argument, Set<MemoryName> into, int depth) {
        Optional<IrFunction> f = compiled.function(function);
        if (function.equals(top)) {
            f.ifPresent(x -> into.add(
                    new MemoryName(function, x.arguments().get(argument).name())));
            return;
        }
        for (Call c : calls.getOrDefault(function, List.of())) {
            if (argument < c.instruction().operands().size()) {
                collect(c.caller(), c.instruction().operands().get(argument), into, depth);
            }
        }
    }

    /// Dimensions and elements behind the top's pointers, as the source has them.
    Map<MemoryName, MemoryOrder> shapes() {
        var all = new HashMap<MemoryName, MemoryOrder>();
        compiled.function(top).ifPresent(f -> {
            for (IrVariable v : f.variables()) {
                if (v.argument() > 0 && v.value() instanceof IrValue.Result slot) {
                    List<IrValue> values = values(top, slot.instruction());
                    if (values.size() == 1
                            && values.getFirst() instanceof IrValue.Argument a
                            && a.type() instanceof IrType.Pointer) {
                        shape(v.type(), isOne(slot))
                                .ifPresent(s -> all.put(
                                        new MemoryName(
                                                top,
                                                f.arguments().get(a.index()).name()),
                                        s));
                    }
                }
            }
        });
        return all;
    }

    /// True if a pointer argument of the top leads to one value: it is only ever read or written through, by no
    /// index and in no other function. The tool makes a port of it and no memory.
    ///
    /// @param slot where the function keeps it
    private boolean isOne(IrValue.Result slot) {
        List<IrInstruction> code = requireNonNull(forms.get(top)).code();
        Set<IrValue> pointers = code.stream()
                .filter(i ->
                        i.opcode() == IrOpcode.LOAD && i.operands().getFirst().equals(slot))
                .map(IrInstruction::result)
                .collect(Collectors.toSet());
        return code.stream().allMatch(i -> {
            List<IrValue> used = i.opcode() == IrOpcode.LOAD
                    ? List.of()
                    : i.opcode() == IrOpcode.STORE ? i.operands().subList(0, 1) : i.operands();
            return used.stream().noneMatch(pointers::contains);
        });
    }

    /// The first dimension is lost where an array decays.
    ///
    /// @param one whether there is one element
    private static Optional<MemoryOrder> shape(IrDebugType type, boolean one) {
        // What is no address is passed by value through one.
        boolean value = !(plain(type) instanceof IrDebugType.Address);
        var dims = new ArrayList<Long>();
        IrDebugType e =
                plain(type) instanceof IrDebugType.Address(IrDebugType target, boolean _) ? plain(target) : plain(type);
        dims.add(value || (one && e instanceof IrDebugType.Basic) ? 1L : 0L);
        while (e instanceof IrDebugType.Elements a) {
            a.dims().forEach(d -> dims.add(Math.max(0, d)));
            e = plain(a.element());
        }
        long bits = e.bits();
        return bits <= 0 || bits > 1 << 20
                ? Optional.empty()
                : Optional.of(new MemoryOrder(
                        List.of(), Storage.AUTO, IrOrders.Apart.NONE, 0, Map.of(), dims, (int) bits, members(e), ""));
    }

    /// Members of a struct of numbers and arrays of numbers; none where there are others.
    private static List<MemberShape> members(IrDebugType type) {
        var all = new ArrayList<MemberShape>();
        if (type instanceof IrDebugType.Composite c) {
            for (IrDebugType.Member m : c.members()) {
                var dims = new ArrayList<Long>();
                IrDebugType e = plain(m.type());
                while (e instanceof IrDebugType.Elements a) {
                    dims.addAll(a.dims());
                    e = plain(a.element());
                }
                if (!(e instanceof IrDebugType.Basic) || dims.stream().anyMatch(d -> d < 1)) {
                    return List.of();
                }
                all.add(new MemberShape(
                        m.name(), m.offset() / Byte.SIZE, dims.isEmpty() ? List.of(1L) : dims, valueBits(c, e)));
            }
        }
        return all;
    }

    /// Bits of what an array holds, without those that only fill its bytes up; 0 where that is not known.
    static int valueBits(IrDebugType array) {
        IrDebugType e = plain(array);
        while (e instanceof IrDebugType.Elements || e instanceof IrDebugType.Address) {
            e = plain(e instanceof IrDebugType.Elements a ? a.element() : ((IrDebugType.Address) e).target());
        }
        return e instanceof IrDebugType.Composite c && c.members().size() == 1 ? valueBits(c, c) : 0;
    }

    /// @param value what is kept in the memory for it
    private static int valueBits(IrDebugType.Composite type, IrDebugType value) {
        Matcher m = ARBITRARY.matcher(type.name());
        return (int) (m.lookingAt() ? Math.min(Long.parseLong(m.group(1)), value.bits()) : value.bits());
    }

    private static IrDebugType plain(IrDebugType type) {
        IrDebugType t = type;
        while (t instanceof IrDebugType.Alias(String _, IrDebugType target)) {
            t = target;
        }
        return t;
    }
}
