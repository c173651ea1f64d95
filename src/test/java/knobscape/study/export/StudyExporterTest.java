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
                #define TILE_X 4
                #define FAST 1
                #define FLAGS "-O2 -g"
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
                """);
        Study s = StudyReader.parse("k.study.yaml", draft);
        assertThat(s.parameters()).singleElement().satisfies(p -> {
            assertThat(p.name()).isEqualTo("TILE");
            assertThat(p.domain().labels()).containsExactly("4", "8", "16", "32", "64");
            assertThat(p.usual()).contains("16");
        });
        assertThat(s.stages().getFirst().build()).contains("-DTILE={TILE}");
        Study python = StudyReader.parse("t.study.yaml", StudyDraft.of(Path.of("t.py"), """
                p.add_argument('--lr', type=float, default=0.01)
                p.add_argument("--act", choices=['relu', 'gelu'], default='relu')
                p.add_argument('--amp', action='store_true')
                """));
        assertThat(python.parameters()).extracting(Study.StudyParameter::name).containsExactly("lr", "act", "amp");
        assertThat(StudyReader.parse("e.yaml", StudyDraft.of(Path.of("e.cl"), "kernel void f() {}"))
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
                """);
        var kernel = StudyReader.parse("add.study.yaml", text.replace("__attribute__", ""))
                .stages()
                .getFirst()
                .kernel()
                .orElseThrow();
        assertThat(kernel.code().function()).isEqualTo("add");
        assertThat(kernel.arguments())
                .extracting(a -> a.type() + " " + a.length().isPresent() + " " + a.isOutput())
                .containsExactly("FLOAT true false", "UINT true true", "INT false false");

        assertThat(StudyReader.parse("k.yaml", StudyDraft.of(Path.of("k.cu"), """
                #define T 8
                extern "C" __global__ void __launch_bounds__(128) k(double* out) { }
                """))
                        .stages()
                        .getFirst()
                        .words())
                .isEqualTo("kernel k of k.cu");
        assertThat(StudyDraft.of(Path.of("k.cu"), "__global__ void k(double* out) { }\nint main() { }"))
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
        Study study = StudyReader.parse("k.study.yaml", StudyDraft.of(Path.of("k.json"), T1));
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
        assertThatThrownBy(() -> StudyDraft.of(Path.of("k.json"), T1.replace(what, by)))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("k.json: ")
                .hasMessageContaining(sentence);
    }
}
