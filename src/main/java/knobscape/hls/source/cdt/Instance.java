package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import knobscape.hls.source.Access;
import knobscape.hls.source.ScalarType;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTTypeId;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IFunction;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPMethod;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPTemplateParameterMap;
import org.eclipse.cdt.internal.core.dom.parser.c.CVisitor;
import org.eclipse.cdt.internal.core.dom.parser.cpp.semantics.CPPVisitor;
import org.jspecify.annotations.Nullable;

/// A function with a body, or a template function with its arguments.
final class Instance {
    private final IASTFunctionDefinition definition;
    private final Optional<ICPPTemplateParameterMap> arguments;
    private final String name;
    private final Types types;
    private final Declarations declarations;
    private final boolean cpp;
    private final Set<String> gotoTargets = new HashSet<>();
    private final Set<Place> arrayPointers = new HashSet<>();
    /// Pointers that calls are given as they are.
    private final Map<Place, List<Passing>> passed = new HashMap<>();

    private final Map<Place, Boolean> arrays = new HashMap<>();
    private final Set<Place> changed = new HashSet<>();
    private final Set<Place> replaced = new HashSet<>();
    /// By parameter; by empty what it does with its object.
    private final Map<Optional<IVariable>, Optional<Access.Kind>> uses = new HashMap<>();

    Instance(
            IASTFunctionDefinition definition,
            Optional<ICPPTemplateParameterMap> arguments,
            String name,
            Declarations declarations,
            Widths widths,
            boolean cpp) {
        this.definition = definition;
        this.arguments = arguments;
        this.name = name;
        this.types = new Types(arguments, widths);
        this.declarations = declarations;
        this.cpp = cpp;
        scan();
    }

    IASTFunctionDefinition definition() {
        return definition;
    }

    Optional<ICPPTemplateParameterMap> arguments() {
        return arguments;
    }

    String name() {
        return name;
    }

    Types types() {
        return types;
    }

    /// Whether it is called with an object.
    boolean isMethod() {
        return Nodes.binding(innermostName()) instanceof ICPPMethod m && !m.isStatic();
    }

    boolean isGotoTarget(String label) {
        return gotoTargets.contains(label);
    }

    /// An argument of a call.
    private record Passing(IASTFunctionCallExpression call, int index) {}

    /// Whether the pointer is used as an array: subscripted, moved, or passed on to who uses it as one or is not known.
    boolean isArrayPointer(Place place, Program program) {
        if (arrayPointers.contains(place)) {
            return true;
        }
        Boolean known = arrays.get(place);
        if (known == null) {
            // In a circle of calls nobody asks for an array.
            arrays.put(place, false);
            known = passed.getOrDefault(place, List.of()).stream().anyMatch(p -> takesArray(p, program));
            arrays.put(place, known);
        }
        return known;
    }

    private boolean takesArray(Passing p, Program program) {
        if (program.tasks().isInvoke(p.call())) {
            return true;
        }
        Optional<Instance> callee = program.callee(p.call(), this);
        List<IVariable> formals = callee.map(FunctionReader::parameters).orElse(List.of());
        return p.index() >= formals.size()
                || !types.isPointer(formals.get(p.index()).getType())
                || callee.orElseThrow().isArrayPointer(Place.of(formals.get(p.index())), program);
    }

    /// Whether it is assigned or stepped anywhere, its declaration aside.
    boolean isChanged(Place place) {
        return changed.contains(place);
    }

    /// Whether it is changed otherwise than by steps.
    boolean isReplaced(Place place) {
        return replaced.contains(place);
    }

    /// What it does with the one variable or element that a parameter refers to, [ParameterUse]; of one that is asked
    /// for while it is being found out (a call in a circle) that it does both.
    Optional<Access.Kind> use(IVariable parameter, Program program) {
        return use(Optional.of(parameter), () -> ParameterUse.of(parameter, this, program));
    }

    /// What a method does with members of its object, as [#use].
    Optional<Access.Kind> useOfObject(Program program) {
        return use(Optional.empty(), () -> ParameterUse.ofObject(this, program));
    }

    private Optional<Access.Kind> use(Optional<IVariable> parameter, Supplier<Optional<Access.Kind>> found) {
        Optional<Access.Kind> known = uses.get(parameter);
        if (known == null) {
            uses.put(parameter, Optional.of(Access.Kind.READ_WRITE));
            known = found.get();
            uses.put(parameter, known);
        }
        return known;
    }

    private void scan() {
        var assignments = new Assignments(types, cpp);
        assignments.in(definition).stream()
                .filter(a -> !(a.node() instanceof IASTDeclarator))
                .forEach(a -> {
                    changed.add(a.place());
                    if (!a.isStep()) {
                        replaced.add(a.place());
                    }
                });
        definition.accept(new ASTVisitor() {
            {
                shouldVisitStatements = true;
                shouldVisitExpressions = true;
                shouldVisitDeclarators = true;
            }

            @Override
            public int visit(IASTDeclarator d) {
                // The other name of an array, as by an assignment.
                if (d.getPointerOperators().length > 0
                        && d.getInitializer() instanceof IASTEqualsInitializer i
                        && i.getInitializerClause() instanceof IASTExpression e) {
                    pointer(e);
                }
                // What a constructor or a task is given.
                for (var given : TaskCalls.given(d.getInitializer())) {
                    if (given instanceof IASTExpression e) {
                        pointer(e);
                    }
                }
                return PROCESS_CONTINUE;
            }

            @Override
            public int visit(IASTStatement s) {
                if (s instanceof IASTGotoStatement g) {
                    gotoTargets.add(g.getName().toString());
                }
                return PROCESS_CONTINUE;
            }

            @Override
            public int visit(IASTExpression e) {
                switch (e) {
                    case IASTArraySubscriptExpression a -> pointer(a.getArrayExpression());
                    // A channel of a memory that a library hides an address behind.
                    case IASTFieldReference f
                    when !f.isPointerDereference()
                            && types.isPointer(f.getFieldOwner().getExpressionType()) -> pointer(f.getFieldOwner());
                    case IASTBinaryExpression b -> {
                        switch (b.getOperator()) {
                            case IASTBinaryExpression.op_plus,
                                    IASTBinaryExpression.op_minus,
                                    IASTBinaryExpression.op_plusAssign,
                                    IASTBinaryExpression.op_minusAssign -> {
                                pointer(b.getOperand1());
                                pointer(b.getOperand2());
                            }
                            // The other name of an array.
                            case IASTBinaryExpression.op_assign -> pointer(b.getOperand2());
                            default -> {}
                        }
                    }
                    case IASTUnaryExpression u
                    when u.getOperator() <= IASTUnaryExpression.op_prefixDecr
                            || u.getOperator() == IASTUnaryExpression.op_postFixIncr
                            || u.getOperator() == IASTUnaryExpression.op_postFixDecr -> pointer(u.getOperand());
                    case IASTFunctionCallExpression c -> {
                        for (int i = 0; i < c.getArguments().length; i++) {
                            if (c.getArguments()[i] instanceof IASTExpression x) {
                                passed(x, new Passing(c, i));
                            }
                        }
                    }
                    default -> {}
                }
                return PROCESS_CONTINUE;
            }

            private void passed(IASTExpression e, Passing passing) {
                // Pointers to structs: to numbers that are passed on they may be arrays just as well.
                if (Nodes.strip(e) instanceof IASTIdExpression id
                        && Nodes.binding(id) instanceof IVariable v
                        && types.isPointer(v.getType())
                        && types.target(v.getType())
                                .flatMap(types::composite)
                                .filter(s -> types.element(s).kind() == ScalarType.Kind.STRUCT)
                                .isPresent()) {
                    passed.computeIfAbsent(Place.of(v), _ -> new ArrayList<>()).add(passing);
                } else {
                    pointer(e);
                }
            }

            private void pointer(IASTExpression e) {
                IASTExpression x = Nodes.strip(e);
                if (x instanceof org.eclipse.cdt.core.dom.ast.IASTCastExpression c) {
                    x = Nodes.strip(c.getOperand());
                }
                assignments.place(x).filter(p -> p.root() instanceof IVariable).ifPresent(arrayPointers::add);
            }
        });
    }

    ScalarType returnType() {
        if (Nodes.binding(innermostName()) instanceof IFunction f && f.getType() != null) {
            return types.element(f.getType().getReturnType());
        }
        return new ScalarType(ScalarType.Kind.UNKNOWN, 32, 0, true, "unknown");
    }

    org.eclipse.cdt.core.dom.ast.IASTName innermostName() {
        return Nodes.nameOf(definition);
    }

    /// Type of a variable, spelled as its declaration does where the place is the variable itself.
    ScalarType declaredType(Place place, @Nullable IType type) {
        Optional<IASTDeclSpecifier> specifier =
                place.path().replace("*", "").isEmpty() ? declarations.specifier(place.root()) : Optional.empty();
        // A cast says more than `void *`.
        return specifier
                .filter(s -> !(s instanceof IASTSimpleDeclSpecifier w && w.getType() == IASTSimpleDeclSpecifier.t_void))
                .map(s -> types.element(type, s))
                .orElseGet(() -> types.element(type));
    }

    /// Type of the scalar at a place; members are looked up from the variable on.
    ScalarType placeType(Place place) {
        if (!(place.root() instanceof IVariable v)) {
            return types.element(null);
        }
        IType type = v.getType();
        for (String step : place.path().split("(?=[.*])")) {
            if (step.equals("*")) {
                type = types.target(type).orElse(type);
            } else if (step.startsWith(".")) {
                IType owner = types.isPointer(type) ? types.target(type).orElse(type) : type;
                type = types.composite(owner)
                        .map(c -> c.findField(step.substring(1)))
                        .map(org.eclipse.cdt.core.dom.ast.IField::getType)
                        .orElse(null);
            }
        }
        return declaredType(place, type);
    }

    IType typeOf(IASTTypeId id) {
        return cpp ? CPPVisitor.createType(id) : CVisitor.createType(id.getAbstractDeclarator());
    }

    /// `sizeof` of an expression.
    Optional<Long> sizeOf(IASTNode operand, IType type, Numbers numbers) {
        if (operand instanceof org.eclipse.cdt.core.dom.ast.IASTIdExpression id
                && Nodes.binding(id) instanceof IVariable v) {
            if (types.isArray(v.getType())
                    && !(v instanceof org.eclipse.cdt.core.dom.ast.IParameter)
                    && types.dims(v.getType()).contains(0L)) {
                long n = 1;
                for (long d : declarations.sizes(v, numbers)) {
                    n *= d;
                }
                long count = n;
                return n <= 0
                        ? Optional.empty()
                        : types.sizeOf(types.innermost(v.getType())).map(s -> s * count);
            }
            return v instanceof org.eclipse.cdt.core.dom.ast.IParameter && types.isArray(v.getType())
                    ? Optional.of(8L)
                    : types.sizeOf(v.getType());
        }
        return types.sizeOf(type);
    }
}
