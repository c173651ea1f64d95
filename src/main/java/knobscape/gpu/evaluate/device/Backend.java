package knobscape.gpu.evaluate.device;

import knobscape.gpu.codegen.Operands;
import knobscape.gpu.space.template.Schedule;

/// A programming interface to one real device, used by one thread. Lives in a process that may be killed at any
/// time. Where the device refuses or loses a kernel, its own exceptions are thrown
/// ([jcuda.CudaException], [org.jocl.CLException]).
interface Backend extends AutoCloseable {
    /// The description of the device.
    DeviceInfo info();

    /// Compiles the kernels of a schedule; throws [knobscape.work.device.CompileException].
    CompiledKernelHandle compile(Schedule schedule);

    @Override
    void close();

    /// Kernels ready to run.
    interface CompiledKernelHandle extends AutoCloseable {
        /// Allocates and fills the buffers, poisons what will be written, and runs the setup.
        void load(Operands operands);

        /// Runs the kernels once.
        ///
        /// @param flush whether the caches are flushed before
        /// @return seconds from the start of the first kernel to the end of the last by the device's clock
        double run(boolean flush);

        /// The output of the last run.
        float[] output();

        @Override
        void close();
    }
}
