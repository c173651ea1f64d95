package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.study.source.StudyReader;
import knobscape.work.device.OpenClDevice;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Drafts for kernels in the styles of public code; after the marked edits, which are named here, those in OpenCL run.
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
                    "groups: [ceil(SIZE / WGS)]",
                    "fill: random, output: true}  # __global float* ygm"
                }),
                Arguments.of("b.cl", RODINIA, new String[] {
                    "local: [BLOCK_SIZE, BLOCK_SIZE]",
                    "length: SIZE * SIZE}  # global float *power",
                    "length: SIZE * SIZE, output: true}  # global float *temp_dst",
                    "{number: float, value: SIZE}  # float step"
                }),
                Arguments.of("c.cu", KERNEL_TUNER, new String[] {
                    "block_size_x: {values: [16, 32, 64, 128, 256]",
                    "local: [block_size_x]",
                    "length: SIZE, output: true}  # float *c",
                    "length: SIZE}  # float *a"
                }),
                Arguments.of("d.cu", TEMPLATE, new String[] {
                    "EDIT: CUDA finds a kernel by its name only where it is declared extern",
                    "local: [16, 16]",
                    "{buffer: float, length: SIZE * SIZE, output: true}  # T* __restrict__ C"
                }),
                Arguments.of("e.cu", EXTERN, new String[] {
                    "name: convolution_kernel",
                    "use_padding: [0, 1]",
                    "tile_size_y: {values: [1, 2, 4, 8]",
                    "local: [block_size_x, block_size_y]"
                }),
                Arguments.of("f.cl", BLOCKS, new String[] {
                    "PAD: [0, 1]",
                    "local: [TILE_DIM, BLOCK_ROWS]",
                    "{local: float, length: TILE_DIM * BLOCK_ROWS}",
                    "{buffer: float, length: SIZE * SIZE}  # global const float *idata"
                }));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void aDraftSaysWhatTheSourceSays(String file, String source, String[] lines) throws Exception {
        String draft = draft(file, source);
        assertThat(draft).contains(lines).contains("# EDIT: ");
        assertThat(StudyReader.parse(file, draft).stages().getFirst().kernel()).isPresent();
    }

    static Stream<Arguments> edits() {
        return Stream.of(
                Arguments.of("a.cl", CLBLAST, new String[0]),
                Arguments.of("b.cl", RODINIA, new String[0]),
                Arguments.of("f.cl", BLOCKS, new String[] {
                    "ceil(SIZE / BLOCK_ROWS)",
                    "SIZE // TILE_DIM",
                    "TILE_DIM * BLOCK_ROWS",
                    "TILE_DIM * (TILE_DIM + PAD)",
                    "# constraints:\n#   - TILE_DIM % BLOCK_ROWS == 0",
                    "constraints: [TILE_DIM % BLOCK_ROWS == 0, TILE_DIM * BLOCK_ROWS <= 1024]"
                }));
    }

    @ParameterizedTest
    @MethodSource("edits")
    @Tag("slow")
    void aDraftRunsAfterItsEdits(String file, String source, String[] edits) throws Exception {
        try {
            Assumptions.assumeFalse(OpenClDevice.names().isEmpty(), "there is no OpenCL device");
        } catch (UserError e) {
            Assumptions.abort(e.getMessage());
        }
        String draft = draft(file, source).replace("constants: {SIZE: 1024}", "constants: {SIZE: 256}");
        for (int i = 0; i < edits.length; i += 2) {
            assertThat(draft).contains(edits[i]);
            draft = draft.replace(edits[i], edits[i + 1]);
        }
        String study = file.replaceFirst("\\..*", ".study.yaml");
        Files.writeString(dir.resolve(study), draft);
        assertThat(terminal.run("tune", study, "--trials", "0", "--init", "3", "--method", "random"))
                .as(() -> terminal.out() + terminal.err())
                .isZero();
        assertThat(terminal.out()).contains("Best of", "-D").doesNotContain("writes");
    }
}
