package knobscape.hls.source.cdt;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BlockFunction;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Dependences;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.Pragma;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.TripCount;
import knobscape.hls.source.cdt.FunctionReader.Body;
import knobscape.hls.source.file.SourceText;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTFunctionDeclarator;

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

    /// Makes members of structs known to callers, and lets callers know what their callees write. Callees
    /// first.
    void link(List<Instance> calleesFirst) {
        for (Instance callee : calleesFirst) {
            var sizes = new HashMap<ArrayInfo, Set<List<Long>>>();
            for (CallSite c : program.callsOf(callee)) {
                actuals(c).forEach((formal, actual) -> {
                    if (formal.place().root() instanceof IField) {
                        sizes.computeIfAbsent(formal, _ -> new HashSet<>()).add(actual.dims());
                    }
                    if (formal.written()) {
                        actual.markWritten();
                    }
                    if (formal.read()) {
                        actual.markRead();
                    }
                });
            }
            sizes.forEach((formal, all) -> {
                if (all.size() == 1 && formal.dims().contains(0L)) {
                    formal.setDims(all.iterator().next());
                }
            });
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
                    case CallSite.Array a
                    when formal.place().path().replace("*", "").isEmpty() -> found.put(formal, a.array());
                    case CallSite.Struct s ->
                        member(caller, s.place(), formal, formal.place().path()).ifPresent(a -> found.put(formal, a));
                    case CallSite.Element e
                    when !formal.place().path().replace("*", "").isEmpty() ->
                        found.put(
                                formal, member(e.array(), formal, formal.place().path()));
                    default -> {}
                }
            } else if (formal.place().root() instanceof IField f) {
                String path = "." + f.getName() + formal.place().path();
                Optional<ArrayInfo> actual = switch (c.self().orElse(null)) {
                    case CallSite.Struct s -> member(caller, s.place(), formal, path);
                    case CallSite.Element e -> Optional.of(member(e.array(), formal, path));
                    case null, default ->
                        Optional.of(caller.context()
                                .arrays
                                .computeIfAbsent(
                                        formal.place(),
                                        p -> copy(formal, p, c.caller().name(), formal.name())));
                };
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
        Map<Place, ArrayInfo> table =
                program.declarations().isGlobal(place.root()) ? program.globals() : caller.context().arrays;
        String function = program.declarations().isGlobal(place.root())
                ? ""
                : caller.instance().name();
        ArrayInfo pointedAt = caller.context().pointing.get(place);
        if (pointedAt != null) {
            return Optional.of(pointedAt);
        }
        String prefix = place.root() instanceof IField ? "this." : "";
        return Optional.of(table.computeIfAbsent(place, p -> copy(formal, p, function, prefix + p.name())));
    }

    /// The member of all elements of an array of structs that the callee uses of one.
    private ArrayInfo member(ArrayInfo owner, ArrayInfo formal, String path) {
        Place place = new Place(owner.place().root(), (owner.place().path() + path).replace("*", ""));
        Map<Place, ArrayInfo> table = owner.function().isEmpty()
                ? program.globals()
                : program.instances().stream()
                        .filter(i -> i.name().equals(owner.function()))
                        .findFirst()
                        .map(i -> requireNonNull(bodies.get(i)).context().arrays)
                        .orElseThrow();
        var dims = new ArrayList<>(owner.dims());
        dims.addAll(formal.dims());
        return table.computeIfAbsent(place, p -> {
            ArrayInfo all = copy(formal, p, owner.function(), owner.name() + path.replace("*", ""));
            all.setDims(dims);
            return all;
        });
    }

    private ArrayInfo copy(ArrayInfo formal, Place place, String function, String name) {
        Location at = program.declarations()
                .declarator(place.root())
                .map(d -> program.parsed().positions().of(d.getName()))
                .orElse(formal.location());
        var scope =
                formal.scope() == ArrayVariable.Scope.STREAM ? ArrayVariable.Scope.STREAM : ArrayVariable.Scope.MEMBER;
        return new ArrayInfo(
                function + "/" + name,
                name,
                function,
                scope,
                place,
                formal.elementType(),
                formal.element(),
                formal.dims(),
                formal.constant(),
                at);
    }

    Function function(Instance i) {
        Body body = requireNonNull(bodies.get(i));
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
        SourceText file =
                program.parsed().positions().file(d).orElse(program.parsed().main());
        int from = d.getBody().getFileLocation() == null
                ? 0
                : d.getBody().getFileLocation().getNodeOffset();
        boolean literal = file.text().startsWith("{", from);
        List<ArrayInfo> arrays = FunctionReader.inOrder(body.context());
        return new Function(
                i.name(),
                arrays.stream().map(a -> a.toVariable(arrays)).toList(),
                body.scalars(),
                BodyFacts.of(body.statements()),
                program.callees(i).stream().map(Instance::name).toList(),
                bindings,
                program.parsed().positions().of(i.innermostName()),
                file.location(literal ? from + 1 : from, 0),
                d.getDeclSpecifier().isInline());
    }

    /// The function with its pragmas' trip counts and the dependences of its loops.
    Function finished(Function f, Instance i, List<Pragma> pragmas) {
        Body body = requireNonNull(bodies.get(i));
        var stated = new HashMap<String, TripCount>();
        boolean inline = f.explicitInline();
        for (Pragma p : pragmas) {
            if (p.directive().equals("LOOP_TRIPCOUNT") && p.loop().isPresent()) {
                stated.put(p.loop().get(), LoopFinisher.stated(p.options()));
            }
            inline |= p.directive().equals("INLINE")
                    && p.loop().isEmpty()
                    && !p.options().containsKey("off");
        }
        var dependences = new Dependences(body.context().formulas, body.context(), effects(i));
        var finisher = new LoopFinisher(dependences, body.context().assignedNames, stated);
        return new Function(
                f.name(),
                f.arrays(),
                f.scalars(),
                f.body().withLoops(finisher::finish),
                f.callees(),
                f.bindings(),
                f.location(),
                f.bodyStart(),
                inline);
    }

    private Dependences.CallEffects effects(Instance caller) {
        return new Dependences.CallEffects() {
            @Override
            public boolean writes(Expression.Invocation call, String array) {
                return call.external()
                        ? uses(call, array).anyMatch(u -> u != Access.Kind.READ)
                        : formals(call, array).anyMatch(ArrayInfo::written);
            }

            @Override
            public boolean reads(Expression.Invocation call, String array) {
                return call.external()
                        ? uses(call, array).anyMatch(u -> u != Access.Kind.WRITE)
                        : formals(call, array).anyMatch(ArrayInfo::read);
            }

            private Stream<Access.Kind> uses(Expression.Invocation call, String array) {
                List<String> given = call.arrayArguments();
                return IntStream.range(0, given.size())
                        .filter(n -> given.get(n).equals(array))
                        .mapToObj(n -> BlockFunction.use(call.callee(), n));
            }

            private Stream<ArrayInfo> formals(Expression.Invocation call, String array) {
                return program.calls().stream()
                        .filter(c -> c.caller() == caller
                                && c.callee().name().equals(call.callee())
                                && c.location().equals(call.location()))
                        .flatMap(c -> actuals(c).entrySet().stream())
                        .filter(e -> e.getValue().id().equals(array))
                        .map(Map.Entry::getKey);
            }
        };
    }

    /// Names the functions of the main file that the top function does not reach; a test's `main` is none.
    void noteUnreached(Instance top, List<Instance> reachable, Notes notes) {
        Set<IASTFunctionDefinition> reached = definitions(reachable);
        List<String> others = program.definitions().stream()
                .filter(d -> !reached.contains(d)
                        && !program.overloads().isInlined(d)
                        && !isConstTwin(d, reached)
                        && program.parsed().positions().inMain(d))
                .map(program.names()::of)
                .filter(n -> !n.equals("main"))
                .toList();
        if (!others.isEmpty()) {
            notes.info(
                    program.parsed().positions().of(top.innermostName()),
                    (others.size() == 1 ? "1 function is" : others.size() + " functions are") + " not reached from '"
                            + top.name() + "': "
                            + String.join(", ", others.stream().limit(10).toList())
                            + (others.size() > 10 ? ", ..." : ""));
        }
    }

    private Set<IASTFunctionDefinition> definitions(List<Instance> reachable) {
        Set<IASTFunctionDefinition> reached = Collections.newSetFromMap(new IdentityHashMap<>());
        reachable.forEach(i -> {
            reached.add(i.definition());
            reached.addAll(requireNonNull(bodies.get(i)).context().made);
        });
        return reached;
    }

    /// Whether a place is in a function that was read and is not reached.
    Predicate<Location> unreached(List<Instance> reachable) {
        Set<IASTFunctionDefinition> reached = definitions(reachable);
        Positions positions = program.parsed().positions();
        Map<String, List<Location>> others = bodies.keySet().stream()
                .map(Instance::definition)
                .filter(d -> !reached.contains(d) && !program.overloads().isInlined(d))
                .map(positions::of)
                .distinct()
                .collect(Collectors.groupingBy(Location::file));
        return at -> others.getOrDefault(at.file(), List.of()).stream()
                .anyMatch(d -> d.offset() <= at.offset() && at.offset() < d.offset() + d.length());
    }

    /// Whether a method is what another that is used is for constant objects: `get() const` beside `get()`.
    private boolean isConstTwin(IASTFunctionDefinition d, Set<IASTFunctionDefinition> reached) {
        return isConst(d)
                && program.definitions().stream()
                        .anyMatch(o -> o != d
                                && !isConst(o)
                                && (reached.contains(o) || program.overloads().isInlined(o))
                                && Overloads.parameters(o) == Overloads.parameters(d)
                                && plain(o).equals(plain(d)));
    }

    private static boolean isConst(IASTFunctionDefinition d) {
        return d.getDeclarator() instanceof ICPPASTFunctionDeclarator f && f.isConst();
    }

    private String plain(IASTFunctionDefinition d) {
        return program.names().of(d).replaceFirst("#\\d+$", "");
    }

    /// Tells where the values of the top function's parameters come from.
    void noteAssumed(Instance top, Notes notes) {
        requireNonNull(bodies.get(top))
                .assumed()
                .forEach((name, value) -> notes.info(
                        program.parsed().positions().of(top.innermostName()),
                        "parameter '" + name + "' of '" + top.name() + "' is taken as " + value
                                + ", which is what every call in this file passes"));
    }

    /// Names the types of array elements that nothing declares, once each.
    static void noteUnknownTypes(List<Function> functions, Notes notes) {
        var told = new HashSet<String>();
        functions.stream()
                .flatMap(f -> f.arrays().stream())
                .filter(a -> a.element().kind() == ScalarType.Kind.UNKNOWN
                        && a.element().spelling().matches("\\w+")
                        && told.add(a.element().spelling()))
                .forEach(a -> notes.warn(
                        a.location(),
                        "type '" + a.element().spelling() + "' is not declared; it is taken for "
                                + a.element().bits()
                                + " bits (-I names a folder of headers, -D a macro that its declaration depends on)"));
    }

    /// Tells about loops in the functions that were not read.
    void noteLost(List<Instance> functions, Notes notes) {
        for (Instance i : functions) {
            i.definition().accept(new ASTVisitor() {
                {
                    shouldVisitStatements = true;
                }

                @Override
                public int visit(IASTStatement s) {
                    if (Nodes.isLoop(s) && !program.wasMet(s)) {
                        notes.warn(
                                program.parsed().positions().of(s),
                                "the loop here is left out: "
                                        + program.whySkipped(s)
                                                .orElse("it stands in code that is not understood or never reached"));
                    }
                    return PROCESS_CONTINUE;
                }
            });
        }
    }

    ConstantNames constantNames(Instance i) {
        return new ConstantNames(
                requireNonNull(bodies.get(i)).context(),
                requireNonNull(bodies.get(i)).assumed());
    }

    /// Text of every file that something was found in, and of the headers that no search path leads to.
    Map<String, String> sources(List<Function> functions) {
        var texts = new HashMap<String, String>();
        SourceText main = program.parsed().main();
        texts.put(main.name(), main.text());
        for (Function f : functions) {
            bodies.values().stream()
                    .filter(b -> b.instance().name().equals(f.name()))
                    .findFirst()
                    .flatMap(b -> program.parsed().positions().file(b.instance().definition()))
                    .ifPresent(t -> texts.put(t.name(), t.text()));
        }
        program.parsed()
                .foundBySearch()
                .values()
                .forEach(p -> program.parsed().positions().file(p).ifPresent(t -> texts.put(t.name(), t.text())));
        return texts;
    }

    /// Global arrays that the functions use.
    List<ArrayVariable> globals(List<Function> functions) {
        Set<String> used = new LinkedHashSet<>();
        for (Function f : functions) {
            f.body().allAccesses().forEach(a -> used.add(a.array()));
            f.bindings().forEach(b -> used.addAll(b.arrays().values()));
        }
        return program.globals().values().stream()
                .filter(g -> used.contains(g.id()))
                .map(g -> g.toVariable(program.globals().values()))
                .toList();
    }

    /// The kernel with these functions; pragmas and notes are added by the caller.
    Kernel kernel(Instance top, boolean guessed, List<Function> functions, List<Pragma> pragmas, Notes notes) {
        Set<String> names = new LinkedHashSet<>();
        functions.forEach(f -> names.add(f.name()));
        Set<IASTFunctionDefinition> made = Collections.newSetFromMap(new IdentityHashMap<>());
        bodies.forEach((i, b) -> {
            if (names.contains(i.name())) {
                made.addAll(b.context().made);
            }
        });
        List<String> others = program.definitions().stream()
                .filter(d -> !made.contains(d))
                .map(program.names()::of)
                .filter(n -> names.stream().noneMatch(x -> x.equals(n) || x.startsWith(n + "<")))
                .toList();
        String file = program.parsed().main().name();
        return new Kernel(
                file,
                top.name(),
                guessed,
                functions,
                others,
                globals(functions),
                pragmas,
                notes.inOrder(file),
                sources(functions),
                program.parsed().read(),
                program.names().namesakes(),
                java.util.Optional.empty());
    }
}
