package knobscape.fusion.evaluate;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import knobscape.evaluate.UserError;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.source.FusionNetwork;
import knobscape.fusion.space.Strategy;

/// The analytical cost of fusion strategies of one network, batch and accelerator. Immutable and safe for use
/// by several threads.
///
/// The time of a layer is `max(macs / rate, memory time) + launches * launch time`; the time of a group is the
/// sum over its layers, the time of a strategy the sum over its groups. Inside a group, activations go through
/// the on-chip buffer in micro-batches; at its borders they go through off-chip memory. Every group's cost
/// depends on its own entries and borders only ([#group]); that is what exact search and incremental evaluation
/// ([IncrementalCost]) stand on.
///
/// The peak is the largest, over groups, of the sum of the buffers of its staged layers. A buffer holds the
/// larger of what its maker and its readers handle at once. The network's input and the weights are not counted
/// unless the options say so.
public final class FusionCostModel {
    /// Largest batch.
    public static final int MAX_BATCH = 1 << 16;
    private static final long MOST_BYTES = 1L << 62;

    private final FusionNetwork network;
    private final Accelerator accelerator;
    private final int batch;
    private final int layers;
    private final boolean padded;
    private final boolean staged;
    private final boolean counted;
    private final double rate;
    private final double launch;
    private final boolean overlap;
    private final boolean spatial;
    private final double perOffByte;
    private final double perOnByte;
    /// ceil(batch / m) for m = 0..batch; index 0 is not used.
    private final int[] launches;
    // Bytes for one sample (weights: at all) by layer.
    private final double[] macs;
    private final double[] computeSeconds;
    private final long[] weights;
    /// Sums of the weights of the layers 1..i.
    private final long[] weightsUpTo;
    private final long[] output;
    private final long[] reduced;
    /// The reads of each layer: sources, bytes of each and in all.
    private final int[][] readFrom;
    private final long[][] readEach;
    private final long[] readBytes;
    private final long[][] skipBytes;
    /// The first layer that reads a result, after the last layer where none does.
    private final int[] firstReader;
    private final int[] lastReader;
    private final int[] lastInputReader;
    private final double baseline;

    /// Throws [UserError] where the batch is out of range or the network so large that bytes cannot be counted.
    public FusionCostModel(FusionNetwork network, Accelerator accelerator, int batch) {
        if (batch < 1 || batch > MAX_BATCH) {
            throw new UserError("A batch of " + batch + " samples is not possible; give 1 to " + MAX_BATCH + ".");
        }
        this.network = network;
        this.accelerator = accelerator;
        this.batch = batch;
        this.layers = network.layers();
        CostOptions options = accelerator.options();
        padded = options.lastMicroBatch() == CostOptions.LastMicroBatch.PADDED;
        staged = options.residuals() == CostOptions.Residuals.STAGED;
        counted = options.networkInput() == CostOptions.NetworkInput.COUNTED;
        rate = accelerator.rate();
        launch = accelerator.launchSeconds();
        overlap = options.memoryTime() == CostOptions.MemoryTime.OVERLAP;
        spatial = options.execution() == CostOptions.Execution.SPATIAL;
        perOffByte = 1 / accelerator.offChipBandwidth();
        perOnByte = 1 / accelerator.onChipBandwidth();
        launches = new int[batch + 1];
        for (int m = 1; m <= batch; m++) {
            launches[m] = Math.ceilDiv(batch, m);
        }
        macs = new double[layers + 1];
        computeSeconds = new double[layers + 1];
        weights = new long[layers + 1];
        weightsUpTo = new long[layers + 1];
        output = new long[layers + 1];
        reduced = new long[layers + 1];
        readFrom = new int[layers + 1][];
        readEach = new long[layers + 1][];
        readBytes = new long[layers + 1];
        skipBytes = new long[layers + 1][];
        firstReader = new int[layers + 1];
        lastReader = new int[layers + 1];
        lastInputReader = new int[layers + 1];
        int width = accelerator.bytesPerElement();
        try {
            long all = 0;
            for (int i = 0; i <= layers; i++) {
                output[i] = Math.multiplyExact(network.output(i), width);
                reduced[i] = Math.multiplyExact(network.reduced(i), width);
                if (i > 0) {
                    macs[i] = network.macs(i);
                    computeSeconds[i] = macs[i] * batch / rate;
                    weights[i] = Math.multiplyExact(network.weights(i), width);
                    weightsUpTo[i] = Math.addExact(weightsUpTo[i - 1], weights[i]);
                    skipBytes[i] = scaled(network.skipElements(i), width);
                    readFrom[i] = IntStream.concat(
                                    IntStream.of(network.inputFrom(i)), IntStream.of(network.skipFrom(i)))
                            .toArray();
                    readEach[i] = LongStream.concat(
                                    LongStream.of(scaled(network.inputElements(i), width)), LongStream.of(skipBytes[i]))
                            .toArray();
                    readBytes[i] = sum(readEach[i]);
                    firstReader[i] = network.firstReader(i) == 0 ? layers + 1 : network.firstReader(i);
                    lastReader[i] = network.lastReader(i);
                    lastInputReader[i] = network.lastInputReader(i);
                    all = Math.addExact(all, Math.multiplyExact(weights[i], batch));
                    all = Math.addExact(all, Math.multiplyExact(readBytes[i], 4L * batch));
                }
                all = Math.addExact(all, Math.multiplyExact(Math.addExact(output[i], reduced[i]), 4L * batch));
            }
            if (all > MOST_BYTES) {
                throw new ArithmeticException();
            }
        } catch (ArithmeticException e) {
            throw new UserError(
                    "The network '" + network.name() + "' with a batch of " + batch
                            + " is too large: its bytes cannot be counted.",
                    e);
        }
        baseline = evaluate(Strategy.noFusion(layers, batch)).seconds();
    }

    private static long[] scaled(long[] elements, int width) {
        long[] bytes = new long[elements.length];
        for (int k = 0; k < bytes.length; k++) {
            bytes[k] = Math.multiplyExact(elements[k], width);
        }
        return bytes;
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long v : values) {
            sum = Math.addExact(sum, v);
        }
        return sum;
    }

    /// The layers.
    public FusionNetwork network() {
        return network;
    }

    /// The accelerator that the layers run on.
    public Accelerator accelerator() {
        return accelerator;
    }

    /// Samples, B.
    public int batch() {
        return batch;
    }

    /// Number of layers, N; a strategy has N + 1 entries.
    public int layers() {
        return layers;
    }

    /// Room for staged activations in bytes, M.
    public long budget() {
        return accelerator.bufferBytes();
    }

    /// The same network and batch with another buffer.
    public FusionCostModel withBuffer(long bytes) {
        return new FusionCostModel(network, accelerator.withBuffer(bytes), batch);
    }

    /// Seconds without fusion: every layer for itself, the baseline of every speedup.
    public double baselineSeconds() {
        return baseline;
    }

    /// Baseline time over time.
    public double speedup(double seconds) {
        return baseline / seconds;
    }

    /// True if the staged activations of a strategy fit the buffer.
    public boolean isValid(Cost cost) {
        return cost.peakBytes() <= budget();
    }

    /// The cost of a strategy. Throws [IllegalArgumentException] where it is not one of this network and batch.
    public Cost evaluate(Strategy strategy) {
        check(strategy);
        return evaluate(strategy.toArray());
    }

    /// Throws [IllegalArgumentException] where a strategy has another number of layers or an entry above the
    /// batch.
    public void check(Strategy strategy) {
        if (strategy.layers() != layers) {
            throw new IllegalArgumentException("the strategy has " + (strategy.layers() + 1) + " entries; the network '"
                    + network.name() + "' has " + layers + " layers and wants " + (layers + 1));
        }
        if (strategy.largest() > batch) {
            throw new IllegalArgumentException(
                    "the strategy has a micro-batch of " + strategy.largest() + ", more than the batch of " + batch);
        }
    }

    /// The same for an array, unchecked and fast: N + 1 entries, each 1..B, or below 1 (not entry 0) for a
    /// synchronisation.
    public Cost evaluate(int[] s) {
        double seconds = 0;
        long peak = 0;
        long offBytes = 0;
        long onBytes = 0;
        int a = 1;
        for (int i = 1; i <= layers; i++) {
            if (i == layers || s[i] < 1) {
                Cost g = group(s, a, i);
                seconds += g.seconds();
                peak = Math.max(peak, g.peakBytes());
                offBytes += g.offChipBytes();
                onBytes += g.onChipBytes();
                a = i + 1;
            }
        }
        return new Cost(seconds, peak, offBytes, onBytes);
    }

    /// Which group of a strategy that does not fit needs most, in one sentence: [FusionReport#verdict] without
    /// the report.
    String whatDoesNotFit(int[] s) {
        int first = 1;
        int last = 0;
        long most = -1;
        for (int a = 1, i = 1; i <= layers; i++) {
            if (i == layers || s[i] < 1) {
                long peak = group(s, a, i).peakBytes();
                if (peak > most) {
                    first = a;
                    last = i;
                    most = peak;
                }
                a = i + 1;
            }
        }
        return FusionReport.tooLarge(most, first, last, budget());
    }

    /// The cost of the group of layers a..b alone. Entries a..b-1 are read as micro-batches, entry b as it is,
    /// entry 0 only for options that use it; no other entry matters.
    public Cost group(int[] s, int a, int b) {
        boolean reload = a < b && !weightsFit(a, b);
        double seconds = 0;
        double compute = 0;
        double memory = 0;
        double fill = 0;
        double started = 0;
        long offBytes = 0;
        long onBytes = 0;
        long peak = counted && a == 1 ? s[0] * output[0] : 0;
        for (int i = a; i <= b; i++) {
            int m = microBatch(s, a, b, i);
            int r = launches[m];
            long samples = padded ? (long) r * m : batch;
            long offI = offActivations(a, b, i) * samples + (reload ? weights[i] * r : weights[i]);
            long onI = onActivations(a, b, i) * samples;
            double c = computeSeconds(i, samples);
            double mem = memorySeconds(offI, onI);
            double t = Math.max(c, mem) + r * launch;
            seconds += t;
            offBytes += offI;
            onBytes += onI;
            peak += stagedBytes(s, a, b, i);
            if (spatial) {
                compute += c;
                memory += mem;
                started += r * launch;
                fill += i < b ? (double) m / batch * t : 0;
            }
        }
        return new Cost(spatial ? Math.max(compute, memory) + fill + started : seconds, peak, offBytes, onBytes);
    }

    /// Seconds of layer i of group a..b working in micro-batches of m samples (the whole batch where it is
    /// alone). Together with the room of the micro-batches this is all that an exact search of a group needs.
    public double layerSeconds(int a, int b, int i, int m) {
        int r = launches[m];
        long samples = padded ? (long) r * m : batch;
        boolean reload = a < b && !weightsFit(a, b);
        return Math.max(
                        computeSeconds(i, samples),
                        memorySeconds(
                                offActivations(a, b, i) * samples + (reload ? weights[i] * r : weights[i]),
                                onActivations(a, b, i) * samples))
                + r * launch;
    }

    /// Samples that layer i of group a..b handles at once. A layer that synchronises takes what the layer
    /// before it gives; one that is alone takes the whole batch.
    int microBatch(int[] s, int a, int b, int i) {
        if (a == b) {
            return padded && i == 1 ? s[0] : batch;
        }
        return s[i] > 0 ? s[i] : s[i - 1];
    }

    int launches(int microBatch) {
        return launches[microBatch];
    }

    boolean isPadded() {
        return padded;
    }

    /// Seconds of compute of layer i for `samples` samples.
    double computeSeconds(int i, long samples) {
        return samples == batch ? computeSeconds[i] : macs[i] * samples / rate;
    }

    double memorySeconds(long offBytes, long onBytes) {
        return overlap
                ? Math.max(offBytes * perOffByte, (offBytes + onBytes) * perOnByte)
                : offBytes * perOffByte + onBytes * perOnByte;
    }

    /// Bytes of weights of the layers a..b.
    public long weightBytes(int a, int b) {
        return weightsUpTo[b] - weightsUpTo[a - 1];
    }

    /// True if the weights of the layers a..b fit on chip, so that each is loaded once.
    public boolean weightsFit(int a, int b) {
        return weightBytes(a, b) <= accelerator.weightBytes();
    }

    /// Bytes of activations of one sample that layer i of group a..b moves to and from off-chip memory.
    long offActivations(int a, int b, int i) {
        long bytes = readBytes[i] - fromGroup(a, i);
        if (i == b || firstReader[i] > b) {
            return bytes + output[i];
        }
        return lastReader[i] > b ? bytes + reduced[i] : bytes;
    }

    /// Bytes of activations of one sample that layer i of group a..b moves to and from the on-chip buffer.
    long onActivations(int a, int b, int i) {
        long bytes = fromGroup(a, i);
        return i < b && firstReader[i] <= b ? bytes + output[i] : bytes;
    }

    /// Bytes for one sample that layer i reads from layers of its group, which begins at a.
    private long fromGroup(int a, int i) {
        int[] sources = readFrom[i];
        long[] bytes = readEach[i];
        long sum = 0;
        for (int k = 0; k < sources.length; k++) {
            if (sources[k] >= a) {
                sum += bytes[k];
            }
        }
        return sum;
    }

    /// Bytes on chip for layer i of group a..b: the buffer of its output and, with that option, of the
    /// residuals it waits for.
    long stagedBytes(int[] s, int a, int b, int i) {
        long bytes = 0;
        if (s[i] > 0) {
            int held = s[i];
            int last = Math.min(b, lastInputReader[i]);
            for (int j = i + 1; j <= last; j++) {
                held = Math.max(held, s[j]);
            }
            bytes = held * output[i];
        }
        if (staged) {
            int[] sources = network.skipFrom(i);
            for (int k = 0; k < sources.length; k++) {
                if (sources[k] >= a) {
                    int held = 0;
                    for (int j = sources[k]; j < i; j++) {
                        held = Math.max(held, s[j]);
                    }
                    bytes += held * skipBytes[i][k];
                }
            }
        }
        return bytes;
    }

    /// How the cost of a strategy comes about, group by group and layer by layer.
    public FusionReport report(Strategy strategy) {
        check(strategy);
        return FusionReport.of(this, strategy);
    }
}
