package knobscape.hls.evaluate.estimator;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Function;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.Statement;
import knobscape.hls.source.TripCount;

/// Kernels written down as records, with real arithmetic in them.
final class Kernels {
    static final Location HERE = new Location("hand.c", 1, 1, 0, 0);
    static final ScalarType DOUBLE = new ScalarType(ScalarType.Kind.DOUBLE, 64, 0, true, "double");
    static final ScalarType FLOAT = new ScalarType(ScalarType.Kind.FLOAT, 32, 0, true, "float");
    static final ScalarType INT = ScalarType.INT;

    private Kernels() {}

    static ArrayVariable array(String id, ArrayVariable.Scope scope, ScalarType type, long... dims) {
        int slash = id.indexOf('/');
        return new ArrayVariable(
                id,
                id.substring(slash + 1),
                id.substring(0, slash),
                scope,
                type,
                java.util.Arrays.stream(dims).boxed().toList(),
                false,
                HERE);
    }

    static ArrayVariable parameter(String id, ScalarType type, long... dims) {
        return array(id, ArrayVariable.Scope.PARAMETER, type, dims);
    }

    static IndexForm affine(long constant, Object... loopAndCoefficient) {
        var m = new java.util.HashMap<String, Long>();
        for (int i = 0; i < loopAndCoefficient.length; i += 2) {
            m.put((String) loopAndCoefficient[i], ((Number) loopAndCoefficient[i + 1]).longValue());
        }
        return new IndexForm.Affine(m, constant);
    }

    static Expression read(String array, ScalarType type, IndexForm... index) {
        return new Expression.ArrayRead(new Access(array, Access.Kind.READ, List.of(index), "", HERE), List.of(), type);
    }

    /// A read whose index is computed.
    static Expression gather(String array, ScalarType type, Expression index) {
        return new Expression.ArrayRead(
                new Access(array, Access.Kind.READ, List.of(new IndexForm.NonAffine("by hand")), "", HERE),
                List.of(index),
                type);
    }

    static Statement write(String array, Expression value, IndexForm... index) {
        return new Statement.AssignArray(
                new Access(array, Access.Kind.WRITE, List.of(index), "", HERE), List.of(), value, HERE);
    }

    static Statement scatter(String array, Expression index, Expression value) {
        return new Statement.AssignArray(
                new Access(array, Access.Kind.WRITE, List.of(new IndexForm.NonAffine("by hand")), "", HERE),
                List.of(index),
                value,
                HERE);
    }

    static Statement assign(String variable, ScalarType type, Expression value) {
        return new Statement.AssignScalar(variable, type, value, HERE);
    }

    static Expression scalar(String variable, ScalarType type) {
        return new Expression.ScalarRead(variable, type);
    }

    static Expression constant(double value, ScalarType type) {
        return new Expression.Constant(value, type);
    }

    static Expression op(OperationKind kind, ScalarType type, Expression... operands) {
        return new Expression.Operation(kind, List.of(operands), type);
    }

    static Statement nested(Loop loop) {
        return new Statement.Nested(loop);
    }

    static Loop loop(
            String id, String parent, int depth, TripCount trip, List<Loop.Dependence> carried, Statement... body) {
        String label = id.substring(id.indexOf('/') + 1);
        return new Loop(
                id,
                label,
                true,
                id.substring(0, id.indexOf('/')),
                parent.isEmpty() ? Optional.empty() : Optional.of(parent),
                depth,
                label + "_v",
                Optional.of(0L),
                1,
                trip,
                BodyFacts.of(List.of(body)),
                HERE,
                HERE,
                HERE,
                HERE,
                true,
                false,
                carried);
    }

    static Loop loop(String id, String parent, int depth, long trip, Statement... body) {
        return loop(id, parent, depth, TripCount.exact(trip), List.of(), body);
    }

    static Kernel kernel(Function... functions) {
        return new Kernel(
                "hand.c",
                "",
                functions[functions.length - 1].name(),
                false,
                List.of(functions),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Map.of("hand.c", ""));
    }

    static Function function(String name, List<ArrayVariable> arrays, Statement... body) {
        return new Function(
                name, arrays, Map.of(), BodyFacts.of(List.of(body)), List.of(), List.of(), HERE, HERE, false);
    }

    /// A dot product per element on one-dimensional arrays, the shape of many benchmark suites: `prod[n*i+j] =
    /// sum_k m1[n*i+k] * m2[n*k+j]`.
    static Kernel gemm(ScalarType type, int n) {
        String outer = "gemm/outer";
        String middle = "gemm/middle";
        String inner = "gemm/inner";
        Loop k = loop(
                inner,
                middle,
                2,
                n,
                assign(
                        "mult",
                        type,
                        op(
                                OperationKind.MULTIPLY,
                                type,
                                read("gemm/m1", type, affine(0, outer, n, inner, 1)),
                                read("gemm/m2", type, affine(0, inner, n, middle, 1)))),
                assign("sum", type, op(OperationKind.ADD, type, scalar("sum", type), scalar("mult", type))));
        Loop j = loop(
                middle,
                outer,
                1,
                n,
                assign("sum", type, constant(0, type)),
                nested(k),
                write("gemm/prod", scalar("sum", type), affine(0, outer, n, middle, 1)));
        Loop i = loop(outer, "", 0, n, nested(j));
        long size = (long) n * n;
        return kernel(function(
                "gemm",
                List.of(
                        parameter("gemm/m1", type, size),
                        parameter("gemm/m2", type, size),
                        parameter("gemm/prod", type, size)),
                nested(i)));
    }

    /// `x[i] = a * x[i] + y[i]` over n elements of local arrays, with copies in and out.
    static Kernel scale(ScalarType type, int n) {
        String in = "scale/in";
        String work = "scale/work";
        String out = "scale/out";
        return kernel(function(
                "scale",
                List.of(
                        parameter("scale/a", type, n),
                        array("scale/x", ArrayVariable.Scope.LOCAL, type, n),
                        array("scale/y", ArrayVariable.Scope.LOCAL, type, n)),
                nested(loop(
                        in,
                        "",
                        0,
                        n,
                        write("scale/x", read("scale/a", type, affine(0, in, 1)), affine(0, in, 1)),
                        write("scale/y", read("scale/a", type, affine(0, in, 1)), affine(0, in, 1)))),
                nested(loop(
                        work,
                        "",
                        0,
                        n,
                        write(
                                "scale/x",
                                op(
                                        OperationKind.ADD,
                                        type,
                                        op(
                                                OperationKind.MULTIPLY,
                                                type,
                                                constant(3.7, type),
                                                read("scale/x", type, affine(0, work, 1))),
                                        read("scale/y", type, affine(0, work, 1))),
                                affine(0, work, 1)))),
                nested(loop(
                        out,
                        "",
                        0,
                        n,
                        write("scale/a", read("scale/x", type, affine(0, out, 1)), affine(0, out, 1))))));
    }

    /// `count[key[i]]++` over n keys.
    static Kernel histogram(int n, int bins) {
        String loop = "histogram/keys";
        var carried = List.of(new Loop.Dependence("histogram/count", true, Optional.empty(), false));
        return kernel(function(
                "histogram",
                List.of(
                        parameter("histogram/key", INT, n),
                        array("histogram/count", ArrayVariable.Scope.PARAMETER, INT, bins)),
                nested(loop(
                        loop,
                        "",
                        0,
                        TripCount.exact(n),
                        carried,
                        assign("k", INT, read("histogram/key", INT, affine(0, loop, 1))),
                        scatter(
                                "histogram/count",
                                scalar("k", INT),
                                op(
                                        OperationKind.ADD,
                                        INT,
                                        gather("histogram/count", INT, scalar("k", INT)),
                                        constant(1, INT)))))));
    }
}
