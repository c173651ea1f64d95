package knobscape.work.device;

import static org.jocl.CL.*;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.evaluate.UserError;
import org.jocl.CL;
import org.jocl.CLException;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_buffer_region;
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
public final class OpenClDevice implements ComputeDevice {
    private static final int LONGEST_LOG = 2000;

    private final cl_device_id device;
    private final cl_context context;
    private final cl_command_queue queue;

    /// Devices found, in the platforms' order, as "hardware (driver)"; none where OpenCL finds none. Throws
    /// [UserError] where its library is not there.
    public static List<String> names() {
        return found().stream()
                .map(d -> text(d, CL_DEVICE_NAME) + " (" + text(d, CL_DRIVER_VERSION) + ")")
                .toList();
    }

    /// Opens a device.
    ///
    /// @param index its place in [#names()]
    OpenClDevice(int index) {
        List<cl_device_id> all = found();
        if (all.isEmpty()) {
            throw new UserError("OpenCL finds no device: install the driver of one; for the CPU, Debian and Ubuntu have"
                    + " pocl-opencl-icd.");
        }
        if (index < 0 || index >= all.size()) {
            throw new UserError("There is no OpenCL device " + index + "; there are " + all.size()
                    + ", counted from 0: " + String.join(", ", names()) + ".");
        }
        device = all.get(index);
        context = clCreateContext(new cl_context_properties(), 1, new cl_device_id[] {device}, null, null, null);
        @SuppressWarnings("deprecation") // The call that replaces it is missing on OpenCL 1.2 devices.
        cl_command_queue q = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, null);
        queue = q;
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

    @Override
    public String hardware() {
        return text(device, CL_DEVICE_NAME);
    }

    @Override
    public String version() {
        return text(device, CL_DRIVER_VERSION);
    }

    @Override
    public boolean isCpu() {
        return (number(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    }

    /// OpenCL names no limit of the grid.
    @Override
    public Limits limits() {
        long[] items = new long[3];
        clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, (long) Sizeof.size_t * 3, Pointer.to(items), null);
        return new Limits(
                number(CL_DEVICE_MAX_WORK_GROUP_SIZE),
                List.of(items[0], items[1], items[2]),
                number(CL_DEVICE_LOCAL_MEM_SIZE),
                List.of(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE));
    }

    @Override
    public long cacheBytes() {
        return number(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    }

    @Override
    public Program build(String source, List<String> options) {
        cl_program program = clCreateProgramWithSource(context, 1, new String[] {source}, null, null);
        try {
            clBuildProgram(program, 1, new cl_device_id[] {device}, String.join(" ", options), null, null);
        } catch (CLException e) {
            String log = log(program);
            clReleaseProgram(program);
            throw new CompileException(log.isBlank() ? e.getMessage() : log);
        }
        return new Kernels(program);
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
    public Memory allocate(long bytes) {
        return new Buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, null, null), bytes);
    }

    @Override
    public double run(List<Launch> launches) {
        var events = new ArrayList<cl_event>();
        try {
            for (Launch l : launches) {
                var event = new cl_event();
                enqueue(l, event);
                events.add(event);
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

    private void enqueue(Launch launch, cl_event event) {
        cl_kernel kernel = ((Kernels) launch.program()).kernel(launch.function());
        for (int i = 0; i < launch.arguments().size(); i++) {
            switch (launch.arguments().get(i)) {
                case Argument.Address(Memory m) ->
                    clSetKernelArg(kernel, i, Sizeof.cl_mem, Pointer.to(((Buffer) m).memory));
                case Argument.Scalar(ByteBuffer bytes) ->
                    clSetKernelArg(kernel, i, bytes.capacity(), Pointer.to(bytes));
                case Argument.Shared(long bytes) -> clSetKernelArg(kernel, i, bytes, null);
            }
        }
        long[] local = launch.local().stream().mapToLong(Long::longValue).toArray();
        long[] global = new long[local.length];
        for (int i = 0; i < local.length; i++) {
            global[i] = launch.groups().get(i) * local[i];
        }
        clEnqueueNDRangeKernel(queue, kernel, local.length, null, global, local, 0, null, event);
    }

    private static long profile(cl_event event, int what) {
        long[] value = new long[1];
        clGetEventProfilingInfo(event, what, Sizeof.cl_ulong, Pointer.to(value), null);
        return value[0];
    }

    @Override
    public void close() {
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }

    private final class Kernels implements Program {
        private final cl_program program;
        private final Map<String, cl_kernel> kernels = new HashMap<>();

        private Kernels(cl_program program) {
            this.program = program;
        }

        private cl_kernel kernel(String function) {
            return kernels.computeIfAbsent(function, f -> clCreateKernel(program, f, null));
        }

        @Override
        public Map<String, Long> resources(String function) {
            return Map.of(
                    "local_bytes", told(function, CL_KERNEL_LOCAL_MEM_SIZE),
                    "private_bytes", told(function, CL_KERNEL_PRIVATE_MEM_SIZE));
        }

        private long told(String function, int what) {
            long[] value = new long[1];
            clGetKernelWorkGroupInfo(kernel(function), device, what, Sizeof.cl_ulong, Pointer.to(value), null);
            return value[0];
        }

        @Override
        public void close() {
            kernels.values().forEach(CL::clReleaseKernel);
            clReleaseProgram(program);
        }
    }

    private final class Buffer implements Memory {
        private final cl_mem memory;
        private final long bytes;

        private Buffer(cl_mem memory, long bytes) {
            this.memory = memory;
            this.bytes = bytes;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public Memory part(long from, long length) {
            return new Buffer(
                    clCreateSubBuffer(
                            memory,
                            CL_MEM_READ_WRITE,
                            CL_BUFFER_CREATE_TYPE_REGION,
                            new cl_buffer_region(from, length),
                            null),
                    length);
        }

        private void write(Pointer from, long length) {
            clEnqueueWriteBuffer(queue, memory, true, 0, length, from, 0, null, null);
        }

        private void read(Pointer into, long length) {
            clEnqueueReadBuffer(queue, memory, true, 0, length, into, 0, null, null);
        }

        @Override
        public void write(float[] values) {
            write(Pointer.to(values), (long) values.length * Float.BYTES);
        }

        @Override
        public void write(ByteBuffer values) {
            write(Pointer.to(values), values.capacity());
        }

        @Override
        public void fill(int word) {
            clEnqueueFillBuffer(
                    queue, memory, Pointer.to(new int[] {word}), Integer.BYTES, 0, bytes / 4 * 4, 0, null, null);
            clFinish(queue);
        }

        @Override
        public void read(float[] values) {
            read(Pointer.to(values), (long) values.length * Float.BYTES);
        }

        @Override
        public void read(ByteBuffer values) {
            read(Pointer.to(values), values.capacity());
        }

        @Override
        public void close() {
            clReleaseMemObject(memory);
        }
    }
}
