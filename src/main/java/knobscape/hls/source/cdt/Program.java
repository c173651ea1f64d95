package knobscape.hls.source.cdt;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.hls.source.Location;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.DOMException;
import org.eclipse.cdt.core.dom.ast.IASTDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTTypeId;
import org.eclipse.cdt.core.dom.ast.IBasicType;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IProblemBinding;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateDeclaration;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateId;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPFunction;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPFunctionTemplate;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPSpecialization;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateArgument;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateParameterMap;
import org.eclipse.cdt.internal.core.dom.parser.IntegralValue;
import org.eclipse.cdt.internal.core.dom.parser.cpp.CPPBasicType;
import org.eclipse.cdt.internal.core.dom.parser.cpp.CPPTemplateNonTypeArgument;
import org.eclipse.cdt.internal.core.dom.parser.cpp.CPPTemplateParameterMap;
import org.eclipse.cdt.internal.core.dom.parser.cpp.CPPTemplateTypeArgument;
import org.eclipse.cdt.internal.core.dom.parser.cpp.ICPPEvaluation;
import org.eclipse.cdt.internal.core.dom.parser.cpp.ICPPUnknownBinding;
import org.eclipse.cdt.internal.core.dom.parser.cpp.InstantiationContext;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.CPPFunctionSet;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.CPPTemplates;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.EvalBinding;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.EvalFixed;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.EvalFunctionCall;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.EvalFunctionSet;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.EvalMemberAccess;
import org.jspecify.annotations.Nullable;

/// All functions of a parsed file, which template instances of them are used, and who calls whom.
final class Program {
    static final int MAX_TEMPLATE_DEPTH = 64;
    private static final int MAX_INSTANCES = 2_000;
    private final TranslationUnits.Parsed parsed;
    private final Notes notes;
    private final Declarations declarations;
    private final Constants constants;
    /// Definition of each function binding, in source order.
    private final Map<IBinding, IASTFunctionDefinition> definitions = new LinkedHashMap<>();
    private final Map<String, Instance> instances = new LinkedHashMap<>();
    private final IdentityHashMap<IASTFunctionDefinition, Integer> instancesOf = new IdentityHashMap<>();
    private final Widths widths = new Widths();
    private final TaskCalls tasks = new TaskCalls(definitions.keySet(), widths);
    private final Map<Place, ArrayInfo> globals = new LinkedHashMap<>();
    private final IdentityHashMap<Instance, Set<Instance>> callees = new IdentityHashMap<>();

    private record Site(Instance caller, Instance callee, Location at) {}

    private final Map<Site, CallSite> calls = new LinkedHashMap<>();
    private final IdentityHashMap<Instance, Map<Site, CallSite>> callsOf = new IdentityHashMap<>();
    private final Set<IBinding> pointed = new java.util.HashSet<>();
    private final Set<IASTNode> met = java.util.Collections.newSetFromMap(new IdentityHashMap<>());
    private final IdentityHashMap<IASTNode, String> skipped = new IdentityHashMap<>();
    private final Overloads overloads = new Overloads(this);
    private final Constructors constructors = new Constructors(this);
    private FunctionNames names = new FunctionNames(List.of());

    Program(TranslationUnits.Parsed parsed, Notes notes) {
        this.parsed = parsed;
        this.notes = notes;
        this.declarations = new Declarations(parsed);
        this.constants = new Constants(declarations);
        collectDefinitions();
        discover();
    }

    TranslationUnits.Parsed parsed() {
        return parsed;
    }

    Notes notes() {
        return notes;
    }

    Declarations declarations() {
        return declarations;
    }

    Constants constants() {
        return constants;
    }

    Widths widths() {
        return widths;
    }

    Map<Place, ArrayInfo> globals() {
        return globals;
    }

    /// Instances in the order they were found.
    Collection<Instance> instances() {
        return instances.values();
    }

    Set<Instance> callees(Instance caller) {
        return callees.getOrDefault(caller, Set.of());
    }

    Collection<CallSite> calls() {
        return calls.values();
    }

    List<CallSite> callsOf(Instance callee) {
        return List.copyOf(callsOf.getOrDefault(callee, Map.of()).values());
    }

    /// Function definitions in source order.
    Collection<IASTFunctionDefinition> definitions() {
        return definitions.values();
    }

    /// Called when a call is read.
    void called(CallSite site) {
        var key = new Site(site.caller(), site.callee(), site.location());
        var own = callsOf.computeIfAbsent(site.callee(), k -> new LinkedHashMap<>());
        calls.remove(key);
        own.remove(key);
        calls.put(key, site);
        own.put(key, site);
    }

    /// A constructor says where a pointer in an object points.
    void points(IField member) {
        pointed.add(member);
    }

    boolean isPointed(IBinding member) {
        return pointed.contains(member);
    }

    /// A loop was read.
    void met(IASTStatement loop) {
        met.add(loop);
    }

    /// Code that is not read, and why.
    void skip(IASTNode code, String reason) {
        if (code != null) {
            skipped.put(code, reason);
        }
    }

    boolean wasMet(IASTNode loop) {
        return met.contains(loop);
    }

    /// Why a loop was not read, as far as known.
    Optional<String> whySkipped(IASTNode loop) {
        for (IASTNode n = loop; n != null; n = n.getParent()) {
            if (skipped.containsKey(n)) {
                return Optional.of(skipped.get(n));
            }
        }
        return Optional.empty();
    }

    private void collectDefinitions() {
        parsed.unit().accept(new ASTVisitor() {
            {
                shouldVisitDeclarations = true;
            }

            @Override
            public int visit(IASTDeclaration d) {
                if (parsed.positions().file(d).isEmpty()) {
                    return PROCESS_SKIP;
                }
                if (d instanceof IASTFunctionDefinition f && f.getBody() != null) {
                    IBinding b = Nodes.binding(Nodes.nameOf(f));
                    if (b != null) {
                        definitions.putIfAbsent(b, f);
                    } else {
                        notes.warn(
                                parsed.positions().of(f),
                                "function '" + Nodes.nameOf(f) + "' is not understood and left out");
                    }
                }
                return PROCESS_CONTINUE;
            }
        });
        names = new FunctionNames(definitions.values());
    }

    FunctionNames names() {
        return names;
    }

    /// Whether the definition has template parameters of its own or of its class, so that it is code only once
    /// they are given.
    static boolean isTemplate(IASTFunctionDefinition f) {
        for (IASTNode n = f; n != null; n = n.getParent()) {
            if (n instanceof ICPPASTTemplateDeclaration) {
                return true;
            }
        }
        return false;
    }

    /// Starts from every function that is no template and follows the calls.
    private void discover() {
        var queue = new ArrayDeque<Instance>();
        definitions.values().stream()
                .filter(f -> !isTemplate(f))
                .forEach(f -> queue.add(instance(f, Optional.empty())));
        follow(queue);
    }

    private void follow(ArrayDeque<Instance> queue) {
        var seen = java.util.Collections.newSetFromMap(new IdentityHashMap<Instance, Boolean>());
        while (!queue.isEmpty()) {
            Instance caller = queue.removeFirst();
            if (callees.containsKey(caller) || !seen.add(caller)) {
                continue;
            }
            Set<Instance> called = new LinkedHashSet<>();
            caller.definition().accept(new ASTVisitor() {
                {
                    shouldVisitExpressions = true;
                    shouldVisitDeclarators = true;
                }

                @Override
                public int visit(IASTExpression e) {
                    if (overloads.accessor(e, caller).isEmpty() && e instanceof IASTFunctionCallExpression c) {
                        callee(c, caller).ifPresent(called::add);
                    }
                    return PROCESS_CONTINUE;
                }

                @Override
                public int visit(IASTDeclarator d) {
                    tasks.started(d)
                            .forEach(given ->
                                    started(given[0], caller.arguments()).ifPresent(called::add));
                    constructors.withLoops(d, caller.arguments()).ifPresent(called::add);
                    return PROCESS_CONTINUE;
                }
            });
            constructors.members(caller).forEach((_, made) -> called.add(made));
            callees.put(caller, called);
            if (instances.size() < MAX_INSTANCES) {
                queue.addAll(called);
            }
        }
    }

    /// Adds the templates that nobody uses in this file, as they stand, where `wanted` says so.
    void addUnused(java.util.function.Predicate<String> wanted) {
        var unused = new ArrayDeque<Instance>();
        for (IASTFunctionDefinition f : definitions.values()) {
            if (isTemplate(f)
                    && wanted.test(names.of(f))
                    && instances.values().stream().noneMatch(i -> i.definition() == f)) {
                unused.add(instance(f, Optional.empty()));
            }
        }
        follow(unused);
    }

    /// Whether a function that will be read contains a loop.
    boolean hasLoops() {
        return instances.values().stream().anyMatch(i -> Nodes.containsLoop(i.definition()));
    }

    /// Whether an instance goes by this name.
    boolean knows(String name) {
        return instances.values().stream()
                .anyMatch(i -> i.name().equals(name)
                        || i.name().startsWith(name + "<")
                        || i.name().endsWith("::" + name));
    }

    /// A function with its template arguments.
    Instance instance(IASTFunctionDefinition f, Optional<ICPPTemplateParameterMap> arguments) {
        String name = names.of(f) + arguments.map(Program::spelled).orElse("");
        if (arguments.isPresent()
                && !instances.containsKey(name)
                && instancesOf.merge(f, 1, Integer::sum) > Budget.INSTANCES_OF_ONE) {
            throw Budget.exceeded(
                    parsed.positions().of(f).toString(),
                    "template function '" + names.of(f) + "' is used with more than " + Budget.INSTANCES_OF_ONE
                            + " different arguments",
                    "pass what differs as a parameter of the function");
        }
        return instances.computeIfAbsent(name, n -> new Instance(f, arguments, n, declarations, widths, parsed.cpp()));
    }

    private static String spelled(ICPPTemplateParameterMap map) {
        var parts = new ArrayList<String>();
        var types = new Types(Optional.empty(), new Widths());
        for (Integer position : map.getAllParameterPositions()) {
            ICPPTemplateArgument a = map.getArgument(position);
            if (a == null) {
                parts.add("...");
            } else {
                parts.add(
                        a.isNonTypeValue()
                                ? types.argument(a).map(String::valueOf).orElse("?")
                                : types.element(a.getTypeValue()).spelling());
            }
        }
        return parts.isEmpty() ? "" : "<" + String.join(",", parts) + ">";
    }

    /// Constructors that declarations and other constructors run.
    Constructors constructors() {
        return constructors;
    }

    /// The function that a task runs, which is its first argument.
    Optional<Instance> started(IASTInitializerClause function, Optional<ICPPTemplateParameterMap> arguments) {
        return instanceOf(Nodes.binding((IASTExpression) function), arguments);
    }

    /// The function of this source that a call calls.
    Optional<Instance> callee(IASTFunctionCallExpression c, Instance caller) {
        Optional<ICPPTemplateParameterMap> arguments = caller.arguments();
        if (tasks.isInvoke(c)) {
            return started(c.getArguments()[0], arguments);
        }
        IASTExpression e = Nodes.strip(c.getFunctionNameExpression());
        IASTName name = e instanceof IASTIdExpression id
                ? id.getName()
                : e instanceof IASTFieldReference f ? f.getFieldName() : null;
        IBinding operator = TaskCalls.operator(c);
        if (operator != null) {
            return instanceOf(operator, arguments);
        }
        if (TaskCalls.isObject(c) && arguments.isPresent()) {
            return overloads.operator(e, "operator ()", c.getArguments().length, caller);
        }
        if (name == null) {
            return Optional.empty();
        }
        IBinding b = name.resolveBinding();
        if (b instanceof IProblemBinding p) {
            return overloads.candidate(p, name, c, caller);
        }
        if (arguments.isPresent() && (b instanceof ICPPUnknownBinding || (b != null && !definitions.containsKey(b)))) {
            InstantiationContext context = new InstantiationContext(arguments.get());
            Optional<Instance> found = evaluated(c, context).flatMap(x -> instanceOf(x, Optional.empty()));
            if (found.isPresent()) {
                return found;
            }
            try {
                IBinding known = CPPTemplates.instantiateBinding(b, context, MAX_TEMPLATE_DEPTH);
                b = known == null || known instanceof IProblemBinding ? b : known;
            } catch (DOMException x) {
                return Optional.empty();
            }
        }
        // Inside a template its own name, and those of its class's other methods, mean the same arguments.
        Optional<Instance> found = instanceOf(b, arguments);
        if (found.isPresent() || !(b instanceof ICPPUnknownBinding)) {
            return found;
        }
        return name.getLastName() instanceof ICPPASTTemplateId t
                ? explicit(c, t, caller)
                : overloads.byName(name, c, caller);
    }

    /// Which of several methods is meant.
    Overloads overloads() {
        return overloads;
    }

    /// Definition of each function binding, in source order.
    Map<IBinding, IASTFunctionDefinition> defined() {
        return definitions;
    }

    /// Calls by way of tasks and objects.
    TaskCalls tasks() {
        return tasks;
    }

    /// The template function with the arguments that a call spells out, where they depend on constants of the
    /// template around it: `inner<total>` after `const int total = 2 * N`. What a call leaves to be deduced is
    /// deduced where its arguments' types are known.
    private Optional<Instance> explicit(IASTFunctionCallExpression c, ICPPASTTemplateId id, Instance caller) {
        var context = new FunctionContext(this, caller);
        context.setExpressions(new ExpressionReader(context, new ArrayTable(context)));
        var given = new ArrayList<ICPPTemplateArgument>();
        for (IASTNode a : id.getTemplateArguments()) {
            Optional<IBinding> type = a instanceof IASTExpression e && Nodes.binding(e) instanceof IType
                    ? Optional.of(requireNonNull(Nodes.binding(e)))
                    : Optional.empty();
            if (a instanceof IASTTypeId t) {
                given.add(new CPPTemplateTypeArgument(
                        requireNonNull(caller.types().resolved(caller.typeOf(t)))));
            } else if (type.isPresent()) {
                given.add(new CPPTemplateTypeArgument(
                        requireNonNull(caller.types().resolved((IType) type.get()))));
            } else if (a instanceof IASTExpression e && context.constant(e).isPresent()) {
                given.add(new CPPTemplateNonTypeArgument(
                        IntegralValue.create(context.constant(e).orElseThrow()),
                        new CPPBasicType(IBasicType.Kind.eInt, 0)));
            } else {
                return Optional.empty();
            }
        }
        String name = String.valueOf(id.getTemplateName().getSimpleID());
        List<ICPPFunctionTemplate> all = definitions.keySet().stream()
                .filter(b -> b instanceof ICPPFunctionTemplate f
                        && f.getName().equals(name)
                        && Overloads.parameters(requireNonNull(definitions.get(b))) == c.getArguments().length)
                .map(ICPPFunctionTemplate.class::cast)
                .toList();
        ICPPTemplateArgument[] list = given.toArray(ICPPTemplateArgument[]::new);
        var set = new EvalFunctionSet(
                new CPPFunctionSet(all.toArray(ICPPFunction[]::new), list, id), false, false, null, (IBinding) null);
        var passed = new ArrayList<ICPPEvaluation>();
        for (IASTInitializerClause a : c.getArguments()) {
            IType t = a instanceof IASTExpression e ? caller.types().resolved(e.getExpressionType()) : null;
            if (t != null) {
                passed.add(new EvalFixed(t, IASTExpression.ValueCategory.LVALUE, IntegralValue.UNKNOWN));
            }
        }
        if (!all.isEmpty()
                && passed.size() == c.getArguments().length
                && set.resolveFunction(passed.toArray(ICPPEvaluation[]::new)) instanceof EvalBinding b) {
            Optional<Instance> found = instanceOf(b.getBinding(), Optional.empty());
            if (found.isPresent()) {
                return found;
            }
        }
        if (all.size() != 1 || list.length > all.getFirst().getTemplateParameters().length) {
            return Optional.empty();
        }
        var map = new CPPTemplateParameterMap(list.length);
        for (int i = 0; i < list.length; i++) {
            map.put(all.getFirst().getTemplateParameters()[i], list[i]);
        }
        return Optional.of(instance(requireNonNull(definitions.get(all.getFirst())), Optional.of(map)));
    }

    /// What the parser's evaluator finds for a call inside a template once the arguments are known.
    private Optional<IBinding> evaluated(IASTFunctionCallExpression c, InstantiationContext context) {
        if (!(c instanceof ICPPASTFunctionCallExpression call)
                || !(call.getEvaluation().instantiate(context, MAX_TEMPLATE_DEPTH) instanceof EvalFunctionCall f)) {
            return Optional.empty();
        }
        ICPPEvaluation callee = f.getArguments()[0];
        if (callee instanceof EvalFunctionSet set) {
            // The types of dependent local variables are known to us, not to the evaluator.
            var types = new Types(Optional.of(context.getParameterMap()), widths);
            var fixed = new ArrayList<ICPPEvaluation>();
            for (IASTInitializerClause a : c.getArguments()) {
                IType t = a instanceof IASTExpression e ? types.resolved(e.getExpressionType()) : null;
                if (t == null) {
                    return Optional.empty();
                }
                fixed.add(new EvalFixed(t, IASTExpression.ValueCategory.LVALUE, IntegralValue.UNKNOWN));
            }
            callee = set.resolveFunction(fixed.toArray(ICPPEvaluation[]::new));
        }
        return switch (callee) {
            case EvalBinding b -> Optional.ofNullable(b.getBinding());
            case EvalMemberAccess m -> Optional.ofNullable(m.getMember());
            case null, default -> Optional.empty();
        };
    }

    /// The function with a body that a binding stands for.
    ///
    /// @param own template arguments where the binding has none
    Optional<Instance> instanceOf(@Nullable IBinding binding, Optional<ICPPTemplateParameterMap> own) {
        IBinding b = binding;
        Optional<ICPPTemplateParameterMap> map = Optional.empty();
        for (int i = 0; i < 16 && b != null; i++) {
            IASTFunctionDefinition f = definitions.get(b);
            if (f != null) {
                return Optional.of(instance(f, isTemplate(f) ? map.isPresent() ? map : own : Optional.empty()));
            }
            if (!(b instanceof ICPPSpecialization s) || s.getSpecializedBinding() == b) {
                return Optional.empty();
            }
            // A method of a class template: its own map first, else that of the class.
            if (map.isEmpty() || map.get().getAllParameterPositions().length == 0) {
                map = Optional.ofNullable(s.getTemplateParameterMap());
            }
            b = s.getSpecializedBinding();
        }
        return Optional.empty();
    }

    /// Whether the code calls a function of this source.
    boolean callsInternal(IASTNode code, Instance caller) {
        boolean[] found = {false};
        code.accept(new ASTVisitor() {
            {
                shouldVisitExpressions = true;
            }

            @Override
            public int visit(IASTExpression e) {
                found[0] |= e instanceof IASTFunctionCallExpression c
                        && callee(c, caller).isPresent();
                return found[0] ? PROCESS_ABORT : PROCESS_CONTINUE;
            }
        });
        return found[0];
    }

    /// Callers before callees; a call in a circle does not count.
    List<Instance> callersFirst() {
        var done = java.util.Collections.newSetFromMap(new IdentityHashMap<Instance, Boolean>());
        var open = java.util.Collections.newSetFromMap(new IdentityHashMap<Instance, Boolean>());
        var postorder = new ArrayDeque<Instance>();
        for (Instance i : List.copyOf(instances.values())) {
            visit(i, done, open, postorder);
        }
        return List.copyOf(postorder);
    }

    private void visit(Instance i, Set<Instance> done, Set<Instance> open, ArrayDeque<Instance> postorder) {
        if (done.contains(i)) {
            return;
        }
        open.add(i);
        for (Instance callee : callees(i)) {
            if (open.contains(callee)) {
                Location at = parsed.positions().of(callee.innermostName());
                notes.warn(
                        at,
                        "function '" + callee.name()
                                + "' calls itself, which cannot be synthesised; its arguments are taken as unknown");
                recursive.add(callee);
            } else {
                visit(callee, done, open, postorder);
            }
        }
        open.remove(i);
        done.add(i);
        postorder.addFirst(i);
    }

    private final Set<Instance> recursive = java.util.Collections.newSetFromMap(new IdentityHashMap<>());

    /// Whether it is called in a circle, so that its callers are not all read before it.
    boolean isRecursive(Instance i) {
        return recursive.contains(i);
    }
}
