package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Functions that the tool cannot tell apart by name, and how designs of them are written.
class NamesakesTest {
    private static final String TEXT = """
            namespace a { int sum(const int x[32]) { int s = 0; A: for (int i = 0; i < 32; i++) s += x[i]; return s; } }
            namespace b { int sum(const int x[32]) { int s = 1; B: for (int i = 0; i < 32; i++) s += x[i]; return s; } }
            namespace c { void only(int x[32]) { C: for (int i = 0; i < 32; i++) x[i]++; } }
            void scale(int x[32], int k) {
                S: for (int i = 0; i < 32; i++)
                    x[i] *= k;
            }
            void scale(float x[16], float k) {
                float t[16];
                T: for (int i = 0; i < 16; i++) t[i] = x[i];
                U: for (int i = 0; i < 16; i++) { x[i] = t[i] * k; }
            }
            void scale(char x[4]) { x[0] = 2; }
            template <int N> void clear(int x[N]) { R: for (int i = 0; i < N; i++) { x[i] = 0; } }
            struct Acc {
                int v[8];
                void add(const int x[8]) { M: for (int i = 0; i < 8; i++) { v[i] += x[i]; } }
                int operator()(int k) { int s = 0; O: for (int i = 0; i < 8; i++) { s += v[i] * k; } return s; }
            };
            int top(int x[32], float y[16]) {
                int p[8], q[16];
                clear<8>(p);
                clear<16>(q);
                scale(x, 3);
                scale(y, 2.f);
                c::only(x);
                Acc acc;
                acc.add(x);
                return a::sum(x) + b::sum(x) + acc(2) + p[0] + q[1];
            }
            """;
    private static final Pattern PLACE = Pattern.compile("set_directive_\\w+.* \"([^\"]*)\"( .*)?");

    @TempDir
    private Path folder;

    private static final KernelReader.Options OPTIONS =
            new KernelReader.Options(Optional.of("top"), List.of(), Map.of());

    private Kernel kernel() throws Exception {
        return Kernels.reader().read(Files.writeString(folder.resolve("top.cpp"), TEXT), OPTIONS);
    }

    private static TclDirectives tcl(Kernel kernel, Directive... directives) {
        return new TclWriter(Dialect.VITIS_HLS).write(kernel, List.of(directives), k -> false);
    }

    @Test
    void readerSaysWhoSharesAName() throws Exception {
        assertThat(kernel().namesakes()).containsExactlyInAnyOrder("a::sum", "b::sum", "scale", "scale#2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"scale/S", "scale#2/T", "scale#2/U", "a::sum/A", "b::sum/B", "Acc::operator ()/O"})
    void whatCannotBeNamedIsAPragmaInItsOwnBody(String loop) throws Exception {
        TclDirectives tcl = tcl(kernel(), new Directive.Unroll(loop, 4));
        assertThat(tcl.commands()).noneMatch(c -> c.startsWith("set_directive"));
        assertThat(tcl.inSource()).containsExactly("set_directive_unroll -factor 4 " + TclWords.quoted(loop));
        assertThat(tcl.text())
                .contains("# Pragma in the source: set_directive_unroll -factor 4 " + TclWords.quoted(loop))
                .contains("cannot tell " + loop.substring(0, loop.lastIndexOf('/')) + " by name");
        String label = loop.substring(loop.lastIndexOf('/') + 1);
        String source = tcl.source().files().values().iterator().next();
        assertThat(source.lines().filter(l -> l.contains("#pragma"))).hasSize(1);
        String before = source.substring(0, source.indexOf("#pragma HLS UNROLL factor=4"));
        assertThat(before.substring(before.lastIndexOf("for (") - 3)).startsWith(label + ": ");
    }

    @Test
    void anArrayOfAnOverloadIsSplitInItsOwnBody() throws Exception {
        TclDirectives tcl =
                tcl(kernel(), new Directive.Partition("scale#2/t", 1, Directive.PartitionType.COMPLETE, 16));
        assertThat(tcl.source().files().values())
                .singleElement()
                .asString()
                .containsPattern("float t\\[16];\\s+#pragma HLS ARRAY_PARTITION variable=t type=complete dim=1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"only/C", "clear<8>/R", "Acc::add/M"})
    void whatHasANameOfItsOwnIsADirective(String loop) throws Exception {
        TclDirectives tcl = tcl(kernel(), new Directive.Unroll(loop, 4));
        assertThat(tcl.commands()).contains("set_directive_unroll -factor 4 \"" + loop.replace("<8>", "") + "\"");
        assertThat(tcl.inSource()).isEmpty();
        assertThat(tcl.source().files()).isEmpty();
    }

    @Test
    void instancesOfOneTemplateAreSaidOnceAsTheFirst() throws Exception {
        TclDirectives tcl =
                tcl(kernel(), new Directive.Unroll("clear<8>/R", 2), new Directive.Unroll("clear<16>/R", 4));
        assertThat(tcl.commands().stream().filter(c -> c.startsWith("set_directive")))
                .containsExactly("set_directive_unroll -factor 2 \"clear/R\"");
        assertThat(tcl.notes())
                .singleElement()
                .satisfies(n -> assertThat(n.message()).contains("clear<16>").contains("those of clear<8>"));
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void everyDesignNamesOnlyWhatIsThereOnceAndIsReadBack(Dialect dialect) throws Exception {
        Kernel kernel = kernel();
        DirectiveSpace space = SpaceBuilder.build(kernel, SpaceLimits.defaults());
        var random = new Random(5);
        for (int i = 0; i < 20; i++) {
            Configuration design = space.space().draw(random);
            TclDirectives tcl = new TclWriter(dialect).write(space, design);
            for (String command : tcl.commands()) {
                var m = PLACE.matcher(command);
                if (m.matches()) {
                    assertThat(m.group(1).replaceFirst("/.*", "")).isIn("only", "clear", "Acc::add", "top");
                }
            }
            Path file = Files.writeString(folder.resolve(i + ".tcl"), tcl.text());
            Map<String, String> again = DirectiveImport.read(file, space, Kernels.reader(), OPTIONS)
                    .configuration()
                    .toMap();
            var expected = new java.util.TreeMap<>(design.toMap());
            // The second instance is as the first.
            expected.keySet().removeIf(k -> k.contains("clear<16>") || k.contains("top/q"));
            again.keySet().retainAll(expected.keySet());
            assertThat(new java.util.TreeMap<>(again)).isEqualTo(expected);
        }
    }

    @Test
    void aForeignFileSpeaksToEveryOverload() throws Exception {
        DirectiveSpace space = SpaceBuilder.build(kernel(), SpaceLimits.defaults());
        Path file = Files.writeString(folder.resolve("mine.tcl"), "set_directive_pipeline \"scale/U\"\n");
        assertThat(DirectiveImport.read(file, space, Kernels.reader(), OPTIONS)
                        .configuration()
                        .value("pipeline@scale#2/U"))
                .isEqualTo("on");
    }
}
