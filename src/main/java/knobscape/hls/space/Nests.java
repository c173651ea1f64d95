package knobscape.hls.space;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;

/// How the loops and calls of a kernel lie inside each other.
final class Nests {

    /// A call of a function.
    ///
    /// @param caller calling function
    /// @param loop id of the innermost loop around the call, if any
    record CallSite(String caller, Optional<String> loop) {}

    /// Stands for "too many to count".
    static final long ENDLESS = Long.MAX_VALUE / 4;

    private final Kernel kernel;
    private final Map<String, Loop> loops = new LinkedHashMap<>();
    private final List<Loop> inOrder;
    private final Map<String, Integer> ranks = new HashMap<>();
    private final Map<String, Integer> functionRanks = new HashMap<>();
    private final Map<String, ArrayVariable> arrays = new HashMap<>();
    private final Map<String, Function> functions = new LinkedHashMap<>();
    private final Map<String, List<CallSite>> callSites = new LinkedHashMap<>();
    private final Map<String, Set<String>> calledIn = new LinkedHashMap<>();
    private final Set<String> multiplying = new HashSet<>();

    Nests(Kernel kernel) {
        this.kernel = kernel;
        kernel.functions().forEach(f -> functions.put(f.name(), f));
        functions.keySet().forEach(n -> functionRanks.put(n, functionRanks.size()));
        kernel.functions().forEach(f -> f.allLoops().forEach(l -> loops.put(l.id(), l)));
        inOrder = List.copyOf(loops.values());
        inOrder.forEach(l -> ranks.put(l.id(), ranks.size()));
        kernel.arrays().forEach(a -> arrays.putIfAbsent(a.id(), a));
        kernel.functions().forEach(f -> walk(f.name(), Optional.empty(), f.body()));
    }

    Kernel kernel() {
        return kernel;
    }

    /// All loops, outer before inner, in source order of each function.
    List<Loop> loops() {
        return inOrder;
    }

    /// Those of the loops that go by one of these ids, in the order of [#loops()].
    List<Loop> loopsAmong(Collection<String> ids) {
        return ids.stream()
                .filter(ranks::containsKey)
                .distinct()
                .sorted(Comparator.comparing(ranks::get))
                .map(this::loop)
                .toList();
    }

    /// Those of the functions that go by one of these names, in the kernel's order.
    List<Function> functionsAmong(Collection<String> names) {
        return names.stream()
                .filter(functionRanks::containsKey)
                .distinct()
                .sorted(Comparator.comparing(functionRanks::get))
                .map(n -> requireNonNull(functions.get(n)))
                .toList();
    }

    /// The array with this id.
    Optional<ArrayVariable> array(String id) {
        return Optional.ofNullable(arrays.get(id));
    }

    Loop loop(String id) {
        return requireNonNull(loops.get(id));
    }

    boolean isLoop(String id) {
        return loops.containsKey(id);
    }

    Optional<Function> function(String name) {
        return Optional.ofNullable(functions.get(name));
    }

    /// The loops around a loop in its function, innermost first.
    List<Loop> ancestors(String id) {
        var around = new ArrayList<Loop>();
        for (Optional<String> p = loop(id).parent();
                p.isPresent();
                p = loop(p.get()).parent()) {
            around.add(loop(p.get()));
        }
        return around;
    }

    /// The outermost loop of the nest a loop belongs to.
    Loop outermost(String id) {
        List<Loop> around = ancestors(id);
        return around.isEmpty() ? loop(id) : around.getLast();
    }

    /// Loops from the outermost of the nest down to each innermost one.
    List<List<Loop>> paths(Loop outermost) {
        var paths = new ArrayList<List<Loop>>();
        for (Loop l : outermost.nest()) {
            if (l.children().isEmpty()) {
                var path = new ArrayList<>(ancestors(l.id()).reversed());
                path.add(l);
                paths.add(List.copyOf(path));
            }
        }
        return paths;
    }

    /// Where a function is called.
    List<CallSite> callSites(String function) {
        return callSites.getOrDefault(function, List.of());
    }

    /// True if a function's own body multiplies.
    boolean multiplies(String function) {
        return multiplying.contains(function);
    }

    /// Most copies of one statement when everything inside the loop is unrolled completely, called functions
    /// included; [#ENDLESS] where an inner trip count is not exact, so that it cannot be.
    long copiesInside(Loop loop) {
        return copies(loop, new HashSet<>());
    }

    private long copies(Loop loop, Set<String> open) {
        long most = 1;
        for (String callee : calledIn.getOrDefault(loop.id(), Set.of())) {
            most = Math.max(most, copies(callee, open));
        }
        for (Loop child : loop.children()) {
            most = Math.max(most, times(trip(child), copies(child, open)));
        }
        return most;
    }

    private long copies(String function, Set<String> open) {
        if (!open.add(function)) {
            return ENDLESS;
        }
        long most = 1;
        for (Loop l : requireNonNull(functions.get(function)).loops()) {
            most = Math.max(most, times(trip(l), copies(l, open)));
        }
        for (String callee : calledIn.getOrDefault(function, Set.of())) {
            most = Math.max(most, copies(callee, open));
        }
        open.remove(function);
        return most;
    }

    private static long trip(Loop loop) {
        return loop.trip().isExact() ? loop.trip().max().getAsLong() : ENDLESS;
    }

    static long times(long a, long b) {
        return a != 0 && b > ENDLESS / a ? ENDLESS : a * b;
    }

    /// The loops of the perfect nest that ends in `loop`, outermost first: each but the last has nothing but
    /// the next one in its body, and all but the first have an exact trip count. Empty where there are fewer
    /// than two, or where the nest continues inside `loop`.
    List<Loop> perfectNest(Loop loop) {
        if (loop.body().isOneLoop()) {
            return List.of();
        }
        var nest = new ArrayList<Loop>();
        nest.add(loop);
        for (Loop outer : ancestors(loop.id())) {
            if (!outer.body().isOneLoop() || !nest.getFirst().trip().isExact()) {
                break;
            }
            nest.addFirst(outer);
        }
        return nest.size() < 2 ? List.of() : List.copyOf(nest);
    }

    private void walk(String function, Optional<String> loop, BodyFacts body) {
        for (BodyFacts.Call c : body.calls()) {
            if (!c.external() && functions.containsKey(c.callee())) {
                callSites.computeIfAbsent(c.callee(), k -> new ArrayList<>()).add(new CallSite(function, loop));
                calledIn.computeIfAbsent(loop.orElse(function), k -> new HashSet<>())
                        .add(c.callee());
            }
        }
        if (!body.multiplications().isEmpty()) {
            multiplying.add(function);
        }
        body.loops().forEach(l -> walk(function, Optional.of(l.id()), l.body()));
    }
}
