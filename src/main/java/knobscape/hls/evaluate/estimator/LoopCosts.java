package knobscape.hls.evaluate.estimator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import knobscape.hls.evaluate.estimator.LoopCost.Cause;

/// Adds up what loops cost: per function while its body is walked over, then over all calls from the top on.
final class LoopCosts {
    private final Map<String, Profile> profiles = new HashMap<>();
    private final Deque<Profile> open = new ArrayDeque<>();

    /// One call of a function.
    private static final class Profile {
        final List<LoopCost> loops = new ArrayList<>();
        final Map<String, Double> calls = new LinkedHashMap<>();
        /// How often what is looked at runs.
        double times = 1;
    }

    /// Begins a function; the one around goes on after [#leave].
    void enter(String function) {
        var p = new Profile();
        profiles.put(function, p);
        open.push(p);
    }

    void leave() {
        open.pop();
    }

    /// A part of the function that runs so often each time that what is around it runs.
    <T> T repeated(double often, Supplier<T> part) {
        Profile p = open.element();
        double before = p.times;
        p.times *= often;
        T made = part.get();
        p.times = before;
        return made;
    }

    /// A loop that takes so many cycles by itself.
    void add(String loop, double cycles, Cause cause, String through) {
        Profile p = open.element();
        p.loops.add(new LoopCost(loop, p.times * cycles, cause, through));
    }

    /// A call of a function.
    void call(String function) {
        Profile p = open.element();
        p.calls.merge(function, p.times, Double::sum);
    }

    /// The costs in one run of a function, the dearest first; copies of a loop are one.
    List<LoopCost> of(String top) {
        var all = new LinkedHashMap<String, LoopCost>();
        collect(top, 1, all, 0);
        return all.values().stream()
                .sorted(Comparator.comparingDouble(LoopCost::cycles).reversed())
                .toList();
    }

    private void collect(String function, double runs, Map<String, LoopCost> into, int depth) {
        Profile p = profiles.get(function);
        if (p == null || depth > profiles.size()) {
            return;
        }
        for (LoopCost c : p.loops) {
            into.merge(c.loop(), new LoopCost(c.loop(), runs * c.cycles(), c.cause(), c.through()), LoopCosts::sum);
        }
        p.calls.forEach((callee, often) -> collect(callee, runs * often, into, depth + 1));
    }

    private static LoopCost sum(LoopCost a, LoopCost b) {
        LoopCost limited = a.cause() == Cause.NONE ? b : a;
        return new LoopCost(a.loop(), a.cycles() + b.cycles(), limited.cause(), limited.through());
    }
}
