package knobscape.hls.source.cdt;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import knobscape.hls.source.Expression;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.Statement;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCaseStatement;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTDefaultStatement;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTSwitchStatement;

/// Reads a switch as a chain of branches, one for each group of cases.
final class SwitchReader {
    private final FunctionContext context;
    private final ExpressionReader expressions;
    private final StatementReader statements;

    SwitchReader(FunctionContext context, ExpressionReader expressions, StatementReader statements) {
        this.context = context;
        this.expressions = expressions;
        this.statements = statements;
    }

    private static final class Group {
        final List<IASTExpression> values = new ArrayList<>();
        final List<IASTStatement> body = new ArrayList<>();
        boolean standard;
    }

    void read(IASTSwitchStatement s) {
        Value controller = expressions.read(s.getControllerExpression());
        context.finish();
        List<Group> groups = groups(s.getBody());
        if (groups.size() > Budget.CASES) {
            throw Budget.exceeded(
                    context.positions().of(s).toString(),
                    "this switch has more than " + Budget.CASES + " cases",
                    "read what differs from a table");
        }
        OptionalInt only = controller.formula().number().isPresent()
                ? taken(controller.formula().constant(), groups)
                : OptionalInt.empty();
        if (only.isPresent()) {
            readFrom(only.getAsInt(), groups, s);
            return;
        }
        // A case may fall through into the next, so none of them knows what the others assign.
        Set<Place> assigned = context.assignments.places(s.getBody());
        Environment before = context.environment.copy();
        context.environment.forget(assigned);
        Environment entry = context.environment.copy();
        List<Statement> chain = List.of();
        // Read in source order, nest from the last to the first.
        List<List<Statement>> bodies = new ArrayList<>();
        for (Group g : groups) {
            boolean falls = g != groups.getFirst() && !endsWithBreak(groups.get(groups.indexOf(g) - 1));
            context.environment.become(falls ? entry.copy() : before.copy());
            List<Statement> body = statements.conditionally(() -> statements.block(g.body));
            bodies.add(withoutBreak(body));
        }
        for (int i = groups.size() - 1; i >= 0; i--) {
            Group g = groups.get(i);
            if (g.standard && g.values.isEmpty()) {
                var rest = new ArrayList<>(bodies.get(i));
                rest.addAll(chain);
                chain = rest;
                continue;
            }
            List<Expression> tests = new ArrayList<>();
            for (IASTExpression value : g.values) {
                tests.add(new Expression.Operation(
                        OperationKind.COMPARE,
                        List.of(controller.expression(), expressions.read(value).expression()),
                        Widths.BOOL));
            }
            Expression condition = tests.getFirst();
            for (Expression t : tests.subList(1, tests.size())) {
                condition = new Expression.Operation(OperationKind.LOGIC, List.of(condition, t), Widths.BOOL);
            }
            chain = List.of(new Statement.Branch(
                    condition, bodies.get(i), chain, context.positions().of(s)));
        }
        chain.forEach(context::emit);
        context.environment.become(entry);
    }

    /// The group that a known value goes to, as many as there are where to none; empty where a case is not known.
    private OptionalInt taken(long value, List<Group> groups) {
        int taken = groups.size();
        for (int i = 0; i < groups.size(); i++) {
            for (IASTExpression e : groups.get(i).values) {
                OptionalLong n = expressions.read(e).formula().number();
                if (n.isEmpty()) {
                    return OptionalInt.empty();
                }
                if (n.getAsLong() == value) {
                    return OptionalInt.of(i);
                }
            }
            taken = groups.get(i).standard ? i : taken;
        }
        return OptionalInt.of(taken);
    }

    /// Reads the one group that runs and what it falls through into.
    private void readFrom(int first, List<Group> groups, IASTSwitchStatement s) {
        boolean runs = false;
        for (int i = 0; i < groups.size(); i++) {
            Group g = groups.get(i);
            runs |= i == first;
            if (runs) {
                withoutBreak(context.collect(() -> statements.block(g.body))).forEach(context::emit);
                runs = !endsWithBreak(g);
            } else {
                g.body.forEach(b -> context.program.skip(b, "the case it stands in is never taken"));
            }
        }
        // A break under a condition leaves values behind that were set before it.
        if (breaks(s.getBody())
                > groups.stream().filter(SwitchReader::endsWithBreak).count()) {
            context.environment.forget(context.assignments.places(s.getBody()));
        }
    }

    private static int breaks(IASTStatement body) {
        int[] found = {0};
        body.accept(new ASTVisitor() {
            {
                shouldVisitStatements = true;
            }

            @Override
            public int visit(IASTStatement s) {
                found[0] += s instanceof IASTBreakStatement || s instanceof IASTReturnStatement ? 1 : 0;
                return Nodes.isLoop(s) ? PROCESS_SKIP : PROCESS_CONTINUE;
            }
        });
        return found[0];
    }

    private static List<Group> groups(IASTStatement body) {
        var groups = new ArrayList<Group>();
        List<IASTStatement> all = body instanceof IASTCompoundStatement c ? List.of(c.getStatements()) : List.of(body);
        boolean inCases = false;
        for (IASTStatement s : all) {
            if (s instanceof IASTCaseStatement || s instanceof IASTDefaultStatement) {
                if (!inCases) {
                    groups.add(new Group());
                }
                inCases = true;
                if (s instanceof IASTCaseStatement c) {
                    groups.getLast().values.add(c.getExpression());
                } else {
                    groups.getLast().standard = true;
                }
            } else {
                inCases = false;
                if (groups.isEmpty()) {
                    // Statements before the first case never run.
                    continue;
                }
                groups.getLast().body.add(s);
            }
        }
        return groups;
    }

    private static boolean endsWithBreak(Group g) {
        if (g.body.isEmpty()) {
            return false;
        }
        IASTStatement last = g.body.getLast();
        if (last instanceof IASTCompoundStatement c && c.getStatements().length > 0) {
            last = c.getStatements()[c.getStatements().length - 1];
        }
        return last instanceof IASTBreakStatement || last instanceof IASTReturnStatement;
    }

    private static List<Statement> withoutBreak(List<Statement> body) {
        return body.stream()
                .filter(s -> !(s instanceof Statement.Jump j && j.kind() == Statement.Jump.Kind.BREAK))
                .toList();
    }
}
