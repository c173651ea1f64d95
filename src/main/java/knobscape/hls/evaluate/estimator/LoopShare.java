package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import knobscape.hls.source.BodyFacts;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;

/// How much of a kernel's cycles one loop takes by itself, without the loops and calls inside it.
///
/// @param loop what was found for it
/// @param share of all cycles that loops take, 0 to 1
public record LoopShare(LoopEstimate loop, double share) {

    /// The loop that takes the most cycles; empty for a kernel in which none does.
    ///
    /// @param loops what was found for every loop of the kernel
    public static Optional<LoopShare> heaviest(Kernel kernel, List<LoopEstimate> loops) {
        var walk = new Walk(
                kernel, loops.stream().collect(Collectors.toMap(LoopEstimate::loop, Function.identity(), (a, b) -> a)));
        walk.function(kernel.top(), 1);
        double all = walk.own.values().stream().mapToDouble(c -> c).sum();
        return walk.own.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .max(Comparator.comparingDouble(Map.Entry::getValue))
                .map(e -> new LoopShare(requireNonNull(walk.estimates.get(e.getKey())), e.getValue() / all));
    }

    /// Counts how often every loop is entered, from the top function on.
    private static final class Walk {
        private final Kernel kernel;
        private final Map<String, LoopEstimate> estimates;
        /// Cycles of each loop by itself.
        private final Map<String, Double> own = new HashMap<>();
        private final Set<String> within = new HashSet<>();

        Walk(Kernel kernel, Map<String, LoopEstimate> estimates) {
            this.kernel = kernel;
            this.estimates = estimates;
        }

        /// Cycles of the loops of a function that is called so many times.
        double function(String name, double times) {
            // A function that calls itself has no estimate.
            if (!within.add(name)) {
                return 0;
            }
            double cycles =
                    kernel.function(name).map(f -> body(f.body(), times)).orElse(0.0);
            within.remove(name);
            return cycles;
        }

        private double body(BodyFacts body, double times) {
            double cycles = 0;
            for (BodyFacts.Call call : body.calls()) {
                cycles += function(call.callee(), times);
            }
            for (Loop l : body.loops()) {
                cycles += loop(l, times);
            }
            return cycles;
        }

        private double loop(Loop l, double times) {
            LoopEstimate e = estimates.get(l.id());
            if (e == null || e.state() == LoopEstimate.State.FLATTENED || e.state() == LoopEstimate.State.UNROLLED) {
                // The loop inside has its iterations, or nothing has.
                return body(l.body(), times);
            }
            double inside = body(l.body(), times * e.trip());
            own.merge(l.id(), Math.max(0, times * e.latency() - inside), Double::sum);
            return times * e.latency();
        }
    }
}
