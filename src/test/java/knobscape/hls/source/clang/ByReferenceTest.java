package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Elements that a function gets by reference or by address: what it does with them is an access of its caller.
class ByReferenceTest {
    private static final String FUNCTIONS = """
            #include <utility>
            struct P { int x, y; int v[4]; };
            void set(int &x) { x = 7; }
            void inc(int &x, int d) { x += d; }
            int get(int &x) { return x + 1; }
            int next(int &x) { x++; return x; }
            void look(const int &x, int *o) { *o = x; }
            void put(int *p) { *p = 3; }
            void bump(int *p) { (*p)++; }
            int peek(int *p) { return *p; }
            void outer(int &x) { set(x); }
            void around(int &x) { int &y = x; y++; }
            void swap2(int &a, int &b) { int t = a; a = b; b = t; }
            template <class T> void assign(T &a, const T &b) { a = b; }
            void move(P &p) { p.x += p.y; }
            void point(P *p) { p->x = 1; }
            void twice(P &p) { move(p); }
            void none(int &x) { }
            void some(int &x, int n) { if (n) x = n; }
            struct M { int v; void put(int x) { this->v = x; } int up() { return ++v; } void zero() { put(0); v = 1; } };
            """;

    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void open() {
        snippets = new Snippets(folder);
    }

    private static List<String> accesses(Loop loop) {
        return loop.body()
                .allAccesses()
                .map(a -> a.kind() + " " + a.array().substring(a.array().indexOf('/') + 1))
                .distinct()
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            value = {
                "set(c[i]); @ WRITE c",
                "inc(c[i], 2); @ READ_WRITE c",
                "inc(c[i], d[i]); @ READ d, READ_WRITE c",
                "s += get(c[i]); @ READ c",
                "d[i] = next(c[i]) * 2; @ READ_WRITE c, WRITE d",
                "look(c[i], &d[i]); @ READ c, WRITE d",
                "put(&c[i]); @ WRITE c",
                "put(c + i); @ WRITE c",
                "bump(&c[i]); @ READ_WRITE c",
                "s += peek(&c[d[i]]); @ READ c, READ d",
                "outer(c[i]); @ WRITE c",
                "around(c[i]); @ READ_WRITE c",
                "swap2(c[i], d[i]); @ READ_WRITE c, READ_WRITE d",
                "assign(c[i], d[i]); @ READ d, WRITE c",
                "move(q[i]); @ READ q, READ_WRITE q",
                "twice(q[i]); @ READ q, READ_WRITE q",
                "point(&q[i]); @ WRITE q",
                "inc(q[i].x, 1); @ READ_WRITE q",
                "none(c[i]); @ ''",
                "some(c[i], d[i]); @ READ d, WRITE c",
                "m[i].put(c[i]); @ READ c, WRITE m",
                "s += m[i].up(); @ READ_WRITE m",
                "std::swap(c[i], d[i]); @ READ_WRITE c, READ_WRITE d",
            })
    void whatTheCalleeDoesIsAnAccessOfTheLoop(String body, String expected) {
        Kernel k = snippets.top(
                "k.cpp",
                FUNCTIONS
                        + "int top(int c[64], int d[64], P q[64], M m[64]) { int s = 0; L: for (int i = 0; i < 64; i++) { "
                        + body + " } return s; }",
                "top");
        assertThat(String.join(", ", accesses(Snippets.loop(k, "L")))).isEqualTo(expected);
        assertThat(k.notes().stream()
                        .filter(n -> !n.message().contains("not reached")
                                && !n.message().contains("swap")))
                .isEmpty();
    }

    /// The index too, and in C.
    @Test
    void theIndexIsTheArguments() {
        Kernel k = snippets.c(
                "void put(int *p, int v) { *p = v; } void top(int c[64]) { L: for (int i = 0; i < 63; i++) put(&c[i + 1], i); }");
        assertThat(Snippets.loop(k, "L").body().allAccesses())
                .singleElement()
                .satisfies(a ->
                        assertThat(a.index().toString()).contains("top/L=1").contains("constant=1"));
    }

    /// As the same loop without the function.
    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            value = {
                "inc(c[i], c[i - 1]); @ c[i] += c[i - 1];",
                "inc(s, c[i]); @ s += c[i];",
                "swap2(c[i], c[i - 1]); @ int t = c[i]; c[i] = c[i - 1]; c[i - 1] = t;",
                "set(c[i]); @ c[i] = 7;",
            })
    void theLoopDependsOnItselfAsWithoutTheFunction(String called, String plain) {
        assertThat(dependences(called)).isEqualTo(dependences(plain));
    }

    private List<String> dependences(String body) {
        Kernel k = snippets.top(
                "k.cpp",
                FUNCTIONS + "int top(int c[64]) { int s = 0; L: for (int i = 1; i < 64; i++) { " + body
                        + " } return s; }",
                "top");
        return Snippets.loop(k, "L").dependences().stream()
                .map(d -> d.variable().substring(d.variable().indexOf('/') + 1) + " " + d.distance())
                .toList();
    }

    /// An array inside an element is the caller's.
    @Test
    void anArrayInAnElementIsTheCallers() {
        Kernel k = snippets.top("k.cpp", """
                struct P { int v[4]; };
                void fill(P &p) { L: for (int j = 0; j < 4; j++) p.v[j] = j; }
                void top(P q[16]) { for (int i = 0; i < 16; i++) fill(q[i]); }
                """, "top");
        assertThat(k.function("top").orElseThrow().bindings())
                .singleElement()
                .satisfies(b -> assertThat(b.arrays()).containsEntry("p.v", "top/q.v"));
        assertThat(k.array("top/q.v").orElseThrow().dims()).containsExactly(16L, 4L);
    }

    /// Vitis lets a stream of a depth be given where one of any depth is taken.
    @Test
    void aStreamOfADepthIsGivenToWhatTakesAnyStream() {
        Kernel k = snippets.top("streams.cpp", """
                #include <hls_stream.h>
                void fill(int in[16], hls::stream<int> &s) {
                  for (int i = 0; i < 16; i++) s.write(in[i]);
                }
                void top(int in[16], int out[16]) {
                  hls::stream<int, 8> s;
                  fill(in, s);
                  for (int i = 0; i < 16; i++) out[i] = s.read();
                }
                """, "top");
        assertThat(k.function("top").orElseThrow().loops())
                .singleElement()
                .satisfies(l -> assertThat(accesses(l)).containsExactly("READ s", "WRITE out"));
    }
}
