package knobscape.project.tune;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.Names;
import knobscape.evaluate.UserError;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.HardwareDevice;
import knobscape.gpu.evaluate.device.MeasureSettings;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.source.FusedTail;
import knobscape.gpu.source.TunableNetwork;
import knobscape.gpu.space.feature.LoopFeatures;
import knobscape.gpu.space.template.Schedule;
import knobscape.gpu.space.template.Template;
import knobscape.network.source.NetworkNames;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;

/// What is tuned: the kernels of a network on a device, or a measured set.
public final class TuningTarget implements AutoCloseable {
    private static final String REPLAY = "replay:";

    /// A kernel to be tuned.
    ///
    /// @param task name in its network: T1, T2, ...
    /// @param id stable name of the work and its template
    /// @param tag kind of the kernel
    /// @param count places in the network
    /// @param flops of one run, 0 where they are not counted
    /// @param space its configurations
    /// @param features what cost models see
    /// @param evaluator the device
    /// @param template the template, where there is one
    /// @param tails what the network fuses behind it, the one it is measured with first; none where there is no template
    public record Kernel(String task, String id, String tag, int count, long flops, DesignSpace space, Encoder features, Evaluator evaluator,
            Optional<Template> template, List<FusedTail> tails) {
        /// Copies the list.
        public Kernel {
            tails = List.copyOf(tails);
        }

        /// The loop nests of a configuration with the tail it is measured with; empty where there is no template.
        public Optional<Schedule> schedule(Configuration configuration) {
            return template.map(t -> t.schedule(configuration, tails.getFirst().epilogue()));
        }
    }

    private final String name;
    private final List<Kernel> kernels;
    private final List<String> notes;
    private final Optional<GpuDevice> device;
    private final String hash;

    private TuningTarget(String name, List<Kernel> kernels, List<String> notes, Optional<GpuDevice> device, String hash) {
        this.name = name;
        this.kernels = List.copyOf(kernels);
        this.notes = List.copyOf(notes);
        this.device = device;
        this.hash = hash;
    }

    /// Opens what settings name. Throws [UserError] in one sentence for a network that cannot be read or has nothing to tune, and for an unknown device.
    ///
    /// @param here relative paths start here
    public static TuningTarget open(TuneSettings settings, Path here) {
        if (settings.device().startsWith(REPLAY)) {
            return replay(settings, here.resolve(settings.device().substring(REPLAY.length())).normalize());
        }
        GpuDevice device = device(settings.device());
        try {
            return open(settings, here, device);
        } catch (UserError e) {
            device.close();
            throw e;
        }
    }

    static TuningTarget open(TuneSettings settings, Path here, GpuDevice device) {
        if (settings.network().isEmpty()) {
            throw new UserError("Name a network to tune: a file (.onnx, .json, .csv) or zoo:NAME.");
        }
        String source = NetworkNames.source(settings.network(), here);
        TunableNetwork network = TunableNetwork.read(source, settings.batch(), settings.dims(), settings.allTemplates(), settings.tails());
        var notes = new ArrayList<>(network.notes());
        if (device instanceof HardwareDevice && !device.info().caution().isEmpty()) {
            notes.add(device.info().caution() + ".");
        }
        List<Kernel> kernels = network.kernels().stream().map(k -> new Kernel(k.task(), k.id(), k.tag(), k.count(), k.flops(), k.space(), features(settings, k.template().orElseThrow()),
                new ScheduleEvaluator(k.template().orElseThrow(), k.tails().getFirst().epilogue(), device), k.template(), k.tails())).toList();
        return new TuningTarget(network.name(), kernels, notes, Optional.of(device), network.hash());
    }

    private static Encoder features(TuneSettings settings, Template template) {
        return switch (settings.features()) {
            case "itervar" -> new LoopFeatures(template, LoopFeatures.Form.ITERVAR);
            case "curve" -> new LoopFeatures(template, LoopFeatures.Form.CURVE);
            default -> FeatureEncoder.numbers(template.space().knobs());
        };
    }

    private static TuningTarget replay(TuneSettings settings, Path file) {
        if (!settings.network().isEmpty()) {
            throw new UserError("A measured set is its own task: leave the network away with --device replay:FILE.");
        }
        if (!settings.features().equals("knob")) {
            throw new UserError("A measured set has no loop nest: only --features knob can be used with it.");
        }
        TunableNetwork set = TunableNetwork.read(REPLAY + file, 1, settings.dims(), false, false);
        List<Kernel> kernels = set.kernels().stream().map(k -> new Kernel(k.task(), k.id(), k.tag(), k.count(), k.flops(), k.space(), FeatureEncoder.numbers(k.space().knobs()),
                k.measured().orElseThrow().evaluator(), k.template(), k.tails())).toList();
        return new TuningTarget(set.name(), kernels, set.notes(), Optional.empty(), set.hash());
    }

    /// The device of a name. Throws [UserError] for an unknown one.
    static GpuDevice device(String name) {
        if (name.startsWith(ModelDevice.PREFIX)) {
            return ModelDevice.named(name.substring(ModelDevice.PREFIX.length()));
        }
        if (name.matches("(opencl|cuda)(:.*)?")) {
            return HardwareDevice.open(name, MeasureSettings.DEFAULT);
        }
        throw new UserError("There is no device '" + name + "'" + Names.didYouMean(name, List.of("model:NAME", "replay:FILE", "opencl", "cuda"))
                + "; known: model:NAME, replay:FILE, opencl, cuda.");
    }

    /// Name of the network or set.
    public String name() {
        return name;
    }

    /// The kernels in the order of their tasks.
    public List<Kernel> kernels() {
        return kernels;
    }

    /// What was noticed while reading.
    public List<String> notes() {
        return notes;
    }

    /// SHA-256 of what is tuned, to notice that it changed.
    public String hash() {
        return hash;
    }

    /// What the device calls itself, where it is a real one.
    public Optional<String> hardware() {
        return device.filter(HardwareDevice.class::isInstance).map(d -> d.info().hardware());
    }

    /// The device, where kernels are not looked up in a measured set.
    Optional<GpuDevice> device() {
        return device;
    }

    @Override
    public void close() {
        kernels.forEach(k -> k.evaluator.close());
        device.ifPresent(GpuDevice::close);
    }
}
