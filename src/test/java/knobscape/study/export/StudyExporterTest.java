package knobscape.study.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;
import knobscape.study.source.Study;
import knobscape.study.source.StudyReader;
import knobscape.study.space.StudySpace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class StudyExporterTest {
    private static final Study STUDY = StudyReader.parse("s.yaml", """
            study: 1
            parameters: {tile-x: [2, 4], fast: switch, flags: ["-O2 -g", "-O3"]}
            objectives: {time: minimise}
            measure:
              build: [cc, "-DT={tile-x}", "{flags}", -o, "{folder}/p"]
              command: ["{folder}/p", "it's"]
              environment: {FAST: "{fast}"}
            """);
    private static final Configuration BEST = Configuration.of(StudySpace.knobs(STUDY), 1, 1, 0);

    @Test
    void aHeaderHasAMacroForEachParameter() {
        assertThat(StudyExporter.header("best */ of all", BEST)).isEqualTo("""
                /* best * / of all */
                #pragma once
                #define tile_x 4
                #define fast 1
                #define flags "-O2 -g"
                """);
    }

    @Test
    void commandLinesAreQuotedForAShell() {
        assertThat(StudyExporter.commands(STUDY, Path.of("/s"), BEST)).isEqualTo("""
                FAST=on cc -DT=4 '-O2 -g' -o ./p
                FAST=on ./p 'it'\\''s'
                """);
    }

    @Test
    void parametersOfTritonAreAConfigAndThoseOfVllmAFileByTokens() {
        Study moe = StudyReader.parse("moe.yaml", """
                study: 1
                parameters: {BLOCK_SIZE_M: [16, 32], BLOCK_SIZE_N: [64], BLOCK_SIZE_K: [32], GROUP_SIZE_M: [1, 8],
                  num_warps: [4, 8], num_stages: [2, 3], M: [1, 64]}
                objectives: {time: minimise}
                """);
        Configuration a = Configuration.of(StudySpace.knobs(moe), 1, 0, 0, 1, 1, 0, 1);
        Configuration b = Configuration.of(StudySpace.knobs(moe), 0, 0, 0, 0, 0, 1, 1);
        Configuration c = Configuration.of(StudySpace.knobs(moe), 0, 0, 0, 0, 0, 1, 0);
        assertThat(StudyExporter.triton(a))
                .isEqualTo(
                        "triton.Config({'BLOCK_SIZE_M': 32, 'BLOCK_SIZE_N': 64, 'BLOCK_SIZE_K': 32, 'GROUP_SIZE_M': 8, 'M': 64}, num_warps=8, num_stages=2)\n");
        assertThat(JsonMapper.shared().readTree(StudyExporter.vllm(moe, List.of(a, b, c))))
                .isEqualTo(JsonMapper.shared().readTree("""
                        {"1": {"BLOCK_SIZE_M": 16, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 32, "GROUP_SIZE_M": 1, "num_warps": 4, "num_stages": 3},
                         "64": {"BLOCK_SIZE_M": 32, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 32, "GROUP_SIZE_M": 8, "num_warps": 8, "num_stages": 2}}
                        """));
        assertThatThrownBy(() -> StudyExporter.triton(BEST))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("No parameter is one of Triton's (num_warps,");
        assertThatThrownBy(() -> StudyExporter.vllm(STUDY, List.of(BEST)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("missing are BLOCK_SIZE_M,");
    }

    @Test
    void aDraftOfASourceIsAStudy() {
        String draft = StudyDraft.of(Path.of("k.c"), """
                #ifndef TILE
                #define TILE 16
                #endif
                #define OTHER 3
                int main() { return TILE; }
                """).text();
        Study s = StudyReader.parse("k.study.yaml", draft);
        assertThat(s.parameters()).singleElement().satisfies(p -> {
            assertThat(p.name()).isEqualTo("TILE");
            assertThat(p.domain().labels()).containsExactly("4", "8", "16", "32", "64");
            assertThat(p.usual()).contains("16");
        });
        assertThat(s.stages().getFirst().build()).contains("-DTILE={TILE}");
        Study python = StudyReader.parse(
                "t.study.yaml", StudyDraft.of(Path.of("t.py"), """
                p.add_argument('--lr', type=float, default=0.01)
                p.add_argument("--act", choices=['relu', 'gelu'], default='relu')
                p.add_argument('--amp', action='store_true')
                """).text());
        assertThat(python.parameters()).extracting(Study.StudyParameter::name).containsExactly("lr", "act", "amp");
        assertThat(StudyReader.parse(
                                "e.yaml",
                                StudyDraft.of(Path.of("e.cl"), "kernel void f() {}")
                                        .text())
                        .parameters())
                .hasSize(1);
    }

    @Test
    void aKernelFileIsDraftedWithItsArguments() {
        String text = StudyDraft.of(Path.of("add.cl"), """
                #ifndef BLOCK
                #define BLOCK 64
                #endif
                __kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
                void add(__global const float4* a, __global unsigned int *restrict out, const int n) { }
                """).text();
        var kernel = StudyReader.parse("add.study.yaml", text.replace("__attribute__", ""))
                .stages()
                .getFirst()
                .kernel()
                .orElseThrow();
        assertThat(kernel.code().function()).isEqualTo("add");
        assertThat(kernel.arguments())
                .extracting(a -> a.type() + " " + a.length().isPresent() + " " + a.isOutput())
                .containsExactly("FLOAT true false", "UINT true true", "INT false false");

        assertThat(StudyReader.parse(
                                "k.yaml", StudyDraft.of(Path.of("k.cu"), """
                #define T 8
                extern "C" __global__ void __launch_bounds__(128) k(double* out) { }
                """).text())
                        .stages()
                        .getFirst()
                        .words())
                .isEqualTo("kernel k of k.cu");
        assertThat(StudyDraft.of(Path.of("k.cu"), "__global__ void k(double* out) { }\nint main() { }")
                        .text())
                .contains("nvcc");
    }

    private static final String T1 = """
            {"ConfigurationSpace": {
               "TuningParameters": [
                 {"Name": "X", "Type": "uint", "Values": "[16, 32]", "Default": 32},
                 {"Name": "Z", "Type": "uint", "Values": [1, 2, 4]},
                 {"Name": "KIND", "Type": "string", "Values": "['a', \\"b\\"]"}],
               "Conditions": [{"Parameters": ["X", "Z"], "Expression": "X * Z >= 32 or Z != 2"}]},
             "Budget": [{"Type": "ConfigurationCount", "BudgetValue": 40}],
             "KernelSpecification": {
               "Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu", "CompilerOptions": ["-use_fast_math"],
               "GlobalSizeType": "CUDA", "GlobalSize": {"X": "256 // X", "Y": "Z"}, "LocalSize": {"X": "X"},
               "Arguments": [
                 {"Type": "float4", "Size": 256, "FillType": "Random", "FillValue": 1, "AccessType": "ReadOnly", "MemoryType": "Vector"},
                 {"Type": "int32", "FillValue": 64, "MemoryType": "Scalar"},
                 {"Type": "double", "Size": 64, "FillType": "Constant", "FillValue": 0, "AccessType": "ReadWrite", "MemoryType": "Vector"},
                 {"Type": "uint8", "Size": 64, "FillType": "Constant", "FillValue": 0, "AccessType": "WriteOnly", "MemoryType": "Vector"}]}}
            """;

    @Test
    void aTuningProblemInT1IsTranslated() {
        Study study = StudyReader.parse(
                "k.study.yaml", StudyDraft.of(Path.of("k.json"), T1).text());
        var kernel = study.stages().getFirst().kernel().orElseThrow();

        assertThat(study.parameters())
                .extracting(p -> p.name() + p.domain().labels() + p.usual().orElse(""))
                .containsExactly("X[16, 32]32", "Z[1, 2, 4]", "KIND[a, b]");
        assertThat(study.constraints()).hasSize(1);
        assertThat(study.run()).containsEntry("trials", "40");
        assertThat(kernel.code().inGroups()).isTrue();
        assertThat(kernel.code().grid()).extracting(a -> a.formula().toString()).containsExactly("256 // X", "Z");
        assertThat(kernel.code().local())
                .extracting(a -> a.formula().toString())
                .containsExactly("X", "1");
        assertThat(kernel.arguments())
                .extracting(a -> a.type() + " "
                        + a.length().map(l -> l.formula().toString()).orElse("-") + " "
                        + a.value().map(v -> v.formula().toString()).orElse("-") + " " + a.isOutput() + a.file())
                .containsExactly("FLOAT 256 * 4 - false", "INT - 64 false", "DOUBLE 64 0 true", "UCHAR 64 - true-");
    }

    /// Memory of a group is an argument in Local memory, or in CUDA the size that SharedMemory gives, never both.
    @Test
    void sharedMemoryOfT1IsMemoryOfTheGroup() {
        String shared = T1.replace("\"LocalSize\"", "\"SharedMemory\": \"X * 4\", \"LocalSize\"");
        assertThat(StudyReader.parse(
                                "k.study.yaml",
                                StudyDraft.of(Path.of("k.json"), shared).text())
                        .stages()
                        .getFirst()
                        .kernel()
                        .orElseThrow()
                        .arguments()
                        .getLast())
                .satisfies(a -> {
                    assertThat(a.isShared()).isTrue();
                    assertThat(a.length().orElseThrow().formula()).hasToString("X * 4");
                });
        String local = shared.replace(
                "\"Arguments\": [",
                "\"Arguments\": [{\"Type\": \"float\", \"Size\": \"X\", \"MemoryType\": \"Local\"},");
        assertThat(StudyDraft.of(Path.of("k.json"), local).text().split("local: \"float\"", -1))
                .hasSize(2);
        assertThat(StudyDraft.of(Path.of("k.json"), local).text()).doesNotContain("local: \"char\"");
        assertThatThrownBy(() -> StudyDraft.of(Path.of("k.json"), shared.replace("CUDA", "OpenCL")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "SharedMemory is X * 4, and an OpenCL kernel gets it by an argument in Local memory");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"CUDA\", \"KernelName | \"Vulkan\", \"KernelName | the language of the kernel is 'vulkan'",
                "[16, 32] | [i for i in range(4)] | the values of 'X' are [i for i in range(4)]; write them out",
                "float4 | half4 | argument 1 is of the type 'half4', which studies do not have",
                "\"Scalar\" | \"Symbol\" | argument 2 is in Symbol memory",
                "\"Random\" | \"Script\" | argument 1 is filled by Script; name a raw file",
            })
    void whatStudiesDoNotHaveIsNamed(String what, String by, String sentence) {
        assertThatThrownBy(() ->
                        StudyDraft.of(Path.of("k.json"), T1.replace(what, by)).text())
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("k.json: ")
                .hasMessageContaining(sentence);
    }

    /// A type is that of the source whatever it is called there; one that cannot be filled is named, with its line.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cl | size_t n, global float* y | {number: ulong, value: SIZE} |",
                "cl | unsigned n, global real* y | {buffer: double, length: SIZE, output: true} |",
                "cl | const unsigned char n, global short3 *y | {buffer: short, length: 4 * SIZE, output: true} |",
                "cu | unsigned long long n, float3 *__restrict__ y | {buffer: float, length: 3 * SIZE, output: true} |",
                "cu | std::int32_t n, std::uint16_t* y | {buffer: ushort, length: SIZE, output: true} |",
                "cu | index_t n, scalar_t* y | {buffer: float, length: SIZE, output: true} |",
                "cl | int n, global Body *y | {buffer: float, length: 7 * SIZE, output: true} |",
                "cl | int n, global Mixed *y | {buffer: Mixed, | 9: the argument 'global Mixed *y' of kernel 'k' is a struct",
                "cl | int n, global struct Particle* y | {buffer: Particle, | 9: the argument 'global struct Particle* y' of kernel 'k' is a struct or another type of its own, which",
                "cl | int2 n, global float* y | {number: int2, | 9: the argument 'int2 n' of kernel 'k' is a vector by value, which",
                "cl | int n, write_only image2d_t y | number: image2d_t, | 9: the argument 'write_only image2d_t y' of kernel 'k' is an image, which",
                "cl | int n, global half* y | {buffer: half, | 9: the argument 'global half* y' of kernel 'k' is a short float, which",
            })
    void typesAreThoseOfTheSourceOrNamed(String ending, String arguments, String line, String objection) {
        StudyDraft draft = StudyDraft.of(
                Path.of("k." + ending), """
                #define WG 64 // 32, 64
                /* two
                   lines */
                typedef double real;
                using index_t = unsigned int;
                #define FLT float
                typedef FLT scalar_t; typedef struct { float x, y, z; float v[4]; } Body; struct Mixed { int a; float b; };
                // extern "C"
                extern "C" %s void k(%s) { int i = get_global_id(0); y[i] = WG; }
                """.formatted(ending.equals("cl") ? "__kernel" : "__global__", arguments));
        assertThat(draft.text()).contains(line);
        if (objection == null) {
            assertThat(draft.objection()).isEmpty();
            assertThat(StudyReader.parse("k.yaml", draft.text()).stages()).hasSize(1);
        } else {
            assertThat(draft.objection()).get().asString().startsWith(objection);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "template <typename T> __global__ void k(T* y, int n) | 2: the kernel 'k' is a template; add an extern",
                "__global__ void k(float* y, int n) | 2: the kernel 'k' is found by its name only where it is declared extern",
                "template <class T> __global__ void f(T* y) { y[WG] = 1; } extern \"C\" __global__ void k(float* y) | ",
            })
    void aKernelOfCudaIsFoundByItsNameOnly(String kernel, String objection) {
        StudyDraft draft = StudyDraft.of(Path.of("k.cu"), "#define WG 64 // 32, 64\n" + kernel + " { y[0] = WG; }\n");
        assertThat(draft.text()).contains("    name: k");
        assertThat(draft.objection().orElse("")).startsWith(objection == null ? "" : objection);
        assertThat(draft.objection().isEmpty()).isEqualTo(objection == null);
    }
}
