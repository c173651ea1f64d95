package knobscape.hls.source.cdt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.SourceNote;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which function is taken as the top where nobody names it, and what is said about the others.
class TopChoiceTest {
    private static final String HELPER =
            "inline void help(int a[64]) { for (int i = 0; i < 64; i++) for (int j = 0; j < 9; j++) a[i] += j; }\n";

    @TempDir
    private Path folder;

    private Snippets sources;

    @BeforeEach
    void open() {
        sources = new Snippets(folder);
    }

    @Test
    void aHelperThatAHeaderBringsIsNoTop() {
        sources.write("help.h", HELPER);
        Kernel k = sources.cpp("""
                #include "help.h"
                static void run(int a[8]) { L: for (int i = 0; i < 8; i++) a[i] = i; }
                int main() { int a[8]; run(a); return a[0]; }
                """);
        assertThat(k.top()).isEqualTo("run");
        assertThat(sources.cpp(
                                "#include \"help.h\"\nint main() { int s = 0; for (int i = 0; i < 8; i++) s += i; return s; }\n")
                        .top())
                .isEqualTo("main");
    }

    @Test
    void aHeadersFunctionIsTheTopWhereTheMainCallsIt() {
        sources.write("help.h", HELPER);
        assertThat(sources.cpp("#include \"help.h\"\nint main() { int a[64] = {}; help(a); return a[0]; }\n")
                        .top())
                .isEqualTo("help");
    }

    @Test
    void whereNoFunctionOfTheFileHasALoopItIsSaid() {
        sources.write("help.h", HELPER);
        Kernel k = sources.cpp("#include \"help.h\"\nint one() { return 1; }\n");
        assertThat(k.top()).isEqualTo("help");
        assertThat(k.notes())
                .extracting(SourceNote::message)
                .anyMatch(n -> n.contains("as no function of kernel.cpp itself has or reaches a loop"));
    }

    /// What a program that is put together by `#include "part.c"` reads there is as much its own.
    @Test
    void aFunctionOfAnIncludedSourceIsAsLikelyAsOneOfTheFile() {
        sources.write("part.c", "void vectors(int a[9]) { for (int i = 0; i < 9; i++) a[i] = i; }\n");
        Kernel k = sources.c("""
                #include "part.c"
                void init(int a[9]) { for (int i = 0; i < 9; i++) for (int j = 0; j < 2; j++) a[i] = j; }
                int main() { int a[9]; init(a); vectors(a); return a[0]; }
                """);
        assertThat(k.top()).isEqualTo("vectors");
    }

    @Test
    void notesAreAboutWhatIsReached() {
        String text = """
                void k(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }
                int main(int n, char **v) {
                  int a[8], b[8];
                  int *p = n > 1 ? a : b;
                  k(a);
                  while (n--) p[n] = 1;
                  return *p;
                }
                """;
        assertThat(sources.top("k.cpp", text, "main").notes())
                .extracting(SourceNote::message)
                .anyMatch(n -> n.contains("'p' of 'main'"));
        assertThat(sources.top("k.cpp", text, "k").notes())
                .extracting(SourceNote::message)
                .noneMatch(n -> n.contains("main"));
    }

    /// A part that others include need not be a source by itself.
    @Test
    void aPartNamesTheFileThatIncludesIt() {
        sources.write("whole.c", "#define ARGS(x) x\n#include \"kernel.c\"\n");
        assertThatThrownBy(() -> sources.c("static void f\nARGS ((int *a, int rows));\nvoid f(int *a, int rows) {}\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("kernel.c:")
                .hasMessageEndingWith("this file is a part of whole.c, which includes it: open that one.");
    }

    /// Compilers take `.C` and `.c++` for C++.
    @Test
    void allUsualEndingsAreRead() {
        for (String name : new String[] {"k.c++", "k.C", "k.CPP", "k.cxx", "k.hpp", "k.h"}) {
            assertThat(sources.read(
                                    name,
                                    "template <int N> void f(int a[N]) { for (int i = 0; i < N; i++) a[i] = i; }\n"
                                            + "void k(int a[8]) { f<8>(a); }\n")
                            .loops())
                    .hasSize(1);
        }
    }

    /// The file's own function says which name is missing; a helper of the header would say nothing of it.
    @Test
    void aFunctionWhoseCallIsNotUnderstoodIsTheTopAllTheSame() {
        sources.write(
                "help.h",
                HELPER + "template <int N, bool B> void lib(int a[N]) { for (int i = 0; i < N; i++) a[i] = B; }\n");
        Kernel k = sources.cpp("#include \"help.h\"\nvoid accel(int a[8]) { lib<8, USE_IT>(a); }\n");
        assertThat(k.top()).isEqualTo("accel");
        assertThat(k.notes()).extracting(SourceNote::message).anyMatch(n -> n.contains("'USE_IT' is not declared"));
    }

    @Test
    void aFileWithoutLoopsNamesTheHeaderItLacks() {
        assertThatThrownBy(() -> sources.cpp("#include \"xf_filter.h\"\nvoid accel(int *a) { filter(a); }\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("header 'xf_filter.h' was not found: give its folder with -I.");
    }

    @Test
    void aTestbenchWithoutItsKernelNamesWhatIsMissing() {
        sources.write("help.h", "void help(int *a);\n");
        sources.write("help.cpp", "#include \"help.h\"\nvoid help(int *a) { for (int i = 0; i < 9; i++) a[i] = i; }\n");
        assertThatThrownBy(() -> sources.cpp("""
                        #include "help.h"
                        void kernel(int a[9]);
                        int main() {
                          int a[9];
                          help(a);
                          kernel(a);
                        }
                        """))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("kernel.cpp:6: 'kernel', which main calls here, has no body");
    }

    @Test
    void neitherAConstructorNorATestIsTheTop() {
        assertThat(sources.cpp("""
                        struct Queue {
                          int slots[64];
                          Queue() { for (int i = 0; i < 64; i++) for (int j = 0; j < 2; j++) slots[i] = j; }
                        };
                        void queue_top(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }
                        void queue_test() { int a[8]; for (int i = 0; i < 8; i++) a[i] = 0; queue_top(a); }
                        """).top()).isEqualTo("queue_top");
    }
}
