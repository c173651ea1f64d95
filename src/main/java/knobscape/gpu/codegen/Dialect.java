package knobscape.gpu.codegen;

import knobscape.gpu.nest.Axis;

/// A language that kernels are written in.
public enum Dialect {
    /// CUDA C++.
    CUDA("cu") {
        @Override
        String shared() {
            return "__shared__ float";
        }

        @Override
        String parameter(String name, boolean written) {
            return (written ? "float* __restrict__ " : "const float* __restrict__ ") + name;
        }

        @Override
        String barrier() {
            return "__syncthreads();";
        }

        @Override
        String index(Axis.Binding binding) {
            return switch (binding) {
                case BLOCK_X -> "(int)blockIdx.x";
                case BLOCK_Y -> "(int)blockIdx.y";
                case BLOCK_Z -> "(int)blockIdx.z";
                case THREAD_X -> "(int)threadIdx.x";
                case THREAD_Y -> "(int)threadIdx.y";
                case THREAD_Z -> "(int)threadIdx.z";
                case VTHREAD, SERIAL, UNROLLED -> throw new IllegalArgumentException(binding + " is a loop");
            };
        }

        @Override
        String larger() {
            return "fmaxf";
        }

        @Override
        String smaller() {
            return "fminf";
        }

        @Override
        String head(String name, long x, long y, long z) {
            return "extern \"C\" __global__ void __launch_bounds__(" + x * y * z + ") " + name;
        }
    },
    /// OpenCL C 1.2.
    OPENCL("cl") {
        @Override
        String shared() {
            return "__local float";
        }

        @Override
        String parameter(String name, boolean written) {
            return (written ? "__global float* restrict " : "__global const float* restrict ") + name;
        }

        @Override
        String barrier() {
            return "barrier(CLK_LOCAL_MEM_FENCE);";
        }

        @Override
        String index(Axis.Binding binding) {
            return switch (binding) {
                case BLOCK_X -> "(int)get_group_id(0)";
                case BLOCK_Y -> "(int)get_group_id(1)";
                case BLOCK_Z -> "(int)get_group_id(2)";
                case THREAD_X -> "(int)get_local_id(0)";
                case THREAD_Y -> "(int)get_local_id(1)";
                case THREAD_Z -> "(int)get_local_id(2)";
                case VTHREAD, SERIAL, UNROLLED -> throw new IllegalArgumentException(binding + " is a loop");
            };
        }

        @Override
        String larger() {
            return "fmax";
        }

        @Override
        String smaller() {
            return "fmin";
        }

        @Override
        String head(String name, long x, long y, long z) {
            return "__kernel __attribute__((reqd_work_group_size(" + x + ", " + y + ", " + z + "))) void " + name;
        }
    };

    private final String extension;

    Dialect(String extension) {
        this.extension = extension;
    }

    /// Usual ending of a file, without the dot.
    public String extension() {
        return extension;
    }

    abstract String shared();

    abstract String parameter(String name, boolean written);

    abstract String barrier();

    abstract String index(Axis.Binding binding);

    abstract String larger();

    abstract String smaller();

    /// Everything before the parameters.
    abstract String head(String name, long x, long y, long z);
}
