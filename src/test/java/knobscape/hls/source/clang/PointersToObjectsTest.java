package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.SourceNote;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pointers to structs: given on, other names of one object, and into arrays of objects.
class PointersToObjectsTest {
    private static final String TABLE = """
            struct T { int x; int tab[32]; };
            static void init(T *t) { clear: for (int i = 0; i < 32; i++) t->tab[i] = 0; t->x = 1; }
            static void outer(T *t) { init(t); t->x++; }
            """;
    private static final String BUFFER = """
            struct Buf {
                int d[16];
                void fill(int v) { fills: for (int i = 0; i < 16; i++) d[i] = v; }
                int get(int i) { return d[i]; }
            };
            """;

    @TempDir
    private Path folder;

    private Snippets sources;

    @BeforeEach
    void open() {
        sources = new Snippets(folder);
    }

    private static List<String> arrays(Kernel k, String function) {
        Function f = k.function(function).orElseThrow();
        return f.arrays().stream().map(a -> a.name() + a.dims()).toList();
    }

    private static List<String> accesses(Kernel k) {
        return Snippets.accesses(k.function("k").orElseThrow());
    }

    /// A register file that the top hands to its helpers is no memory.
    @Test
    void aStructThatIsHandedOnIsNoArray() {
        Kernel k = sources.cpp(TABLE + "void k(T *regs, int out[4]) { outer(regs); out[0] = regs->x; }\n");
        assertThat(arrays(k, "k")).containsExactlyInAnyOrder("regs.tab[32]", "out[4]");
        assertThat(arrays(k, "outer")).containsExactly("t.tab[32]");
        assertThat(k.notes()).extracting(SourceNote::message).noneMatch(n -> n.contains("points is not"));
    }

    /// The compiler puts the place of the result before the arguments of the source.
    @Test
    void aStructThatIsReturnedMovesNoArgument() {
        for (String made : List.of("T r; r.x = in[0];", "T r, s; s.x = 1; if (in[0] > 3) return s; r.x = 2;")) {
            Kernel k = sources.cpp("struct T { int x, y, z; };\nT k(const int in[8], int out[8]) { " + made
                    + " w: for (int i = 0; i < 8; i++) out[i] = in[i + 0]; return r; }\n");
            assertThat(arrays(k, "k")).containsExactly("in[8]", "out[8]");
            assertThat(accesses(k)).contains("R in[w]", "W out[w]").noneMatch(a -> a.startsWith("R out"));
        }
    }

    @Test
    void aMethodThatReturnsAStructIsOfItsClass() {
        Kernel k = sources.cpp("struct P { int x, y, z; };\nstruct F { int c[8];\n"
                + "  P sums(const int a[8]) { P p; p.x = p.y = p.z = 0; s: for (int i = 0; i < 8; i++) p.x += a[i] * c[i];"
                + " return p; } };\n"
                + "void k(const int a[8], int out[4]) { F f; for (int i = 0; i < 8; i++) f.c[i] = a[i];"
                + " out[0] = f.sums(a).x; }\n");
        assertThat(Snippets.accesses(k.function("F::sums").orElseThrow())).contains("R a[s]", "R this.c[s]");
    }

    @Test
    void oneThatAHelperWalksIsAnArray() {
        Kernel k = sources.cpp("struct T { int x; };\n"
                + "static void all(T *t) { walk: for (int i = 0; i < 8; i++) t[i].x = i; }\n"
                + "void k(T *many) { all(many); }\n");
        assertThat(arrays(k, "k")).containsExactly("many[0]");
    }

    @Test
    void theAddressOfAVariableIsItsOtherName() {
        Kernel k = sources.cpp(TABLE + """
                void k(int out[4]) {
                    static T table;
                    T *h = &table;
                    outer(h);
                    sums: for (int i = 0; i < 4; i++) out[i] = h->tab[i] + (*h).x;
                    table.tab[3] = 1;
                }
                """);
        assertThat(arrays(k, "k")).containsExactlyInAnyOrder("out[4]", "table.tab[32]");
        assertThat(accesses(k)).contains("R table.tab[sums]");
    }

    @Test
    void aMethodOfAnElementUsesThatElement() {
        Kernel k = sources.cpp(BUFFER + """
                void k(int out[4]) {
                    Buf b[4];
                    Buf *p = b;
                    walk: for (int i = 0; i < 4; i++) { p->fill(i); out[i] = p->get(3); p++; }
                    Buf *q = &b[2];
                    q->fill(7);
                    out[0] = q->get(5);
                }
                """);
        assertThat(arrays(k, "k")).containsExactlyInAnyOrder("out[4]", "b[4]", "b.d[4, 16]");
        assertThat(accesses(k)).contains("R b.d[2][5]");
        assertThat(k.notes()).extracting(SourceNote::message).noneMatch(n -> n.contains("call of an object"));
    }

    @Test
    void aMemberArrayOfAnElementIsThatOfAllElements() {
        Kernel k = sources.cpp("""
                struct Inner { int age; };
                struct Entry { int used; Inner multi[8]; };
                struct Table { Entry e[16]; };
                void k(int bin, int out[8]) {
                    static Table t;
                    Table *h = &t;
                    Entry *entry = &h->e[bin];
                    reads: for (int j = 0; j < 8; j++) { Inner *m = &entry->multi[j]; out[j] = m->age; }
                }
                """);
        assertThat(arrays(k, "k")).containsExactlyInAnyOrder("out[8]", "t.e[16]", "t.e.multi[16, 8]");
        assertThat(accesses(k)).anyMatch(a -> a.startsWith("R t.e.multi[") && a.endsWith("[reads]"));
    }

    @Test
    void aConstructorRunsThoseOfItsMembers() {
        Kernel k = sources.cpp("""
                struct Line { int d[8]; Line(int v) { fills: for (int i = 0; i < 8; i++) d[i] = v; } };
                struct Filter { Line a; int gain[4]; Filter(int v) : a(v + 1) { gains: for (int i = 0; i < 4; i++) gain[i] = v; } };
                void k(int out[8]) {
                    Filter f(3);
                    for (int i = 0; i < 8; i++) out[i] = f.a.d[i] + f.gain[i / 2];
                }
                """);
        assertThat(k.function("Filter::Filter").orElseThrow().callees()).containsExactly("Line::Line");
        assertThat(Snippets.loop(k, "fills").trip().average()).hasValue(8);
        assertThat(arrays(k, "k")).containsExactlyInAnyOrder("out[8]", "f.a.d[8]", "f.gain[4]");
        assertThat(arrays(k, "Filter::Filter")).containsExactlyInAnyOrder("this.a.d[8]", "this.gain[4]");
    }
}
