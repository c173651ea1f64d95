package knobscape.hls.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Function;
import knobscape.hls.source.HandBody;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Multiplication;
import knobscape.hls.source.Pragma;
import knobscape.hls.source.ScalarType;
import knobscape.hls.source.TripCount;

/// Kernels written down as records, for tests that should not depend on a parser.
final class HandKernels {
    private HandKernels() {}

    static final Location HERE = new Location("hand.cpp", 1, 1, 0, 0);

    /// A piece of a body.
    sealed interface Piece {}

    /// A loop; a negative trip is a bound, 0 is unknown.
    record LoopPiece(String label, long trip, long step, List<Piece> body) implements Piece {}

    /// Reads of arrays, multiplied and stored to the first.
    record Touch(List<Access> accesses) implements Piece {}

    /// A call; formal to actual array id.
    record CallPiece(String callee, Map<String, String> arrays) implements Piece {}

    static LoopPiece loop(String label, long trip, Piece... body) {
        return new LoopPiece(label, trip, 1, List.of(body));
    }

    /// Accesses written like `f/a[64*i+k][j]`; `?` is an index that is not affine. The loops are named by
    /// label.
    static Touch touch(String... accesses) {
        return new Touch(Arrays.stream(accesses).map(HandKernels::access).toList());
    }

    private static Access access(String text) {
        String id = text.substring(0, text.indexOf('['));
        String function = id.substring(0, id.indexOf('/'));
        var index = new ArrayList<IndexForm>();
        for (String part :
                text.substring(text.indexOf('[') + 1, text.length() - 1).split("\\]\\[")) {
            index.add(form(function, part));
        }
        return new Access(id, Access.Kind.READ, index, "", HERE);
    }

    private static IndexForm form(String function, String text) {
        if (text.equals("?")) {
            return new IndexForm.NonAffine("by hand");
        }
        var coefficients = new LinkedHashMap<String, Long>();
        long constant = 0;
        for (String term : text.replace("-", "+-").split("\\+")) {
            if (term.matches("-?\\d+")) {
                constant += Long.parseLong(term);
            } else if (!term.isEmpty()) {
                int star = term.indexOf('*');
                String label = star < 0 ? term.replace("-", "") : term.substring(star + 1);
                coefficients.merge(
                        function + "/" + label,
                        star < 0 ? (term.startsWith("-") ? -1L : 1L) : Long.parseLong(term.substring(0, star)),
                        Long::sum);
            }
        }
        return new IndexForm.Affine(coefficients, constant);
    }

    static CallPiece call(String callee, Map<String, String> arrays) {
        return new CallPiece(callee, arrays);
    }

    static ArrayVariable parameter(String id, long... dims) {
        return array(id, ArrayVariable.Scope.PARAMETER, dims);
    }

    static ArrayVariable array(String id, ArrayVariable.Scope scope, long... dims) {
        return new ArrayVariable(
                id,
                id.substring(id.indexOf('/') + 1),
                id.substring(0, id.indexOf('/')),
                scope,
                ScalarType.INT,
                Arrays.stream(dims).boxed().toList(),
                HERE);
    }

    static Function function(String name, List<ArrayVariable> arrays, Piece... body) {
        var bindings = new ArrayList<Function.Binding>();
        var callees = new ArrayList<String>();
        BodyFacts facts = body(name, Optional.empty(), 0, List.of(body), bindings, callees);
        return new Function(
                name, arrays, Map.of(), facts, callees.stream().distinct().toList(), bindings, HERE, HERE, false);
    }

    private static BodyFacts body(
            String function,
            Optional<String> parent,
            int depth,
            List<Piece> pieces,
            List<Function.Binding> bindings,
            List<String> callees) {
        var found = new HandBody();
        for (Piece piece : pieces) {
            switch (piece) {
                case LoopPiece l -> {
                    String id = function + "/" + l.label();
                    BodyFacts inner = body(function, Optional.of(id), depth + 1, l.body(), bindings, callees);
                    found.add(new Loop(
                            new Loop.Name(id, l.label(), true),
                            new Loop.Nest(function, parent, depth),
                            new Loop.Counter(l.label(), Optional.of(0L), l.step()),
                            trip(l.trip()),
                            inner,
                            new Loop.Text(HERE, HERE, HERE, HERE, true),
                            false,
                            List.of()));
                }
                case Touch t -> {
                    found.add(
                            new Multiplication(ScalarType.INT, Optional.of("x"), HERE),
                            t.accesses().stream()
                                    .map(a -> new Access(a.array(), a.kind(), a.index(), parent.orElse(""), HERE))
                                    .toList());
                }
                case CallPiece c -> {
                    bindings.add(new Function.Binding(c.callee(), c.arrays(), HERE));
                    callees.add(c.callee());
                    found.add(new BodyFacts.Call(
                            c.callee(), false, List.copyOf(c.arrays().values()), HERE));
                }
            }
        }
        return found.facts();
    }

    private static TripCount trip(long n) {
        if (n > 0) {
            return TripCount.exact(n);
        }
        return n == 0
                ? TripCount.unknown()
                : new TripCount(
                        OptionalLong.of(0), OptionalLong.of(-n), OptionalDouble.empty(), TripCount.Certainty.BOUNDED);
    }

    /// Functions in call order; the last is the top.
    static Kernel kernel(Function... functions) {
        return kernel(List.of(), functions);
    }

    static Kernel kernel(List<Pragma> pragmas, Function... functions) {
        return new Kernel(
                "hand.cpp",
                "",
                functions[functions.length - 1].name(),
                false,
                List.of(functions),
                List.of(),
                List.of(),
                pragmas,
                List.of(),
                Map.of("hand.cpp", ""));
    }

    /// MachSuite-like: one-dimensional arrays, `m1[n*i+k]`, `m2[n*k+j]`, `prod[n*i+j]`.
    static Kernel flatGemm(int n) {
        return kernel(function(
                "gemm",
                List.of(
                        parameter("gemm/m1", (long) n * n),
                        parameter("gemm/m2", (long) n * n),
                        parameter("gemm/prod", (long) n * n)),
                loop(
                        "i",
                        n,
                        loop(
                                "j",
                                n,
                                loop("k", n, touch("gemm/m1[" + n + "*i+k]", "gemm/m2[" + n + "*k+j]")),
                                touch("gemm/prod[" + n + "*i+j]")))));
    }

    /// Two-dimensional arrays.
    static Kernel gemm(int n) {
        return kernel(function(
                "gemm",
                List.of(parameter("gemm/a", n, n), parameter("gemm/b", n, n), parameter("gemm/c", n, n)),
                loop(
                        "i",
                        n,
                        loop("j", n, loop("k", n, touch("gemm/a[i][k]", "gemm/b[k][j]")), touch("gemm/c[i][j]")))));
    }

    /// Fig. 3.5 of the thesis: L1 outside, L2 and L3 side by side inside; A in both, B in L3.
    static Kernel figure35(int outer, int inner) {
        return kernel(function(
                "f",
                List.of(parameter("f/A", (long) outer * inner), parameter("f/B", (long) outer * inner)),
                loop(
                        "L1",
                        outer,
                        loop("L2", inner, touch("f/A[" + inner + "*L1+L2]")),
                        loop("L3", inner, touch("f/A[" + inner + "*L1+L3]", "f/B[" + inner + "*L1+L3]")))));
    }
}
