package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import knobscape.hls.source.Access;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Statement;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStandardFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IVariable;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;

/// Reads the body of a lambda where it is called, as a compiler inlines it: its parameters are variables of the
/// function around it, and what it captures goes by the same names.
final class LambdaReader {
    private final FunctionContext context;
    private final Reading expressions;
    private final Locator locator;
    private final Memory memory;
    private final Set<ICPPASTLambdaExpression> withLoops = new HashSet<>();

    LambdaReader(FunctionContext context, Reading expressions, Locator locator, Memory memory) {
        this.context = context;
        this.expressions = expressions;
        this.locator = locator;
        this.memory = memory;
    }

    Value call(IASTFunctionCallExpression c, ICPPASTLambdaExpression lambda) {
        var unknown = new Value(
                new Expression.Opaque(Nodes.text(c), Arithmetic.unknownType()),
                context.unknown("computed by a lambda"));
        // A loop has one place in the program, so a body with loops is read once.
        if (Nodes.containsLoop(lambda.getBody()) && !withLoops.add(lambda)) {
            context.notes()
                    .warn(
                            context.positions().of(c),
                            "the lambda has loops and is called more than once; only its first call is read");
            context.environment.forget(context.assignments.places(c));
            return unknown;
        }
        bind(c, lambda);
        List<IASTStatement> body =
                lambda.getBody() instanceof IASTCompoundStatement b ? List.of(b.getStatements()) : List.of();
        boolean returns = !body.isEmpty() && body.getLast() instanceof IASTReturnStatement;
        List<Statement> read =
                context.collect(() -> context.readStatements(returns ? body.subList(0, body.size() - 1) : body));
        withoutReturns(read).forEach(context::emit);
        return returns
                        && ((IASTReturnStatement) body.getLast()).getReturnValue() instanceof IASTExpression value
                        && !hasReturn(read)
                ? expressions.read(value)
                : unknown;
    }

    private void bind(IASTFunctionCallExpression c, ICPPASTLambdaExpression lambda) {
        IASTInitializerClause[] arguments = c.getArguments();
        if (!(lambda.getDeclarator() instanceof IASTStandardFunctionDeclarator d)) {
            return;
        }
        for (int i = 0; i < Math.min(arguments.length, d.getParameters().length); i++) {
            IASTDeclarator parameter = d.getParameters()[i].getDeclarator();
            if (Nodes.isNameless(parameter) || !(Nodes.binding(parameter.getName()) instanceof IVariable v)) {
                continue;
            }
            boolean object = context.types.isWritableReference(v.getType())
                    || context.types.isPointer(v.getType())
                    || context.types.isArray(v.getType())
                    || context.types.composite(v.getType()).isPresent();
            Located target = object && arguments[i] instanceof IASTExpression e
                    ? locator.locate(e)
                    : new Located.Nowhere("a value");
            if (target instanceof Located.Nowhere) {
                Place place = Place.of(v);
                context.aliases.remove(v);
                memory.store(
                        new Located.Scalar(
                                place,
                                v.getType(),
                                context.instance.declaredType(place, v.getType()),
                                Located.Part.WHOLE),
                        expressions.read(arguments[i]),
                        Access.Kind.WRITE,
                        parameter);
            } else {
                context.aliases.put(v, target);
            }
        }
    }

    private static boolean hasReturn(List<Statement> body) {
        return !withoutReturns(body).equals(body);
    }

    /// A return of the lambda is none of the function around it.
    private static List<Statement> withoutReturns(List<Statement> body) {
        var kept = new ArrayList<Statement>();
        for (Statement s : body) {
            switch (s) {
                case Statement.Jump j when j.kind() == Statement.Jump.Kind.RETURN -> {}
                case Statement.Branch b ->
                    kept.add(new Statement.Branch(
                            b.condition(), withoutReturns(b.then()), withoutReturns(b.otherwise()), b.location()));
                default -> kept.add(s);
            }
        }
        return kept;
    }
}
