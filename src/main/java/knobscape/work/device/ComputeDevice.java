package knobscape.work.device;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// A device that compiles and runs kernels, used by one thread. Where it refuses or loses a kernel, its own exceptions
/// are thrown ([jcuda.CudaException], [org.jocl.CLException]).
public interface ComputeDevice extends AutoCloseable {
    /// Opens a device of this machine; throws [knobscape.evaluate.UserError] where there is none.
    ///
    /// @param language how its kernels are written
    /// @param index its place, from 0
    static ComputeDevice open(Language language, int index) {
        return switch (language) {
            case OPENCL -> new OpenClDevice(index);
            case CUDA -> new CudaDevice(index);
        };
    }

    /// The language of kernels.
    enum Language {
        /// OpenCL C.
        OPENCL,
        /// CUDA C++.
        CUDA
    }

    /// Its own name, for example `NVIDIA T4`.
    String hardware();

    /// Version of its driver, and of a compiler beside it.
    String version();

    /// True if it is the processor that everything else runs on.
    boolean isCpu();

    /// The limits of a kernel.
    Limits limits();

    /// The limits of one of its multiprocessors; empty where it does not say.
    default Optional<OccupancyLimits> occupancyLimits() {
        return Optional.empty();
    }

    /// Mean energy in millijoules of a run that is repeated for about a second; empty where the device does not say.
    default OptionalDouble millijoules(Runnable run) {
        return OptionalDouble.empty();
    }

    /// True if its kernels can multiply matrices of 16-bit floats by `nvcuda::wmma`.
    default boolean hasTensorCores() {
        return false;
    }

    /// Bytes of its last cache; 0 where it does not say.
    long cacheBytes();

    /// Compiles a source; throws [CompileException].
    ///
    /// @param options of the compiler, `-DNAME=value` for a macro
    Program build(String source, List<String> options);

    /// Memory of the device, with whatever was there.
    Memory allocate(long bytes);

    /// Runs kernels one after the other and waits for the last.
    ///
    /// @return seconds from the start of the first to the end of the last by the device's clock
    double run(List<Launch> launches);

    @Override
    void close();

    /// The limits of a kernel, three dimensions each.
    ///
    /// @param threads of a work group
    /// @param block work items of a group in each dimension
    /// @param localBytes memory shared by a group
    /// @param grid groups in each dimension
    record Limits(long threads, List<Long> block, long localBytes, List<Long> grid) {
        public Limits {
            block = List.copyOf(block);
            grid = List.copyOf(grid);
        }
    }

    /// Kernels ready to run.
    interface Program extends AutoCloseable {
        /// The device resources of a kernel by name (`registers`, `local_bytes`, `private_bytes`), as far as the
        /// driver tells it.
        Map<String, Long> resources(String function);

        @Override
        void close();
    }

    /// Memory of the device. All values are in the byte order of this machine.
    interface Memory extends AutoCloseable {
        /// Its size.
        long bytes();

        /// A part of it, which lives as long as the whole and is closed before it.
        ///
        /// @param from first byte, a multiple of 4096
        /// @param length in bytes
        Memory part(long from, long length);

        /// Copies values to its start.
        void write(float[] values);

        /// Copies a direct buffer, whole, to its start.
        void write(ByteBuffer values);

        /// Writes one word of 32 bits everywhere; the size is a multiple of 4 bytes.
        void fill(int word);

        /// Copies its start.
        void read(float[] values);

        /// Copies its start into a direct buffer, which it fills.
        void read(ByteBuffer values);

        @Override
        void close();
    }

    /// One kernel and what it is started with.
    ///
    /// @param groups work groups in each dimension
    /// @param local work items of a group in each dimension
    record Launch(Program program, String function, List<Argument> arguments, List<Long> groups, List<Long> local) {
        public Launch {
            arguments = List.copyOf(arguments);
            groups = List.copyOf(groups);
            local = List.copyOf(local);
        }
    }

    /// An argument of a kernel.
    sealed interface Argument {
        /// The address of memory.
        record Address(Memory memory) implements Argument {}

        /// A number.
        ///
        /// @param bytes a direct buffer that holds it
        record Scalar(ByteBuffer bytes) implements Argument {}

        /// Memory that the work items of a group share. In CUDA it is no argument but the one array that is declared
        /// `extern __shared__`.
        record Shared(long bytes) implements Argument {}
    }
}
