package knobscape.gpu.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import knobscape.evaluate.UserError;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.codegen.KernelPrinter;
import knobscape.gpu.codegen.Operands;
import knobscape.gpu.codegen.Reference;
import knobscape.gpu.codegen.ResultCheck;
import knobscape.gpu.codegen.WorkSamples;
import knobscape.gpu.space.operator.ScheduleJson;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.ElementType;
import knobscape.network.Operator;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class GpuExporterTest {
    /// Of the kinds of work that sketches compute, so many are left out between two.
    private static final int EVERY = 9;

    private static final String[] ON_A_CPU = {
        "g++",
        "-x",
        "c++",
        "-std=c++17",
        "-O1",
        "-Wall",
        "-Wno-unknown-pragmas",
        "-Wno-unused",
        "-include",
        "cuda_runtime.h",
        "-I.",
        "main.cu",
        "-o",
        "run"
    };

    @TempDir
    Path folder;

    private static Schedule sample(String name, int work, int epilogue) {
        return WorkSamples.brief(
                Templates.of(WorkSamples.work().get(name).get(work), name),
                WorkSamples.epilogues().get(epilogue),
                new Random(name.length() + work));
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "depthwise", "winograd", "dense-small", "dense-large", "batch-matmul"})
    void schedulesComeBack(String name) {
        for (int e = 0; e < WorkSamples.epilogues().size(); e++) {
            Schedule s = sample(name, 0, e);
            Schedule back = ScheduleJson.read(JsonMapper.shared().readTree(GpuExporter.json(s)), "schedule.json");

            assertThat(back.source().id()).isEqualTo(s.source().id());
            assertThat(back.configuration()).isEqualTo(s.configuration());
            assertThat(back.epilogue()).isEqualTo(s.epilogue());
            assertThat(GpuExporter.json(back)).isEqualTo(GpuExporter.json(s));
        }
    }

    private static List<Workload> sketched() {
        return WorkSamples.sketched();
    }

    private static Schedule sketch(Workload work, int tail) {
        List<Epilogue> tails = WorkSamples.epilogues(work);
        return WorkSamples.brief(SketchSource.of(work).orElseThrow(), tails.get(tail % tails.size()), new Random(tail));
    }

    @ParameterizedTest
    @MethodSource("sketched")
    void schedulesOfSketchesComeBack(Workload work) {
        Schedule s = sketch(work, 3);
        Schedule back = ScheduleJson.read(JsonMapper.shared().readTree(GpuExporter.json(s)), "schedule.json");

        assertThat(back.source().id()).isEqualTo(s.source().id());
        assertThat(GpuExporter.json(back)).isEqualTo(GpuExporter.json(s));
        for (KernelLanguage d : KernelLanguage.values()) {
            assertThat(KernelPrinter.source(back, d)).isEqualTo(KernelPrinter.source(s, d));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "format:x",
                "formatVersion:9",
                "template:fast",
                "workload:{}",
                "knobs:{}",
                "epilogue:[\"softmax\"]",
                "epilogue:[\"bias\",\"bias\"]"
            })
    void damagedSchedulesAreRefusedInWords(String damage) {
        ObjectNode root = ScheduleJson.write(sample("direct", 0, 0));
        String key = damage.substring(0, damage.indexOf(':'));
        String value = damage.substring(damage.indexOf(':') + 1);
        root.set(
                key,
                value.startsWith("{") || value.startsWith("[") || value.matches("\\d")
                        ? JsonMapper.shared().readTree(value)
                        : root.stringNode(value));

        assertThatThrownBy(() -> ScheduleJson.read(root, "s.json"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("s.json")
                .hasMessageEndingWith(".");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "height:0",
                "strideWidth:-3",
                "groups:3",
                "channels:99999999999",
                "type:int3",
                "kind:lstm",
                "kernelHeight:900"
            })
    void damagedWorkIsRefusedInWords(String damage) {
        ObjectNode root = ScheduleJson.write(sample("direct", 0, 0));
        String[] parts = damage.split(":");
        ((ObjectNode) root.get("workload"))
                .set(
                        parts[0],
                        parts[1].matches("-?\\d+")
                                ? JsonMapper.shared().readTree(parts[1])
                                : root.stringNode(parts[1]));

        assertThatThrownBy(() -> ScheduleJson.read(root, "s.json"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("s.json")
                .hasMessageEndingWith(".");
    }

    @Test
    void filesOfBothLanguages() throws IOException {
        Schedule s = sample("winograd", 0, 3);

        assertThat(GpuExporter.write(s, KernelLanguage.CUDA, folder))
                .extracting(p -> p.getFileName().toString())
                .containsExactly("kernels.cu", "launch.h", "reference.h", "main.cu", "schedule.json");
        assertThat(GpuExporter.write(s, KernelLanguage.OPENCL, folder))
                .extracting(p -> p.getFileName().toString())
                .containsExactly("kernels.cl", "launch.h", "reference.h", "main.c", "schedule.json");
        assertThat(Files.readString(folder.resolve("launch.h")))
                .contains("#define KS_KERNELS 4", "\"winograd_products\"", "KS_RESIDUAL_BUFFER 3")
                .doesNotContain("null");
    }

    /// The exported host example, compiled by the system's C compiler, finds its kernels right on an OpenCL
    /// device, and wrong where a kernel is damaged.
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"depthwise", "winograd", "dense-large", "batch-matmul"})
    void exportedOpenClProgramsProveThemselves(String name) throws Exception {
        proves(sample(name, 1, name.contains("dense") || name.contains("batch") ? 2 : 3), "(output\\[[^;]*);");
    }

    /// The same of sketches, one of every kind of subgraph.
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("sketched")
    void exportedSketchesProveThemselves(Workload work) throws Exception {
        Schedule s = sketch(work, 3);
        proves(s, "(" + s.buffer(Schedule.Role.OUTPUT).orElseThrow().name() + "\\[[^;]*);");
    }

    /// The example's times are not what is tested.
    private static void timeOnce(Path host) throws IOException {
        String text = Files.readString(host);
        String once = text.replaceFirst("run < \\d+", "run < 1");
        assertThat(once).isNotEqualTo(text);
        Files.writeString(host, once);
    }

    private void proves(Schedule schedule, String store) throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/include/CL/cl.h")) && runs("cc", "--version"),
                "no C compiler or no OpenCL headers");
        GpuExporter.write(schedule, KernelLanguage.OPENCL, folder);
        timeOnce(folder.resolve("main.c"));
        Output compiler = run(
                "cc",
                "-O2",
                "-Wall",
                "-Wno-deprecated-declarations",
                "main.c",
                "-l:libOpenCL.so.1",
                "-lm",
                "-o",
                "run");
        Assumptions.assumeFalse(compiler.text.contains("cannot find"), "no OpenCL library");
        assertThat(compiler.text).doesNotContain("error", "warning");
        Output good = run("./run");
        Assumptions.assumeFalse(good.text.contains("clGetPlatformIDs"), "no OpenCL device");
        assertThat(good.text).startsWith("right: ");
        assertThat(good.status).isZero();
        Path kernels = folder.resolve("kernels.cl");
        Files.writeString(
                kernels,
                Files.readString(kernels)
                        .replaceFirst("\\+= ([a-z_]+\\[)", "+= 1.01f * $1")
                        .replaceFirst(store, "$1 + 0.5f;"));
        assertThat(run("./run").text).startsWith("WRONG: ");
    }

    /// The exported reference, compiled by the system's C compiler, gives what the program's own gives.
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("sketched")
    void exportedReferencesAgree(Workload work) throws Exception {
        agrees(sketch(work, 3));
    }

    @ParameterizedTest
    @EnumSource(
            value = Operator.Unary.Function.class,
            names = {"SWISH", "GELU", "ELU", "MISH"})
    void exportedReferencesOfActivationsAgree(Operator.Unary.Function function) throws Exception {
        Workload work = WorkSamples.work().get("direct").getFirst();
        agrees(WorkSamples.brief(
                Templates.of(work, "direct"),
                new Epilogue(List.of(new Epilogue.Bias(), new Epilogue.Activation(new Operator.Unary(function, 1, 0)))),
                new Random(1)));
    }

    private void agrees(Schedule s) throws Exception {
        Assumptions.assumeTrue(runs("cc", "--version"), "no C compiler");
        GpuExporter.write(s, KernelLanguage.OPENCL, folder);
        Files.writeString(folder.resolve("print.c"), """
            #include "launch.h"
            #include "reference.h"
            int main(void) {
              float *host[KS_BUFFERS];
              FILE *f = fopen("inputs", "wb");
              for (int b = 0; b < KS_BUFFERS; ++b) {
                host[b] = ks_fill(b);
                fwrite(host[b], sizeof(float), ks_buffers[b].floats, f);
              }
              fclose(f);
              for (size_t i = 0; i < ks_buffers[KS_OUTPUT_BUFFER].floats; ++i) {
                double scale;
                double value = ks_reference(host, i, &scale);
                printf("%.17g %.17g\\n", value, scale);
              }
              (void)ks_kernels, (void)ks_report;
              return 0;
            }
            """);
        Output compiler = run("cc", "-O1", "-Wall", "print.c", "-lm", "-o", "print");
        assertThat(compiler.text).doesNotContain("error", "warning");

        List<String> lines = run("./print").text.lines().toList();
        FloatBuffer inputs = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("inputs")))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
        var arrays = new HashMap<String, float[]>();
        for (Schedule.Argument a : s.arguments()) {
            float[] values = new float[(int) a.buffer().elements()];
            inputs.get(values);
            arrays.put(a.buffer().name(), values);
        }
        Operands.random(s, 12345)
                .arrays()
                .forEach((name, values) -> assertThat(arrays.get(name)).containsExactly(values));
        var reference = new Reference(s, new Operands(arrays));
        assertThat(lines)
                .hasSize((int) s.buffer(Schedule.Role.OUTPUT).orElseThrow().elements());
        for (int i = 0; i < lines.size(); i++) {
            String[] numbers = lines.get(i).split(" ");
            Reference.Element e = reference.at(i);
            assertThat(Double.parseDouble(numbers[0])).isCloseTo(e.value(), within(1e-9 * e.scale()));
            assertThat(Double.parseDouble(numbers[1])).isCloseTo(e.scale(), within(1e-9 * e.scale()));
        }
    }

    @Tag("slow")
    @Test
    void exportedCudaProgramsCompile() throws Exception {
        Assumptions.assumeTrue(runs("nvcc", "--version"), "no nvcc");
        GpuExporter.write(sample("winograd", 0, 3), KernelLanguage.CUDA, folder);

        Output compiler = run("nvcc", "-O1", "-c", "main.cu", "-o", "run.o");
        Assumptions.assumeFalse(compiler.text.contains("No such file"), "nvcc has no headers of the runtime");
        assertThat(compiler.text).doesNotContain("error", "warning");
        assertThat(compiler.status).isZero();
    }

    private static List<Schedule> someOfCuda() {
        List<Workload> works = WorkSamples.sketched();
        var all = new ArrayList<>(List.of(sample("winograd", 1, 3), sample("dense-large", 1, 2)));
        for (int i = 0; i < works.size(); i += EVERY) {
            all.add(sketch(works.get(i), 3));
        }
        return all;
    }

    /// The exported host example, compiled by a C++ compiler with stand-ins for CUDA, finds its kernels right on the
    /// CPU, and wrong where a kernel is damaged.
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("someOfCuda")
    void exportedCudaProgramsProveThemselvesOnACpu(Schedule schedule) throws Exception {
        Assumptions.assumeTrue(runs("g++", "--version"), "no g++");
        standIns();
        GpuExporter.write(schedule, KernelLanguage.CUDA, folder);
        timeOnce(folder.resolve("main.cu"));
        assertThat(run(ON_A_CPU).text).doesNotContain("error", "warning");
        Output good = run("./run");
        assertThat(good.text).startsWith("right: ");
        assertThat(good.status).isZero();
        Path kernels = folder.resolve("kernels.cu");
        String output = schedule.buffer(Schedule.Role.OUTPUT).orElseThrow().name();
        Files.writeString(kernels, Files.readString(kernels).replaceFirst("(" + output + "\\[[^;]*);", "$1 + 0.5f;"));
        assertThat(run(ON_A_CPU).status).isZero();
        assertThat(run("./run").text).startsWith("WRONG: ");
    }

    private void standIns() throws IOException {
        for (String file : List.of("cuda_runtime.h", "cuda-on-a-cpu.h", "mma.h")) {
            try (InputStream in = GpuExporterTest.class.getResourceAsStream("/cuda/" + file)) {
                Files.write(folder.resolve(file), in.readAllBytes());
            }
        }
    }

    /// What a wrong kernel does: a pattern of its text and what stands there instead. A store is written as
    /// `STORE(place, value)`, of which `p` and `v` are the parts.
    private record Fault(String what, String pattern, String instead) {
        static Fault store(String what, String instead) {
            return new Fault(
                    what,
                    "#define STORE.*",
                    "#define STORE(at, value) { unsigned p = at; float v = value; " + instead + " }");
        }

        @Override
        public String toString() {
            return what;
        }
    }

    private static final String SUM = "\\(sum\\[[^\\]]*\\] \\+ bias\\[[^\\]]*\\]\\)";

    private static List<Fault> faults() {
        return List.of(
                Fault.store("three of four elements", "output[p] = p % 4 ? 12345.0f : v;"),
                Fault.store("one element of four", "output[p] = p % 4 == 3 ? 12345.0f : v;"),
                Fault.store("one element of a hundred", "output[p] = p * 2654435761u % 100 == 7 ? 0.0f : v;"),
                Fault.store("the first element", "output[p] = p == 0 ? v + 0.5f : v;"),
                Fault.store("the last element", "output[p] = p == LAST ? v + 0.5f : v;"),
                Fault.store("the last column", "output[p] = p % COLUMNS == COLUMNS - 1 ? v + 0.5f : v;"),
                Fault.store("the first row", "output[p] = p < COLUMNS ? v + 0.5f : v;"),
                Fault.store("all a little", "output[p] = v * 1.001f;"),
                Fault.store("signs of odd elements", "output[p] = p % 2 ? -v : v;"),
                Fault.store("neighbours exchanged", "output[p ^ 1] = v;"),
                Fault.store("elements not written", "if (p % 7) output[p] = v;"),
                Fault.store("infinite elements", "output[p] = p % 501 ? v : INFINITY;"),
                Fault.store(
                        "16 bits of the result",
                        "unsigned b; memcpy(&b, &v, 4); b &= 0xffff0000u; memcpy(&v, &b, 4); output[p] = v;"),
                new Fault(
                        "negative results cut off",
                        "(?s)(STORE\\([^)]*\\)) [^\n]*(.*erff)",
                        "$1 output[at] = fmaxf(value, 0.0f);$2"),
                new Fault("GELU is ReLU", "0.5f \\* (" + SUM + ") \\* \\(1.0f.*\\)\\)\\);", "fmaxf($1, 0.0f));"),
                new Fault(
                        "GELU by a sigmoid",
                        "0.5f \\* (" + SUM + ") \\* \\(1.0f.*\\)\\)\\);",
                        "$1 / (1.0f + expf(-1.702f * $1)));"),
                new Fault("no bias", " \\+ bias\\[[^\\]]*\\]", ""),
                new Fault("bias of the next channel", "bias\\[(.*?)\\]", "bias[($1) ^ 1]"),
                new Fault("ReLU6 is ReLU", ", 6.0f", ", 1e9f"),
                new Fault("ReLU6 has no lower bound", "0.0f\\), 6.0f", "-1e9f), 6.0f"),
                new Fault("the border is one", ": 0.0f\\);", ": 1.0f);"),
                new Fault(
                        "one product twice",
                        "(sum\\[[^;]*?\\] \\+= )(data_own)",
                        "$1(k_o == 0 && k_i == 0 ? 2 : 1) * $2"),
                new Fault(
                        "a product is left out",
                        "for \\(int k_i = 0; k_i < \\d+; \\+\\+k_i",
                        "for (int k_i = k_o == 0; k_i < 16; ++k_i"),
                new Fault("weights of the wrong place", "weight\\[(.*?)\\];", "weight[($1) ^ 1];"),
                new Fault("one channel is not read", "rc_i < 2", "rc_i < 1"),
                new Fault("no barrier", "__syncthreads\\(\\);", ""));
    }

    /// Every fault that either of two kernels can have is found by the exported check and by the program's own, which
    /// compare a sample.
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wrongKernelsAreFound(boolean product) throws Exception {
        var gelu = new Epilogue.Activation(new Operator.Unary(Operator.Unary.Function.GELU, 1, 0));
        Workload work = product
                ? new Workload.Dense(ElementType.FLOAT32, 256, 256, 512)
                : new Workload.Conv2d(
                        ElementType.FLOAT32,
                        1,
                        64,
                        28,
                        28,
                        64,
                        new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                        new Workload.Conv2d.Padding(1, 1, 1, 1),
                        1);
        Schedule schedule = WorkSamples.brief(
                Templates.of(work, product ? "dense-large" : "direct"),
                new Epilogue(List.of(new Epilogue.Bias(), product ? gelu : new Epilogue.Clamp(0, 6))),
                new Random(1));
        assertThat(found(schedule, faults())).isGreaterThanOrEqualTo(20);
    }

    private static List<Fault> integerFaults() {
        return List.of(
                Fault.store("three of four elements", "output[p] = p % 4 ? 57 : v;"),
                Fault.store("the first element", "output[p] = p == 0 ? v + 2 : v;"),
                Fault.store("the last element", "output[p] = p == LAST ? v - 2 : v;"),
                Fault.store("neighbours exchanged", "output[p ^ 1] = v;"),
                Fault.store("elements not written", "if (p % 7) output[p] = v;"),
                Fault.store("all one less", "output[p] = v - 1;"),
                new Fault("cut off, not rounded", "rintf\\(", "truncf("),
                new Fault("no bias", " \\+ bias\\[[^\\]]*\\]", ""),
                new Fault("bias of the next channel", "bias\\[(.*?)\\]", "bias[($1) ^ 1]"),
                new Fault("scale of the next channel", "scale\\[(.*?)\\]", "scale[($1) ^ 1]"),
                new Fault("no upper bound", ", 255.0f", ", 1e9f"),
                new Fault("unsigned data taken as signed", "a \\^ \\(int\\)0x80808080u", "a"),
                new Fault("three of four products", "__dp4a\\(a, b", "__dp4a(a & 0xffffff, b"),
                new Fault(
                        "weights taken as unsigned",
                        "__dp4a\\(a, b, c\\)",
                        "__dp4a(a, b, c) - (b < 0) * 256 * (a >> 24)"),
                new Fault("zeros at the border", "(?s)a & 255(?=.*ks_spread\\()", "a & 0"),
                new Fault("no barrier", "__syncthreads\\(\\);", ""));
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wrongKernelsOfIntegersAreFound(boolean product) throws Exception {
        Workload work = product
                ? new Workload.Dense(ElementType.UINT8, 256, 256, 512)
                : new Workload.Conv2d(
                        ElementType.UINT8,
                        1,
                        64,
                        28,
                        28,
                        64,
                        new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                        new Workload.Conv2d.Padding(1, 1, 1, 1, 117),
                        1);
        Schedule schedule = WorkSamples.brief(
                Templates.of(work).getFirst(),
                WorkSamples.integerEpilogues(work).get(2),
                new Random(1));
        assertThat(found(schedule, integerFaults())).isGreaterThanOrEqualTo(14);
    }

    private static List<Fault> halfFaults() {
        return List.of(
                Fault.store("three of four elements", "output[p] = p % 4 ? 12345.0f : v;"),
                Fault.store("the first element", "output[p] = p == 0 ? v + 0.5f : v;"),
                Fault.store("the last element", "output[p] = p == LAST ? v + 0.5f : v;"),
                Fault.store("all a little", "output[p] = v * 1.001f;"),
                Fault.store("neighbours exchanged", "output[p ^ 1] = v;"),
                Fault.store("elements not written", "if (p % 7) output[p] = v;"),
                Fault.store(
                        "sums of 16 bits",
                        "unsigned b; memcpy(&b, &v, 4); b &= 0xffffe000u; memcpy(&v, &b, 4); output[p] = v;"),
                new Fault("no bias", " \\+ bias\\[[^\\]]*\\]", ""),
                new Fault("bias of the next channel", "bias\\[(.*?)\\]", "bias[($1) ^ 1]"),
                new Fault("one fragment of the left factor", "mma_sync\\((.*?), left\\[y\\]", "mma_sync($1, left[0]"),
                new Fault("one fragment of the sum", "mma_sync\\(sum\\[[a-z][^\\]]*\\]", "mma_sync(sum[0]"),
                new Fault("the right factor is not turned", "ks_turned right\\[", "ks_right right["),
                new Fault("the right factor is turned", "ks_right right\\[", "ks_turned right["),
                new Fault("sums are turned", "mem_row_major", "mem_col_major"),
                new Fault("sums begin with one", "fill_fragment\\((.*?), 0.0f", "fill_fragment($1, 1.0f"),
                new Fault("half of the depth", "k_i < (\\d+)", "k_i < $1 / 2"),
                new Fault(
                        "a fragment of the wrong place",
                        "(load_matrix_sync\\(left.*?&left_tile\\[)(.*)\\]",
                        "$1($2) ^ 32]"),
                new Fault("the pitch is too small", "left_tile(.*), (\\d+)\\);", "left_tile$1, 16);"),
                new Fault(
                        "products of one block are left out",
                        "(nvcuda::wmma::mma_sync\\(.*)",
                        "if (k_o || blockIdx.x != 1) $1"),
                new Fault("no barrier", "__syncthreads\\(\\);", ""));
    }

    /// Kernels on tensor cores, of extents that are no multiples of 16.
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wrongKernelsOnTensorCoresAreFound(boolean product) throws Exception {
        Workload work = product
                ? new Workload.Dense(ElementType.FLOAT16, 250, 260, 520)
                : new Workload.Conv2d(
                        ElementType.FLOAT16,
                        1,
                        64,
                        28,
                        27,
                        60,
                        new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                        new Workload.Conv2d.Padding(1, 1, 1, 1),
                        1);
        var template = Templates.of(work).getFirst();
        Schedule schedule = WorkSamples.valid(
                template, new Epilogue(List.of(new Epilogue.Bias(), new Epilogue.Clamp(0, 6))), new Random(3));
        assertThat(found(schedule, halfFaults())).isGreaterThanOrEqualTo(16);
    }

    /// How many faults a kernel can have; the exported check and the program's own find each of them.
    private int found(Schedule schedule, List<Fault> faults) throws IOException, InterruptedException {
        Assumptions.assumeTrue(runs("g++", "--version"), "no g++");
        standIns();
        GpuExporter.write(schedule, KernelLanguage.CUDA, folder);
        Path host = folder.resolve("main.cu");
        timeOnce(host);
        Files.writeString(host, Files.readString(host).replace("return ks_report", """
            FILE *f = fopen("result", "wb");
            fwrite(host[KS_OUTPUT_BUFFER], sizeof(float), ks_buffers[KS_OUTPUT_BUFFER].floats, f);
            fclose(f);
            return ks_report\
            """));
        Path kernels = folder.resolve("kernels.cu");
        long elements = ResultCheck.extents(schedule).stream().reduce(1L, (a, b) -> a * b);
        assertThat(ResultCheck.all(schedule.source().workload(), elements)).isFalse();
        String right = "#define LAST " + (elements - 1) + "\n#define COLUMNS "
                + ResultCheck.extents(schedule).getLast() + "\n#define STORE(at, value) output[at] = value;\n"
                + Files.readString(kernels).replaceFirst("output\\[([^;]*?)\\] = ([^;]*);", "STORE($1, $2);");
        assertThat(verdict(schedule, right)).isEqualTo("right right");
        int tried = 0;
        for (Fault fault : faults) {
            String wrong = right.replaceAll(fault.pattern, fault.instead);
            if (!wrong.equals(right)) {
                tried++;
                assertThat(verdict(schedule, wrong)).as(fault.what).isEqualTo("WRONG WRONG");
            }
        }
        return tried;
    }

    /// What the exported check finds, and the program's own.
    private String verdict(Schedule schedule, String kernels) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("kernels.cu"), kernels);
        Output compiler = run(ON_A_CPU);
        assertThat(compiler.status).as(compiler.text).isZero();
        String exported = run("./run").text;
        float[] result = new float
                [(int) schedule.buffer(Schedule.Role.OUTPUT).orElseThrow().words()];
        ByteBuffer.wrap(Files.readAllBytes(folder.resolve("result")))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer()
                .get(result);
        boolean passed = ResultCheck.of(schedule, Operands.random(schedule, 12345), result, 1)
                .passed();
        return exported.substring(0, exported.indexOf(':')) + (passed ? " right" : " WRONG");
    }

    private record Output(int status, String text) {}

    private static boolean runs(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Output run(String... command) throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(List.of(command)).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("POCL_CACHE_DIR", folder.toString());
        Process p = builder.start();
        p.getOutputStream().close();
        String text = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Output(p.waitFor(), text);
    }
}
