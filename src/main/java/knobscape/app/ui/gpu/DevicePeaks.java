package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.property.DoubleProperty;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.beans.property.SimpleDoubleProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;
import knobscape.app.ui.settings.Settings;
import knobscape.gpu.evaluate.model.GpuSpec;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.source.NetworkKernel;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.ValueType;

/// The peak performance and bandwidth of devices: of models they are known; of real ones a person gives them, or the
/// program
/// knows the GPU by its name. What was given is remembered.
final class DevicePeaks {
    /// Most operations of the device.
    static final Parameter<Double> PEAK_GFLOPS = Parameter.real("peak", 0, ValueType.from(0, 1e12))
            .none("unknown")
            .unit("GFLOPS")
            .words("Peak", "Peak of the device, for the roofline")
            .group("Device");
    /// Most traffic to the device's memory.
    static final Parameter<Double> MEMORY_GBS = Parameter.real("memory", 0, ValueType.from(0, 1e12))
            .none("unknown")
            .unit("GB/s")
            .words("Memory", "Memory traffic of the device, for the roofline")
            .group("Device");
    private static final String PEAK = "gpu.peak.";
    private static final String MEMORY = "gpu.memory.";
    private static final String HARDWARE = "gpu.hardware.";
    /// Additions to a GPU's name that do not make it another.
    private static final String VARIANT = "sxm\\d*|pcie|nvl|\\d+gb|laptop|gpu";
    private final Settings settings;
    private final StringProperty device = new SimpleStringProperty("");
    private final DoubleProperty peak = new SimpleDoubleProperty();
    private final DoubleProperty memory = new SimpleDoubleProperty();
    private final ReadOnlyIntegerWrapper changes = new ReadOnlyIntegerWrapper();
    private boolean showing;

    /// The roofs of a device.
    ///
    /// @param label of the device, and where its figures come from
    /// @param peakGflops most operations
    /// @param memoryGbs most traffic to memory
    /// @param integers how many times as many operations on 8-bit integers
    /// @param halves how many times as many on 16-bit floats by tensor cores
    record Roof(String label, double peakGflops, double memoryGbs, double integers, double halves) {
        /// Most operations of a kernel, in 1e9 per second.
        double most(NetworkKernel k) {
            return Math.min(peak(k), k.intensity().orElse(Double.POSITIVE_INFINITY) * memoryGbs);
        }

        /// Most operations of its kind.
        double peak(NetworkKernel k) {
            return peakGflops * (k.isOfIntegers() ? integers : k.isOnTensorCores() ? halves : 1);
        }
    }

    /// A tensor core's multiply-adds of halves for one of floats, where nothing else is known.
    private static final double PRODUCTS = 8;
    /// A dot product of four 8-bit integers in place of a multiply-add, where nothing else is known.
    private static final double DOTS = 4;

    private static double integers(GpuSpec g) {
        return g.peakGops() / g.peakGflops();
    }

    private static double halves(GpuSpec g) {
        return g.peakTensorGflops() / g.peakGflops();
    }

    /// @param settings where they are remembered
    DevicePeaks(Settings settings) {
        this.settings = settings;
        device.subscribe(d -> show());
        peak.addListener((o, was, is) -> given(PEAK, is.doubleValue()));
        memory.addListener((o, was, is) -> given(MEMORY, is.doubleValue()));
    }

    private void show() {
        showing = true;
        Optional<Roof> roof = of(device.get());
        peak.set(roof.map(r -> Math.rint(r.peakGflops()))
                .orElse(settings.number(PEAK + device.get()).orElse(0)));
        memory.set(roof.map(Roof::memoryGbs)
                .orElse(settings.number(MEMORY + device.get()).orElse(0)));
        showing = false;
    }

    private void given(String key, double value) {
        if (!showing) {
            if (value > 0) {
                settings.put(key + device.get(), Double.toString(value));
            } else {
                settings.remove(key + device.get());
            }
            changes.set(changes.get() + 1);
            show();
        }
    }

    /// Notes what a device calls itself.
    void hardware(String named, String hardware) {
        settings.put(HARDWARE + named, hardware);
        changes.set(changes.get() + 1);
        show();
    }

    /// The device's own name when it was last asked; the given name where it never was.
    String hardware(String named) {
        return settings.get(HARDWARE + named).orElse(named);
    }

    /// The chosen device, whose figures [#peak()] and [#memory()] are.
    StringProperty device() {
        return device;
    }

    /// Peak GFLOPS of the chosen device, 0 where it is not known.
    DoubleProperty peak() {
        return peak;
    }

    /// GB/s between the chosen device and its memory, 0 where it is not known.
    DoubleProperty memory() {
        return memory;
    }

    /// Grows whenever a figure changes.
    ReadOnlyIntegerProperty changes() {
        return changes.getReadOnlyProperty();
    }

    /// The roofs of a device, where both are known.
    Optional<Roof> of(String named) {
        if (ModelDevice.KIND.isOf(named)) {
            return ModelDevice.KIND
                    .argument(named)
                    .flatMap(GpuSpec::find)
                    .map(g -> new Roof(g.label(), g.peakGflops(), g.memory().dramGbs(), integers(g), halves(g)));
        }
        double givenPeak = settings.number(PEAK + named).orElse(0);
        double givenMemory = settings.number(MEMORY + named).orElse(0);
        String hardware = hardware(named);
        Optional<GpuSpec> known = known(hardware);
        double p = givenPeak > 0 ? givenPeak : known.map(GpuSpec::peakGflops).orElse(0.0);
        double m = givenMemory > 0
                ? givenMemory
                : known.map(g -> g.memory().dramGbs()).orElse(0.0);
        String label = hardware
                + (givenPeak > 0 || givenMemory > 0
                        ? " (figures as given)"
                        : known.map(g -> " (figures of " + g.label() + ")").orElse(""));
        return p > 0 && m > 0
                ? Optional.of(new Roof(
                        label,
                        p,
                        m,
                        known.map(DevicePeaks::integers).orElse(DOTS),
                        known.map(DevicePeaks::halves).orElse(PRODUCTS)))
                : Optional.empty();
    }

    /// Why there is no roofline, a sentence.
    String absence(String named) {
        return "The peak performance and bandwidth of "
                + settings.get(HARDWARE + named).orElse(named)
                + " are not known; enter its GFLOPS and GB/s in the run settings";
    }

    /// The GPU of a name as drivers write it (`NVIDIA GeForce RTX 3090`).
    static Optional<GpuSpec> known(String hardware) {
        List<String> words =
                new ArrayList<>(List.of(hardware.toLowerCase(Locale.ROOT).split("[^a-z0-9]+")));
        while (!words.isEmpty() && words.getLast().matches(VARIANT)) {
            words.removeLast();
        }
        for (int first = 0; first < words.size(); first++) {
            String tail = String.join("", words.subList(first, words.size()));
            Optional<GpuSpec> found = GpuSpec.all().stream()
                    .filter(g -> Stream.concat(Stream.of(g.label()), g.aliases().stream())
                            .anyMatch(n -> n.toLowerCase(Locale.ROOT)
                                    .replaceAll("[^a-z0-9]", "")
                                    .equals(tail)))
                    .findFirst();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }
}
