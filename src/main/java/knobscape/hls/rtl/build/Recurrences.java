package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.HashMap;
import knobscape.hls.rtl.build.DataOp.Kind;

/// Circles of a pipelined loop's operations: what one iteration hands to a later one. They bound its interval from
/// below,
/// which is found in much less time than by trying to place everything.
final class Recurrences {
    /// Passes after which a circle that exceeds its interval by little is left to the placing.
    private static final int PASSES = 200;

    /// The second starts at least so many cycles after the first.
    private record Wait(int first, int second, int cycles) {}

    private Recurrences() {}

    /// True if a phi may take the value that a core leaves in the cycle in which it arrives.
    static boolean isBypassed(CodeRegion r, DataOp next) {
        return next.latency >= 1
                && next.kind != Kind.PHI
                && next.region == r.number
                && next.after <= OperatorTimes.REGISTER;
    }

    /// True if some circle takes longer than an interval allows. Operations have their latencies.
    static boolean exceed(CodeRegion r, int interval) {
        var places = new HashMap<DataOp, Integer>();
        r.phis.forEach(v -> places.put(v, places.size()));
        r.ops.forEach(v -> places.put(v, places.size()));
        var waits = new ArrayList<Wait>();
        int longest = 1;
        for (DataOp v : r.ops) {
            longest += latency(v) + 1;
            for (DataOp a : RegionScheduler.operands(v)) {
                Integer from = places.get(a);
                if (from != null) {
                    waits.add(new Wait(from, place(places, v), latency(a)));
                }
            }
        }
        r.back.forEach((phi, next) -> {
            Integer from = places.get(next);
            if (from != null) {
                waits.add(new Wait(from, place(places, phi), latency(next) - interval + (isBypassed(r, next) ? 0 : 1)));
            }
        });
        int least = longest;
        r.orders.forEach(o -> waits.add(new Wait(place(places, o.first()), place(places, o.second()), (int)
                Math.max(-least, o.delta() - interval * o.distance()))));
        int[] start = new int[places.size()];
        for (int pass = 0; pass < PASSES; pass++) {
            boolean moved = false;
            for (Wait w : waits) {
                int then = start[w.first()] + w.cycles();
                if (start[w.second()] < then) {
                    start[w.second()] = then;
                    moved = true;
                    if (then > longest) {
                        return true;
                    }
                }
            }
            if (!moved) {
                return false;
            }
        }
        return false;
    }

    private static int place(HashMap<DataOp, Integer> places, DataOp v) {
        return places.getOrDefault(v, 0);
    }

    private static int latency(DataOp v) {
        return v.kind == Kind.PHI ? 0 : v.latency;
    }
}
