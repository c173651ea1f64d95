package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTConditionalExpression;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionList;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IFunction;
import org.eclipse.cdt.core.dom.ast.IFunctionType;
import org.eclipse.cdt.core.dom.ast.IType;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTCatchHandler;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTRangeBasedForStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPMethod;
import org.jspecify.annotations.Nullable;

/// Which scalars a piece of code may change.
final class Assignments {
    private final Types types;
    private final boolean cpp;

    /// @param cpp whether calls may take arguments by reference
    Assignments(Types types, boolean cpp) {
        this.types = types;
        this.cpp = cpp;
    }

    /// One assignment.
    ///
    /// @param place what changes
    /// @param node where
    /// @param step `p += step` where it is that (`p -= step` with `negative`); empty for any other change; for
    /// `++` no expression but `unit`
    /// @param unconditional whether it happens exactly once whenever the code runs to its end
    record Assignment(
            Place place,
            IASTNode node,
            Optional<IASTExpression> step,
            boolean unit,
            boolean negative,
            boolean unconditional) {
        boolean isStep() {
            return unit || step.isPresent();
        }
    }

    /// Everything that `code` may assign.
    Set<Place> places(IASTNode code) {
        var places = new LinkedHashSet<Place>();
        in(code).forEach(a -> places.add(a.place()));
        return places;
    }

    /// Every assignment in `code`.
    List<Assignment> in(IASTNode code) {
        var found = new ArrayList<Assignment>();
        var visitor = new ASTVisitor() {
            {
                shouldVisitExpressions = true;
                shouldVisitDeclarators = true;
            }

            @Override
            public int visit(IASTExpression e) {
                expression(e, code, found);
                return PROCESS_CONTINUE;
            }

            @Override
            public int visit(IASTDeclarator d) {
                if (!Nodes.isNameless(d) && d.getName().resolveBinding() instanceof IVariable v) {
                    found.add(new Assignment(Place.of(v), d, Optional.empty(), false, false, false));
                }
                return PROCESS_CONTINUE;
            }
        };
        code.accept(visitor);
        return found;
    }

    private void expression(IASTExpression e, IASTNode code, List<Assignment> found) {
        switch (e) {
            case IASTBinaryExpression b
            when isAssignment(b.getOperator()) ->
                place(b.getOperand1())
                        .ifPresentOrElse(
                                p -> found.add(assignment(p, b, code)),
                                () -> partly(b.getOperand1()).forEach(p -> found.add(other(p, b))));
            case IASTBinaryExpression b
            when b.getOperator() == IASTBinaryExpression.op_shiftRight && cpp ->
                // stream >> variable
                partly(b.getOperand2())
                        .filter(p -> !isNumber(b.getOperand1()) && !countsEnclosingLoop(p, b))
                        .forEach(p -> found.add(other(p, b)));
            case IASTUnaryExpression u -> {
                switch (u.getOperator()) {
                    case IASTUnaryExpression.op_prefixIncr, IASTUnaryExpression.op_postFixIncr ->
                        place(u.getOperand())
                                .ifPresent(p -> found.add(
                                        new Assignment(p, u, Optional.empty(), true, false, unconditional(u, code))));
                    case IASTUnaryExpression.op_prefixDecr, IASTUnaryExpression.op_postFixDecr ->
                        place(u.getOperand())
                                .ifPresent(p -> found.add(
                                        new Assignment(p, u, Optional.empty(), true, true, unconditional(u, code))));
                    case IASTUnaryExpression.op_amper -> place(u.getOperand()).ifPresent(p -> found.add(other(p, u)));
                    default -> {}
                }
            }
            case IASTFunctionCallExpression c -> {
                call(c, found);
                Nodes.lambda(c.getFunctionNameExpression())
                        .ifPresent(l -> in(l.getBody()).forEach(a -> found.add(other(a.place(), c))));
            }
            default -> {}
        }
    }

    private Assignment assignment(Place p, IASTBinaryExpression b, IASTNode code) {
        boolean always = unconditional(b, code);
        IASTExpression right = b.getOperand2();
        if (right == null) {
            return other(p, b);
        }
        switch (b.getOperator()) {
            case IASTBinaryExpression.op_plusAssign -> {
                return new Assignment(p, b, Optional.of(right), false, false, always);
            }
            case IASTBinaryExpression.op_minusAssign -> {
                return new Assignment(p, b, Optional.of(right), false, true, always);
            }
            case IASTBinaryExpression.op_assign -> {
                // p = p + e, p = e + p, p = p - e
                if (Nodes.strip(right) instanceof IASTBinaryExpression s) {
                    boolean minus = s.getOperator() == IASTBinaryExpression.op_minus;
                    if ((minus || s.getOperator() == IASTBinaryExpression.op_plus)
                            && p.equals(place(s.getOperand1()).orElse(null))) {
                        return new Assignment(p, b, Optional.of(s.getOperand2()), false, minus, always);
                    }
                    if (s.getOperator() == IASTBinaryExpression.op_plus
                            && p.equals(place(s.getOperand2()).orElse(null))) {
                        return new Assignment(p, b, Optional.of(s.getOperand1()), false, false, always);
                    }
                }
                return new Assignment(p, b, Optional.empty(), false, false, always);
            }
            default -> {
                return new Assignment(p, b, Optional.empty(), false, false, always);
            }
        }
    }

    private static Assignment other(Place p, IASTNode node) {
        return new Assignment(p, node, Optional.empty(), false, false, false);
    }

    private boolean isNumber(IASTExpression e) {
        IType t = types.resolved(e.getExpressionType());
        return t != null
                && types.streamElement(types.innermost(t)).isEmpty()
                && switch (types.element(t).kind()) {
                    case INTEGER, BOOL, FIXED, HALF, FLOAT, DOUBLE -> true;
                    case STRUCT, UNKNOWN -> t instanceof org.eclipse.cdt.core.dom.ast.IBasicType;
                };
    }

    /// Arguments that the callee may change.
    private void call(IASTFunctionCallExpression c, List<Assignment> found) {
        if (!cpp) {
            return;
        }
        IType[] parameters = parameterTypes(c);
        IASTInitializerClause[] arguments = c.getArguments();
        for (int i = 0; i < arguments.length; i++) {
            boolean byReference =
                    parameters == null || (i < parameters.length && types.isWritableReference(parameters[i]));
            if (byReference && arguments[i] instanceof IASTExpression e) {
                // An address goes by value to a function that nothing is known of.
                place(e).filter(p -> parameters != null
                                || (!countsEnclosingLoop(p, c) && !types.isPointer(e.getExpressionType())))
                        .ifPresent(p -> found.add(other(p, c)));
            }
        }
        // A method may change its object, unless it is declared not to.
        if (Nodes.strip(c.getFunctionNameExpression()) instanceof IASTFieldReference f
                && !(Nodes.binding(f) instanceof ICPPMethod m
                        && m.getType().isConst()
                        // Bits that `x.range(7, 0) = v` sets.
                        && !types.isNamed(m.getType().getReturnType(), "knobscape_bits"))) {
            boolean pointed = f.isPointerDereference()
                    && types.isPointer(f.getFieldOwner().getExpressionType());
            place(f.getFieldOwner())
                    .map(p -> pointed ? new Place(p.root(), p.path() + "*") : p)
                    .ifPresent(p -> found.add(other(p, c)));
        }
    }

    /// Whether a `for` around the node steps the scalar. Nobody hands a loop's counter to a function of an
    /// absent header, or to a stream, to have it changed.
    private boolean countsEnclosingLoop(Place p, IASTNode node) {
        IASTNode child = node;
        for (IASTNode n = node.getParent(); n != null; child = n, n = n.getParent()) {
            if (n instanceof IASTForStatement f
                    && f.getBody() == child
                    && f.getIterationExpression() != null
                    && in(f.getIterationExpression()).stream()
                            .anyMatch(a -> a.place().equals(p))) {
                return true;
            }
        }
        return false;
    }

    /// Types of the callee's parameters; null where the callee is not known, so that every argument may be a
    /// reference.
    private static IType @Nullable [] parameterTypes(IASTFunctionCallExpression c) {
        IBinding b = Nodes.binding(c.getFunctionNameExpression());
        if (b instanceof org.eclipse.cdt.core.dom.ast.cpp.ICPPMember) {
            return b instanceof IFunction f ? f.getType().getParameterTypes() : null;
        }
        if (b instanceof IFunction f) {
            IFunctionType t = f.getType();
            return t == null ? null : t.getParameterTypes();
        }
        // A cast in function style: int(x).
        return b instanceof IType || (b == null && c.getFunctionNameExpression() instanceof IASTLiteralExpression)
                ? new IType[0]
                : null;
    }

    /// The scalar that an expression names.
    Optional<Place> place(IASTExpression expression) {
        return switch (Nodes.strip(expression)) {
            case IASTIdExpression id ->
                Nodes.binding(id) instanceof IVariable v ? Optional.of(Place.of(v)) : Optional.empty();
            case IASTFieldReference f -> {
                if (Nodes.isThis(f.getFieldOwner())) {
                    yield Nodes.binding(f) instanceof IVariable v ? Optional.of(Place.of(v)) : Optional.empty();
                }
                yield place(f.getFieldOwner())
                        .map(p -> p.member(f.getFieldName().toString()));
            }
            case IASTUnaryExpression u
            when u.getOperator() == IASTUnaryExpression.op_star ->
                place(u.getOperand()).map(p -> new Place(p.root(), p.path() + "*"));
            case null, default -> Optional.empty();
        };
    }

    /// The scalars that change with what an expression names: one of whose bits it is (`x[3]`, `x(7, 0)`), or those
    /// set together (`(x, y) = v`).
    private Stream<Place> partly(IASTExpression expression) {
        return switch (Nodes.strip(expression)) {
            case IASTArraySubscriptExpression s
            when !types.isPointer(s.getArrayExpression().getExpressionType())
                    && !types.isArray(s.getArrayExpression().getExpressionType()) -> partly(s.getArrayExpression());
            case IASTFunctionCallExpression c
            when Nodes.binding(c.getFunctionNameExpression()) instanceof IVariable ->
                partly(c.getFunctionNameExpression());
            case IASTExpressionList l -> Stream.of(l.getExpressions()).flatMap(this::partly);
            case IASTExpression e -> place(e).stream();
        };
    }

    static boolean isAssignment(int operator) {
        return operator >= IASTBinaryExpression.op_assign && operator <= IASTBinaryExpression.op_binaryOrAssign;
    }

    private static boolean unconditional(IASTNode node, IASTNode code) {
        return loopsAround(node, code).filter(List::isEmpty).isPresent();
    }

    /// The `for` loops between `code` and a node in them that is reached in each of their iterations; empty where
    /// anything else can skip or repeat it, or a `continue` can jump over it.
    static Optional<List<IASTForStatement>> loopsAround(IASTNode node, IASTNode code) {
        var loops = new ArrayList<IASTForStatement>();
        IASTNode child = node;
        for (IASTNode n = node.getParent(); child != code && n != null; child = n, n = n.getParent()) {
            boolean skips = switch (n) {
                case IASTIfStatement i -> child != i.getConditionExpression();
                case IASTSwitchStatement s -> child != s.getControllerExpression();
                // The code itself may be a loop's body, never a loop around the node.
                case IASTForStatement f -> {
                    loops.add(f);
                    yield child == f.getBody() ? hasContinue(f.getBody()) : child != f.getIterationExpression();
                }
                case IASTWhileStatement w -> true;
                case IASTDoStatement d -> true;
                case ICPPASTRangeBasedForStatement r -> true;
                case ICPPASTLambdaExpression l -> true;
                case ICPPASTCatchHandler h -> true;
                case IASTConditionalExpression c -> child != c.getLogicalConditionExpression();
                case IASTBinaryExpression b ->
                    (b.getOperator() == IASTBinaryExpression.op_logicalAnd
                                    || b.getOperator() == IASTBinaryExpression.op_logicalOr)
                            && child == b.getOperand2();
                default -> false;
            };
            if (skips) {
                return Optional.empty();
            }
            if (n == code) {
                break;
            }
        }
        return hasContinue(code) ? Optional.empty() : Optional.of(loops);
    }

    /// Whether a `continue` in the loop body `code` jumps to the end of it.
    static boolean hasContinue(IASTNode code) {
        boolean[] found = {false};
        code.accept(new ASTVisitor() {
            {
                shouldVisitStatements = true;
            }

            @Override
            public int visit(IASTStatement s) {
                if (s != code && Nodes.isLoop(s)) {
                    return PROCESS_SKIP;
                }
                if (s instanceof IASTContinueStatement) {
                    found[0] = true;
                    return PROCESS_ABORT;
                }
                return PROCESS_CONTINUE;
            }
        });
        return found[0];
    }
}
