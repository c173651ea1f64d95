package knobscape.fusion.search.sequence;

import java.util.Arrays;
import java.util.stream.IntStream;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.search.FusionState;
import knobscape.fusion.space.Strategy;
import knobscape.network.chain.ChainEdge;

/// The input of a sequence model at a step: the state of the paper (Eq. 2: shape of the layer, buffer per sample,
/// time so far) and, since that is too little to decide by, the quantities the cost model decides by, free of
/// units so that they mean the same for every accelerator and batch:
/// - of the layer: room of its output over the buffer, time won by keeping it on chip over the time of a
///   launch, weights over the room for them, residuals that come and go;
/// - of the layers that follow: room and gain summed up to 1, 2, ... 32 layers ahead. A causal model never sees
///   later layers otherwise; the paper's can only know them by heart;
/// - of the group that is open: its length, last micro-batch, launches, room used, and how the layers ahead
///   compare with the room left.
///
/// All are logarithms or ratios scaled to about 0..1. Safe for use by several threads.
final class StateEncoder {
    private static final int[] AHEAD = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    private static final int[] AHEAD_LEFT = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32};
    private static final int OWN = 11;
    private static final int OPEN = 6;
    /// Numbers that do not change with the decisions; the first of a state.
    static final int FIXED = FusionState.SIZE - 1 + OWN + 2 * AHEAD.length;
    /// Numbers in a state.
    static final int SIZE = FIXED + 1 + OPEN + 2 * AHEAD_LEFT.length;
    private static final double OCTAVES = 8;
    /// Room has to be known to a quarter of an octave: what nearly fits is the most expensive mistake.
    private static final double FINE = 2;
    private static final double LENGTH = 64;
    private static final double LARGEST = 8;

    private final FusionCostModel model;
    private final MicroBatches batches;
    /// Bytes of the outputs of the layers 0..i-1 for the whole batch.
    private final double[] outputBefore;
    private final float[][] fixed;

    StateEncoder(FusionCostModel model) {
        this.model = model;
        this.batches = new MicroBatches(model.batch());
        int n = model.layers();
        outputBefore = new double[n + 2];
        for (int i = 0; i <= n; i++) {
            outputBefore[i + 1] = outputBefore[i]
                    + (double) model.network().output(i) * model.accelerator().bytesPerElement() * model.batch();
        }
        double[] gainBefore = gains();
        int[] skipSource = new int[n + 1];
        int[] lastReader = new int[n + 1];
        Arrays.setAll(skipSource, i -> i);
        Arrays.setAll(lastReader, i -> Math.min(n, i + 1));
        for (ChainEdge e : model.network().chain().edges()) {
            lastReader[e.from()] = Math.max(lastReader[e.from()], e.to());
            if (!e.isLink()) {
                skipSource[e.to()] = Math.min(skipSource[e.to()], e.from());
            }
        }
        fixed = new float[n + 1][];
        for (int t = 0; t <= n; t++) {
            fixed[t] = fixed(t, gainBefore, skipSource[t], lastReader[t]);
        }
    }

    FusionCostModel model() {
        return model;
    }

    MicroBatches batches() {
        return batches;
    }

    /// Seconds won by keeping the outputs of the layers 1..i-1 on chip, each only for its next layer, launches
    /// aside.
    private double[] gains() {
        int n = model.layers();
        double[] sum = new double[n + 2];
        int[] s = Strategy.noFusion(n, model.batch()).toArray();
        for (int i = 1; i <= n; i++) {
            double gain = i == n
                    ? 0
                    : model.group(s, i, i).seconds()
                            + model.group(s, i + 1, i + 1).seconds()
                            - fused(s, i);
            sum[i + 1] = sum[i] + Math.max(0, gain);
        }
        return sum;
    }

    private double fused(int[] s, int i) {
        int before = s[i];
        s[i] = model.batch();
        double seconds = model.group(s, i, i + 1).seconds();
        s[i] = before;
        return seconds;
    }

    private float[] fixed(int t, double[] gainBefore, int skipSource, int lastReader) {
        int n = model.layers();
        double launch = launch();
        double[] state = FusionState.of(model, t, model.budget(), 0);
        var x = new Row(FIXED);
        for (int k = 0; k < state.length - 1; k++) {
            x.add(state[k]);
        }
        x.add(t == 0 ? 1 : 0);
        x.add(fine((outputBefore[t + 1] - outputBefore[t]) / model.budget()));
        x.add(octaves((gainBefore[t + 1] - gainBefore[t]) / launch));
        x.add(
                t == 0
                        ? 0
                        : octaves(16.0
                                * model.weightBytes(t, t)
                                / model.accelerator().weightBytes()));
        x.add(t == 0 ? 0 : octaves(model.layerSeconds(t, t, t, model.batch()) / launch));
        x.add(skipSource < t ? 1 : 0);
        x.add((t - skipSource) / OCTAVES);
        x.add((lastReader - Math.min(n, t + 1)) / OCTAVES);
        x.add(t / LENGTH);
        x.add((n - t) / LENGTH);
        x.add(octaves(model.batch()));
        for (int h : AHEAD) {
            int end = Math.min(n + 1, t + h);
            x.add(fine((outputBefore[end] - outputBefore[t]) / model.budget()));
            x.add(octaves((gainBefore[end] - gainBefore[t]) / launch));
        }
        return x.values();
    }

    private double launch() {
        // Free launches would make every gain infinite; a nanosecond is next to nothing.
        return Math.max(1e-9, model.accelerator().launchSeconds());
    }

    /// The state before entry t is decided.
    ///
    /// @param t entry 0..N
    /// @param first first layer of the open group
    /// @param s entries up to t - 1
    /// @param seconds time of these followed by synchronisations
    /// @param used bytes the open group takes so far
    float[] features(int t, int first, int[] s, double seconds, double used) {
        int n = model.layers();
        boolean open = t > first;
        double left = Math.max(1, model.budget() - used);
        int launches =
                IntStream.range(first, t).map(i -> batches.launches(s[i])).sum();
        var x = new Row(SIZE);
        x.add(fixed[t]);
        x.add(seconds / model.baselineSeconds());
        x.add(open ? 1 : 0);
        x.add(open ? (t - first) / (LENGTH / 4) : 0);
        x.add(open ? fine(batches.launches(s[t - 1])) : 0);
        x.add(open ? used / model.budget() : 0);
        x.add(octaves(launches));
        x.add(
                open
                        ? (double) model.weightBytes(first, t - 1)
                                / model.accelerator().weightBytes()
                        : 0);
        for (int h : AHEAD_LEFT) {
            double ahead = outputBefore[Math.min(n + 1, t + h)] - outputBefore[t];
            x.add(fine(ahead / left));
            // What would be left if the layers ahead kept the last micro-batch.
            x.add(open ? Math.max(-1, (left - ahead * s[t - 1] / model.batch()) / model.budget()) : 0);
        }
        return x.values();
    }

    /// The part of every state that is known beforehand, (N+1) x FIXED.
    float[][] fixed() {
        float[][] copy = new float[fixed.length][];
        Arrays.setAll(copy, t -> fixed[t].clone());
        return copy;
    }

    private static double fine(double ratio) {
        return octaves(ratio) * OCTAVES / FINE;
    }

    private static double octaves(double ratio) {
        return Math.log1p(ratio) / Math.log(2) / OCTAVES;
    }

    /// A row that is being filled.
    private static final class Row {
        private final float[] values;
        private int next;

        Row(int size) {
            values = new float[size];
        }

        void add(double v) {
            values[next++] = (float) Math.min(LARGEST, v);
        }

        void add(float[] v) {
            System.arraycopy(v, 0, values, next, v.length);
            next += v.length;
        }

        float[] values() {
            if (next != values.length) {
                throw new IllegalStateException(next + " numbers of a state where " + values.length + " are declared");
            }
            return values;
        }
    }
}
