package knobscape.hls.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Function;
import knobscape.hls.source.Location;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.Statement;

/// The multiplications of a function, with the variable that names each one's result where there is one: the
/// tools bind an operation through the variable it is assigned to, so a product inside a larger expression
/// cannot be named.
record Multiplications(List<Product> products) {

    /// One multiplication.
    ///
    /// @param type of the product
    /// @param variable assigned to, empty where the product is part of a larger expression or goes to an array
    /// @param statement it stands in
    record Product(ScalarType type, Optional<String> variable, Location statement) {

        /// The tool's name of the operation (UG1399, bind_op).
        String operation() {
            return switch (type.kind()) {
                case FLOAT -> "fmul";
                case DOUBLE -> "dmul";
                case HALF -> "hmul";
                default -> "mul";
            };
        }
    }

    static Multiplications of(Function function) {
        var found = new ArrayList<Product>();
        walk(function.body(), found);
        return new Multiplications(List.copyOf(found));
    }

    private static void walk(List<Statement> body, List<Product> found) {
        for (Statement s : body) {
            switch (s) {
                case Statement.AssignScalar a -> {
                    Expression value = unconverted(a.value());
                    if (isProduct(value)) {
                        found.add(new Product(value.type(), Optional.of(a.variable()), a.location()));
                        ((Expression.Operation) value).operands().forEach(o -> inside(o, a.location(), found));
                    } else {
                        inside(value, a.location(), found);
                    }
                }
                case Statement.AssignArray a -> {
                    inside(a.value(), a.location(), found);
                }
                case Statement.Nested n -> walk(n.loop().body(), found);
                case Statement.Call c -> inside(c.invocation(), c.location(), found);
                case Statement.Branch b -> {
                    inside(b.condition(), b.location(), found);
                    walk(b.then(), found);
                    walk(b.otherwise(), found);
                }
                case Statement.Jump j -> j.value().ifPresent(v -> inside(v, j.location(), found));
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
    private static void inside(Expression e, Location statement, List<Product> found) {
        switch (e) {
            case Expression.Operation o -> {
                if (isProduct(o)) {
                    found.add(new Product(o.type(), Optional.empty(), statement));
                }
                o.operands().forEach(x -> inside(x, statement, found));
            }
            case Expression.Invocation i -> i.arguments().forEach(x -> inside(x, statement, found));
            case Expression.ArrayRead r -> {}
            case Expression.Constant c -> {}
            case Expression.ScalarRead r -> {}
            case Expression.Opaque o -> {}
        }
    }
}
