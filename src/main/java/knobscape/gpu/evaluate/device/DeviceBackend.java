package knobscape.gpu.evaluate.device;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;
import knobscape.evaluate.Provenance;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.codegen.KernelPrinter;
import knobscape.gpu.codegen.Operands;
import knobscape.gpu.codegen.ResultCheck;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.template.Schedule;
import knobscape.work.device.ComputeDevice;

/// Schedules on a device of this machine.
final class DeviceBackend implements Backend {
    private static final long LEAST_FLUSH = 1L << 20;
    private static final int POISON = Float.floatToRawIntBits(ResultCheck.POISON);

    private final ComputeDevice device;
    private final KernelLanguage language;
    private final DeviceInfo info;
    private final ComputeDevice.Memory flush;

    /// Opens a device; throws [knobscape.evaluate.UserError] where there is none.
    ///
    /// @param index its place, from 0
    DeviceBackend(KernelLanguage language, int index) {
        this.language = language;
        var kind = switch (language) {
            case OPENCL -> HardwareDevice.OPENCL;
            case CUDA -> HardwareDevice.CUDA;
        };
        device = ComputeDevice.open(
                switch (language) {
                    case OPENCL -> ComputeDevice.Language.OPENCL;
                    case CUDA -> ComputeDevice.Language.CUDA;
                },
                index);
        info = new DeviceInfo(
                kind.with(index == 0 ? "" : Integer.toString(index)),
                device.hardware(),
                device.version(),
                Provenance.Source.MEASURED,
                limits(),
                device.isCpu() ? "This OpenCL device is a CPU: its times say nothing about GPUs" : "");
        flush = device.allocate(Math.max(LEAST_FLUSH, 2 * device.cacheBytes()) / Float.BYTES * Float.BYTES);
    }

    /// A CPU accepts what no GPU would; there the limits of GPUs hold, so that what is tuned can run on one.
    private DeviceLimits limits() {
        ComputeDevice.Limits own = device.limits();
        DeviceLimits most = DeviceLimits.NVIDIA;
        LongBinaryOperator bounded = device.isCpu() ? Math::min : (a, _) -> a;
        return new DeviceLimits(
                bounded.applyAsLong(own.threads(), most.maxThreadsPerBlock()),
                bounded.applyAsLong(own.block().get(0), most.maxThreadsX()),
                bounded.applyAsLong(own.block().get(1), most.maxThreadsY()),
                bounded.applyAsLong(own.block().get(2), most.maxThreadsZ()),
                bounded.applyAsLong(own.localBytes(), most.sharedBytesPerBlock()),
                Math.min(own.grid().get(0), most.maxBlocksX()),
                Math.min(own.grid().get(1), most.maxBlocksY()),
                Math.min(own.grid().get(2), most.maxBlocksZ()),
                device.hasTensorCores());
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    @Override
    public CompiledKernelHandle compile(Schedule schedule) {
        return new Kernels(schedule, device.build(KernelPrinter.source(schedule, language), List.of()));
    }

    @Override
    public void close() {
        flush.close();
        device.close();
    }

    private final class Kernels implements CompiledKernelHandle {
        private final Schedule schedule;
        private final ComputeDevice.Program program;
        private final Map<Buffer, ComputeDevice.Memory> memory = new HashMap<>();

        private Kernels(Schedule schedule, ComputeDevice.Program program) {
            this.schedule = schedule;
            this.program = program;
        }

        @Override
        public void load(Operands operands) {
            for (Schedule.Argument a : schedule.arguments()) {
                ComputeDevice.Memory m = device.allocate(a.buffer().bytes());
                memory.put(a.buffer(), m);
                switch (a.role()) {
                    case DATA, WEIGHT, SCALE, BIAS, RESIDUAL, INPUT -> m.write(operands.of(a.buffer()));
                    case OUTPUT, PREPARED, WORKSPACE -> m.fill(POISON);
                }
            }
            if (!schedule.setup().isEmpty()) {
                device.run(launches(schedule.setup()));
            }
        }

        private List<ComputeDevice.Launch> launches(List<LoopNest> nests) {
            return nests.stream()
                    .map(n -> new ComputeDevice.Launch(
                            program,
                            n.name(),
                            n.parameters().stream()
                                    .map(b -> (ComputeDevice.Argument)
                                            new ComputeDevice.Argument.Address(requireNonNull(memory.get(b))))
                                    .toList(),
                            LongStream.of(n.grid()).boxed().toList(),
                            LongStream.of(n.block()).boxed().toList()))
                    .toList();
        }

        @Override
        public double run(boolean flushCaches) {
            if (flushCaches) {
                flush.fill(0);
            }
            return device.run(launches(schedule.kernels()));
        }

        @Override
        public float[] output() {
            Buffer buffer = schedule.buffer(Schedule.Role.OUTPUT).orElseThrow();
            float[] values = new float[Math.toIntExact(buffer.words())];
            requireNonNull(memory.get(buffer)).read(values);
            return values;
        }

        @Override
        public void close() {
            memory.values().forEach(ComputeDevice.Memory::close);
            program.close();
        }
    }
}
