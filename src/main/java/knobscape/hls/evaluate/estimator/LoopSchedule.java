package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;

/// One iteration of a loop that is left after its directives, operation by operation: when each starts and ends, and
/// which of them set the initiation interval.
///
/// @param loop loop id; of a pipelined function its name
/// @param interval cycles from the start of an iteration to the next one's, 0 where not pipelined
/// @param depth cycles of one iteration
/// @param limit what keeps the interval from being smaller; empty where nothing does
/// @param steps operations in the order in which they start
public record LoopSchedule(String loop, int interval, int depth, String limit, List<Step> steps) {
    public LoopSchedule {
        steps = List.copyOf(steps);
    }

    /// Alike operations that run in the same cycles.
    ///
    /// @param name what it does (`load a`, `fadd`)
    /// @param count how many of them there are
    /// @param first first cycle of the iteration, from 0
    /// @param last last cycle
    /// @param line of the source, where known
    /// @param limits whether the interval is set by it: it uses the port, or stands on the recurrence
    public record Step(String name, int count, int first, int last, OptionalInt line, boolean limits) {}

    /// Reads a schedule.
    ///
    /// @param limiting nodes that set the interval
    static LoopSchedule of(
            String loop,
            int interval,
            String limit,
            IrGraphBuilder b,
            BlockSchedule s,
            IrObjects objects,
            BitSet limiting) {
        Graph g = b.graph;
        OptionalInt[] lines = b.lines();
        var alike = new LinkedHashMap<Step, Integer>();
        for (int n = 0; n < g.size; n++) {
            boolean runs = g.kind[n] == Graph.OPERATION || g.kind[n] == Graph.LOAD || g.kind[n] == Graph.STORE;
            if (runs && g.live[n] && s.start[n] >= 0 && !s.isAbsorbed(n)) {
                String name = g.kind[n] == Graph.OPERATION
                        ? g.operator[n].name()
                        : (g.kind[n] == Graph.LOAD ? "load " : "store ")
                                + objects.get(g.array[n]).store().source().name();
                alike.merge(new Step(name, 1, s.start[n], s.end[n], lines[n], limiting.get(n)), 1, Integer::sum);
            }
        }
        var steps = new ArrayList<Step>();
        alike.forEach((o, count) -> steps.add(new Step(o.name(), count, o.first(), o.last(), o.line(), o.limits())));
        steps.sort(Comparator.comparingInt(Step::first).thenComparingInt(Step::last));
        return new LoopSchedule(loop, interval, s.depth, limit, steps);
    }

    /// Nodes on a way from one set to another, the ends included.
    static BitSet between(Graph g, BitSet from, BitSet to) {
        var after = new BitSet();
        var before = new BitSet();
        for (int n = 0; n < g.size; n++) {
            boolean reached = from.get(n);
            for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1] && !reached; k++) {
                reached = after.get(g.pool[k] < 0 ? ~g.pool[k] : g.pool[k]);
            }
            after.set(n, reached);
        }
        for (int n = g.size - 1; n >= 0; n--) {
            if (to.get(n)) {
                before.set(n);
            }
            if (before.get(n)) {
                for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
                    before.set(g.pool[k] < 0 ? ~g.pool[k] : g.pool[k]);
                }
            }
        }
        after.and(before);
        return after;
    }
}
