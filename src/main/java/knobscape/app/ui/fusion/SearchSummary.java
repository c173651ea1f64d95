package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;

/// Time and peak memory of the strategies known of a network, as things are set: what the searches kept, and
/// what a person made.
///
/// @param front by growing peak, falling time
/// @param peaks of every one in bytes
/// @param seconds of every one
/// @param count strategies evaluated in all, those that were not kept included
record SearchSummary(List<FrontPoint> front, long[] peaks, double[] seconds, long count) {

    /// A strategy on the front.
    record FrontPoint(Strategy strategy, Cost cost) {}

    static SearchSummary none() {
        return new SearchSummary(List.of(), new long[0], new double[0], 0);
    }

    /// @param strategies those with another number of layers, or a micro-batch above the batch, are left out
    /// @param uncounted strategies evaluated besides these
    static SearchSummary of(FusionCostModel model, Stream<Strategy> strategies, long uncounted) {
        var front = new TreeMap<Long, FrontPoint>();
        List<Cost> costs = new ArrayList<>();
        strategies
                .distinct()
                .filter(s -> s.layers() == model.layers() && s.largest() <= model.batch())
                .forEach(s -> {
                    Cost cost = model.evaluate(s);
                    costs.add(cost);
                    join(front, s, cost);
                });
        return new SearchSummary(
                List.copyOf(front.values()),
                costs.stream().mapToLong(Cost::peakBytes).toArray(),
                costs.stream().mapToDouble(Cost::seconds).toArray(),
                costs.size() + uncounted);
    }

    private static void join(TreeMap<Long, FrontPoint> front, Strategy strategy, Cost cost) {
        Map.Entry<Long, FrontPoint> below = front.floorEntry(cost.peakBytes());
        if (below != null && below.getValue().cost().seconds() <= cost.seconds()) {
            return;
        }
        front.put(cost.peakBytes(), new FrontPoint(strategy, cost));
        Map.Entry<Long, FrontPoint> above = front.higherEntry(cost.peakBytes());
        while (above != null && above.getValue().cost().seconds() >= cost.seconds()) {
            front.remove(above.getKey());
            above = front.higherEntry(cost.peakBytes());
        }
    }
}
