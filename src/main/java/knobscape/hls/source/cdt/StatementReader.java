package knobscape.hls.source.cdt;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import knobscape.hls.source.Access;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Location;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.Statement;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCaseStatement;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTDeclarationStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTDefaultStatement;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTGotoStatement;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLabelStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTNullStatement;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IField;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTCatchHandler;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorChainInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTIfStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTRangeBasedForStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTryBlockStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPReferenceType;
import org.jspecify.annotations.Nullable;

/// Reads statements in source order.
final class StatementReader {
    /// Objects in one another whose pointers are followed.
    private static final int MOST_NESTED = 8;

    private final FunctionContext context;
    private final ExpressionReader expressions;
    private final ArrayTable arrays;
    private final LoopReader loops;
    private final SwitchReader switches;

    StatementReader(FunctionContext context, ExpressionReader expressions, ArrayTable arrays) {
        this.context = context;
        this.expressions = expressions;
        this.arrays = arrays;
        this.loops = new LoopReader(context, expressions, this);
        this.switches = new SwitchReader(context, expressions, this);
    }

    /// Reads one statement; false where execution cannot continue behind it.
    boolean read(IASTStatement statement) {
        switch (statement) {
            case null -> {}
            case IASTCompoundStatement c -> {
                return block(List.of(c.getStatements()));
            }
            case IASTDeclarationStatement d -> declaration(d.getDeclaration());
            case IASTExpressionStatement e -> effect(e);
            case IASTIfStatement i -> {
                return branch(i);
            }
            case IASTForStatement f -> loops.readFor(f);
            case ICPPASTRangeBasedForStatement r -> loops.readRange(r);
            case IASTWhileStatement w -> loops.readWhile(w);
            case IASTDoStatement d -> loops.readDo(d);
            case IASTSwitchStatement s -> switches.read(s);
            case IASTLabelStatement l -> {
                return label(l);
            }
            case IASTReturnStatement r -> {
                jump(Statement.Jump.Kind.RETURN, r.getReturnArgument(), r);
                return false;
            }
            case IASTBreakStatement b -> {
                jump(Statement.Jump.Kind.BREAK, null, b);
                return false;
            }
            case IASTContinueStatement c -> {
                jump(Statement.Jump.Kind.CONTINUE, null, c);
                return false;
            }
            case IASTGotoStatement g -> {
                jump(Statement.Jump.Kind.GOTO, null, g);
                return false;
            }
            case ICPPASTTryBlockStatement t -> {
                read(t.getTryBody());
                context.environment.forget(context.assignments.places(t));
                for (ICPPASTCatchHandler h : t.getCatchHandlers()) {
                    conditionally(() -> read(h.getCatchBody()));
                }
            }
            case IASTNullStatement n -> {}
            case IASTCaseStatement c -> {}
            case IASTDefaultStatement d -> {}
            default -> notUnderstood(statement);
        }
        return true;
    }

    /// Reads statements one after the other. What stands behind a jump is read too if a label leads to it.
    boolean block(List<IASTStatement> statements) {
        boolean reachable = true;
        for (IASTStatement s : statements) {
            if (!reachable && !(s instanceof IASTLabelStatement)) {
                continue;
            }
            reachable = read(s);
        }
        return reachable;
    }

    private void effect(IASTExpressionStatement e) {
        Location at = context.positions().of(e);
        expressions.forEffect(e.getExpression());
        if (LooksLikeDeclaration.test(e)) {
            context.notes()
                    .warn(
                            at,
                            "'" + Nodes.text(e)
                                    + "' looks like a declaration of an unknown template type and was read as a comparison; is a header missing?");
        }
    }

    private void notUnderstood(IASTNode node) {
        context.notes()
                .warn(context.positions().of(node), "the statement '" + Nodes.text(node) + "' is not understood");
        context.emit(new Statement.Opaque(Nodes.text(node), context.positions().of(node)));
        context.environment.forget(context.assignments.places(node));
    }

    private void jump(Statement.Jump.Kind kind, @Nullable IASTInitializerClause value, IASTNode node) {
        Optional<Expression> v = value == null
                ? Optional.empty()
                : Optional.of(expressions.read(value).expression());
        context.finish();
        context.emit(new Statement.Jump(kind, v, context.positions().of(node)));
    }

    private boolean label(IASTLabelStatement l) {
        if (context.instance.isGotoTarget(l.getName().toString())) {
            // Whoever jumps here has other values.
            context.environment.forget(context.assignments.places(context.instance.definition()));
        }
        return read(l.getNestedStatement());
    }

    private boolean branch(IASTIfStatement i) {
        if (i instanceof ICPPASTIfStatement c) {
            if (c.getInitializerStatement() != null) {
                read(c.getInitializerStatement());
            }
            if (c.getConditionDeclaration() != null) {
                declaration(c.getConditionDeclaration());
            }
        }
        Value condition = i.getConditionExpression() == null
                ? new Value(
                        new Expression.Operation(OperationKind.COMPARE, List.of(), Widths.BOOL),
                        context.unknown("a declared condition"))
                : expressions.read(i.getConditionExpression());
        context.finish();
        if (condition.formula().number().isPresent()) {
            boolean holds = !condition.formula().is(0);
            context.program.skip(
                    holds ? i.getElseClause() : i.getThenClause(), "the branch it stands in is never taken");
            return read(holds ? i.getThenClause() : i.getElseClause());
        }
        Environment before = context.environment.copy();
        boolean[] reaches = new boolean[2];
        List<Statement> then = conditionally(() -> reaches[0] = read(i.getThenClause()));
        Environment afterThen = context.environment.copy();
        context.environment.become(before);
        List<Statement> otherwise = conditionally(() -> reaches[1] = read(i.getElseClause()));
        join(reaches[0], afterThen, reaches[1]);
        context.emit(new Statement.Branch(
                condition.expression(), then, otherwise, context.positions().of(i)));
        return reaches[0] || reaches[1];
    }

    private void join(boolean thenReaches, Environment afterThen, boolean elseReaches) {
        if (thenReaches && elseReaches) {
            context.environment.meet(afterThen);
        } else if (thenReaches) {
            context.environment.become(afterThen);
        }
    }

    /// Reads under a condition.
    List<Statement> conditionally(Runnable reading) {
        context.branches++;
        List<Statement> body = context.collect(reading);
        context.branches--;
        return body;
    }

    void declaration(IASTDeclaration d) {
        if (!(d instanceof IASTSimpleDeclaration s)) {
            return;
        }
        for (IASTDeclarator declarator : s.getDeclarators()) {
            IASTDeclarator inner = declarator;
            while (inner.getNestedDeclarator() != null) {
                inner = inner.getNestedDeclarator();
            }
            IBinding binding = Nodes.binding(inner.getName());
            if (binding instanceof IVariable v) {
                variable(v, declarator);
            }
        }
    }

    private void variable(IVariable v, IASTDeclarator declarator) {
        Place place = Place.of(v);
        IType type = v.getType();
        context.environment.forget(place);
        context.aliases.remove(v);
        Optional<IASTInitializerClause> initial = Declarations.clause(declarator.getInitializer());
        boolean lock = context.types.isBlock(type) && declarator.getInitializer() != null;
        if ((lock || context.types.resolved(type) instanceof ICPPReferenceType)
                && initial.orElse(null) instanceof IASTExpression e) {
            expressions.assignments().alias(v, e);
            context.finish();
            if (context.aliases.containsKey(v)) {
                return;
            }
        }
        List<IASTInitializerClause[]> tasks = context.program.tasks().started(declarator);
        if (!tasks.isEmpty()) {
            for (IASTInitializerClause[] given : tasks) {
                expressions.calls().task(given);
                context.finish();
            }
            return;
        }
        arrays.declare(v);
        if (context.types.allocates(type)) {
            context.notes()
                    .warn(
                            context.positions().of(declarator),
                            "'" + v.getName() + "' of '" + context.instance.name()
                                    + "' allocates memory as it runs, which no tool synthesises; what it holds is not followed");
        }
        Optional<Instance> constructor = context.program.constructors().maker(declarator, context.instance.arguments());
        if (constructor.isPresent()) {
            IASTInitializerClause[] passed = passed(declarator);
            if (!v.isStatic() && Nodes.containsLoop(constructor.get().definition())) {
                expressions.calls().construct(declarator, place, constructor.get(), passed);
                context.finish();
                pointMembers(place, constructor.get(), passed);
                pointInside(place, constructor.get(), passed, 0);
                return;
            }
            pointMembers(place, constructor.get(), passed);
            pointInside(place, constructor.get(), passed, 0);
        }
        if (lock) {
            context.notes()
                    .warn(
                            context.positions().of(declarator),
                            "which block '" + v.getName() + "' of '" + context.instance.name()
                                    + "' stands for is not known; what it reaches is shown as an array of its own");
            return;
        }
        if (declarator.getInitializer() instanceof ICPPASTConstructorInitializer c
                && c.getArguments().length > 1
                && context.types.element(type).kind() == ScalarType.Kind.STRUCT
                && !context.types.isArray(type)
                && !context.types.isPointer(type)
                && !v.isStatic()) {
            set(place, type, element -> expressions.joined(List.of(c.getArguments()), element), declarator);
            context.finish();
            return;
        }
        if (initial.isEmpty()
                || initial.get() instanceof ICPPASTLambdaExpression
                || context.types.resolved(type) instanceof ICPPReferenceType) {
            return;
        }
        if (context.types.isArrayObject(type)
                && initial.get() instanceof IASTExpression e
                && (!v.isStatic() || context.types.isConst(type))) {
            Value value = expressions.read(e);
            expressions.memory().store(expressions.locator().variable(v), value, Access.Kind.WRITE, declarator);
            context.finish();
            return;
        }
        if (context.types.isArray(type)
                || context.types.streamElement(context.types.innermost(type)).isPresent()) {
            return;
        }
        if (v.isStatic() && !context.types.isConst(type)) {
            // Set once, not at every call.
            return;
        }
        if (context.types.isPointer(type)) {
            if (initial.get() instanceof IASTExpression e && !isOtherName(v, e)) {
                expressions.assignments().pointTo(Optional.of(place), e);
            }
        } else {
            set(place, type, _ -> expressions.read(initial.get()), declarator);
            // Setting the object forgets what its members were.
            constructor.ifPresent(c -> {
                IASTInitializerClause[] given = passed(declarator);
                pointMembers(place, c, given);
                pointInside(place, c, given, 0);
            });
        }
        context.finish();
    }

    /// What the constructor of a declared object gets, also of `Foo f = Foo(a, n)`.
    private static IASTInitializerClause[] passed(IASTDeclarator declarator) {
        IASTInitializerClause[] given = TaskCalls.given(declarator.getInitializer());
        IASTInitializerClause[] inner =
                given.length == 1 && declarator.getInitializer() instanceof IASTEqualsInitializer
                        ? TaskCalls.given(given[0])
                        : given;
        return inner.length > 0 ? inner : given;
    }

    /// Whether a pointer stays with the one object whose address it is declared with: its other name from here on.
    private boolean isOtherName(IVariable pointer, IASTExpression e) {
        if (context.instance.isChanged(Place.of(pointer))
                || !(Nodes.strip(e) instanceof IASTUnaryExpression u)
                || u.getOperator() != IASTUnaryExpression.op_amper
                || !(expressions.locator().locate(u.getOperand()) instanceof Located.Scalar s)
                || s.part() != Located.Part.WHOLE
                || s.element().kind() != ScalarType.Kind.STRUCT) {
            return false;
        }
        context.aliases.put(pointer, s);
        return true;
    }

    /// A constructor of a member, which runs before the body.
    void member(ICPPASTConstructorChainInitializer initializer, Instance constructor) {
        if (Nodes.binding(initializer.getMemberInitializerId()) instanceof IField f) {
            IASTInitializerClause[] given = TaskCalls.given(initializer.getInitializer());
            expressions.calls().construct(initializer, Place.of(f), constructor, given);
            context.finish();
            pointMembers(Place.of(f), constructor, given);
        }
    }

    /// Pointers of an object point where its constructor was told.
    private void pointMembers(Place object, Instance constructor, IASTInitializerClause[] given) {
        context.made.add(constructor.definition());
        Constructed.members(constructor, given).forEach((member, argument) -> {
            if (context.types.isPointer(member.getType())
                    && expressions.locator().isPointerLike(argument)
                    && expressions.locator().locate(argument) instanceof Located.Row row) {
                Place place = object.member(member.getName());
                context.program.points(member);
                context.pointing.put(place, row.array());
                context.environment.set(
                        place,
                        new Environment.Pointer(
                                row.array(),
                                row.indices().stream().map(Value::formula).toList(),
                                row.offset()));
            }
        });
    }

    /// Those of members that are objects, too.
    private void pointInside(Place object, Instance constructor, IASTInitializerClause[] given, int depth) {
        if (depth < MOST_NESTED) {
            context.program.constructors().ofMembers(constructor).forEach((n, inner) -> {
                if (Nodes.binding(n.getMemberInitializerId()) instanceof IField f) {
                    Place member = object.member(f.getName());
                    IASTInitializerClause[] passed =
                            Constructed.passedOn(constructor, given, TaskCalls.given(n.getInitializer()));
                    pointMembers(member, inner, passed);
                    pointInside(member, inner, passed, depth + 1);
                }
            });
        }
    }

    private void set(Place place, IType type, Function<ScalarType, Value> value, IASTDeclarator declarator) {
        ScalarType element = context.instance.declaredType(place, type);
        expressions
                .memory()
                .store(
                        new Located.Scalar(place, type, element, Located.Part.WHOLE),
                        value.apply(element),
                        Access.Kind.WRITE,
                        declarator);
    }
}
