package knobscape.study.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import knobscape.space.Configuration;
import knobscape.study.source.Study;
import knobscape.study.source.StudyReader;
import knobscape.study.space.StudySpace;
import org.junit.jupiter.api.Test;

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
}
