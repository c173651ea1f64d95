package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrdinaryKernelTest {
    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void open() {
        snippets = new Snippets(folder);
    }

    @Test
    void findsLabelledAndUnlabelledLoopsWithTheirNesting() {
        Kernel k = snippets.cpp("""
                void mac(const int a[32][16], int b[16], int c[32]) {
                rows:
                    for (int i = 0; i < 32; i++) {
                        int sum = 0;
                        for (int j = 0; j < 16; ++j)
                            sum += a[i][j] * b[j];
                        c[i] = sum;
                    }
                }
                """);
        assertThat(k.top()).isEqualTo("mac");
        assertThat(k.topGuessed()).isTrue();
        assertThat(k.loops()).extracting(Loop::id).containsExactly("mac/rows", "mac/L5");
        assertThat(k.loops()).extracting(Loop::labelled).containsExactly(true, false);
        assertThat(Snippets.loop(k, "L5").parent()).contains("mac/rows");
        assertThat(Snippets.trip(k, "rows")).isEqualTo("32");
        assertThat(Snippets.trip(k, "L5")).isEqualTo("16");
        assertThat(Snippets.accesses(k.topFunction()))
                .containsExactlyInAnyOrder("R a[rows][L5]", "R b[L5]", "W c[rows]");
        assertThat(k.arrays())
                .extracting(a -> a.id() + a.dims())
                .containsExactly("mac/a[32, 16]", "mac/b[16]", "mac/c[32]");
    }

    /// The size of an array parameter is that of its type's name, in C and C++; other names of types are no arrays.
    @Test
    void parametersOfNamedArrayTypesHaveTheirSizes() {
        String body = """
                typedef unsigned char u8;
                typedef int row[32];
                typedef row mat[4];
                typedef float *free;
                typedef struct { int x; } point;
                void top(row a, const row b, mat m, u8 s, free p, point q, const _BitInt(12) w[16]) {
                    for (int i = 0; i < 16; i++) a[i] = b[i] * s + m[1][i] + q.x + p[i] + w[i];
                }
                """;
        for (Kernel k : java.util.List.of(snippets.c(body), snippets.cpp(body))) {
            assertThat(k.arrays())
                    .extracting(a -> a.id() + a.dims())
                    .containsExactly("top/a[32]", "top/b[32]", "top/m[4, 32]", "top/p[0]", "top/w[16]");
        }
    }

    @Test
    void placesPointIntoTheFile() {
        String text =
                "void f(int a[8]) {\n  L:\n\tfor (int i = 0; i < 8; i++) { a[i] = i; }\n  for (int i = 0; i < 8; i++)\n    a[i]++;\n}\n";
        Kernel k = snippets.cpp(text);
        Loop l = Snippets.loop(k, "L");
        assertThat(l.keyword().line()).isEqualTo(3);
        assertThat(l.keyword().column()).isEqualTo(2);
        assertThat(text.substring(l.statementStart().offset())).startsWith("L:");
        assertThat(text.substring(l.bodyStart().offset())).startsWith(" a[i] = i;");
        assertThat(text.substring(l.bodyEnd().offset())).startsWith("}\n  for");
        assertThat(l.braced() && l.editable()).isTrue();
        Loop plain = Snippets.loop(k, "L4");
        assertThat(plain.braced()).isFalse();
        assertThat(text.substring(plain.bodyStart().offset(), plain.bodyEnd().offset()))
                .isEqualTo("a[i]++;");
        assertThat(text.substring(k.topFunction().bodyStart().offset())).startsWith("\n  L:");
    }

    private static final String BLOCKS = """
            #include "hls_streamofblocks.h"
            typedef int block[8];
            template <typename T> void produce(const int a[32], hls::stream_of_blocks<T> &out) {
            P:
                for (int n = 0; n < 4; n++) {
                    hls::write_lock<T> o(out);
                Q:
                    for (int j = 0; j < 8; j++)
                        o[j] = a[8 * n + j];
                }
            }
            void consume(hls::stream_of_blocks<block> &blocks, int b[8]) {
            R:
                for (int n = 0; n < 4; n++) {
                    hls::read_lock<block> c{blocks};
                S:
                    for (int j = 0; j < 8; j++)
                        b[j] += c[7 - j];
                }
            }
            void top(const int a[32], int b[8]) {
            #pragma HLS dataflow
                hls::stream_of_blocks<block, 3> channel;
                produce<block>(a, channel);
                consume(channel, b);
            }
            """;

    @Test
    void accessesThroughALockAreAccessesOfTheBlock() {
        Kernel k = snippets.top("blocks.cpp", BLOCKS, "top");
        assertThat(k.functions().stream().flatMap(f -> Snippets.accesses(f).stream()))
                .containsExactlyInAnyOrder("R a[8*P + Q]", "W out.block[Q]", "RW b[S]", "R blocks.block[-S + 7]");
        assertThat(k.arrays())
                .extracting(a -> a.id().replaceFirst(".*/", "") + a.dims())
                .containsExactlyInAnyOrder(
                        "a[32]", "out.block[8]", "blocks.block[8]", "b[8]", "a[32]", "b[8]", "channel.block[8]");
        assertThat(k.notes()).noneMatch(d -> d.message().contains("not known"));
    }
}
