package knobscape.hls.source;

import java.util.ArrayList;
import java.util.List;

/// Walks over bodies.
public final class Statements {
    private Statements() {}

    /// Loops standing in `body`, also inside branches, not inside other loops.
    public static List<Loop> loops(List<Statement> body) {
        var found = new ArrayList<Loop>();
        for (Statement s : body) {
            switch (s) {
                case Statement.Nested n -> found.add(n.loop());
                case Statement.Branch b -> {
                    found.addAll(loops(b.then()));
                    found.addAll(loops(b.otherwise()));
                }
                default -> {}
            }
        }
        return List.copyOf(found);
    }

    /// Every array access in `body`, reads and writes, nested loops included where `deep`; a compound
    /// assignment's access once.
    public static List<Access> accesses(List<Statement> body, boolean deep) {
        var found = new ArrayList<Access>();
        for (Statement s : body) {
            switch (s) {
                case Statement.AssignScalar a -> collect(a.value(), found);
                case Statement.AssignArray a -> {
                    a.indexExpressions().forEach(e -> collect(e, found));
                    collect(a.value(), found);
                    if (a.access().kind() != Access.Kind.READ_WRITE || !found.contains(a.access())) {
                        found.add(a.access());
                    }
                }
                case Statement.Nested n -> {
                    if (deep) {
                        found.addAll(accesses(n.loop().body(), true));
                    }
                }
                case Statement.Call c -> collect(c.invocation(), found);
                case Statement.Branch b -> {
                    collect(b.condition(), found);
                    found.addAll(accesses(b.then(), deep));
                    found.addAll(accesses(b.otherwise(), deep));
                }
                case Statement.Jump j -> j.value().ifPresent(v -> collect(v, found));
                case Statement.Opaque o -> {}
            }
        }
        return found;
    }

    /// Every call in `body`, nested loops included where `deep`.
    public static List<Expression.Invocation> calls(List<Statement> body, boolean deep) {
        var found = new ArrayList<Expression.Invocation>();
        for (Statement s : body) {
            switch (s) {
                case Statement.AssignScalar a -> calls(a.value(), found);
                case Statement.AssignArray a -> {
                    a.indexExpressions().forEach(e -> calls(e, found));
                    calls(a.value(), found);
                }
                case Statement.Call c -> calls(c.invocation(), found);
                case Statement.Branch b -> {
                    calls(b.condition(), found);
                    found.addAll(calls(b.then(), deep));
                    found.addAll(calls(b.otherwise(), deep));
                }
                case Statement.Jump j -> j.value().ifPresent(v -> calls(v, found));
                case Statement.Nested n -> {
                    if (deep) {
                        found.addAll(calls(n.loop().body(), true));
                    }
                }
                case Statement.Opaque o -> {}
            }
        }
        return found;
    }

    private static void calls(Expression e, List<Expression.Invocation> found) {
        switch (e) {
            case Expression.Invocation i -> {
                i.arguments().forEach(x -> calls(x, found));
                found.add(i);
            }
            case Expression.ArrayRead r -> r.indexExpressions().forEach(x -> calls(x, found));
            case Expression.Operation o -> o.operands().forEach(x -> calls(x, found));
            case Expression.Constant c -> {}
            case Expression.ScalarRead r -> {}
            case Expression.Opaque o -> {}
        }
    }

    private static void collect(Expression e, List<Access> found) {
        switch (e) {
            case Expression.ArrayRead r -> {
                r.indexExpressions().forEach(i -> collect(i, found));
                found.add(r.access());
            }
            case Expression.Operation o -> o.operands().forEach(x -> collect(x, found));
            case Expression.Invocation i -> i.arguments().forEach(x -> collect(x, found));
            case Expression.Constant c -> {}
            case Expression.ScalarRead r -> {}
            case Expression.Opaque o -> {}
        }
    }
}
