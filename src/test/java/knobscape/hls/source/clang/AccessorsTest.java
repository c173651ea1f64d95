package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import knobscape.hls.source.Access;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Classes around an array or a stream: what their methods say is read as if it stood where they are called.
class AccessorsTest {
    private static final String MATRIX = """
            template <class T, int R, int C> struct Mat {
              static const int rows = R, cols = C;
              T data[R][C];
              T &operator()(int i, int j) { return data[i][j]; }
              const T &operator()(int i, int j) const { return data[i][j]; }
            };
            """;

    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void open() {
        snippets = new Snippets(folder);
    }

    /// Kind, name of the member, and index of every access in the loop with this label.
    private static List<String> accesses(Kernel k, String label) {
        return Snippets.loop(k, label)
                .body()
                .allAccesses()
                .map(a -> text(a).replaceAll("[\\w<>,]+/(\\w+)=", "$1="))
                .sorted()
                .toList();
    }

    private static String text(Access a) {
        String name = a.array()
                .substring(Math.max(a.array().lastIndexOf('/'), a.array().lastIndexOf('.')) + 1);
        return a.kind() + " " + name + " " + a.index();
    }

    /// As the same product over plain arrays.
    @Test
    void aMatrixInATemplateIsReadAsItsArray() {
        Kernel k = snippets.top("m.cpp", MATRIX + """
                template <class A, class B, class M> void mul(const A &a, const B &b, M &c) {
                  I: for (int i = 0; i < A::rows; i++)
                    J: for (int j = 0; j < B::cols; j++) {
                      int s = 0;
                      K: for (int k = 0; k < A::cols; k++) s += a(i, k) * b(k, j);
                      c(i, j) = s;
                    }
                }
                void top(Mat<int, 16, 8> &a, Mat<int, 8, 4> &b, Mat<int, 16, 4> &c) { mul(a, b, c); }
                """, "top");
        Kernel plain = snippets.top("p.cpp", """
                void top(int a[16][8], int b[8][4], int data[16][4]) {
                  I: for (int i = 0; i < 16; i++)
                    J: for (int j = 0; j < 4; j++) {
                      int s = 0;
                      K: for (int k = 0; k < 8; k++) s += a[i][k] * b[k][j];
                      data[i][j] = s;
                    }
                }
                """, "top");
        assertThat(accesses(k, "K").stream().map(t -> t.replace(" data ", " ")))
                .containsExactlyElementsOf(accesses(plain, "K").stream()
                        .map(t -> t.replaceAll(" [ab] ", " "))
                        .toList());
        assertThat(accesses(k, "J"))
                .contains(accesses(plain, "J").stream()
                        .filter(t -> t.startsWith("WRITE"))
                        .findFirst()
                        .orElseThrow());
        assertThat(k.array("top/b.data").orElseThrow().dims()).containsExactly(8L, 4L);
        assertThat(k.notes()).noneMatch(n -> n.message().contains("call of an object"));
        assertThat(k.functions()).extracting(Function::name).hasSize(2).contains("top");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "T &operator()(int i, int j) { return d[i * C + j]; } | v(r, c) = v(c, r) * 2;",
                "private: T &at(int i, int j) { return d[i * C + j]; } public: T &operator()(int i, int j) { return at(i, j); } | v(r, c) = v(c, r) * 2;",
                "T get(int i, int j) const { return this->d[i * C + j]; } void set(int i, int j, T x) { d[i * C + j] = x; } | v.set(r, c, v.get(c, r) * 2);",
                "T &operator[](int i) { return d[i]; } | v[r * 8 + c] = v[c * 8 + r] * 2;",
                "T *operator[](int i) { return &d[i]; } | v[r * 8 + c][0] = v[c * 8 + r][0] * 2;",
            })
    void indicesAreComputedInTheClass(String text) {
        String[] parts = text.split(" \\| ");
        String source = "template <class T, int R, int C> class V { T d[R * C]; public: " + parts[0] + " };\n"
                + "%s void f(X &v) { A: for (int r = 0; r < 8; r++) B: for (int c = 0; c < 8; c++) { " + parts[1]
                + " } }\nvoid top(V<int, 8, 8> &v) { f(v); }\n";
        Kernel plain = snippets.top(
                "p.cpp",
                "void top(int d[64]) { A: for (int r = 0; r < 8; r++) B: for (int c = 0; c < 8; c++) { d[r * 8 + c] = d[c * 8 + r] * 2; } }",
                "top");
        for (String head : List.of("template <class X>", "typedef V<int, 8, 8> X;")) {
            Kernel k = snippets.top("k.cpp", source.formatted(head), "top");
            assertThat(accesses(k, "B")).containsExactlyElementsOf(accesses(plain, "B"));
        }
    }

    @Test
    void anArrayOfObjectsKeepsItsIndex() {
        Kernel k = snippets.top(
                "k.cpp",
                MATRIX + "void top(int r[4]) { Mat<int, 8, 8> m[4];\n"
                        + "  W: for (int b = 0; b < 4; b++) m[b](b, 1) = r[b];\n"
                        + "  R: for (int b = 0; b < 4; b++) r[b] = m[b](1, b); }\n",
                "top");
        assertThat(accesses(k, "W")).anyMatch(a -> a.startsWith("WRITE data [Affine") && a.split("Affine").length == 4);
        assertThat(k.array("top/m.data").orElseThrow().dims()).containsExactly(4L, 8L, 8L);
    }

    /// A queue in the shape of hlslib's: an overload that depends on the template, called of the same object.
    @Test
    void aStreamInAClassIsReadAsAStream() {
        Kernel k = snippets.top("k.cpp", """
                #include <hls_stream.h>
                template <class T> class Queue {
                  hls::stream<T> s;
                public:
                  void Push(T const &v) { Write(v); }
                  T Pop() { return s.read(); }
                  void Write(T const &v) { Write(v, 1); }
                  void Write(T const &v, int) { s.write(v); }
                };
                void produce(int in[64], Queue<int> &q) { P: for (int i = 0; i < 64; i++) q.Push(in[i] * 3); }
                void consume(Queue<int> &q, int out[64]) { C: for (int i = 0; i < 64; i++) out[i] = q.Pop() + 1; }
                void top(int in[64], int out[64]) { Queue<int> q; produce(in, q); consume(q, out); }
                """, "top");
        assertThat(accesses(k, "P")).contains("WRITE s []");
        assertThat(accesses(k, "C")).contains("READ s []");
        assertThat(k.notes()).noneMatch(n -> n.message().contains("Write"));
    }
}
