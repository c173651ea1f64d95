package knobscape.hls.source.clang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrDebugType;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrFunction.IrVariable;
import knobscape.compile.ir.IrGlobal;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.source.ArrayVariable;

/// In which array of the source the addresses of a function lie, and by which index of each dimension.
final class ArrayPlaces {
    private static final int LONGEST = 64;
    /// The capacity of a queue in our header.
    private static final int PLACES_OF_A_QUEUE = 1 << 16;

    private final String name;
    private final AffineForms forms;
    private final Map<String, ArrayVariable> arrays = new HashMap<>();
    private final Map<IrValue, Root> roots = new HashMap<>();

    /// A place in an array.
    ///
    /// @param index one form a dimension; empty where it cannot be told
    /// @param key of the instruction that computes the index, the same for all accesses to one written element
    record Place(ArrayVariable array, Optional<List<Affine>> index, OptionalInt key) {}

    /// A variable that addresses start from.
    private record Root(String id, IrDebugType type) {}

    /// A way from a variable to an address, the first step first.
    private record Way(Root root, List<Step> steps) {}

    /// A step from an address to another: elements further, or into a struct.
    private sealed interface Step {
        /// @param unit what is stepped over
        /// @param by instruction, -1 for a constant address
        record Elements(IrValue count, IrType unit, int by) implements Step {}

        /// @param bits from the struct's start
        record Member(long bits) implements Step {}
    }

    /// @param name of the function as people know it
    /// @param known its arrays and the global ones
    ArrayPlaces(IrModule module, IrFunction f, String name, AffineForms forms, List<ArrayVariable> known) {
        this.name = name;
        this.forms = forms;
        known.forEach(a -> arrays.putIfAbsent(a.id(), a));
        for (IrVariable v : f.variables()) {
            var root = new Root(name + "/" + v.name(), target(v.type()));
            int index = v.argument() - 1;
            if (v.argument() > 0 && index < f.arguments().size()) {
                roots.putIfAbsent(
                        new IrValue.Argument(index, f.arguments().get(index).type()), root);
            }
            if (v.address()) {
                roots.putIfAbsent(v.value(), root);
            }
        }
        for (IrGlobal g : module.globals()) {
            g.debug().ifPresent(t -> {
                String function = g.location().map(l -> l.function()).orElse("");
                String owner = function.equals(f.sourceName()) ? name : "";
                roots.put(new IrValue.Symbol(g.name()), new Root(owner + "/" + g.sourceName(), t));
            });
        }
    }

    private static IrDebugType target(IrDebugType type) {
        return DebugTypes.plain(type) instanceof IrDebugType.Address(IrDebugType to, boolean _) ? to : type;
    }

    /// The array that an address lies in, or starts.
    ///
    /// @param bytes of what is accessed there
    Optional<Place> of(IrValue address, long bytes) {
        Optional<Way> way = way(address);
        if (way.isPresent()) {
            return down(way.get());
        }
        AffineForms.Pointer moving = forms.pointer(address);
        return root(moving.root())
                .flatMap(r -> Optional.ofNullable(arrays.get(r.id())).or(() -> only(r.id())))
                .map(a -> {
                    Optional<Affine> index = a.dims().size() == 1 ? divided(moving.bytes(), bytes) : Optional.empty();
                    return new Place(a, index.map(List::of), OptionalInt.empty());
                });
    }

    /// The one array in an object.
    private Optional<ArrayVariable> only(String object) {
        List<ArrayVariable> inside = arrays.values().stream()
                .filter(a -> a.id().startsWith(object + "."))
                .toList();
        return inside.size() == 1 ? Optional.of(inside.getFirst()) : Optional.empty();
    }

    /// The arrays that an address may lie in: several where it is chosen.
    List<Place> all(IrValue address, long bytes) {
        if (address instanceof IrValue.Result r) {
            IrInstruction i = forms.code().get(r.instruction());
            int from = i.opcode() == IrOpcode.SELECT ? 1 : 0;
            boolean chosen = i.opcode() == IrOpcode.SELECT
                    || (i.opcode() == IrOpcode.PHI && !forms.isHeader(forms.blockOf(i.id())));
            if (chosen) {
                return i.operands().stream()
                        .skip(from)
                        .filter(o -> !o.equals(address))
                        .flatMap(o -> of(o, bytes).stream())
                        .toList();
            }
        }
        return of(address, bytes).stream().toList();
    }

    /// Arrays that are members of the struct at an address: the member's name to the array's id.
    Map<String, String> members(IrValue address) {
        var all = new LinkedHashMap<String, String>();
        way(address).filter(w -> objects(w.steps()) == w.steps().size()).ifPresent(w -> {
            String start = w.root().id() + ".";
            arrays.keySet().stream()
                    .filter(id -> id.startsWith(start))
                    .sorted()
                    .forEach(id -> all.put(id.substring(start.length()), id));
        });
        return all;
    }

    private Optional<Way> way(IrValue address) {
        var steps = new ArrayList<Step>();
        IrValue at = address;
        for (int n = 0; n < LONGEST; n++) {
            Optional<IrValue> base = back(at, steps);
            if (base.isEmpty()) {
                break;
            }
            at = base.get();
        }
        return root(at).map(r -> new Way(r, List.copyOf(steps.reversed())));
    }

    /// The variable that an address starts from; of one that is kept in memory, the variable that keeps it.
    private Optional<Root> root(IrValue value) {
        Root known = roots.get(value);
        if (known == null
                && value instanceof IrValue.Result r
                && forms.code().get(r.instruction()).opcode() == IrOpcode.LOAD) {
            Root holder = roots.get(forms.code().get(r.instruction()).operands().getFirst());
            return Optional.ofNullable(holder).filter(h -> h.id().startsWith(name + "/"));
        }
        return Optional.ofNullable(known);
    }

    /// The address that another is computed from; its steps are added, the last one first.
    private Optional<IrValue> back(IrValue address, List<Step> steps) {
        return switch (address) {
            case IrValue.Result r -> {
                IrInstruction i = forms.code().get(r.instruction());
                yield switch (i.opcode()) {
                    case GET_ELEMENT_PTR -> {
                        steps(((Detail.Element) i.detail()).type(), i.operands(), i.id(), steps);
                        yield Optional.of(i.operands().getFirst());
                    }
                    case BITCAST, ADDR_SPACE_CAST, FREEZE ->
                        Optional.of(i.operands().getFirst());
                    default -> Optional.empty();
                };
            }
            case IrConstant.Computed c
            when c.opcode() == IrOpcode.GET_ELEMENT_PTR -> {
                steps(c.element().orElseThrow(), c.operands(), -1, steps);
                yield Optional.of(c.operands().getFirst());
            }
            default -> Optional.empty();
        };
    }

    private static void steps(IrType walked, List<? extends IrValue> operands, int by, List<Step> steps) {
        var own = new ArrayList<Step>();
        IrType type = walked;
        for (int k = 1; k < operands.size(); k++) {
            if (k > 1 && type instanceof IrType.Struct s) {
                int member = (int) AffineForms.whole(operands.get(k)).orElse(0);
                own.add(new Step.Member(s.offsets().get(member) * Byte.SIZE));
                type = s.members().get(member);
                continue;
            }
            if (k > 1 && type instanceof IrType.Array a) {
                type = a.element();
            }
            own.add(new Step.Elements(operands.get(k), type, by));
        }
        steps.addAll(own.reversed());
    }

    private Optional<Place> down(Way way) {
        return down(way.root().id(), way.root().type(), way.steps(), List.of());
    }

    /// @param id of what the steps so far led to
    /// @param type of that
    /// @param steps that are left
    /// @param lead index of the objects that it is a member of
    private Optional<Place> down(String id, IrDebugType type, List<Step> steps, List<Affine> lead) {
        if (DebugTypes.plain(type) instanceof IrDebugType.Composite c && !arrays.containsKey(id)) {
            return member(c, steps).flatMap(m -> down(DebugTypes.within(id, m), m.type(), behind(steps), lead));
        }
        Optional<DebugTypes.Shape> shape = DebugTypes.shape(type);
        if (shape.isPresent() && DebugTypes.plain(shape.get().element()) instanceof IrDebugType.Composite c) {
            int n = shape.get().dims().size();
            int taken = 0;
            while (taken < steps.size()
                    && steps.get(taken) instanceof Step.Elements e
                    && innermost(e.unit()) instanceof IrType.Struct) {
                taken++;
            }
            List<Step> left = steps.subList(taken, steps.size());
            Optional<List<Affine>> index = index(n, steps.subList(0, taken));
            Optional<Place> inside = index.isEmpty()
                    ? Optional.empty()
                    : member(c, left).flatMap(m -> {
                        var all = new ArrayList<>(lead);
                        all.addAll(index.get());
                        return down(DebugTypes.within(id, m), m.type(), behind(left), all);
                    });
            if (inside.isPresent()) {
                return inside;
            }
        }
        ArrayVariable array = arrays.get(id);
        return array == null ? Optional.empty() : Optional.of(indexed(array, steps, lead));
    }

    /// The member that steps lead into; the first one where the step is left out because its address is the struct's.
    private static Optional<IrDebugType.Member> member(IrDebugType.Composite c, List<Step> steps) {
        int at = objects(steps);
        if (at == steps.size()) {
            return Optional.empty();
        }
        long bits = steps.get(at) instanceof Step.Member(long offset) ? offset : 0;
        return c.members().stream().filter(m -> m.offset() == bits).findFirst();
    }

    private static List<Step> behind(List<Step> steps) {
        int at = objects(steps);
        return steps.subList(at + (steps.get(at) instanceof Step.Member ? 1 : 0), steps.size());
    }

    /// Steps over whole objects at the start.
    private static int objects(List<Step> steps) {
        int at = 0;
        while (at < steps.size()
                && steps.get(at) instanceof Step.Elements e
                && innermost(e.unit()) instanceof IrType.Struct) {
            at++;
        }
        return at;
    }

    private static IrType innermost(IrType type) {
        return type instanceof IrType.Array a ? innermost(a.element()) : type;
    }

    /// Index of each of `n` dimensions; empty where a step goes over the whole.
    private Optional<List<Affine>> index(int n, List<Step> steps) {
        var index = new ArrayList<Affine>(java.util.Collections.nCopies(n, Affine.of(0)));
        for (Step step : steps) {
            if (step instanceof Step.Elements(IrValue count, IrType unit, int _)
                    && AffineForms.whole(count).orElse(1) != 0) {
                int d = n - 1 - depth(unit);
                if (d < 0) {
                    return Optional.empty();
                }
                index.set(d, index.get(d).plus(forms.of(count), 1));
            }
        }
        return Optional.of(index);
    }

    private Place indexed(ArrayVariable array, List<Step> steps, List<Affine> lead) {
        int last = 0;
        OptionalInt key = OptionalInt.empty();
        boolean queue = array.scope() == ArrayVariable.Scope.STREAM;
        while (last < steps.size()
                && steps.get(last) instanceof Step.Elements e
                && !(queue && e.unit() instanceof IrType.Array a && a.length() == PLACES_OF_A_QUEUE)) {
            key = array.dims().size() - 1 - depth(e.unit()) >= 0 && e.by() >= 0 ? OptionalInt.of(e.by()) : key;
            last++;
        }
        Optional<List<Affine>> own = index(array.dims().size() - lead.size(), steps.subList(0, last));
        return new Place(
                array, own.map(o -> Stream.concat(lead.stream(), o.stream()).toList()), key);
    }

    private static int depth(IrType type) {
        return type instanceof IrType.Array a ? 1 + depth(a.element()) : 0;
    }

    private static Optional<Affine> divided(Affine bytes, long by) {
        if (by <= 0 || bytes.constant() % by != 0) {
            return Optional.empty();
        }
        Affine index = Affine.of(bytes.constant() / by);
        for (int k = 0; k < bytes.size(); k++) {
            if (bytes.factorAt(k) % by != 0) {
                return Optional.empty();
            }
            index = index.plus(Affine.symbol(bytes.symbols()[k]), bytes.factorAt(k) / by);
        }
        return Optional.of(index);
    }
}
