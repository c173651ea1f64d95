package knobscape.fusion.source;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A DNN accelerator as the cost models see it: processing elements, an off-chip and an on-chip memory.
///
/// @param compute its multiply-accumulates
/// @param memory its memories
/// @param launchCycles cycles to start a layer on a micro-batch or a strip, h
/// @param options what the paper's model counts
/// @param hardware what strip fusion also counts
public record Accelerator(
        String name,
        Compute compute,
        Memory memory,
        double launchCycles,
        int bytesPerElement,
        CostOptions options,
        Hardware hardware) {
    /// Multiply-accumulates.
    ///
    /// @param pes processing elements
    /// @param macsPerPe multiply-accumulates that each does in a cycle, a
    /// @param frequencyHz clock, f, in 1/s
    public record Compute(int pes, double macsPerPe, double frequencyHz) {}

    /// Memories.
    ///
    /// @param offChipBandwidth bytes/s to off-chip memory
    /// @param onChipBandwidth bytes/s to the on-chip buffer
    /// @param bufferBytes the on-chip buffer, M; the paper's model stages activations there only
    /// @param weightBytes the paper's model: on-chip room for weights, a group whose weights fit loads them once
    public record Memory(double offChipBandwidth, double onChipBandwidth, long bufferBytes, long weightBytes) {}

    /// The hardware that strip fusion counts besides.
    ///
    /// @param array loops that the array unrolls; empty where it is always full
    /// @param widths bits of elements
    /// @param energy joules
    /// @param counting how times and buffers count
    /// @param source where the figures are from; empty where that is not said
    public record Hardware(
            Optional<StripMachine.Unrolling> array,
            StripMachine.Widths widths,
            StripMachine.Energy energy,
            StripMachine.Counting counting,
            String source) {
        /// Nothing but the width of elements.
        public static Hardware plain(int bytesPerElement) {
            return new Hardware(
                    Optional.empty(),
                    StripMachine.Widths.of(8 * bytesPerElement),
                    StripMachine.Energy.of(8 * bytesPerElement),
                    StripMachine.Counting.DEFAULT,
                    "");
        }
    }

    private static final double LARGEST = 1e18;
    private static final int WIDEST = 16;

    /// The accelerator of the paper's model, with plain hardware.
    public Accelerator(
            String name,
            int pes,
            double macsPerPe,
            double frequencyHz,
            double offChipBandwidth,
            double onChipBandwidth,
            long bufferBytes,
            long weightBytes,
            double launchCycles,
            int bytesPerElement,
            CostOptions options) {
        this(
                name,
                new Compute(pes, macsPerPe, frequencyHz),
                new Memory(offChipBandwidth, onChipBandwidth, bufferBytes, weightBytes),
                launchCycles,
                bytesPerElement,
                options,
                Hardware.plain(Math.clamp(bytesPerElement, 1, WIDEST)));
    }

    /// Throws [IllegalArgumentException] naming the first impossible number.
    public Accelerator {
        double offChipBandwidth = memory.offChipBandwidth();
        double onChipBandwidth = memory.onChipBandwidth();
        long bufferBytes = memory.bufferBytes();
        long weightBytes = memory.weightBytes();
        positive("processing elements", compute.pes());
        positive("MACs per processing element", compute.macsPerPe());
        positive("frequency", compute.frequencyHz());
        positive("off-chip bandwidth", offChipBandwidth);
        positive("on-chip bandwidth", onChipBandwidth);
        positive("buffer", bufferBytes);
        positive("weight capacity", weightBytes);
        if (!(launchCycles >= 0) || launchCycles > LARGEST) {
            throw new IllegalArgumentException("the launch cycles must be 0 or more, not " + plain(launchCycles));
        }
        positive("bytes per element", bytesPerElement);
        if (bytesPerElement > WIDEST) {
            throw new IllegalArgumentException(
                    "the bytes per element must be at most " + WIDEST + ", not " + bytesPerElement);
        }
        if (onChipBandwidth < offChipBandwidth) {
            throw new IllegalArgumentException("the on-chip bandwidth (" + plain(onChipBandwidth)
                    + " B/s) must not be below the off-chip bandwidth (" + plain(offChipBandwidth)
                    + " B/s): nothing could be gained by keeping data on chip");
        }
    }

    private static void positive(String what, double value) {
        if (!(value > 0) || value > LARGEST) {
            throw new IllegalArgumentException("the " + what + " must be a positive number, not " + plain(value));
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < LARGEST
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /// The published accelerator (1024 PEs, 1 GHz, 900 and 9000 GB/s, 64 MB) with what the paper leaves open
    /// set so that its figures are met best: 4096 MACs per PE and cycle, 250 cycles per launch, room for 64 MB
    /// of weights, one byte per element.
    public static Accelerator calibrated() {
        return new Accelerator(
                "calibrated", 1024, 4096, 1e9, 900e9, 9000e9, 64_000_000, 64_000_000, 250, 1, CostOptions.defaults());
    }

    /// The published numbers read literally: one MAC per PE and cycle, launches free. Every layer of the common
    /// networks is then bound by compute, so that no strategy gains anything.
    public static Accelerator paperLiteral() {
        return new Accelerator(
                "paper-literal", 1024, 1, 1e9, 900e9, 9000e9, 64_000_000, 64_000_000, 0, 1, CostOptions.defaults());
    }

    /// The accelerators that have names: the paper's two, and published ones with their sources.
    public static List<Accelerator> presets() {
        return Presets.ALL;
    }

    /// Read once.
    private static final class Presets {
        static final List<Accelerator> ALL = Stream.concat(
                        Stream.of(calibrated(), paperLiteral()), AcceleratorTable.read().stream())
                .toList();
    }

    /// The preset called `name`, if there is one.
    public static Optional<Accelerator> preset(String name) {
        return presets().stream().filter(a -> a.name().equals(name)).findFirst();
    }

    /// Processing elements.
    public int pes() {
        return compute.pes();
    }

    /// Multiply-accumulates a processing element does in a cycle, a.
    public double macsPerPe() {
        return compute.macsPerPe();
    }

    /// Clock, f, in 1/s.
    public double frequencyHz() {
        return compute.frequencyHz();
    }

    /// Bytes/s to off-chip memory.
    public double offChipBandwidth() {
        return memory.offChipBandwidth();
    }

    /// Bytes/s to the on-chip buffer.
    public double onChipBandwidth() {
        return memory.onChipBandwidth();
    }

    /// The on-chip buffer, M: what needs more is invalid.
    public long bufferBytes() {
        return memory.bufferBytes();
    }

    /// The paper's model: on-chip room for weights.
    public long weightBytes() {
        return memory.weightBytes();
    }

    /// The accelerator as strip fusion sees it.
    public StripMachine machine() {
        return new StripMachine(
                bufferBytes(),
                rate(),
                offChipBandwidth(),
                onChipBandwidth(),
                launchSeconds(),
                hardware.widths(),
                hardware.array(),
                hardware.energy(),
                hardware.counting());
    }

    /// The same with other hardware for strip fusion.
    public Accelerator with(Hardware other) {
        return new Accelerator(name, compute, memory, launchCycles, bytesPerElement, options, other);
    }

    /// Multiply-accumulates in a second, all processing elements together.
    public double rate() {
        return pes() * macsPerPe() * frequencyHz();
    }

    /// Seconds to start a layer on one micro-batch, H.
    public double launchSeconds() {
        return launchCycles / frequencyHz();
    }

    /// The same with another buffer for activations.
    public Accelerator withBuffer(long bytes) {
        return with(1, bytes, weightBytes(), 1);
    }

    /// The same with another room for weights.
    public Accelerator withWeightCapacity(long bytes) {
        return with(1, bufferBytes(), bytes, 1);
    }

    /// The same with both bandwidths and the cycles of a launch multiplied.
    public Accelerator scaled(double bandwidth, double launch) {
        return with(bandwidth, bufferBytes(), weightBytes(), launch);
    }

    private Accelerator with(double bandwidth, long buffer, long weights, double launch) {
        return new Accelerator(
                name,
                compute,
                new Memory(offChipBandwidth() * bandwidth, onChipBandwidth() * bandwidth, buffer, weights),
                launchCycles * launch,
                bytesPerElement,
                options,
                hardware);
    }

    /// Names of the presets, for messages.
    static String presetNames() {
        return String.join(", ", presets().stream().map(Accelerator::name).toList());
    }
}
