package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.hls.source.Access;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Loop;

/// Which loops index which dimension of which array, and how they move through it. This is the graph per array
/// of Algorithm 1: the array is the root, the loops that index it hang below it, inner ones nearer.
///
/// Arrays are physical ones: an access to a formal array parameter counts for every actual array that may stand
/// behind it at a call, through any number of calls. An array parameter of the top, or one that is never bound,
/// stands for itself. Where a formal has another number of dimensions than its actual, its accesses are taken
/// as not affine.
final class ArrayUses {

    /// How a loop moves through one dimension, over all affine accesses in which its variable occurs.
    ///
    /// @param walks every iteration goes to the neighbouring index of this dimension (a stride of 1 or -1)
    /// @param jumps every iteration goes further than the neighbouring element of the array in memory
    /// (row-major)
    record Move(boolean walks, boolean jumps) {
        Move and(Move other) {
            return new Move(walks && other.walks, jumps && other.jumps);
        }
    }

    private final Nests nests;
    private final Map<String, ArrayVariable> arrays = new LinkedHashMap<>();
    private final Map<String, Set<String>> actuals = new LinkedHashMap<>();
    private final Map<ArrayDimension, Map<String, Move>> moves = new LinkedHashMap<>();

    ArrayUses(Nests nests) {
        this.nests = nests;
        nests.kernel().arrays().forEach(a -> arrays.put(a.id(), a));
        arrays.keySet().forEach(id -> actuals.put(id, new LinkedHashSet<>()));
        for (Function caller : nests.kernel().functions()) {
            for (Function.Binding binding : caller.bindings()) {
                binding.arrays().forEach((formal, actual) -> {
                    String id = binding.callee() + "/" + formal;
                    if (arrays.containsKey(id) && arrays.containsKey(actual) && !id.equals(actual)) {
                        requireNonNull(actuals.get(id)).add(actual);
                    }
                });
            }
        }
        for (Function f : nests.kernel().functions()) {
            f.body().allAccesses().forEach(this::add);
        }
    }

    /// The arrays that exist in hardware, in the kernel's order: everything but bound formal parameters.
    List<ArrayVariable> physical() {
        return arrays.values().stream()
                .filter(a -> requireNonNull(actuals.get(a.id())).isEmpty())
                .toList();
    }

    /// The physical arrays that may stand behind an array id; itself where it is one.
    Set<String> behind(String id) {
        var found = new LinkedHashSet<String>();
        collect(id, found, new LinkedHashSet<>());
        return found;
    }

    private void collect(String id, Set<String> found, Set<String> seen) {
        if (!seen.add(id)) {
            return;
        }
        Set<String> next = actuals.getOrDefault(id, Set.of());
        if (next.isEmpty()) {
            found.add(id);
        }
        next.forEach(a -> collect(a, found, seen));
    }

    /// The loops that index a dimension by an affine form, inner before outer, source order otherwise.
    Map<String, Move> loops(ArrayDimension dimension) {
        return moves.getOrDefault(dimension, Map.of());
    }

    private void add(Access access) {
        ArrayVariable named = arrays.get(access.array());
        if (named == null || named.scope() == ArrayVariable.Scope.STREAM) {
            return;
        }
        for (String id : behind(access.array())) {
            ArrayVariable array = requireNonNull(arrays.get(id));
            if (array.dims().size() == access.index().size()) {
                for (int d = 0; d < array.dims().size(); d++) {
                    addDimension(array, d, access);
                }
            }
        }
    }

    private void addDimension(ArrayVariable array, int d, Access access) {
        if (!(access.index().get(d) instanceof IndexForm.Affine affine)) {
            return;
        }
        var around = new ArrayList<Loop>();
        if (nests.isLoop(access.loop())) {
            around.add(nests.loop(access.loop()));
            around.addAll(nests.ancestors(access.loop()));
        }
        Map<String, Move> here =
                moves.computeIfAbsent(new ArrayDimension(array.id(), d + 1), k -> new LinkedHashMap<>());
        for (Loop loop : around) {
            if (affine.coefficient(loop.id()) != 0) {
                long stride = affine.stride(loop.id(), loop.step());
                here.merge(
                        loop.id(),
                        new Move(Math.abs(stride) == 1, Math.abs(elements(array, access, loop)) > 1),
                        Move::and);
            }
        }
    }

    /// Elements in memory from one iteration of `loop` to the next; the dimensions with another than an affine
    /// index do not count.
    private static long elements(ArrayVariable array, Access access, Loop loop) {
        long sum = 0;
        long row = 1;
        for (int d = array.dims().size() - 1; d >= 0; d--) {
            if (access.index().get(d) instanceof IndexForm.Affine affine) {
                sum += affine.stride(loop.id(), loop.step()) * row;
            }
            row *= Math.max(1, array.dims().get(d));
        }
        return sum;
    }
}
