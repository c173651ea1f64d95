package knobscape.fusion.source;

import java.util.List;
import java.util.Optional;

/// A DNN accelerator as the cost model sees it: processing elements, an off-chip and an on-chip memory.
///
/// @param macsPerPe multiply-accumulates a PE does in a cycle, a
/// @param frequencyHz clock, f, in 1/s
/// @param offChipBandwidth bytes/s to off-chip memory
/// @param onChipBandwidth bytes/s to the on-chip buffer
/// @param bufferBytes the on-chip room for staged activations, M: a strategy that needs more is invalid
/// @param weightBytes on-chip room for weights: a group whose weights fit loads them once
/// @param launchCycles cycles to start a layer on a micro-batch, h
public record Accelerator(
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
    private static final double LARGEST = 1e18;
    private static final int WIDEST = 16;

    /// Throws [IllegalArgumentException] naming the first impossible number.
    public Accelerator {
        positive("processing elements", pes);
        positive("MACs per processing element", macsPerPe);
        positive("frequency", frequencyHz);
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

    /// The accelerators that have names.
    public static List<Accelerator> presets() {
        return List.of(calibrated(), paperLiteral());
    }

    /// The preset called `name`, if there is one.
    public static Optional<Accelerator> preset(String name) {
        return presets().stream().filter(a -> a.name().equals(name)).findFirst();
    }

    /// Multiply-accumulates in a second, all processing elements together.
    public double rate() {
        return pes * macsPerPe * frequencyHz;
    }

    /// Seconds to start a layer on one micro-batch, H.
    public double launchSeconds() {
        return launchCycles / frequencyHz;
    }

    /// The same with another buffer for activations.
    public Accelerator withBuffer(long bytes) {
        return with(1, bytes, weightBytes, 1);
    }

    /// The same with another room for weights.
    public Accelerator withWeightCapacity(long bytes) {
        return with(1, bufferBytes, bytes, 1);
    }

    /// The same with both bandwidths and the cycles of a launch multiplied.
    public Accelerator scaled(double bandwidth, double launch) {
        return with(bandwidth, bufferBytes, weightBytes, launch);
    }

    private Accelerator with(double bandwidth, long buffer, long weights, double launch) {
        return new Accelerator(
                name,
                pes,
                macsPerPe,
                frequencyHz,
                offChipBandwidth * bandwidth,
                onChipBandwidth * bandwidth,
                buffer,
                weights,
                launchCycles * launch,
                bytesPerElement,
                options);
    }

    /// Names of the presets, for messages.
    static String presetNames() {
        return String.join(", ", presets().stream().map(Accelerator::name).toList());
    }
}
