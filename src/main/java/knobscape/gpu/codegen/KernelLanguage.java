package knobscape.gpu.codegen;

import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.Buffer;

/// A language that kernels are written in.
public enum KernelLanguage {
    /// CUDA C++.
    CUDA(
            "cu",
            "__shared__ __align__(%d)",
            "* __restrict__ ",
            "__syncthreads();",
            new String[] {"blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z"},
            "f",
            "extern \"C\" __global__ void __launch_bounds__(%4$d) %5$s"),
    /// OpenCL C 1.2.
    OPENCL(
            "cl",
            "__local",
            "* restrict ",
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

    /// @param fragments whether warps multiply fragments
    String shared(Buffer.Format format, boolean fragments) {
        // A fragment is read from a multiple of 32 bytes.
        return shared.formatted(format == Buffer.Format.HALF || fragments ? 32 : 16) + " " + format.c();
    }

    String parameter(Buffer buffer, boolean written) {
        return (this == OPENCL ? "__global " : "")
                + (written ? "" : "const ")
                + buffer.format().c()
                + pointer
                + buffer.name();
    }

    /// The functions of words of bytes, for a file that has kernels which use them. CUDA has the first as an
    /// instruction from compute capability 6.1 on.
    String words() {
        return this == CUDA ? """
            #ifndef KNOBSCAPE_WORDS
            #define KNOBSCAPE_WORDS
            static __device__ __forceinline__ int ks_dot(int a, int b, int c) {
            #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
              return __dp4a(a, b, c);
            #else
              return c + (signed char)a * (signed char)b + (signed char)(a >> 8) * (signed char)(b >> 8)
                  + (signed char)(a >> 16) * (signed char)(b >> 16) + (a >> 24) * (b >> 24);
            #endif
            }
            static __device__ __forceinline__ int ks_flip(int a) { return a ^ (int)0x80808080u; }
            static __device__ __forceinline__ int ks_spread(int a) { return (a & 255) * 0x01010101; }
            #endif
            """ : """
                #ifndef KNOBSCAPE_WORDS
                #define KNOBSCAPE_WORDS
                int ks_dot(int a, int b, int c) {
                  const char4 x = as_char4(a), y = as_char4(b);
                  return c + x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
                }
                int ks_flip(int a) { return a ^ (int)0x80808080u; }
                int ks_spread(int a) { return (a & 255) * 0x01010101; }
                #endif
                """;
    }

    /// The types of fragments, for a file that has kernels which use them. Throws `IllegalArgumentException` for
    /// OpenCL, which has none.
    String fragments() {
        if (this != CUDA) {
            throw new IllegalArgumentException("OpenCL has no tensor cores");
        }
        return """
            #ifndef KNOBSCAPE_FRAGMENTS
            #define KNOBSCAPE_FRAGMENTS
            #include <mma.h>
            typedef nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> ks_left;
            typedef nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major> ks_right;
            typedef nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::col_major> ks_turned;
            typedef nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> ks_sum;
            #endif
            """;
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
    ///
    /// @param lanes in words
    /// @param present where this fails, zeros are written; may be empty
    String copy(int lanes, String to, String from, String present) {
        return this == CUDA
                ? "*(float%1$d*)&%2$s = %4$s*(const float%1$d*)&%3$s%5$s;"
                        .formatted(
                                lanes,
                                to,
                                from,
                                present.isEmpty() ? "" : present + " ? ",
                                present.isEmpty() ? "" : " : float" + lanes + "{}")
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
