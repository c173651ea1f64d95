package knobscape.hls.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

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
        return gather(
                body,
                deep,
                (e, found) -> {
                    if (e instanceof Expression.ArrayRead r) {
                        found.add(r.access());
                    }
                },
                (a, found) -> {
                    if (a.access().kind() != Access.Kind.READ_WRITE || !found.contains(a.access())) {
                        found.add(a.access());
                    }
                });
    }

    /// Every call in `body`, nested loops included where `deep`.
    public static List<Expression.Invocation> calls(List<Statement> body, boolean deep) {
        return gather(
                body,
                deep,
                (e, found) -> {
                    if (e instanceof Expression.Invocation i) {
                        found.add(i);
                    }
                },
                (_, _) -> {});
    }

    /// What is added at expressions, operands before what uses them, and at assignments to arrays, after theirs.
    private static <T> List<T> gather(
            List<Statement> body,
            boolean deep,
            BiConsumer<Expression, List<T>> at,
            BiConsumer<Statement.AssignArray, List<T>> assigned) {
        var found = new ArrayList<T>();
        for (Statement s : body) {
            switch (s) {
                case Statement.AssignScalar a -> gather(a.value(), at, found);
                case Statement.AssignArray a -> {
                    a.indexExpressions().forEach(e -> gather(e, at, found));
                    gather(a.value(), at, found);
                    assigned.accept(a, found);
                }
                case Statement.Nested n -> {
                    if (deep) {
                        found.addAll(gather(n.loop().body().statements(), true, at, assigned));
                    }
                }
                case Statement.Call c -> gather(c.invocation(), at, found);
                case Statement.Branch b -> {
                    gather(b.condition(), at, found);
                    found.addAll(gather(b.then(), deep, at, assigned));
                    found.addAll(gather(b.otherwise(), deep, at, assigned));
                }
                case Statement.Jump j -> j.value().ifPresent(v -> gather(v, at, found));
                case Statement.Opaque o -> {}
            }
        }
        return found;
    }

    private static <T> void gather(Expression e, BiConsumer<Expression, List<T>> at, List<T> found) {
        List<Expression> operands = switch (e) {
            case Expression.ArrayRead r -> r.indexExpressions();
            case Expression.Operation o -> o.operands();
            case Expression.Invocation i -> i.arguments();
            case Expression.Constant _, Expression.ScalarRead _, Expression.Opaque _ -> List.of();
        };
        operands.forEach(x -> gather(x, at, found));
        at.accept(e, found);
    }

    /// Multiplications in `body`, nested loops left out.
    static List<Multiplication> multiplications(List<Statement> body) {
        var found = new ArrayList<Multiplication>();
        products(body, found);
        return found;
    }

    private static void products(List<Statement> body, List<Multiplication> found) {
        for (Statement s : body) {
            switch (s) {
                case Statement.AssignScalar a -> {
                    Expression value = unconverted(a.value());
                    if (isProduct(value)) {
                        found.add(new Multiplication(value.type(), Optional.of(a.variable()), a.location()));
                        ((Expression.Operation) value).operands().forEach(o -> products(o, a.location(), found));
                    } else {
                        products(value, a.location(), found);
                    }
                }
                case Statement.AssignArray a -> {
                    products(a.value(), a.location(), found);
                }
                case Statement.Nested n -> {}
                case Statement.Call c -> products(c.invocation(), c.location(), found);
                case Statement.Branch b -> {
                    products(b.condition(), b.location(), found);
                    products(b.then(), found);
                    products(b.otherwise(), found);
                }
                case Statement.Jump j -> j.value().ifPresent(v -> products(v, j.location(), found));
                case Statement.Opaque o -> {}
            }
        }
    }

    private static Expression unconverted(Expression e) {
        return e instanceof Expression.Operation(OperationKind kind, List<Expression> operands, ScalarType type)
                        && kind == OperationKind.CONVERT
                        && operands.size() == 1
                ? unconverted(operands.getFirst())
                : e;
    }

    private static boolean isProduct(Expression e) {
        return e instanceof Expression.Operation o && o.kind() == OperationKind.MULTIPLY;
    }

    /// Index expressions are address arithmetic that the tool treats by itself, so array reads are not entered.
    private static void products(Expression e, Location statement, List<Multiplication> found) {
        switch (e) {
            case Expression.Operation o -> {
                if (isProduct(o)) {
                    found.add(new Multiplication(o.type(), Optional.empty(), statement));
                }
                o.operands().forEach(x -> products(x, statement, found));
            }
            case Expression.Invocation i -> i.arguments().forEach(x -> products(x, statement, found));
            case Expression.ArrayRead r -> {}
            case Expression.Constant c -> {}
            case Expression.ScalarRead r -> {}
            case Expression.Opaque o -> {}
        }
    }

    /// `body` with each loop directly inside replaced, also in branches.
    static List<Statement> withLoops(List<Statement> body, UnaryOperator<Loop> change) {
        var done = new ArrayList<Statement>();
        for (Statement s : body) {
            done.add(
                    switch (s) {
                        case Statement.Nested n -> new Statement.Nested(change.apply(n.loop()));
                        case Statement.Branch b ->
                            new Statement.Branch(
                                    b.condition(),
                                    withLoops(b.then(), change),
                                    withLoops(b.otherwise(), change),
                                    b.location());
                        default -> s;
                    });
        }
        return done;
    }
}
