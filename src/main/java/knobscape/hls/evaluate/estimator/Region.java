package knobscape.hls.evaluate.estimator;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Estimate of a loop or of a function's body.
///
/// @param cycles cycles per entry as seen from outside, on average
/// @param pipelined whether it is one pipelined loop
/// @param interval cycles between two starts where tasks overlap (dataflow), else `cycles`
/// @param usage hardware, callees not included
/// @param loops what became of the loops, outer before inner
/// @param callees functions that stay modules of their own, by number
/// @param queues when it accesses queues
record Region(
        double cycles,
        boolean pipelined,
        double interval,
        Usage usage,
        List<LoopEstimate> loops,
        Map<Integer, Region> callees,
        List<QueueUse> queues) {
    Region(
            double cycles,
            boolean pipelined,
            double interval,
            Usage usage,
            List<LoopEstimate> loops,
            Map<Integer, Region> callees) {
        this(cycles, pipelined, interval, usage, loops, callees, List.of());
    }

    Region {
        queues = List.copyOf(queues);
        loops = List.copyOf(loops);
        // In the order of the calls: a copy of Map forgets it, and rows would change places from run to run.
        callees = Collections.unmodifiableMap(new LinkedHashMap<>(callees));
    }
}
