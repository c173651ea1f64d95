package knobscape.work.device;

import static jcuda.driver.CUdevice_attribute.*;
import static jcuda.driver.JCudaDriver.*;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import knobscape.evaluate.UserError;

/// An NVIDIA GPU through the CUDA driver.
public final class CudaDevice implements ComputeDevice {
    private final CUcontext context = new CUcontext();
    private final CUdevice device = new CUdevice();
    private final CUevent start = new CUevent();
    private final CUevent end = new CUevent();
    private final CudaCompiler compiler;
    private final String hardware;
    private final int driver;
    private final int capability;

    /// Why there is no CUDA device, as a sentence; empty where there is one.
    public static String whyNone() {
        try {
            JCudaDriver.setExceptionsEnabled(true);
            cuInit(0);
            int[] count = new int[1];
            cuDeviceGetCount(count);
            return count[0] > 0 ? "" : "The CUDA driver finds no device.";
        } catch (LinkageError e) {
            return "There is no CUDA device: the driver's library (libcuda.so.1, nvcuda.dll) does not load; other"
                    + " devices (opencl, model:NAME, replay:FILE) work without it.";
        } catch (CudaException e) {
            return "There is no CUDA device: the driver says " + e.getMessage()
                    + "; other devices (opencl, model:NAME, replay:FILE) work without it.";
        }
    }

    /// Opens a device; throws [UserError] where there is none, or no compiler.
    CudaDevice(int index) {
        String none = whyNone();
        if (!none.isEmpty()) {
            throw new UserError(none);
        }
        int[] count = new int[1];
        cuDeviceGetCount(count);
        if (index < 0 || index >= count[0]) {
            throw new UserError("There is no CUDA device " + index + "; there are " + count[0] + ", counted from 0.");
        }
        compiler = CudaCompiler.find()
                .orElseThrow(() -> new UserError(
                        "There is a CUDA device but no compiler: put nvcc on the PATH or libnvrtc.so.12 where the"
                                + " loader finds it, or use the device by --device opencl, which brings its own"
                                + " compiler."));
        try {
            cuDeviceGet(device, index);
            cuCtxCreate(context, 0, device);
            cuEventCreate(start, 0);
            cuEventCreate(end, 0);
            int[] version = new int[1];
            cuDriverGetVersion(version);
            driver = version[0];
            capability = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10
                    + attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
            byte[] name = new byte[256];
            cuDeviceGetName(name, name.length, device);
            hardware =
                    new String(name, StandardCharsets.UTF_8).replace("\0", "").strip();
        } catch (CudaException e) {
            throw new UserError(
                    "The CUDA device " + index + " cannot be used: the driver says " + e.getMessage() + ".", e);
        }
    }

    /// The PTX instruction set that a driver takes (80 for 8.0), from its CUDA version (12040 for 12.4).
    static int isaOf(int driver) {
        int major = driver / 1000;
        int minor = driver % 1000 / 10;
        return switch (major) {
            case 12 -> 80 + (minor <= 5 ? minor : minor == 6 ? 5 : minor - 1);
            case 11 -> 70 + Math.min(minor, 8);
            default -> major < 11 ? 60 : (major - 4) * 10 + minor;
        };
    }

    private int attribute(int what) {
        int[] value = new int[1];
        cuDeviceGetAttribute(value, what, device);
        return value[0];
    }

    @Override
    public OptionalDouble millijoules(Runnable run) {
        Optional<EnergyMeter> meter = EnergyMeter.open(
                EnergyMeter.LIBRARIES,
                attribute(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID),
                attribute(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID),
                attribute(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID),
                System::nanoTime);
        if (meter.isEmpty()) {
            return OptionalDouble.empty();
        }
        try (EnergyMeter m = meter.get()) {
            return m.millijoules(run);
        }
    }

    @Override
    public String hardware() {
        return hardware;
    }

    @Override
    public String version() {
        return "driver " + driver / 1000 + "." + driver % 1000 / 10 + ", " + compiler.words();
    }

    @Override
    public boolean isCpu() {
        return false;
    }

    @Override
    public Limits limits() {
        return new Limits(
                attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
                List.of(
                        (long) attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                        (long) attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                        (long) attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)),
                attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
                List.of(
                        (long) attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                        (long) attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                        (long) attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)));
    }

    @Override
    public Optional<OccupancyLimits> occupancyLimits() {
        boolean isNew = capability >= 80;
        try {
            return Optional.of(new OccupancyLimits(
                    attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
                    attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
                    attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
                    attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
                    isNew ? attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK) : 0,
                    isNew ? 128 : 256));
        } catch (CudaException e) {
            return Optional.empty(); // Drivers before CUDA 11 know fewer of these.
        }
    }

    @Override
    public boolean hasTensorCores() {
        return capability >= 70;
    }

    @Override
    public long cacheBytes() {
        return attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    }

    @Override
    public Program build(String source, List<String> options) {
        String ptx = compiler.ptx(source, options, capability, isaOf(driver));
        var module = new CUmodule();
        try {
            cuModuleLoadData(module, ptx);
        } catch (CudaException e) {
            throw new CompileException("the driver does not load the kernel: " + e.getMessage());
        }
        return new Kernels(module);
    }

    @Override
    public Memory allocate(long bytes) {
        var p = new CUdeviceptr();
        cuMemAlloc(p, bytes);
        return new Buffer(p, bytes, true);
    }

    @Override
    public double run(List<Launch> launches) {
        cuEventRecord(start, null);
        launches.forEach(CudaDevice::launch);
        cuEventRecord(end, null);
        cuCtxSynchronize();
        float[] milliseconds = new float[1];
        cuEventElapsedTime(milliseconds, start, end);
        return milliseconds[0] * 1e-3;
    }

    private static void launch(Launch l) {
        Pointer[] arguments = l.arguments().stream()
                .flatMap(a -> switch (a) {
                    case Argument.Address(Memory m) -> Stream.of(Pointer.to(((Buffer) m).memory));
                    case Argument.Scalar(ByteBuffer bytes) -> Stream.of(Pointer.to(bytes));
                    case Argument.Shared _ -> Stream.empty();
                })
                .toArray(Pointer[]::new);
        cuLaunchKernel(
                ((Kernels) l.program()).function(l.function()),
                along(l.groups(), 0),
                along(l.groups(), 1),
                along(l.groups(), 2),
                along(l.local(), 0),
                along(l.local(), 1),
                along(l.local(), 2),
                l.arguments().stream()
                        .mapToInt(a -> a instanceof Argument.Shared(long bytes) ? Math.toIntExact(bytes) : 0)
                        .sum(),
                null,
                Pointer.to(arguments),
                null);
    }

    private static int along(List<Long> sizes, int dimension) {
        return dimension < sizes.size() ? Math.toIntExact(sizes.get(dimension)) : 1;
    }

    @Override
    public void close() {
        try {
            cuEventDestroy(start);
            cuEventDestroy(end);
            cuCtxDestroy(context);
        } catch (CudaException e) {
            // After a failure of a kernel the context is gone already.
        }
    }

    private record Kernels(CUmodule module) implements Program {
        private CUfunction function(String name) {
            var function = new CUfunction();
            cuModuleGetFunction(function, module, name);
            return function;
        }

        @Override
        public Map<String, Long> resources(String name) {
            CUfunction f = function(name);
            return Map.of(
                    "registers", told(f, CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS),
                    "local_bytes", told(f, CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
                    "private_bytes", told(f, CUfunction_attribute.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
        }

        private static long told(CUfunction f, int what) {
            int[] value = new int[1];
            cuFuncGetAttribute(value, what, f);
            return value[0];
        }

        @Override
        public void close() {
            try {
                cuModuleUnload(module);
            } catch (CudaException e) {
                // After a failure of a kernel everything is gone with the context.
            }
        }
    }

    private record Buffer(CUdeviceptr memory, long bytes, boolean isWhole) implements Memory {
        @Override
        public Memory part(long from, long length) {
            return new Buffer(memory.withByteOffset(from), length, false);
        }

        @Override
        public void write(float[] values) {
            cuMemcpyHtoD(memory, Pointer.to(values), (long) values.length * Float.BYTES);
        }

        @Override
        public void write(ByteBuffer values) {
            cuMemcpyHtoD(memory, Pointer.to(values), values.capacity());
        }

        @Override
        public void fill(int word) {
            cuMemsetD32(memory, word, bytes / Integer.BYTES);
        }

        @Override
        public void read(float[] values) {
            cuMemcpyDtoH(Pointer.to(values), memory, (long) values.length * Float.BYTES);
        }

        @Override
        public void read(ByteBuffer values) {
            cuMemcpyDtoH(Pointer.to(values), memory, values.capacity());
        }

        @Override
        public void close() {
            if (!isWhole) {
                return;
            }
            try {
                cuMemFree(memory);
            } catch (CudaException e) {
                // After a failure of a kernel everything is gone with the context.
            }
        }
    }
}
