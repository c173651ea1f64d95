package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.SourceNote;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kernels of several source files, of which one is given.
class OtherSourcesTest {
    private static final String MAIN = "#include \"lib/cache.h\"\n"
            + "void top(int a[8]) {\n"
            + "  rows: for (int i = 0; i < 8; i++) a[i] = cache::get(i);\n"
            + "}\n";

    @TempDir
    private Path folder;

    private Snippets sources;

    @BeforeEach
    void headers() {
        sources = new Snippets(folder);
        sources.write(
                "lib/cache.h", "namespace cache {\nint get(int at);\nint sum(int upTo);\nextern int data[64];\n}\n");
    }

    @Test
    void bodiesAreReadFromTheSourcesBesideTheHeaders() {
        sources.write(
                "lib/cache.cpp",
                "#include \"cache.h\"\n"
                        + "int cache::data[64];\n"
                        + "int cache::get(int at) {\n"
                        + "  return sum(at) + data[at]; // sum(at) {\n"
                        + "}\n");
        sources.write(
                "lib/sum.cpp",
                "#include \"cache.h\"\n"
                        + "int cache::sum(int upTo) {\n"
                        + "  int s = 0;\n"
                        + "  adds: for (int i = 0; i < 64; i++) s += data[i];\n"
                        + "  return s;\n"
                        + "}\n");
        // Neither a testbench nor a file that only calls a function holds its body.
        sources.write(
                "lib/tb.cpp", "#include \"cache.h\"\nint cache::get(int at) { return 0; }\nint main() { return 0; }\n");
        sources.write("user.cpp", "#include \"lib/cache.h\"\nvoid user() { if (cache::sum(3)) { } }\n");

        Kernel k = sources.cpp(MAIN);

        assertThat(k.top()).isEqualTo("top");
        assertThat(Snippets.loop(k, "adds").trip().average()).hasValue(64);
        assertThat(Snippets.loop(k, "adds").keyword().file()).endsWith("sum.cpp");
        assertThat(k.globals()).extracting(ArrayVariable::name).containsExactly("data");
        assertThat(k.notes())
                .extracting(SourceNote::message)
                .contains(
                        "source 'cache.cpp' is read too, as it holds what is called here: get",
                        "source 'sum.cpp' is read too, as it holds what is called here: sum");
        assertThat(k.sources().keySet()).anyMatch(s -> s.endsWith("cache.cpp"));
    }

    /// Sources of a project may lie anywhere, and share a header that nothing guards.
    @Test
    void sourcesThatTheProjectNamesAreReadFirst() {
        Path header = sources.write("h/size.h", "const int SIZE = 12;\nvoid fill(int *a);\n");
        Path named = sources.write(
                "far/fill.cpp",
                "#include \"../h/size.h\"\nvoid fill(int *a) {\n  own: for (int i = 0; i < SIZE; i++) a[i] = i;\n}\n");
        Path main = sources.write(
                "top.cpp",
                "#include \"h/size.h\"\nvoid top(int a[SIZE]) { L: for (int k = 0; k < 3; k++) fill(a); }\n");
        assertThat(header).exists();

        Kernel alone = sources.read(main, java.util.List.of());
        Kernel all = sources.read(main, java.util.List.of(named));

        assertThat(alone.notes())
                .extracting(SourceNote::message)
                .contains("the body of function 'fill' is in none of the files read: its cycles and its area are left"
                        + " out");
        assertThat(Snippets.loop(all, "own").trip().average()).hasValue(12);
        assertThat(all.notes()).extracting(SourceNote::message).noneMatch(n -> n.contains("left out"));
    }

    @Test
    void whatHasItsBodyNowhereIsNamed() {
        assertThat(sources.cpp(MAIN).notes())
                .extracting(SourceNote::toString)
                .anyMatch(n -> n.contains("kernel.cpp:3:")
                        && n.contains("the body of function 'cache::get' is in none of the files read"));
    }

    @Test
    void ofSeveralBodiesTheOneNamedLikeTheHeaderCounts() {
        sources.write("lib/other.cpp", "#include \"cache.h\"\nint cache::get(int at) { return 1; }\n");
        assertThat(sources.cpp(MAIN).function("get")).isPresent();
        sources.write("lib/third.cpp", "#include \"cache.h\"\nint cache::get(int at) { return 2; }\n");
        assertThat(sources.cpp(MAIN).function("get")).isEmpty();
        sources.write(
                "lib/cache.cpp",
                "#include \"cache.h\"\n"
                        + "int cache::get(int at) {\n"
                        + "  own: for (int i = 0; i < 5; i++) at += i;\n"
                        + "  return at;\n"
                        + "}\n");
        assertThat(Snippets.loop(sources.cpp(MAIN), "own").trip().average()).hasValue(5);
    }

    @Test
    void functionsOfOneNameInSeveralNamespacesHaveTheirWholeNames() {
        Kernel k = sources.cpp("""
            namespace a { int get(int x) { own: for (int i = 0; i < 3; i++) x += i; return x; } }
            namespace b {
            int get(int x) { own: for (int i = 0; i < 5; i++) x += i; return x; }
            int get(float x) { return int(x); }
            }
            int top(int x) { return a::get(x) + b::get(x) + b::get(1.5f); }
            """);
        // Overloads have one name for the tool too, so they alone are counted.
        assertThat(k.functions())
                .extracting(f -> f.name())
                .containsExactlyInAnyOrder("a::get", "b::get", "b::get#2", "top");
        assertThat(k.function("a::get").orElseThrow().loops().getFirst().trip().average())
                .hasValue(3);
        assertThat(k.function("b::get").orElseThrow().loops().getFirst().id()).isEqualTo("b::get/own");
        assertThat(k.function("b::get").orElseThrow().loops().getFirst().trip().average())
                .hasValue(5);
    }

    @Test
    void aSpecialisationOfATemplateThatIsOnlyDeclaredIsFound() {
        sources.write("hash.h", "template <int N> void hash(int a[N]);\n");
        sources.write(
                "hash.cpp",
                "#include \"hash.h\"\n"
                        + "template<> void hash<8>(int a[8]) { L: for (int i = 0; i < 8; i++) a[i] = i; }\n");
        Kernel k = sources.cpp("#include \"hash.h\"\nvoid top(int a[8]) { for (int i = 0; i < 3; i++) hash<8>(a); }\n");
        assertThat(Snippets.trip(k, "L")).isEqualTo("8");
    }
}
