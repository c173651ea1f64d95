package knobscape.app.cli;

import java.util.Locale;
import knobscape.hls.evaluate.estimator.EstimateReport;
import knobscape.hls.evaluate.estimator.LoopEstimate;
import tools.jackson.databind.node.ArrayNode;

/// The built-in estimate of every loop of a design: iterations, interval, depth, latency and what limits it.
final class LoopRows {
    private LoopRows() {}

    /// A line for each loop.
    static TextTable table(EstimateReport r) {
        var table = new TextTable("loop", ">trip", ">II", ">depth", ">latency", "state", "limited by");
        for (LoopEstimate l : r.loops()) {
            table.add(
                    l.loop(),
                    whole(l.trip()),
                    l.interval() > 0 ? "" + l.interval() : "",
                    l.depth() > 0 ? "" + l.depth() : "",
                    whole(l.latency()),
                    l.state().name().toLowerCase(Locale.ROOT),
                    l.limit());
        }
        return table;
    }

    /// An object for each loop.
    static void json(EstimateReport r, ArrayNode list) {
        for (LoopEstimate l : r.loops()) {
            list.addObject()
                    .put("loop", l.loop())
                    .put("state", l.state().name().toLowerCase(Locale.ROOT))
                    .put("trip", l.trip())
                    .put("interval", l.interval())
                    .put("depth", l.depth())
                    .put("latency", l.latency())
                    .put("limit", l.limit());
        }
    }

    static String whole(double x) {
        return x == Math.rint(x) ? String.format(Locale.ROOT, "%.0f", x) : String.format(Locale.ROOT, "%.1f", x);
    }
}
