package knobscape.hls.evaluate.estimator;

import java.util.List;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Function;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.Statement;

/// What kind of kernel it is, as far as estimates depend on it: four figures from 0 to 1, counted over the source
/// as it stands (every statement once, however often it runs).
///
/// @param floating share of arithmetic operations on floating-point numbers
/// @param control share of assignments under a condition on data, or in a loop whose trip count is not known exactly
/// @param lookups share of array accesses at an index that is not affine in the loop variables
/// @param depth mean number of loops around an assignment inside its function, four and more counting as 1
public record KernelTraits(double floating, double control, double lookups, double depth) {
    private static final double DEEPEST = 4;

    /// The traits of a kernel; all 0 where it computes nothing.
    public static KernelTraits of(Kernel kernel) {
        var count = new Count();
        for (Function f : kernel.functions()) {
            count.body(f.body().statements(), 0, false);
        }
        return new KernelTraits(
                count.floating / Math.max(1, count.arithmetic),
                count.controlled / Math.max(1, count.assignments),
                count.indirect / Math.max(1, count.accesses),
                Math.min(1, count.loops / Math.max(1, count.assignments) / DEEPEST));
    }

    /// Euclidean distance, 0 to 2.
    public double distance(KernelTraits other) {
        double a = floating - other.floating;
        double b = control - other.control;
        double c = lookups - other.lookups;
        double d = depth - other.depth;
        return Math.sqrt(a * a + b * b + c * c + d * d);
    }

    /// In words for a person: `floating point, 3.0 loops deep, 40 % of accesses are lookups`.
    public String words() {
        String numbers = floating >= 0.9
                ? "floating point"
                : floating <= 0.1 ? "integers" : percent(floating) + " floating point";
        return numbers
                + String.format(java.util.Locale.ROOT, ", %.1f loops deep", depth * DEEPEST)
                + (control >= 0.05 ? ", " + percent(control) + " under conditions on data" : "")
                + (lookups >= 0.05 ? ", " + percent(lookups) + " lookups" : "");
    }

    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }

    private static final class Count {
        private double arithmetic;
        private double floating;
        private double assignments;
        private double controlled;
        private double accesses;
        private double indirect;
        private double loops;

        private void body(List<Statement> body, int depth, boolean data) {
            for (Statement s : body) {
                switch (s) {
                    case Statement.AssignScalar a -> {
                        assignment(depth, data);
                        value(a.value());
                    }
                    case Statement.AssignArray a -> {
                        assignment(depth, data);
                        access(a.access().index());
                        a.indexExpressions().forEach(this::inner);
                        value(a.value());
                    }
                    case Statement.Nested n ->
                        body(
                                n.loop().body().statements(),
                                depth + 1,
                                data || !n.loop().trip().isExact());
                    case Statement.Call c -> value(c.invocation());
                    case Statement.Branch b -> {
                        value(b.condition());
                        boolean inside = data || readsData(b.condition());
                        body(b.then(), depth, inside);
                        body(b.otherwise(), depth, inside);
                    }
                    case Statement.Jump j -> j.value().ifPresent(this::value);
                    case Statement.Opaque _ -> {}
                }
            }
        }

        private void assignment(int depth, boolean data) {
            assignments++;
            loops += depth;
            controlled += data ? 1 : 0;
        }

        private void access(List<IndexForm> index) {
            accesses++;
            indirect += index.stream().anyMatch(i -> i instanceof IndexForm.NonAffine) ? 1 : 0;
        }

        private void value(Expression e) {
            switch (e) {
                case Expression.ArrayRead r -> {
                    access(r.access().index());
                    r.indexExpressions().forEach(this::inner);
                }
                case Expression.Operation o -> {
                    if (o.kind() != OperationKind.CONVERT) {
                        arithmetic++;
                        boolean cores = o.type().isFloating()
                                || o.operands().stream().anyMatch(x -> x.type().isFloating());
                        floating += cores ? 1 : 0;
                    }
                    o.operands().forEach(this::value);
                }
                case Expression.Invocation i -> i.arguments().forEach(this::value);
                case Expression.Constant _, Expression.ScalarRead _, Expression.Opaque _ -> {}
            }
        }

        /// Reads inside an index; its arithmetic is that of an address.
        private void inner(Expression e) {
            switch (e) {
                case Expression.ArrayRead r -> value(r);
                case Expression.Operation o -> o.operands().forEach(this::inner);
                case Expression.Invocation i -> i.arguments().forEach(this::inner);
                case Expression.Constant _, Expression.ScalarRead _, Expression.Opaque _ -> {}
            }
        }

        private static boolean readsData(Expression e) {
            return switch (e) {
                case Expression.ArrayRead _, Expression.Opaque _, Expression.Invocation _ -> true;
                case Expression.Operation o -> o.operands().stream().anyMatch(Count::readsData);
                case Expression.Constant _, Expression.ScalarRead _ -> false;
            };
        }
    }
}
