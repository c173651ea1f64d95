package knobscape.gpu.evaluate.device;

import static jcuda.driver.CUdevice_attribute.*;
import static jcuda.driver.JCudaDriver.*;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.codegen.KernelPrinter;
import knobscape.gpu.codegen.Operands;
import knobscape.gpu.codegen.ResultCheck;
import knobscape.gpu.space.nest.Buffer;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.template.Schedule;

/// An NVIDIA GPU through the CUDA driver.
final class CudaBackend implements Backend {
    private static final long LEAST_FLUSH = 1L << 20;
    private final CUcontext context = new CUcontext();
    private final CUdevice device = new CUdevice();
    private final CudaCompiler compiler;
    private final DeviceInfo info;
    private final int capability;
    private final int isa;
    private final CUdeviceptr flush = new CUdeviceptr();
    private final long flushWords;

    /// Why there is no CUDA device, as a sentence; empty where there is one.
    static String whyNone() {
        try {
            JCudaDriver.setExceptionsEnabled(true);
            cuInit(0);
            int[] count = new int[1];
            cuDeviceGetCount(count);
            return count[0] > 0 ? "" : "The CUDA driver finds no device.";
        } catch (LinkageError e) {
            return "There is no CUDA device: the driver's library (libcuda.so.1, nvcuda.dll) does not load; other devices (opencl, model:NAME, replay:FILE) work without it.";
        } catch (CudaException e) {
            return "There is no CUDA device: the driver says " + e.getMessage()
                    + "; other devices (opencl, model:NAME, replay:FILE) work without it.";
        }
    }

    /// Opens a device; throws [UserError] where there is none, or no compiler.
    CudaBackend(int index) {
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
                        "There is a CUDA device but no compiler: put nvcc on the PATH or libnvrtc.so.12 where the loader finds it,"
                                + " or use the device by --device opencl, which brings its own compiler."));
        try {
            cuDeviceGet(device, index);
            cuCtxCreate(context, 0, device);
            int[] driver = new int[1];
            cuDriverGetVersion(driver);
            isa = isaOf(driver[0]);
            capability = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10
                    + attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
            byte[] name = new byte[256];
            cuDeviceGetName(name, name.length, device);
            String hardware =
                    new String(name, StandardCharsets.UTF_8).replace("\0", "").strip();
            info = new DeviceInfo(
                    HardwareDevice.CUDA.with(index == 0 ? "" : Integer.toString(index)),
                    hardware,
                    "driver " + driver[0] / 1000 + "." + driver[0] % 1000 / 10 + ", " + compiler.words(),
                    Provenance.Source.MEASURED,
                    limits(),
                    "");
            flushWords = Math.max(LEAST_FLUSH, 2L * attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)) / Integer.BYTES;
            cuMemAlloc(flush, flushWords * Integer.BYTES);
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

    private DeviceLimits limits() {
        return new DeviceLimits(
                attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
                attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z),
                attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
                attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                attribute(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z));
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    @Override
    public CompiledKernelHandle compile(Schedule schedule) {
        String ptx = compiler.ptx(KernelPrinter.source(schedule, KernelLanguage.CUDA), capability, isa);
        var module = new CUmodule();
        try {
            cuModuleLoadData(module, ptx);
        } catch (CudaException e) {
            throw new CompileException("the driver does not load the kernel: " + e.getMessage());
        }
        return new Kernels(schedule, module);
    }

    @Override
    public void close() {
        try {
            cuMemFree(flush);
            cuCtxDestroy(context);
        } catch (CudaException e) {
            // After a failure of a kernel the context is gone already.
        }
    }

    private final class Kernels implements CompiledKernelHandle {
        private final Schedule schedule;
        private final CUmodule module;
        private final Map<Buffer, CUdeviceptr> memory = new HashMap<>();
        private final CUevent start = new CUevent();
        private final CUevent end = new CUevent();

        private Kernels(Schedule schedule, CUmodule module) {
            this.schedule = schedule;
            this.module = module;
            cuEventCreate(start, 0);
            cuEventCreate(end, 0);
        }

        @Override
        public void load(Operands operands) {
            for (Schedule.Argument a : schedule.arguments()) {
                var p = new CUdeviceptr();
                cuMemAlloc(p, a.buffer().bytes());
                memory.put(a.buffer(), p);
                switch (a.role()) {
                    case DATA, WEIGHT, BIAS, RESIDUAL, INPUT ->
                        cuMemcpyHtoD(
                                p,
                                Pointer.to(operands.of(a.buffer())),
                                a.buffer().bytes());
                    case OUTPUT, PREPARED, WORKSPACE ->
                        cuMemsetD32(
                                p,
                                Float.floatToRawIntBits(ResultCheck.POISON),
                                a.buffer().elements());
                }
            }
            schedule.setup().forEach(this::launch);
            cuCtxSynchronize();
        }

        private void launch(LoopNest n) {
            var function = new CUfunction();
            cuModuleGetFunction(function, module, n.name());
            long[] grid = n.grid();
            long[] block = n.block();
            Pointer[] arguments =
                    n.parameters().stream().map(b -> Pointer.to(memory.get(b))).toArray(Pointer[]::new);
            cuLaunchKernel(
                    function,
                    (int) grid[0],
                    (int) grid[1],
                    (int) grid[2],
                    (int) block[0],
                    (int) block[1],
                    (int) block[2],
                    0,
                    null,
                    Pointer.to(arguments),
                    null);
        }

        @Override
        public double run(boolean flushCaches) {
            if (flushCaches) {
                cuMemsetD32(flush, 0, flushWords);
            }
            cuEventRecord(start, null);
            schedule.kernels().forEach(this::launch);
            cuEventRecord(end, null);
            cuCtxSynchronize();
            float[] milliseconds = new float[1];
            cuEventElapsedTime(milliseconds, start, end);
            return milliseconds[0] * 1e-3;
        }

        @Override
        public float[] output() {
            Buffer buffer = schedule.buffer(Schedule.Role.OUTPUT).orElseThrow();
            float[] values = new float[Math.toIntExact(buffer.elements())];
            cuMemcpyDtoH(Pointer.to(values), memory.get(buffer), buffer.bytes());
            return values;
        }

        @Override
        public void close() {
            try {
                memory.values().forEach(JCudaDriver::cuMemFree);
                cuEventDestroy(start);
                cuEventDestroy(end);
                cuModuleUnload(module);
            } catch (CudaException e) {
                // After a failure of a kernel everything is gone with the context.
            }
        }
    }
}
