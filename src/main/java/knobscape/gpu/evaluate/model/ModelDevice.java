package knobscape.gpu.evaluate.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Provenance;
import knobscape.gpu.evaluate.device.DeviceInfo;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.evaluate.device.Measurement.Failure;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.template.Schedule;

/// A GPU that is only described: `model:NAME`. It answers at once, always the same for the same seed; its times
/// are a model's and are labelled so.
public final class ModelDevice implements GpuDevice {
    /// Names it on the command line.
    public static final EvaluatorKind KIND = new EvaluatorKind("model");
    private static final String VERSION = "1";
    private static final int REPEATS = 3;
    private static final double COMPILE_SECONDS = 1.2;
    private static final double REPEAT_SECONDS = 0.15;

    private final GpuModel model;
    private final DeviceInfo info;
    private final double noise;
    private final long seed;

    /// @param gpu what is modelled
    /// @param noise relative standard deviation of a repeat, 0 for none
    /// @param seed of the noise
    public ModelDevice(GpuSpec gpu, double noise, long seed) {
        if (noise < 0 || noise > 1) {
            throw new IllegalArgumentException("noise must be in [0, 1], was " + noise);
        }
        this.model = new GpuModel(gpu);
        this.noise = noise;
        this.seed = seed;
        DeviceLimits n = DeviceLimits.NVIDIA;
        this.info = new DeviceInfo(
                KIND.with(gpu.name()),
                gpu.label(),
                VERSION,
                Provenance.Source.MODEL,
                new DeviceLimits(
                        n.maxThreadsPerBlock(),
                        n.maxThreadsX(),
                        n.maxThreadsY(),
                        n.maxThreadsZ(),
                        (long) gpu.sm().sharedPerBlockKb() << 10,
                        n.maxBlocksX(),
                        n.maxBlocksY(),
                        n.maxBlocksZ(),
                        gpu.driver().products() > 0),
                "Times are those of an analytical model, not of a device.");
    }

    /// The device called `name` (without `model:`) with 2 % noise.
    public static ModelDevice named(String name) {
        return new ModelDevice(GpuSpec.named(name), 0.02, 1);
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    /// The described GPU.
    public GpuSpec gpu() {
        return model.gpu();
    }

    /// The model's estimates of every kernel of a schedule.
    public List<GpuModel.Estimate> estimates(Schedule schedule) {
        return schedule.kernels().stream()
                .map(k -> model.estimate(NestProfile.of(model.gpu(), k)))
                .toList();
    }

    @Override
    public Measurement measure(Schedule schedule, CancellationSignal cancel) {
        cancel.throwIfCancelled();
        Optional<String> rejection = schedule.check(info.limits());
        if (rejection.isPresent()) {
            return new Measurement.Failed(Failure.REJECTED, rejection.get(), 0.02);
        }
        double milliseconds = 0;
        for (LoopNest kernel : schedule.kernels()) {
            KernelProfile profile = NestProfile.of(model.gpu(), kernel);
            GpuModel.Estimate e = model.estimate(profile);
            if (!Double.isFinite(e.milliseconds())) {
                return new Measurement.Failed(
                        Failure.RUN,
                        "too many resources requested for launch: a block of " + profile.threads()
                                + " threads does not fit a multiprocessor with its registers",
                        COMPILE_SECONDS);
            }
            milliseconds += e.milliseconds();
        }
        var random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L
                ^ schedule.source().id().hashCode() * 31L
                ^ schedule.configuration().text().hashCode());
        var repeats = new ArrayList<Double>();
        double sum = 0;
        for (int i = 0; i < REPEATS; i++) {
            double t = milliseconds * 1e-3 * Math.exp(noise * random.nextGaussian());
            repeats.add(t);
            sum += t;
        }
        return new Measurement.Timed(
                sum / REPEATS,
                noise * sum / REPEATS * 1.96 / Math.sqrt(REPEATS),
                repeats,
                false,
                COMPILE_SECONDS + REPEATS * REPEAT_SECONDS);
    }
}
