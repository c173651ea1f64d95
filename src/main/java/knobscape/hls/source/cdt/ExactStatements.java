package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.hls.source.exact.ExactExpression;
import knobscape.hls.source.exact.ExactExpression.Operator;
import knobscape.hls.source.exact.ExactPlace;
import knobscape.hls.source.exact.ExactStatement;
import knobscape.hls.source.exact.ExactType;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCaseStatement;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarationStatement;
import org.eclipse.cdt.core.dom.ast.IASTDefaultStatement;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTLabelStatement;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTNullStatement;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTIfStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTRangeBasedForStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTWhileStatement;
import org.jspecify.annotations.Nullable;

/// Reads statements exactly. What cannot be held becomes an [ExactStatement.Unsupported] of the smallest
/// statement around it.
final class ExactStatements {
    private static final ExactStatement NOTHING = new ExactStatement.Block(List.of());
    private final ExactScope scope;
    private final ExactExpressions expressions;
    private final ExactDeclarations declarations;
    private final ExactType result;
    private final boolean reference;

    /// @param result what the function returns
    /// @param reference whether it returns the address of it
    ExactStatements(ExactScope scope, ExactType result, boolean reference) {
        this.scope = scope;
        this.expressions = new ExactExpressions(scope);
        this.declarations = new ExactDeclarations(scope, expressions);
        this.result = result;
        this.reference = reference;
    }

    ExactStatement read(@Nullable IASTStatement s) {
        if (s == null) {
            return NOTHING;
        }
        try {
            return exactly(s);
        } catch (NotExact e) {
            return scope.program.unsupported(e);
        }
    }

    private ExactStatement exactly(IASTStatement s) {
        return switch (s) {
            case IASTCompoundStatement c -> {
                var all = new ArrayList<ExactStatement>();
                for (IASTStatement x : c.getStatements()) {
                    all.add(read(x));
                }
                yield new ExactStatement.Block(all);
            }
            case IASTExpressionStatement e ->
                new ExactStatement.Evaluate(expressions.value(e.getExpression()), scope.program.location(e));
            case IASTDeclarationStatement d -> new ExactStatement.Block(declarations.read(d.getDeclaration()));
            case IASTIfStatement i -> {
                if (i instanceof ICPPASTIfStatement c
                        && (c.getConditionDeclaration() != null || c.getInitializerStatement() != null)) {
                    throw new NotExact("a declaration in a condition", i);
                }
                yield new ExactStatement.If(
                        expressions.truth(i.getConditionExpression()),
                        read(i.getThenClause()),
                        read(i.getElseClause()),
                        scope.program.location(i.getConditionExpression()));
            }
            case ICPPASTRangeBasedForStatement r -> overRange(r);
            case IASTForStatement f -> {
                ExactStatement before = read(f.getInitializerStatement());
                ExactStatement step = f.getIterationExpression() == null
                        ? NOTHING
                        : new ExactStatement.Evaluate(
                                expressions.value(f.getIterationExpression()),
                                scope.program.location(f.getIterationExpression()));
                Optional<ExactExpression> condition =
                        Optional.ofNullable(f.getConditionExpression()).map(expressions::truth);
                yield new ExactStatement.Block(List.of(
                        before,
                        new ExactStatement.Loop(condition, true, step, read(f.getBody()), scope.program.location(f))));
            }
            case IASTWhileStatement w -> {
                if (w instanceof ICPPASTWhileStatement c && c.getConditionDeclaration() != null) {
                    throw new NotExact("a declaration in a condition", w);
                }
                yield new ExactStatement.Loop(
                        Optional.of(expressions.truth(w.getCondition())),
                        true,
                        NOTHING,
                        read(w.getBody()),
                        scope.program.location(w));
            }
            case IASTDoStatement d ->
                new ExactStatement.Loop(
                        Optional.of(expressions.truth(d.getCondition())),
                        false,
                        NOTHING,
                        read(d.getBody()),
                        scope.program.location(d));
            case IASTSwitchStatement w -> choose(w);
            case IASTBreakStatement b -> new ExactStatement.Break();
            case IASTContinueStatement c -> new ExactStatement.Continue();
            case IASTReturnStatement r -> leave(r);
            case IASTLabelStatement l -> read(l.getNestedStatement());
            case IASTNullStatement n -> NOTHING;
            default -> throw new NotExact("'" + Nodes.text(s) + "'", s);
        };
    }

    private ExactStatement leave(IASTReturnStatement r) {
        if (r.getReturnArgument() == null) {
            return new ExactStatement.Return(Optional.empty(), scope.program.location(r));
        }
        ExactExpression v;
        if (reference) {
            v = scope.address(
                    expressions.place((org.eclipse.cdt.core.dom.ast.IASTExpression) r.getReturnArgument()), r);
        } else if (result instanceof ExactType.Nothing) {
            v = expressions.value(r.getReturnArgument());
        } else {
            v = expressions.value(r.getReturnArgument(), result);
        }
        return new ExactStatement.Return(Optional.of(v), scope.program.location(r));
    }

    /// The flattened body: a case may begin anywhere in it, but not inside an inner statement.
    private ExactStatement choose(IASTSwitchStatement w) {
        ExactExpression value = expressions.value(w.getControllerExpression());
        value = scope.arithmetic.convert(
                value,
                value.type() instanceof ExactType.Arbitrary a ? longOf(a, w) : ExactArithmetic.promoted(value.type()),
                w);
        var body = new ArrayList<ExactStatement>();
        var cases = new ArrayList<ExactStatement.Case>();
        int otherwise = -1;
        List<IASTStatement> statements =
                w.getBody() instanceof IASTCompoundStatement c ? List.of(c.getStatements()) : List.of(w.getBody());
        for (IASTStatement s : statements) {
            switch (s) {
                case IASTCaseStatement c -> {
                    long n = scope.constant(c.getExpression());
                    ExactExpression same = scope.arithmetic.convert(
                            ExactExpression.Whole.of(n, new ExactType.Int(64, true)), value.type(), c);
                    cases.add(new ExactStatement.Case(
                            same instanceof ExactExpression.Whole x ? x.value().longValue() : n, body.size()));
                }
                case IASTDefaultStatement d -> otherwise = body.size();
                default -> {
                    if (hasCase(s)) {
                        throw new NotExact("a case inside another statement", s);
                    }
                    body.add(read(s));
                }
            }
        }
        return new ExactStatement.Switch(
                value, cases, otherwise < 0 ? body.size() : otherwise, body, scope.program.location(w));
    }

    private static ExactType longOf(ExactType.Arbitrary a, IASTNode node) {
        if (a.fixed() || a.bits() > 64) {
            throw new NotExact("a switch of " + a.bits() + " bits", node);
        }
        return new ExactType.Int(64, a.signed());
    }

    private static boolean hasCase(IASTNode n) {
        if (n instanceof IASTSwitchStatement) {
            return false;
        }
        if (n instanceof IASTCaseStatement || n instanceof IASTDefaultStatement) {
            return true;
        }
        for (IASTNode c : n.getChildren()) {
            if (hasCase(c)) {
                return true;
            }
        }
        return false;
    }

    /// `for (T x : array)`.
    private ExactStatement overRange(ICPPASTRangeBasedForStatement r) {
        if (!(r.getInitializerClause() instanceof org.eclipse.cdt.core.dom.ast.IASTExpression e)
                || !(expressions.place(e).type() instanceof ExactType.Array a)) {
            throw new NotExact("a loop over '" + Nodes.text(r.getInitializerClause()) + "'", r);
        }
        ExactPlace array = expressions.place(e);
        ExactPlace.Local index = scope.variable("", ExactType.SIZE);
        var element = new ExactPlace.Element(array, new ExactExpression.Load(index), a.element());
        List<ExactStatement> body = new ArrayList<>(declarations.ofRange(r.getDeclaration(), element));
        body.add(read(r.getBody()));
        return new ExactStatement.Block(List.of(
                new ExactStatement.Evaluate(
                        new ExactExpression.Store(index, ExactExpression.Whole.of(0, ExactType.SIZE)),
                        scope.program.location(r)),
                new ExactStatement.Loop(
                        Optional.of(new ExactExpression.Binary(
                                Operator.LESS,
                                new ExactExpression.Load(index),
                                ExactExpression.Whole.of(a.length(), ExactType.SIZE),
                                ExactType.BOOL)),
                        true,
                        new ExactStatement.Evaluate(
                                new ExactExpression.Update(
                                        index,
                                        Operator.ADD,
                                        ExactExpression.Whole.of(1, ExactType.SIZE),
                                        ExactType.SIZE,
                                        ExactType.SIZE,
                                        false),
                                scope.program.location(r)),
                        new ExactStatement.Block(body),
                        scope.program.location(r))));
    }
}
