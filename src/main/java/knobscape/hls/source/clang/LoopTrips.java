package knobscape.hls.source.clang;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrLoopMark;
import knobscape.compile.run.Frame;
import knobscape.compile.run.IrMachine;

/// Counts how often the bodies of loops run, while they run.
public final class LoopTrips implements IrMachine.Watcher {
    /// How the compiler names the block that a body begins with, where a condition stands before it.
    private static final Pattern BODY = Pattern.compile("(for|while|do)\\.body\\d*");

    private final IdentityHashMap<IrFunction, Plan> plans = new IdentityHashMap<>();
    private final Map<IrLocation, Trips> trips = new HashMap<>();

    /// How often a loop's body ran.
    ///
    /// @param entries times the loop was reached
    /// @param min fewest iterations of one entry
    /// @param max most iterations of one entry
    /// @param total iterations of all entries
    public record Trips(long entries, long min, long max, long total) {
        /// Iterations of an entry on average; 0 where it was never reached.
        public double mean() {
            return entries == 0 ? 0 : (double) total / entries;
        }

        /// The trips of two runs together.
        public Trips and(Trips other) {
            return new Trips(
                    entries + other.entries, Math.min(min, other.min), Math.max(max, other.max), total + other.total);
        }
    }

    /// Trips of loops that were left, by the place of the keyword as the compiler counts columns.
    public Map<IrLocation, Trips> trips() {
        return Map.copyOf(trips);
    }

    @Override
    public void goes(Frame frame, int from, int to) {
        Counts counts;
        if (frame.state() instanceof Counts c) {
            counts = c;
        } else {
            Plan plan = plans.computeIfAbsent(frame.function(), Plan::of);
            counts = new Counts(plan, new long[plan.loops().length]);
            frame.keep(counts);
        }
        Plan plan = counts.plan();
        if (plan.loops().length == 0) {
            return;
        }
        if (from >= 0) {
            for (int l : plan.around()[from]) {
                if (to < 0 || !plan.loops()[l].contains(to)) {
                    left(plan.loops()[l], counts.body()[l]);
                }
            }
        }
        if (to < 0) {
            return;
        }
        int entered = plan.headed()[to];
        if (entered >= 0 && (from < 0 || !plan.loops()[entered].contains(from))) {
            counts.body()[entered] = 0;
        }
        int body = plan.begun()[to];
        if (body >= 0) {
            counts.body()[body]++;
        }
    }

    private void left(IrLoop loop, long n) {
        loop.mark().flatMap(IrLoopMark::start).ifPresent(at -> trips.merge(at, new Trips(1, n, n, n), Trips::and));
    }

    private record Counts(Plan plan, long[] body) {}

    /// The loops of a function.
    ///
    /// @param around loops around each block, inner ones first
    /// @param headed the loop that each block is the header of, -1 for none
    /// @param begun the loop whose body each block begins, -1 for none
    private record Plan(IrLoop[] loops, int[][] around, int[] headed, int[] begun) {
        static Plan of(IrFunction f) {
            IrLoops found = IrLoops.of(f);
            IrLoop[] loops = found.all().toArray(IrLoop[]::new);
            var index = new IdentityHashMap<IrLoop, Integer>();
            for (int l = 0; l < loops.length; l++) {
                index.put(loops[l], l);
            }
            int n = f.blocks().size();
            int[][] around = new int[n][];
            int[] headed = filled(n);
            int[] begun = filled(n);
            Function<Optional<IrLoop>, Integer> number = l -> l.map(index::get).orElse(-1);
            for (int b = 0; b < n; b++) {
                Optional<IrLoop> inner = found.around(b);
                var chain = new java.util.ArrayList<Integer>();
                for (Optional<IrLoop> l = inner; l.isPresent(); l = l.get().parent()) {
                    chain.add(number.apply(l));
                }
                around[b] = chain.stream().mapToInt(x -> x).toArray();
                headed[b] = number.apply(found.headedBy(b));
            }
            for (int l = 0; l < loops.length; l++) {
                begun[body(f, loops[l], found)] = l;
            }
            return new Plan(loops, around, headed, begun);
        }

        private static int[] filled(int n) {
            int[] all = new int[n];
            java.util.Arrays.fill(all, -1);
            return all;
        }

        /// The block that is passed once an iteration, after the condition where one stands first.
        private static int body(IrFunction f, IrLoop loop, IrLoops all) {
            List<Integer> named = loop.blocks().stream()
                    .filter(b -> all.around(b).filter(l -> l == loop).isPresent()
                            && BODY.matcher(f.blocks().get(b).name()).matches())
                    .boxed()
                    .toList();
            return named.isEmpty() ? loop.header() : named.getFirst();
        }
    }
}
