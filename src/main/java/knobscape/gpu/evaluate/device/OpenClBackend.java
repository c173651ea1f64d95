package knobscape.gpu.evaluate.device;

import static org.jocl.CL.*;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;
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
import org.jocl.CL;
import org.jocl.CLException;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_command_queue;
import org.jocl.cl_context;
import org.jocl.cl_context_properties;
import org.jocl.cl_device_id;
import org.jocl.cl_event;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;
import org.jocl.cl_platform_id;
import org.jocl.cl_program;

/// A device through OpenCL.
final class OpenClBackend implements Backend {
    private static final int LONGEST_LOG = 2000;
    private static final long LEAST_FLUSH = 1L << 20;

    private final cl_device_id device;
    private final cl_context context;
    private final cl_command_queue queue;
    private final DeviceInfo info;
    private final cl_mem flush;
    private final long flushBytes;

    /// Devices found, in the platforms' order, as "hardware (driver)"; none where OpenCL finds none. Throws
    /// [UserError] where its library is not there.
    static List<String> devices() {
        return found().stream()
                .map(d -> text(d, CL_DEVICE_NAME) + " (" + text(d, CL_DRIVER_VERSION) + ")")
                .toList();
    }

    /// Opens a device.
    ///
    /// @param index its place in [#devices()]
    OpenClBackend(int index) {
        List<cl_device_id> all = found();
        if (all.isEmpty()) {
            throw new UserError(
                    "OpenCL finds no device: install the driver of one; for the CPU, Debian and Ubuntu have pocl-opencl-icd.");
        }
        if (index < 0 || index >= all.size()) {
            throw new UserError("There is no OpenCL device " + index + "; there are " + all.size()
                    + ", counted from 0: " + String.join(", ", devices()) + ".");
        }
        device = all.get(index);
        context = clCreateContext(new cl_context_properties(), 1, new cl_device_id[] {device}, null, null, null);
        @SuppressWarnings("deprecation") // The call that replaces it is missing on OpenCL 1.2 devices.
        cl_command_queue q = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, null);
        queue = q;
        boolean cpu = (number(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
        info = new DeviceInfo(
                HardwareDevice.OPENCL.with(index == 0 ? "" : Integer.toString(index)),
                text(device, CL_DEVICE_NAME),
                text(device, CL_DRIVER_VERSION),
                Provenance.Source.MEASURED,
                limits(cpu),
                cpu ? "This OpenCL device is a CPU: its times say nothing about GPUs" : "");
        flushBytes = Math.max(LEAST_FLUSH, 2 * number(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE));
        flush = clCreateBuffer(context, CL_MEM_READ_WRITE, flushBytes, null, null);
    }

    private static List<cl_device_id> found() {
        try {
            CL.setExceptionsEnabled(true);
            int[] n = new int[1];
            clGetPlatformIDs(0, null, n);
            var platforms = new cl_platform_id[n[0]];
            clGetPlatformIDs(n[0], platforms, null);
            var all = new ArrayList<cl_device_id>();
            for (cl_platform_id p : platforms) {
                all.addAll(devices(p));
            }
            return all;
        } catch (CLException e) {
            // The loader answers with an error where it knows no platform.
            return List.of();
        } catch (LinkageError e) {
            throw new UserError(
                    "OpenCL cannot be used: its library does not load ("
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
                            + "); install a driver with OpenCL, and on Debian and Ubuntu ocl-icd-libopencl1.",
                    e);
        }
    }

    private static List<cl_device_id> devices(cl_platform_id platform) {
        try {
            int[] n = new int[1];
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, null, n);
            var devices = new cl_device_id[n[0]];
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, n[0], devices, null);
            return List.of(devices);
        } catch (CLException e) {
            return List.of();
        }
    }

    private static String text(cl_device_id device, int what) {
        long[] size = new long[1];
        clGetDeviceInfo(device, what, 0, null, size);
        byte[] bytes = new byte[(int) size[0]];
        clGetDeviceInfo(device, what, bytes.length, Pointer.to(bytes), null);
        return new String(bytes, 0, Math.max(0, bytes.length - 1), StandardCharsets.UTF_8).strip();
    }

    private long number(int what) {
        long[] value = new long[1];
        clGetDeviceInfo(device, what, Sizeof.cl_long, Pointer.to(value), null);
        return value[0];
    }

    /// A CPU accepts what no GPU would; there the limits of GPUs hold, so that what is tuned can run on one.
    private DeviceLimits limits(boolean cpu) {
        long[] items = new long[3];
        clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, (long) Sizeof.size_t * 3, Pointer.to(items), null);
        DeviceLimits most = DeviceLimits.NVIDIA;
        long threads = number(CL_DEVICE_MAX_WORK_GROUP_SIZE);
        long local = number(CL_DEVICE_LOCAL_MEM_SIZE);
        LongBinaryOperator bounded = cpu ? Math::min : (own, _) -> own;
        return new DeviceLimits(
                bounded.applyAsLong(threads, most.maxThreadsPerBlock()),
                bounded.applyAsLong(items[0], most.maxThreadsX()),
                bounded.applyAsLong(items[1], most.maxThreadsY()),
                bounded.applyAsLong(items[2], most.maxThreadsZ()),
                bounded.applyAsLong(local, most.sharedBytesPerBlock()),
                most.maxBlocksX(),
                most.maxBlocksY(),
                most.maxBlocksZ());
    }

    @Override
    public DeviceInfo info() {
        return info;
    }

    @Override
    public CompiledKernelHandle compile(Schedule schedule) {
        String source = KernelPrinter.source(schedule, KernelLanguage.OPENCL);
        cl_program program =
                clCreateProgramWithSource(context, 1, new String[] {source}, new long[] {source.length()}, null);
        try {
            clBuildProgram(program, 1, new cl_device_id[] {device}, "", null, null);
        } catch (CLException e) {
            String log = log(program);
            clReleaseProgram(program);
            throw new CompileException(log.isBlank() ? e.getMessage() : log);
        }
        var compiled = new Kernels(schedule, program);
        try {
            compiled.create();
            return compiled;
        } catch (CLException e) {
            compiled.close();
            throw new CompileException(e.getMessage());
        }
    }

    private String log(cl_program program) {
        try {
            long[] size = new long[1];
            clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, null, size);
            byte[] bytes = new byte[(int) Math.min(size[0], 1 << 20)];
            clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes.length, Pointer.to(bytes), null);
            String text =
                    new String(bytes, StandardCharsets.UTF_8).replace("\0", "").strip();
            return text.substring(0, Math.min(text.length(), LONGEST_LOG));
        } catch (CLException e) {
            return "";
        }
    }

    @Override
    public void close() {
        clReleaseMemObject(flush);
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }

    private final class Kernels implements CompiledKernelHandle {
        private final Schedule schedule;
        private final cl_program program;
        private final Map<LoopNest, cl_kernel> kernels = new HashMap<>();
        private final Map<Buffer, cl_mem> memory = new HashMap<>();

        private Kernels(Schedule schedule, cl_program program) {
            this.schedule = schedule;
            this.program = program;
        }

        private void create() {
            schedule.all().forEach(n -> kernels.put(n, clCreateKernel(program, n.name(), null)));
        }

        @Override
        public void load(Operands operands) {
            for (Schedule.Argument a : schedule.arguments()) {
                cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, a.buffer().bytes(), null, null);
                memory.put(a.buffer(), m);
                switch (a.role()) {
                    case DATA, WEIGHT, BIAS, RESIDUAL, INPUT ->
                        clEnqueueWriteBuffer(
                                queue,
                                m,
                                true,
                                0,
                                a.buffer().bytes(),
                                Pointer.to(operands.of(a.buffer())),
                                0,
                                null,
                                null);
                    case OUTPUT, PREPARED, WORKSPACE ->
                        clEnqueueFillBuffer(
                                queue,
                                m,
                                Pointer.to(new float[] {ResultCheck.POISON}),
                                Float.BYTES,
                                0,
                                a.buffer().bytes(),
                                0,
                                null,
                                null);
                }
            }
            for (LoopNest n : schedule.setup()) {
                enqueue(n, new cl_event());
            }
            clFinish(queue);
        }

        private cl_event enqueue(LoopNest n, cl_event event) {
            cl_kernel kernel = kernels.get(n);
            for (int i = 0; i < n.parameters().size(); i++) {
                clSetKernelArg(
                        kernel,
                        i,
                        Sizeof.cl_mem,
                        Pointer.to(memory.get(n.parameters().get(i))));
            }
            long[] local = n.block();
            long[] global = n.grid();
            Arrays.setAll(global, i -> global[i] * local[i]);
            clEnqueueNDRangeKernel(queue, kernel, 3, null, global, local, 0, null, event);
            return event;
        }

        @Override
        public double run(boolean flushCaches) {
            var events = new ArrayList<cl_event>();
            try {
                if (flushCaches) {
                    clEnqueueFillBuffer(
                            queue,
                            flush,
                            Pointer.to(new float[] {0}),
                            Float.BYTES,
                            0,
                            flushBytes / Float.BYTES * Float.BYTES,
                            0,
                            null,
                            null);
                    clFinish(queue);
                }
                for (LoopNest n : schedule.kernels()) {
                    events.add(enqueue(n, new cl_event()));
                }
                clFinish(queue);
                return (profile(events.getLast(), CL_PROFILING_COMMAND_END)
                                - profile(events.getFirst(), CL_PROFILING_COMMAND_START))
                        * 1e-9;
            } finally {
                events.forEach(e -> {
                    if (!e.equals(new cl_event())) {
                        clReleaseEvent(e);
                    }
                });
            }
        }

        private long profile(cl_event event, int what) {
            long[] value = new long[1];
            clGetEventProfilingInfo(event, what, Sizeof.cl_ulong, Pointer.to(value), null);
            return value[0];
        }

        @Override
        public float[] output() {
            Buffer buffer = schedule.buffer(Schedule.Role.OUTPUT).orElseThrow();
            float[] values = new float[Math.toIntExact(buffer.elements())];
            clEnqueueReadBuffer(queue, memory.get(buffer), true, 0, buffer.bytes(), Pointer.to(values), 0, null, null);
            return values;
        }

        @Override
        public void close() {
            memory.values().forEach(CL::clReleaseMemObject);
            kernels.values().forEach(CL::clReleaseKernel);
            clReleaseProgram(program);
        }
    }
}
