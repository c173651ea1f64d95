package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import knobscape.hls.source.Kernel;
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
