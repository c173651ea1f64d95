package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.space.Strategy;

/// Every strategy judged since the network was opened, as far as a plot needs it: the front of time and peak memory exactly, of the others an even sample. For use by several threads.
final class SeenStrategies {
    private static final int SAMPLE = 1500;
    private static final long SEED = 20;

    /// A strategy on the front.
    record Seen(Strategy strategy, Cost cost) { }

    /// What was seen at a moment.
    ///
    /// @param front by growing peak, falling time
    /// @param peaks of the sample in bytes
    /// @param seconds of the sample
    /// @param count strategies seen in all
    record Snapshot(List<Seen> front, long[] peaks, double[] seconds, long count) {
        static Snapshot none() {
            return new Snapshot(List.of(), new long[0], new double[0], 0);
        }
    }

    private final TreeMap<Long, Seen> front = new TreeMap<>();
    private final long[] peaks = new long[SAMPLE];
    private final double[] seconds = new double[SAMPLE];
    private long count;
    private SplittableRandom random = new SplittableRandom(SEED);

    /// Takes one strategy.
    synchronized void add(Strategy strategy, Cost cost) {
        Map.Entry<Long, Seen> below = front.floorEntry(cost.peakBytes());
        if (below != null && below.getValue().strategy().equals(strategy)) {
            // Looked at again.
            return;
        }
        long place = count < SAMPLE ? count : random.nextLong(count + 1);
        if (place < SAMPLE) {
            peaks[(int) place] = cost.peakBytes();
            seconds[(int) place] = cost.seconds();
        }
        count++;
        if (below != null && below.getValue().cost().seconds() <= cost.seconds()) {
            return;
        }
        front.put(cost.peakBytes(), new Seen(strategy, cost));
        Map.Entry<Long, Seen> above = front.higherEntry(cost.peakBytes());
        while (above != null && above.getValue().cost().seconds() >= cost.seconds()) {
            front.remove(above.getKey());
            above = front.higherEntry(cost.peakBytes());
        }
    }

    /// Forgets everything: costs mean something else now.
    synchronized void clear() {
        front.clear();
        count = 0;
        random = new SplittableRandom(SEED);
    }

    synchronized Snapshot snapshot() {
        int n = (int) Math.min(count, SAMPLE);
        return new Snapshot(new ArrayList<>(front.values()), java.util.Arrays.copyOf(peaks, n), java.util.Arrays.copyOf(seconds, n), count);
    }
}
