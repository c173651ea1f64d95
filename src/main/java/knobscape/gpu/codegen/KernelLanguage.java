package knobscape.gpu.codegen;

import knobscape.gpu.space.nest.Axis;

/// A language that kernels are written in.
public enum KernelLanguage {
    /// CUDA C++.
    CUDA(
            "cu",
            "__shared__ __align__(16) float",
            "float* __restrict__ ",
            "__syncthreads();",
            new String[] {"blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z"},
            "f",
            "extern \"C\" __global__ void __launch_bounds__(%4$d) %5$s"),
    /// OpenCL C 1.2.
    OPENCL(
            "cl",
            "__local float",
            "float* restrict ",
            "barrier(CLK_LOCAL_MEM_FENCE);",
            new String[] {
                "get_group_id(0)",
                "get_group_id(1)",
                "get_group_id(2)",
                "get_local_id(0)",
                "get_local_id(1)",
                "get_local_id(2)"
            },
            "",
            "__kernel __attribute__((reqd_work_group_size(%1$d, %2$d, %3$d))) void %5$s");

    private final String extension;
    private final String shared;
    private final String pointer;
    private final String barrier;
    /// Blocks x, y, z, then threads x, y, z.
    private final String[] indices;
    /// The suffix that CUDA hangs on the name of a function of floats.
    private final String suffix;
    /// Of the threads along x, y and z, their product, and the kernel's name.
    private final String head;

    KernelLanguage(
            String extension,
            String shared,
            String pointer,
            String barrier,
            String[] indices,
            String suffix,
            String head) {
        this.extension = extension;
        this.shared = shared;
        this.pointer = pointer;
        this.barrier = barrier;
        this.indices = indices;
        this.suffix = suffix;
        this.head = head;
    }

    /// Usual ending of a file, without the dot.
    public String extension() {
        return extension;
    }

    String shared() {
        return shared;
    }

    String parameter(String name, boolean written) {
        return (this == OPENCL ? "__global " : "") + (written ? "" : "const ") + pointer + name;
    }

    String barrier() {
        return barrier;
    }

    String index(Axis.Binding binding) {
        return "(int)"
                + indices[
                        switch (binding) {
                            case BLOCK_X -> 0;
                            case BLOCK_Y -> 1;
                            case BLOCK_Z -> 2;
                            case THREAD_X -> 3;
                            case THREAD_Y -> 4;
                            case THREAD_Z -> 5;
                            case VTHREAD, SERIAL, UNROLLED, VECTORIZED ->
                                throw new IllegalArgumentException(binding + " is a loop");
                        }];
    }

    /// Copies neighbouring elements in one access, given the first of each.
    String copy(int lanes, String to, String from) {
        return this == CUDA
                ? "*(float%1$d*)&%2$s = *(const float%1$d*)&%3$s;".formatted(lanes, to, from)
                : "vstore%1$d(vload%1$d(0, &%3$s), 0, &%2$s);".formatted(lanes, to, from);
    }

    /// A function of floats by C's name of its kin for doubles.
    String function(String name) {
        return name + suffix;
    }

    /// Everything before the parameters.
    String head(String name, long x, long y, long z) {
        return String.format(java.util.Locale.ROOT, head, x, y, z, x * y * z, name);
    }
}
