package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// The variables and arguments that pointers of a compiled source lead to. A pointer that a function gets stands for
/// what its first call passes.
final class IrPointers {
    /// Members of a struct that are looked at one by one.
    static final int MOST_MEMBERS = 64;

    /// A variable or argument; a global is of no function.
    record Key(String function, IrValue root) {}

    /// The target of a pointer: an object, and the bytes from its start to where the pointer's own form starts.
    record Target(Key key, long offset) {}

    private final IrModule module;
    private final String top;
    private final Map<String, FunctionFacts> facts;
    private final Map<Key, Target> bound = new HashMap<>();
    private final Map<String, IrType> stepped = new HashMap<>();

    /// @param top name of the function whose arguments are the kernel's
    /// @param facts of the functions that are reached, by name
    IrPointers(IrModule module, String top, Map<String, FunctionFacts> facts) {
        this.module = module;
        this.top = top;
        this.facts = facts;
        facts.values().forEach(this::bind);
    }

    private void bind(FunctionFacts f) {
        for (IrInstruction call : f.forms().code()) {
            Optional<FunctionFacts> callee = call.callee().map(facts::get);
            for (int k = 0; callee.isPresent() && k < call.operands().size(); k++) {
                if (call.operands().get(k).type() instanceof IrType.Pointer) {
                    var formal = new IrValue.Argument(k, call.operands().get(k).type());
                    AffineForms.Pointer actual =
                            f.forms().pointer(call.operands().get(k));
                    bound.putIfAbsent(
                            new Key(call.callee().orElse(""), formal),
                            new Target(
                                    new Key(f.function().name(), actual.root()),
                                    actual.bytes().constant()));
                }
            }
        }
    }

    /// The target of a pointer of a function.
    Target resolve(String function, IrValue root) {
        var key = root instanceof IrValue.Symbol ? new Key("", root) : new Key(function, root);
        long offset = 0;
        for (int depth = 0; depth < 16; depth++) {
            Target to = key.function().equals(top) ? null : bound.get(key);
            if (to == null) {
                break;
            }
            offset += to.offset();
            key = to.key().root() instanceof IrValue.Symbol
                    ? new Key("", to.key().root())
                    : to.key();
        }
        return new Target(key, offset);
    }

    /// The type of a local variable.
    Optional<IrType> allocated(Key key) {
        return key.root() instanceof IrValue.Result(int id, IrType _)
                        && requireNonNull(facts.get(key.function()))
                                        .forms()
                                        .code()
                                        .get(id)
                                instanceof IrInstruction i
                        && i.opcode() == IrOpcode.ALLOCA
                        && i.detail() instanceof Detail.Element(IrType t)
                ? Optional.of(t)
                : Optional.empty();
    }

    /// The type of a global. One whose initial value ends in zeros has a type made for that value: there the type by
    /// which accesses step through it counts.
    Optional<IrType> global(String name) {
        return module.global(name)
                .map(g -> g.type() instanceof IrType.Struct s && s.name().isEmpty()
                        ? requireNonNull(stepped.computeIfAbsent(name, _ -> stepped(name, s)))
                        : g.type());
    }

    private IrType stepped(String name, IrType made) {
        for (FunctionFacts f : facts.values()) {
            for (IrInstruction i : f.forms().code()) {
                if (i.opcode() == IrOpcode.GET_ELEMENT_PTR
                        && i.operands().getFirst() instanceof IrValue.Symbol s
                        && s.name().equals(name)
                        && i.detail() instanceof Detail.Element(IrType t)
                        && t instanceof IrType.Array
                        && t.bytes() == made.bytes()) {
                    return t;
                }
            }
        }
        return made;
    }

    /// The struct that a variable is and that holds arrays beside other members.
    Optional<IrType.Struct> struct(Key key) {
        Optional<IrType> type = key.root() instanceof IrValue.Symbol s ? global(s.name()) : allocated(key);
        return type.filter(t -> t instanceof IrType.Struct s
                        && s.members().size() > 1
                        && s.members().size() <= MOST_MEMBERS
                        && !isVector(s)
                        && s.members().stream().anyMatch(IrType.Array.class::isInstance))
                .map(IrType.Struct.class::cast);
    }

    /// The element type of an array; structs of one member are that member.
    ///
    /// @param dims filled with the sizes
    static IrType element(IrType type, List<Long> dims) {
        IrType e = type;
        while (true) {
            if (e instanceof IrType.Array a) {
                dims.add(a.length());
                e = a.element();
            } else if (e instanceof IrType.Struct s && s.members().size() == 1 && !isVector(s)) {
                e = s.members().getFirst();
            } else {
                return e;
            }
        }
    }

    static boolean isVector(IrType type) {
        return type instanceof IrType.Struct s && s.name().contains("vector");
    }
}
