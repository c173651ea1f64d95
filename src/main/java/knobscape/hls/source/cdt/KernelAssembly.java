package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.cdt.FunctionReader.Body;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IVariable;

/// Puts the functions that were read together: arrays over calls, who is reachable, notes.
final class KernelAssembly {
    private final Program program;
    private final Map<Instance, Body> bodies;

    KernelAssembly(Program program, Map<Instance, Body> bodies) {
        this.program = program;
        this.bodies = bodies;
    }

    /// Callees of `top` and itself, callees first.
    List<Instance> reachable(Instance top) {
        var seen = java.util.Collections.newSetFromMap(new IdentityHashMap<Instance, Boolean>());
        var order = new ArrayList<Instance>();
        visit(top, seen, order);
        return order;
    }

    private void visit(Instance i, Set<Instance> seen, List<Instance> order) {
        if (seen.add(i)) {
            program.callees(i).forEach(c -> visit(c, seen, order));
            order.add(i);
        }
    }

    /// Makes members of structs known to callers, and lets callers know what their callees write. Callees first.
    void link(List<Instance> calleesFirst) {
        for (Instance callee : calleesFirst) {
            for (CallSite c : program.callsOf(callee)) {
                actuals(c).forEach((formal, actual) -> {
                    if (formal.written()) {
                        actual.markWritten();
                    }
                    if (formal.read()) {
                        actual.markRead();
                    }
                });
            }
        }
    }

    /// Which array of the caller stands behind each array that the callee got.
    private Map<ArrayInfo, ArrayInfo> actuals(CallSite c) {
        var found = new LinkedHashMap<ArrayInfo, ArrayInfo>();
        Body callee = bodies.get(c.callee());
        Body caller = bodies.get(c.caller());
        if (callee == null || caller == null) {
            return found;
        }
        List<IVariable> parameters = FunctionReader.parameters(c.callee());
        for (ArrayInfo formal : FunctionReader.inOrder(callee.context())) {
            int index = parameters.indexOf(formal.place().root());
            if (index >= 0 && index < c.actuals().size()) {
                switch (c.actuals().get(index)) {
                    case CallSite.Array a when formal.place().path().replace("*", "").isEmpty() -> found.put(formal, a.array());
                    case CallSite.Struct s -> member(caller, s.place(), formal, formal.place().path()).ifPresent(a -> found.put(formal, a));
                    default -> { }
                }
            } else if (formal.place().root() instanceof IField f) {
                Optional<ArrayInfo> actual = c.self().isPresent() ? member(caller, c.self().get(), formal, "." + f.getName() + formal.place().path())
                        : Optional.of(caller.context().arrays.computeIfAbsent(formal.place(), p -> copy(formal, p, c.caller().name(), formal.name())));
                actual.ifPresent(a -> found.put(formal, a));
            }
        }
        return found;
    }

    /// The caller's name for a member that the callee uses.
    private Optional<ArrayInfo> member(Body caller, Place object, ArrayInfo formal, String path) {
        if (path.isEmpty()) {
            return Optional.empty();
        }
        Place place = new Place(object.root(), (object.path() + path).replace("*", ""));
        Map<Place, ArrayInfo> table = program.declarations().isGlobal(place.root()) ? program.globals() : caller.context().arrays;
        String function = program.declarations().isGlobal(place.root()) ? "" : caller.instance().name();
        String prefix = place.root() instanceof IField ? "this." : "";
        return Optional.of(table.computeIfAbsent(place, p -> copy(formal, p, function, prefix + p.name())));
    }

    private ArrayInfo copy(ArrayInfo formal, Place place, String function, String name) {
        Location at = program.declarations().declarator(place.root()).map(d -> program.parsed().positions().of(d.getName())).orElse(formal.location());
        var scope = formal.scope() == ArrayVariable.Scope.STREAM ? ArrayVariable.Scope.STREAM : ArrayVariable.Scope.MEMBER;
        return new ArrayInfo(function + "/" + name, name, function, scope, place, formal.elementType(), formal.element(), formal.dims(), formal.constant(), at);
    }

    Function function(Instance i) {
        Body body = bodies.get(i);
        var bindings = new ArrayList<Function.Binding>();
        for (CallSite c : program.calls()) {
            if (c.caller() == i) {
                var arrays = new LinkedHashMap<String, String>();
                actuals(c).forEach((formal, actual) -> arrays.put(formal.name(), actual.id()));
                bindings.add(new Function.Binding(c.callee().name(), arrays, c.location()));
            }
        }
        bindings.sort(java.util.Comparator.comparingInt(b -> b.location().offset()));
        IASTFunctionDefinition d = i.definition();
        SourceText file = program.parsed().positions().file(d).orElse(program.parsed().main());
        int from = d.getBody().getFileLocation() == null ? 0 : d.getBody().getFileLocation().getNodeOffset();
        boolean literal = file.text().startsWith("{", from);
        return new Function(i.name(), FunctionReader.inOrder(body.context()).stream().map(ArrayInfo::toVariable).toList(), body.scalars(), body.statements(),
                program.callees(i).stream().map(Instance::name).toList(), bindings, program.parsed().positions().of(i.innermostName()),
                file.location(literal ? from + 1 : from, 0), d.getDeclSpecifier().isInline());
    }

    /// Text of every file that something was found in.
    Map<String, String> sources(List<Function> functions) {
        var texts = new HashMap<String, String>();
        SourceText main = program.parsed().main();
        texts.put(main.name(), main.text());
        for (Function f : functions) {
            bodies.values().stream().filter(b -> b.instance().name().equals(f.name())).findFirst()
                    .flatMap(b -> program.parsed().positions().file(b.instance().definition())).ifPresent(t -> texts.put(t.name(), t.text()));
        }
        return texts;
    }

    /// Global arrays that the functions use.
    List<ArrayVariable> globals(List<Function> functions) {
        Set<String> used = new LinkedHashSet<>();
        for (Function f : functions) {
            knobscape.hls.source.Statements.accesses(f.body(), true).forEach(a -> used.add(a.array()));
            f.bindings().forEach(b -> used.addAll(b.arrays().values()));
        }
        return program.globals().values().stream().filter(g -> used.contains(g.id())).map(ArrayInfo::toVariable).toList();
    }

    /// The kernel with these functions; pragmas and notes are added by the caller.
    Kernel kernel(Instance top, boolean guessed, List<Function> functions, List<knobscape.hls.source.Pragma> pragmas, Notes notes) {
        Set<String> names = new LinkedHashSet<>();
        functions.forEach(f -> names.add(f.name()));
        List<String> others = program.definitions().stream().map(program::nameOfDefinition)
                .filter(n -> names.stream().noneMatch(x -> x.equals(n) || x.startsWith(n + "<"))).toList();
        String file = program.parsed().main().name();
        return new Kernel(file, program.parsed().main().text(), top.name(), guessed, functions, others, globals(functions), pragmas, notes.inOrder(file), sources(functions));
    }
}
