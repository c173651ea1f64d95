package knobscape.hls.source.cdt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Short sources that multiply when they are read end in one sentence, or are read.
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BudgetTest {
    private static final String LOOP = "L: for (int i = 0; i < 8; i++) ";

    @TempDir
    private Path folder;

    private static void refused(ThrowingCallable reading, String bound) {
        assertThatThrownBy(reading)
                .isInstanceOf(UserError.class)
                .hasMessageContaining(bound)
                .hasMessageEndingWith(".")
                .message()
                .doesNotContain("\n");
    }

    private static String repeated(int n, java.util.function.IntFunction<String> part) {
        return IntStream.range(0, n).mapToObj(part).collect(Collectors.joining());
    }

    @Test
    void headersThatIncludeTheNextThree() {
        var snippets = new Snippets(folder);
        for (int i = 0; i < 33; i++) {
            int n = i;
            snippets.write(
                    "h" + i + ".h",
                    i < 30 ? repeated(3, k -> "#include \"h" + (n + k + 1) + ".h\"\n") : "int x" + i + ";\n");
        }
        refused(
                () -> snippets.cpp("#include \"h0.h\"\nvoid f(int a[8]) { " + LOOP + "a[i] = 0; }\n"),
                "included more than 10000 times");
    }

    @Test
    void aTemplateThatCallsItselfAThousandTimes() {
        refused(
                () -> new Snippets(folder)
                        .cpp("template<int N> int f(int a[8]) { for (int i = 0; i < 8; i++) a[i] += N;"
                                + " return f<N - 1>(a); }\ntemplate<> int f<0>(int a[8]) { return 0; }\n"
                                + "void top(int a[8]) { " + LOOP + "a[i] = f<1000>(a); }\n"),
                "template function 'f' is used with more than 256 different arguments");
    }

    @Test
    void threeThousandInstantiations() {
        refused(
                () -> new Snippets(folder)
                        .cpp("template<int N> void f(int a[8]) { for (int i = 0; i < 8; i++) a[i] += N; }\n"
                                + "void top(int a[8]) {\n" + repeated(3_000, i -> "f<" + i + ">(a);\n") + "}\n"),
                "template function 'f' is used with more than 256 different arguments");
    }

    @Test
    void aSwitchOfTwentyThousandCases() {
        refused(
                () -> new Snippets(folder)
                        .cpp("void f(int a[8], int k) { " + LOOP + "switch (k) {\n"
                                + repeated(20_000, i -> "case " + i + ": a[" + i % 8 + "] = " + i + "; break;\n")
                                + "}}\n"),
                "more than 1000 cases");
    }

    @Test
    void structuresDoubledFortyTimes() {
        var kernel = new Snippets(folder)
                .cpp("struct S0 { int a; int b; };\n"
                        + repeated(40, i -> "struct S" + (i + 1) + " { S" + i + " a; S" + i + " b; };\n")
                        + "void top(S40 s, int a[8]) { S40 t; " + LOOP + "a[i] = sizeof(S40) > 3; }\n");
        assertThat(Snippets.trip(kernel, "L")).isEqualTo("8");
    }

    @Test
    void threeHundredThousandLevels() {
        String block = "void f(int a[8]) { " + LOOP + "{".repeat(300_000) + "a[i] = 1;" + "}".repeat(300_000) + " }\n";
        refused(() -> new Snippets(folder).cpp(block), "levels");
        for (String pair : new String[] {"( )", "a[ ]"}) {
            String expression = pair.split(" ")[0].repeat(300_000) + "1" + pair.split(" ")[1].repeat(300_000);
            refused(
                    () -> new Snippets(folder).cpp("void f(int a[8]) { " + LOOP + "a[i] = " + expression + "; }\n"),
                    "levels");
        }
    }

    @Test
    void macrosPutTogetherThatDoubleFortyTimes() {
        refused(
                () -> new Snippets(folder)
                        .cpp("#define CAT(a, b) a##b\n#define M0(x) x\n"
                                + repeated(40, i -> "#define M" + (i + 1) + "(x) M" + i + "(x)+M" + i + "(x)\n")
                                + "#define USE(n) CAT(M, n)(v)\nvoid f(int a[8]) { int v = 1; " + LOOP
                                + "a[i] = USE(40); }\n"),
                "macro 'USE' becomes more than 2 million tokens");
    }

    @Test
    void aNameDoubledFortyTimes() {
        refused(
                () -> new Snippets(folder)
                        .cpp("#define D0(x) x\n"
                                + repeated(40, i -> "#define D" + (i + 1) + "(x) D" + i + "(x##x)\n")
                                + "void f(int a[8]) { int D40(v) = 1; " + LOOP + "a[i] = 1; }\n"),
                "macro 'D40' becomes more than 2 million tokens");
    }

    @Test
    void manyOrdinaryMacros() {
        var kernel = new Snippets(folder)
                .cpp("#define CAT(a, b) a##b\n#define E(x) CAT(x, _t)\n#define SELF SELF\n"
                        + "#define ALL(f, ...) f(__VA_ARGS__)\n#define STR(x) #x\n"
                        + repeated(40, i -> "#define N" + (i + 1) + " CAT(N, " + i + ")\n")
                        + "typedef int w_t;\nvoid f(int a[8]) { E(w) SELF = 0; ALL(a[0] = abs, (3)); " + LOOP
                        + "a[i] = SELF; }\n");
        assertThat(Snippets.trip(kernel, "L")).isEqualTo("8");
    }

    @Test
    void templateArgumentsThatNestTwentyFiveTimes() {
        refused(
                () -> new Snippets(folder)
                        .cpp("template<typename T> struct W { T a, b; };\nvoid f(int a[8]) { " + LOOP + "{ "
                                + "W<".repeat(25) + "int" + ">".repeat(25) + " w; a[i] = 1; } }\n"),
                "arguments of templates nest in more than 14 levels");
    }
}
