package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.UserError;
import knobscape.project.Project;
import knobscape.project.RunStore;
import knobscape.study.source.StudyReader;
import knobscape.work.device.OpenClDevice;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Drafts for kernels in the styles of public code; those in OpenCL run as they are.
class KernelDraftTest {
    private static final String CLBLAST = """
            // CLBlast-style: parameters as guarded macros, restrict, required work-group size.
            #ifndef WGS
              #define WGS 64     // The local work-group size
            #endif
            #ifndef WPT
              #define WPT 1      // The amount of work-per-thread
            #endif
            #ifndef VW
              #define VW 1       // Vector width of vectors X and Y
            #endif
            typedef float real;
            #define ROUTINE_AXPY 1

            __kernel __attribute__((reqd_work_group_size(WGS, 1, 1)))
            void XaxpyFastest(const int n, const float alpha,
                              const __global float* restrict xgm,
                              __global float* ygm) {
              #pragma unroll
              for (int _w = 0; _w < WPT; _w += 1) {
                const int id = _w*get_global_size(0) + get_global_id(0);
                if (id < n) { ygm[id] = ygm[id] + alpha * xgm[id]; }
              }
            }
            """;

    private static final String RODINIA = """
            /* Rodinia hotspot, OpenCL */
            #define IN_RANGE(x, min, max)   ((x)>=(min) && (x)<=(max))
            #define CLAMP_RANGE(x, min, max) x = (x<(min)) ? min : ((x>(max)) ? max : x )
            #define MIN(a, b) ((a)<=(b) ? (a) : (b))
            #define BLOCK_SIZE 16

            __kernel void hotspot(  int iteration,  //number of iteration
                                           global float *power,   //power input
                                           global float *temp_src,    //temperature input/output
                                           global float *temp_dst,    //temperature input/output
                                           int grid_cols,  //Col of grid
                                           int grid_rows,  //Row of grid
                                           float step) {
                local float temp_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
                int bx = get_group_id(0);
                int by = get_group_id(1);
                int tx = get_local_id(0);
                int ty = get_local_id(1);
                int x = bx*BLOCK_SIZE+tx, y = by*BLOCK_SIZE+ty;
                int index = grid_cols*y+x;
                temp_on_cuda[ty][tx] = temp_src[index];
                barrier(CLK_LOCAL_MEM_FENCE);
                temp_dst[index] = temp_on_cuda[ty][tx] + step * power[index];
            }
            """;

    private static final String KERNEL_TUNER = """
            // Kernel Tuner example
            extern "C" __global__ void vector_add(float *c, float *a, float *b, int n) {
                int i = blockIdx.x * block_size_x + threadIdx.x;
                if (i<n) {
                    c[i] = a[i] + b[i];
                }
            }
            """;

    private static final String TEMPLATE = """
            #include <cuda_runtime.h>
            #define TILE 16
            template <typename T, int BLOCK>
            __global__ void __launch_bounds__(BLOCK * BLOCK) matmul_kernel(T* __restrict__ C, const T* __restrict__ A, const T* __restrict__ B, int n) {
                __shared__ T As[BLOCK][BLOCK];
                int row = blockIdx.y * BLOCK + threadIdx.y;
                int col = blockIdx.x * BLOCK + threadIdx.x;
                T sum = 0;
                for (int k = 0; k < n; k++) sum += A[row*n+k]*B[k*n+col];
                C[row*n+col] = sum;
            }
            """;

    private static final String EXTERN = """
            #define image_height 4096
            #define image_width 4096

            #ifndef filter_height
                #define filter_height 17
            #endif
            #ifndef filter_width
                #define filter_width 17
            #endif
            #ifndef use_padding
                #define use_padding 0
            #endif
            #define border_height ((filter_height/2)*2)
            #define border_width ((filter_width/2)*2)
            #define i_end min(block_size_y*tile_size_y+border_height, input_height)
            #define input_height (image_height + border_height)
            #define input_width (image_width + border_width)

            __constant__ float d_filter[33*33];

            /* naive one */
            extern "C" {
            __global__ void convolution_naive(float *output, float *input, float *filter) {
                int x = blockIdx.x * blockDim.x + threadIdx.x;
                int y = blockIdx.y * blockDim.y + threadIdx.y;
                float sum = 0.0f;
                if (y < image_height && x < image_width) {
                    for (int j = 0; j < filter_height; j++)
                        for (int i = 0; i < filter_width; i++)
                            sum += input[(y + j) * input_width + (x + i)] * filter[j * filter_width + i];
                    output[y * image_width + x] = sum;
                }
            }

            __global__ void convolution_kernel(float *output, float *input) {
                int ty = threadIdx.y;
                int tx = threadIdx.x;
                int by = blockIdx.y * block_size_y * tile_size_y;
                int bx = blockIdx.x * block_size_x * tile_size_x;
                output[by + ty] = input[bx + tx];
            }
            }
            """;

    private static final String BLOCKS = """
            // 2-D blocks with halves: pads against bank conflicts
            #define TILE_DIM 32
            #define BLOCK_ROWS 8
            #define PAD 1
            kernel void transpose(global float *odata, global const float *idata, local float *tile, const unsigned int width, const unsigned int height)
            {
                unsigned int x = get_group_id(0) * TILE_DIM + get_local_id(0);
                unsigned int y = get_group_id(1) * TILE_DIM + get_local_id(1);
                for (unsigned int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
                    tile[(get_local_id(1) + j) * (TILE_DIM + PAD) + get_local_id(0)] = idata[(y + j) * width + x];
                barrier(CLK_LOCAL_MEM_FENCE);
                x = get_group_id(1) * TILE_DIM + get_local_id(0);
                y = get_group_id(0) * TILE_DIM + get_local_id(1);
                for (unsigned int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
                    odata[(y + j) * height + x] = tile[get_local_id(0) * (TILE_DIM + PAD) + get_local_id(1) + j];
            }
            """;

    /// A stencil whose groups the host sizes, with a strip of columns for each item and values in comments.
    private static final String STENCIL = """
            #ifndef BX
            #define BX 16
            #endif
            #ifndef BY
            #define BY 8 // 4, 8, 16
            #endif
            #define STRIP 2   /* 1 2 4 8 */
            #define W 1024
            #define H 768

            __kernel void blur(__global const float *restrict in, __global float *restrict out, const float alpha)
            {
                int y = get_global_id(1);
                int x0 = get_global_id(0) * STRIP;
                for (int k = 0; k < STRIP; k++) {
                    int x = x0 + k;
                    if (x > 0 && x < W - 1 && y > 0 && y < H - 1)
                        out[y * W + x] = alpha * in[y * W + x] + 0.25f * (1.0f - alpha) * (in[y * W + x - 1]
                            + in[y * W + x + 1] + in[(y - 1) * W + x] + in[(y + 1) * W + x]);
                    else if (x < W && y < H)
                        out[y * W + x] = in[y * W + x];
                }
            }
            """;

    /// A sum in parts, as many as there are groups.
    private static final String REDUCTION = """
            #ifndef WG
            #define WG 64
            #endif
            #ifndef PER_ITEM
            #define PER_ITEM 8
            #endif

            kernel void reduce_sum(global const int* x, global int* partial, local int* scratch, unsigned int n)
            {
                int lid = get_local_id(0);
                int acc = 0;
                unsigned base = get_group_id(0) * WG * PER_ITEM;
                for (int i = 0; i < PER_ITEM; i++) {
                    unsigned j = base + i * WG + lid;
                    if (j < n) acc += x[j];
                }
                scratch[lid] = acc;
                barrier(CLK_LOCAL_MEM_FENCE);
                for (int s = WG / 2; s > 0; s >>= 1) {
                    if (lid < s) scratch[lid] += scratch[lid + s];
                    barrier(CLK_LOCAL_MEM_FENCE);
                }
                if (lid == 0) partial[get_group_id(0)] = scratch[0];
            }
            """;

    @TempDir
    private Path dir;

    private final Terminal terminal = new Terminal(() -> dir);

    private String draft(String file, String source) throws Exception {
        Files.writeString(dir.resolve(file), source);
        assertThat(terminal.run("study", "new", file)).as(terminal::err).isZero();
        return Files.readString(dir.resolve(file.replaceFirst("\\..*", ".study.yaml")));
    }

    static Stream<Arguments> sources() {
        return Stream.of(
                Arguments.of("a.cl", CLBLAST, new String[] {
                    "WPT: {values: [1, 2, 4, 8]",
                    "local: [WGS]",
                    "groups: [ceil(SIZE / (WGS * WPT))]",
                    "fill: random, output: true}  # __global float* ygm"
                }),
                Arguments.of("b.cl", RODINIA, new String[] {
                    "local: [BLOCK_SIZE, BLOCK_SIZE]",
                    "length: SIZE * SIZE}  # global float *power",
                    "length: SIZE * SIZE, output: true}  # global float *temp_dst",
                    "{number: float, value: 0.5}  # float step"
                }),
                Arguments.of("c.cu", KERNEL_TUNER, new String[] {
                    "block_size_x: {values: [16, 32, 64, 128, 256]",
                    "local: [block_size_x]",
                    "length: SIZE, output: true}  # float *c",
                    "length: SIZE}  # float *a"
                }),
                Arguments.of("d.cu", TEMPLATE, new String[] {
                    "EDIT: CUDA finds a kernel by its name only where it is declared extern",
                    "local: [TILE, TILE]",
                    "{buffer: float, length: SIZE * SIZE, output: true}  # T* __restrict__ C"
                }),
                Arguments.of("e.cu", EXTERN, new String[] {
                    "name: convolution_kernel",
                    "use_padding: [0, 1]",
                    "tile_size_y: {values: [1, 2, 4, 8]",
                    "groups: [ceil(SIZE / (block_size_x * tile_size_x)), ceil(SIZE / (block_size_y * tile_size_y))]",
                    "local: [block_size_x, block_size_y]"
                }),
                Arguments.of("f.cl", BLOCKS, new String[] {
                    "PAD: [0, 1]",
                    "local: [TILE_DIM, BLOCK_ROWS]",
                    "groups: [ceil(SIZE / TILE_DIM), ceil(SIZE / TILE_DIM)]",
                    "{local: float, length: ceil((",
                    "{buffer: float, length: SIZE * SIZE}  # global const float *idata"
                }),
                Arguments.of("g.cl", STENCIL, new String[] {
                    "BY: {values: [4, 8, 16], default: 8}",
                    "constants: {W: 1024, H: 768}",
                    "groups: [ceil(W / (STRIP * BX)), ceil(H / BY)]",
                    "local: [BX, BY]",
                    "length: W * H, output: true}",
                    "reference: default"
                }),
                Arguments.of("h.cl", REDUCTION, new String[] {
                    "groups: [ceil(SIZE / (PER_ITEM * WG))]",
                    "local: [WG]",
                    "length: SIZE, output: sum}  # global int* partial",
                    "{local: int, length: ceil(((WG)))}"
                }));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void aDraftSaysWhatTheSourceSays(String file, String source, String[] lines) throws Exception {
        String draft = draft(file, source);
        assertThat(draft).contains(lines).contains("# EDIT: ");
        assertThat(StudyReader.parse(file, draft).stages().getFirst().kernel()).isPresent();
    }

    static Stream<Arguments> kernels() {
        return Stream.of(
                Arguments.of("a.cl", CLBLAST),
                Arguments.of("b.cl", RODINIA),
                Arguments.of("f.cl", BLOCKS),
                Arguments.of("g.cl", STENCIL),
                Arguments.of("h.cl", REDUCTION));
    }

    /// From the file to the best configuration with one command and no edit; of every kernel some configuration other
    /// than the default is measured and right.
    @ParameterizedTest
    @MethodSource("kernels")
    @Tag("slow")
    void aKernelIsTunedFromItsFileAlone(String file, String source) throws Exception {
        needsDevice();
        Files.writeString(dir.resolve(file), source);
        assertThat(terminal.run("tune", file, "--trials", "0", "--init", "4", "--method", "random"))
                .as(() -> terminal.out() + terminal.err())
                .isZero();
        assertThat(terminal.out()).contains("Best of", "-D");
        assertThat(terminal.out() + terminal.err()).contains("knobscape study new");
        assertThat(dir.resolve(file.replaceFirst("\\..*", ".study.yaml"))).doesNotExist();
        assertThat(terminal.run("export", file.replaceFirst("\\..*", ".knobscape"), "--as", "csv"))
                .isZero();
    }

    /// A parameter that changes what is computed cannot win by it.
    @Test
    @Tag("slow")
    void whatChangesTheResultIsNoResult() throws Exception {
        needsDevice();
        Files.writeString(dir.resolve("k.cl"), """
                #define WG 64 // 32, 64
                #define SKIP 1 // 1, 2
                __kernel void twice(__global const float* a, __global float* b, int n) {
                    int i = get_global_id(0) * SKIP;
                    if (i < n) b[i] = 2 * a[i];
                }
                """);
        assertThat(terminal.run("tune", "k.cl", "--trials", "0", "--init", "4", "--method", "random"))
                .as(() -> terminal.out() + terminal.err())
                .isZero();
        assertThat(Files.readString(dir.resolve("k.knobscape/runs.db"), StandardCharsets.ISO_8859_1))
                .contains("its result is wrong: argument 2");
        assertThat(terminal.out()).contains("-DSKIP=1").doesNotContain("-DSKIP=2");
    }

    /// Killed in the middle and resumed, what was measured is kept and the run goes on to its end.
    @Test
    @Tag("kill")
    void aKilledRunGoesOn() throws Exception {
        needsDevice();
        Files.writeString(dir.resolve("h.cl"), REDUCTION);
        Process p = new ProcessBuilder(Terminal.program("tune", "h.cl", "--trials", "4", "--init", "6"))
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("said").toFile())
                .start();
        while (p.isAlive() && measured().size() < 3) {
            Thread.sleep(100);
        }
        p.destroyForcibly().waitFor();
        List<Evaluation> before = measured();
        assertThat(before).hasSizeBetween(3, 9);

        assertThat(terminal.run("tune", "--resume", "h.knobscape"))
                .as(() -> terminal.out() + terminal.err())
                .isZero();
        assertThat(measured()).hasSizeGreaterThanOrEqualTo(10).startsWith(before.toArray(Evaluation[]::new));
        assertThat(terminal.run("runs", "h.knobscape")).isZero();
        assertThat(terminal.out()).contains("completed");
    }

    /// What the only run has stored so far, in its order.
    private List<Evaluation> measured() {
        if (!Files.exists(dir.resolve("h.knobscape").resolve(RunStore.FILE_NAME))) {
            return List.of();
        }
        try (Project p = Project.open(dir.resolve("h.knobscape"))) {
            return p.runs().stream()
                    .flatMap(r -> r.results(1).designs().stream())
                    .flatMap(d -> d.evaluations().stream().limit(1))
                    .toList();
        } catch (UserError e) {
            // The store is just being made.
            return List.of();
        }
    }

    private static void needsDevice() {
        try {
            Assumptions.assumeFalse(OpenClDevice.names().isEmpty(), "there is no OpenCL device");
        } catch (UserError e) {
            Assumptions.abort(e.getMessage());
        }
    }
}
