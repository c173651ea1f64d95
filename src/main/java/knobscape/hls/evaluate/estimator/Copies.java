package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BlockFunction;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Expression;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Statement;
import knobscape.hls.source.TripCount;

/// Writes `memcpy`, `memmove` and `memset` of arrays out as what the tools make of them: a pipelined loop that moves an
/// element per iteration. No directive reaches it.
final class Copies {
    private static final String MARK = "/copy@";

    private final Map<String, ArrayVariable> arrays;
    private int count;

    private Copies(Kernel kernel) {
        arrays = kernel.arrays().stream().collect(Collectors.toMap(ArrayVariable::id, Function.identity()));
    }

    /// The kernel with its copies as loops; the same where there are none.
    static Kernel asLoops(Kernel kernel) {
        var copies = new Copies(kernel);
        var functions = kernel.functions().stream()
                .map(f -> f.withBody(BodyFacts.of(
                        copies.body(f.name(), Optional.empty(), 0, f.body().statements()))))
                .toList();
        return copies.count == 0 ? kernel : kernel.withFunctions(functions, kernel.notes());
    }

    /// Whether a loop is one of these.
    static boolean isCopy(Loop loop) {
        return loop.id().contains(MARK);
    }

    private List<Statement> body(String function, Optional<String> parent, int depth, List<Statement> body) {
        var all = new ArrayList<Statement>();
        for (Statement s : body) {
            all.add(
                    switch (s) {
                        case Statement.Nested n -> {
                            Loop l = n.loop();
                            yield new Statement.Nested(l.with(
                                    l.trip(),
                                    BodyFacts.of(body(
                                            function,
                                            Optional.of(l.id()),
                                            l.depth() + 1,
                                            l.body().statements()))));
                        }
                        case Statement.Branch b ->
                            new Statement.Branch(
                                    b.condition(),
                                    body(function, parent, depth, b.then()),
                                    body(function, parent, depth, b.otherwise()),
                                    b.location());
                        case Statement.Call c ->
                            loop(function, parent, depth, c.invocation())
                                    .<Statement>map(Statement.Nested::new)
                                    .orElse(c);
                        default -> s;
                    });
        }
        return List.copyOf(all);
    }

    private Optional<Loop> loop(String caller, Optional<String> parent, int depth, Expression.Invocation i) {
        Optional<BlockFunction> function = i.external() ? BlockFunction.of(i.callee()) : Optional.empty();
        List<ArrayVariable> given = i.arrayArguments().stream()
                .filter(arrays::containsKey)
                .map(arrays::get)
                .toList();
        if (function.isEmpty()
                || given.size() != function.get().arrays()
                || i.arguments().isEmpty()) {
            return Optional.empty();
        }
        ArrayVariable to = given.getFirst();
        ArrayVariable from = given.getLast();
        String id = caller + MARK + i.location().line() + "_" + count++;
        Expression value = function.get() == BlockFunction.MEMSET
                ? new Expression.Constant(0, to.element())
                : new Expression.ArrayRead(access(from, Access.Kind.READ, id, i), List.of(), from.element());
        var write = new Statement.AssignArray(access(to, Access.Kind.WRITE, id, i), List.of(), value, i.location());
        return Optional.of(new Loop(
                id,
                function.get().word() + " in line " + i.location().line(),
                false,
                caller,
                parent,
                depth,
                id,
                Optional.of(0L),
                1,
                trip(to, given, i.arguments().getLast()),
                BodyFacts.of(List.of(write)),
                i.location(),
                i.location(),
                i.location(),
                i.location(),
                true,
                false,
                List.of()));
    }

    /// In order through the memory: the index of the last dimension moves, which is what banks of it see.
    private static Access access(ArrayVariable array, Access.Kind kind, String loop, Expression.Invocation i) {
        int last = array.dims().size() - 1;
        var index = new ArrayList<IndexForm>();
        for (int d = 0; d <= last; d++) {
            index.add(new IndexForm.Affine(d == last ? Map.of(loop, 1L) : Map.of(), 0));
        }
        return new Access(array.id(), kind, index, loop, i.location());
    }

    /// The bytes in elements of `to`; where they are not known, at most what both arrays hold.
    private static TripCount trip(ArrayVariable to, List<ArrayVariable> given, Expression bytes) {
        if (bytes instanceof Expression.Constant c && c.value() >= 0 && c.value() < 1e15) {
            return TripCount.exact((long) Math.ceil(c.value() / bytes(to)));
        }
        LongStream sizes =
                given.stream().filter(a -> a.elements() > 0).mapToLong(a -> a.elements() * bytes(a) / bytes(to));
        OptionalLong most = sizes.min();
        return most.isEmpty()
                ? TripCount.unknown()
                : new TripCount(OptionalLong.empty(), most, OptionalDouble.empty(), TripCount.Certainty.BOUNDED);
    }

    /// As a compiler stores an element: 8, 16, 32 or 64 bits, larger ones in whole bytes.
    private static long bytes(ArrayVariable array) {
        int bits = OperatorLibrary.width(array.element());
        return bits <= 64 ? Math.max(1, Long.highestOneBit(2L * bits - 1) / 8) : (bits + 7) / 8;
    }
}
