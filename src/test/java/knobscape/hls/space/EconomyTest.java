package knobscape.hls.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.space.Knob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EconomyTest {
    @TempDir
    private Path folder;

    private Kernel read(String text) throws Exception {
        return Kernels.reader().read(Files.writeString(folder.resolve("k.cpp"), text), KernelReader.Options.defaults());
    }

    @Test
    void eachLeavesOutWhatItSaysAndNoMore() throws Exception {
        Kernel kernel = read("""
                void k(int a[32][32], int b[32], int c[128]) {
                    I: for (int i = 0; i < 32; i++) {
                        b[i] = 0;
                        J: for (int j = 0; j < 32; j++) b[i] += a[i][j] * c[j];
                    }
                }
                """);
        var nests = new Nests(kernel);
        var uses = new ArrayUses(nests);
        var limits = new SpaceLimits(16, 16, 64, false);
        KnobPlan plan = KnobPlan.defaults(nests, uses, limits, KnobKind.defaults(), new SourcePragmas(kernel, uses));
        assertThat(Economy.NONE.apply(plan, nests, uses)).isEmpty();
        assertThat(plan.unroll()).containsOnlyKeys("k/I", "k/J");

        assertThat(Economy.INNERMOST_UNROLLING.apply(plan, nests, uses))
                .get()
                .satisfies(s -> assertThat(s.subject()).contains("with k/I too"));
        assertThat(plan.unroll()).containsOnlyKeys("k/J");
        assertThat(plan.pipeline()).containsKeys("k/I", "k/J");
        assertThat(plan.partition().keySet().stream()
                        .map(ArrayDimension::toString)
                        .toList())
                .as("b and the rows of a are walked by I alone")
                .containsExactlyInAnyOrder("k/a#2", "k/c#1");

        assertThat(Economy.INNERMOST_PIPELINING.apply(plan, nests, uses)).isPresent();
        assertThat(plan.pipeline()).containsOnlyKeys("k/J");

        assertThat(Economy.FACTORS_UP_TO_4.apply(plan, nests, uses)).isPresent();
        assertThat(plan.unroll().get("k/J")).containsExactly(1, 2, 4);
        assertThat(Economy.FACTOR_2.apply(plan, nests, uses)).isPresent();
        assertThat(plan.unroll().get("k/J")).containsExactly(1, 2);
        assertThat(Economy.FACTOR_2.apply(plan, nests, uses))
                .as("nothing left to leave out")
                .isEmpty();
    }

    /// Many functions that share arrays, each with a nest: together more than can be counted.
    @Test
    @Tag("slow")
    void aKernelTooEntangledStillHasASpace() throws Exception {
        var text = new StringBuilder();
        for (int f = 0; f < 9; f++) {
            text.append("static void f").append(f).append("(int x[48][24], int y[48], int z[24]) {\n");
            text.append(
                    "for (int i = 0; i < 48; i++) { int s = 0; for (int j = 0; j < 24; j++) s += x[i][j] * z[j]; y[i] = s; }\n");
            text.append(
                    "for (int j = 0; j < 24; j++) { int s = 0; for (int i = 0; i < 48; i++) s += x[i][j] * y[i]; z[j] = s; }\n}\n");
        }
        text.append("void k(int a[48][24], int b[48][24], int p[48], int q[48], int r[24], int s[24]) {\n");
        for (int f = 0; f < 9; f++) {
            text.append("f")
                    .append(f)
                    .append(f % 2 == 0 ? "(a, " : "(b, ")
                    .append(f % 3 == 0 ? "p, " : "q, ")
                    .append(f % 4 < 2 ? "r);\n" : "s);\n");
        }
        Kernel kernel = read(text.append("}\n").toString());
        DirectiveSpace space = SpaceBuilder.build(kernel, SpaceLimits.defaults());
        assertThat(space.space().contains(space.baseline())).isTrue();
        assertThat(space.space().size().bitLength()).isGreaterThan(20);
        assertThat(space.space().contains(space.space().draw(new Random(1)))).isTrue();
        assertThat(space.pruning()).anyMatch(s -> s.subject().contains("constrain each other too closely"));
    }

    /// Hundreds of functions that share two arrays: their banks tie all loops together.
    @Test
    @Tag("slow")
    void hundredsOfFunctionsThatShareArraysHaveASpace() throws Exception {
        var text = new StringBuilder("static int a[64], b[64];\n");
        int functions = 590;
        for (int f = 0; f < functions; f++) {
            text.append("static void f" + f + "() { l: for (int i = 0; i < 64; i++) b[i] += a[i] * " + f + "; }\n");
        }
        text.append("void k(int in[64]) {\n for (int i = 0; i < 64; i++) a[i] = in[i];\n");
        for (int f = 0; f < functions; f++) {
            text.append("f" + f + "();\n");
        }
        DirectiveSpace space = SpaceBuilder.build(read(text.append("}\n").toString()), SpaceLimits.defaults());
        assertThat(space.space().contains(space.baseline())).isTrue();
        assertThat(space.space().contains(space.space().draw(new Random(1)))).isTrue();
        assertThat(space.space().knobs().list().stream().map(Knob::name))
                .contains("pipeline@f0/l", "unroll@f589/l")
                .noneMatch(name -> name.endsWith("@/a#1") || name.endsWith("@/b#1"));
        assertThat(space.pruning())
                .anyMatch(s -> s.subject().contains("keep the banks they have: with banks of /a#1, /b#1"));
    }
}
