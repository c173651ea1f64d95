package knobscape.study.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import knobscape.evaluate.UserError;
import knobscape.study.kernel.KernelJob.Argument;
import knobscape.study.kernel.KernelJob.Code;
import knobscape.study.kernel.KernelJob.Content;
import knobscape.study.source.OwnKernel.NumberType;
import knobscape.work.device.ComputeDevice.Language;
import knobscape.work.device.OpenClDevice;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Kernels as people write them, and as they go wrong, on whatever OpenCL finds. Skipped where it finds nothing.
class KernelProcessTest {
    private static final int N = 64;

    @TempDir
    private Path dir;

    @BeforeEach
    void needsDevice() {
        try {
            Assumptions.assumeFalse(OpenClDevice.names().isEmpty(), "there is no OpenCL device");
        } catch (UserError e) {
            Assumptions.abort(e.getMessage());
        }
    }

    private Code code(String source, String function, long local, List<Argument> arguments) throws Exception {
        Path file = dir.resolve(function + ".cl");
        Files.writeString(file, source);
        return new Code(
                Language.OPENCL,
                file.toString(),
                function,
                List.of("-DFACTOR=3"),
                List.of(N / Math.min(local, N)),
                List.of(local),
                false,
                arguments);
    }

    private static Argument buffer(NumberType type, Content content, boolean isOutput) {
        return new Argument(type, N, content, 2, "", isOutput, "", false);
    }

    private JsonNode result(String kernel, long local, List<Argument> arguments) throws Exception {
        return KernelProcess.result(job(kernel, local, arguments, 0), _ -> {});
    }

    private KernelJob job(String kernel, long local, List<Argument> arguments, double best) throws Exception {
        return new KernelJob(
                0,
                code(kernel, "mine", local, arguments),
                List.of(code(
                        "__kernel void plain(__global const float* a, __global float* b, int n) { int i ="
                                + " get_global_id(0); b[i] = n * a[i]; }",
                        "plain",
                        1,
                        arguments)),
                1e-5,
                N,
                8 * N,
                dir.resolve("right.bin").toString(),
                best);
    }

    /// `b = 3 a` with a body of one's own.
    private JsonNode result(String body) throws Exception {
        return KernelProcess.result(job(body, 0), _ -> {});
    }

    private KernelJob job(String body, double best) throws Exception {
        return job(
                "__kernel void mine(__global const float* a, __global float* b, int n) { int i = get_global_id(0); "
                        + body + " }",
                8,
                List.of(
                        buffer(NumberType.FLOAT, Content.RANDOM, false),
                        buffer(NumberType.FLOAT, Content.NOTHING, true),
                        new Argument(NumberType.INT, 0, Content.CONSTANT, 3, "", false, "", false)),
                best);
    }

    /// A chain of additions that no compiler can leave out: each needs the one before.
    private static String slowly(long steps) {
        return "float s = a[i]; for (long k = 0; k < " + steps
                + "L * n; k++) { s = s * 0.999999f + 1e-9f; } b[i] = FACTOR * a[i] + (s > 1e30f ? s : 0);";
    }

    @Test
    @Tag("slow")
    void aHopelesslySlowKernelIsGivenUpAndASlowOneRunsLessOften() throws Exception {
        List<JsonNode> given = new CopyOnWriteArrayList<>();
        // As many steps as take three times the patience on whatever device is there.
        double patience = 0.5;
        double once = KernelProcess.result(job(slowly(100_000), 0), given::add)
                .path("values")
                .path("time")
                .asDouble();
        KernelProcess.result(
                job(slowly((long) (100_000 * 3 * patience / once)), 1e-3), given::add, OptionalDouble.of(patience));
        assertThat(given).hasSize(1);
        failed(
                given.getFirst(),
                "rejected",
                "mine.cl:1: a run was given up after 0.500 s; the fastest so far takes 0.00100 s");

        given.clear();
        assertThat(KernelProcess.result(job(slowly(1000), 1e-9), given::add)
                        .path("values")
                        .path("time")
                        .asDouble())
                .isPositive();
        assertThat(given).isEmpty();
    }

    private static void failed(JsonNode result, String kind, String reason) {
        assertThat(result.path("kind").asString("")).isEqualTo(kind);
        assertThat(result.path("reason").asString("")).contains(reason).doesNotContain("\n");
    }

    @Test
    void aRightKernelIsTimedWithItsRates() throws Exception {
        JsonNode values = result("b[i] = FACTOR * a[i];").path("values");

        double time = values.path("time").asDouble();
        assertThat(time).isPositive();
        assertThat(values.path("gflops").asDouble()).isEqualTo(N / time * 1e-9);
        assertThat(values.path("gbs").asDouble()).isEqualTo(8 * N / time * 1e-9);
        assertThat(values.has("local_bytes")).isTrue();
        assertThat(dir.resolve("right.bin")).hasSize(4L * N);
    }

    @Test
    void aWrongElementOneThatIsLeftOutAndWritingBehindTheEndAreFound() throws Exception {
        failed(
                result("b[i] = i == 41 ? 12345.0f : FACTOR * a[i];"),
                "wrong result",
                "argument 2, 1 of 64 elements, the first is 41: 12345.0 instead of");
        failed(result("if (i != 63) b[i] = FACTOR * a[i];"), "wrong result", "the first is 63: NaN instead of");
        failed(
                result("b[i] = FACTOR * a[i]; if (i == 0) b[64] = 0;"),
                "wrong result",
                "mine.cl:1: it writes behind the end of argument 2");
        failed(
                result("b[i] = FACTOR * a[i]; if (i == 0) b[-3] = 0;"),
                "wrong result",
                "mine.cl:1: it writes before the beginning of argument 2");
        failed(
                result("b[i] = FACTOR * a[i]; if (i == 9) ((__global float*) a)[i] = 7;"),
                "wrong result",
                "mine.cl:1: it writes into what is no output, argument 1");
    }

    /// What a work group left in its memory is there at the next run.
    @Test
    void anotherResultEachTimeIsFound() throws Exception {
        String kernel = "__kernel void mine(__global int* b, volatile __local int* left) {"
                + " if (get_local_id(0) == 0) left[0] = left[0] + 1; barrier(CLK_LOCAL_MEM_FENCE);"
                + " b[get_global_id(0)] = left[0]; }";
        failed(
                KernelProcess.result(withLocal(kernel, List.of()), _ -> {}),
                "wrong result",
                "it gives another result each time: argument 1");
    }

    /// Memory of the group is an argument, a macro of the source gives way to the parameter, and words that are not
    /// English are whole.
    @Test
    void memoryOfTheGroupAndMacrosOfTheSource() throws Exception {
        String kernel = "// \u00fcber \u20ac \u00e4\u00f6\u00fc\u00df\n"
                + "#define FACTOR 11 // mine\n"
                + "#define FACTOR_OF(x) (x)\n"
                + "__kernel void mine(__global int* b, __local int* s) { s[get_local_id(0)] = FACTOR_OF(FACTOR);"
                + " barrier(CLK_LOCAL_MEM_FENCE); b[get_global_id(0)] = s[(get_local_id(0) + 1) % 8]; }\n"
                + "// \u00fc\u00fc\u00fc\n";
        String plain = "__kernel void plain(__global int* b, __local int* s) { b[get_global_id(0)] = 3; }";
        assertThat(KernelProcess.result(withLocal(kernel, List.of(plain)), _ -> {})
                        .path("values")
                        .path("time")
                        .asDouble())
                .isPositive();
    }

    private KernelJob withLocal(String kernel, List<String> reference) throws Exception {
        var arguments = List.of(
                buffer(NumberType.INT, Content.NOTHING, true),
                new Argument(NumberType.INT, 8, Content.SHARED, 0, "", false, "", false));
        return new KernelJob(
                0,
                code(kernel, "mine", 8, arguments),
                reference.isEmpty() ? List.of() : List.of(code(reference.getFirst(), "plain", 1, arguments)),
                0,
                0,
                0,
                dir.resolve("right-local.bin").toString(),
                0);
    }

    @Test
    void whatDoesNotCompileIsNotThereOrIsTooLargeIsRefused() throws Exception {
        failed(result("b[i] = nothing;"), "rejected", "the compiler refuses the kernel");
        failed(
                result("__kernel void other(int n) {}", 8, List.of()),
                "rejected",
                "there is no kernel 'mine' (CL_INVALID_KERNEL_NAME)");
        failed(
                result(
                        "__kernel void mine(__global float* b) {}",
                        8,
                        List.of(
                                buffer(NumberType.FLOAT, Content.RANDOM, false),
                                buffer(NumberType.FLOAT, Content.NOTHING, true),
                                new Argument(NumberType.INT, 0, Content.CONSTANT, 3, "", false, "", false))),
                "rejected",
                "mine.cl:1: its arguments are others than the study's");
        failed(
                result("__kernel void mine(int n) {}", 1 << 30, List.of()),
                "does not fit",
                "a group of 1073741824 work items");
    }

    /// What a kernel adds to is restored before each run; whole numbers have to be equal.
    @Test
    void aBufferThatIsReadAndWrittenBeginsEachRunAnew() throws Exception {
        String kernel = "__kernel void mine(__global int* a) { a[get_global_id(0)] += 5; }";
        String wrong = "__kernel void mine(__global int* a) { a[get_global_id(0)] += get_global_id(0) == 7 ? 6 : 5; }";
        String right = "__kernel void plain(__global int* a) { a[get_global_id(0)] = 7; }";
        var about = List.of(buffer(NumberType.INT, Content.CONSTANT, true));
        var reference = List.of(code(right, "plain", 1, about));
        String answers = dir.resolve("right-whole.bin").toString();

        assertThat(KernelProcess.result(
                                new KernelJob(0, code(kernel, "mine", 8, about), reference, 0.5, 0, 0, answers, 0),
                                _ -> {})
                        .path("values")
                        .path("time")
                        .asDouble())
                .isPositive();
        failed(
                KernelProcess.result(
                        new KernelJob(0, code(wrong, "mine", 8, about), reference, 0.5, 0, 0, answers, 0), _ -> {}),
                "wrong result",
                "the first is 7: 8 instead of 7");
    }

    @Test
    void theRightValuesMayStandInAFile() throws Exception {
        var values = java.nio.ByteBuffer.allocate(N).order(java.nio.ByteOrder.nativeOrder());
        for (int i = 0; i < N; i++) {
            values.put(i, (byte) (i / 2));
        }
        Path expected = dir.resolve("expected.bin");
        Files.write(expected, values.array());
        String kernel = "__kernel void mine(__global uchar* a) { a[get_global_id(0)] = get_global_id(0) / 2; }";
        var about =
                List.of(new Argument(NumberType.UCHAR, N, Content.NOTHING, 0, "", true, expected.toString(), false));
        var job = new KernelJob(0, code(kernel, "mine", 8, about), List.of(), 0, 0, 0, "", 0);

        assertThat(KernelProcess.result(job, _ -> {})
                        .path("values")
                        .path("time")
                        .asDouble())
                .isPositive();
        values.put(9, (byte) 77);
        Files.write(expected, values.array());
        failed(KernelProcess.result(job, _ -> {}), "wrong result", "the first is 9: 4 instead of 77");
        Files.write(expected, new byte[3]);
        failed(KernelProcess.result(job, _ -> {}), "crashed", "holds 3 bytes; the buffer has 64");
    }
}
