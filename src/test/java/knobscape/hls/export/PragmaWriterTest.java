package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.Core;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;
import knobscape.hls.space.KnobNames;
import org.junit.jupiter.api.Test;

class PragmaWriterTest {
    private static final Directive ON_L = new Directive.Pipeline("k/l", true, 2);

    private static String vitis(String text, Directive... directives) {
        return write(Dialect.VITIS_HLS, Set.of(), text, directives);
    }

    private static String write(Dialect dialect, Set<String> controlled, String text, Directive... directives) {
        AnnotatedSource result =
                new PragmaWriter(dialect).write(SourceSketch.of(text), List.of(directives), controlled::contains);
        assertThat(result.notes()).isEmpty();
        return result.files().getOrDefault("k.cpp", text);
    }

    @Test
    void goesRightAfterTheOpeningBraceWithTheBodysIndentation() {
        assertThat(vitis("void k() {\n  l: for (;;) { // slow\n\t  x();\n  }\n}\n", ON_L))
                .isEqualTo("void k() {\n  l: for (;;) { // slow\n\t  #pragma HLS PIPELINE II=2\n\t  x();\n  }\n}\n");
    }

    @Test
    void keepsLineEndingsAndMissingLastLineEnd() {
        assertThat(vitis("void k() {\r\nl: for (;;) {\r\n  x();\r\n}\r\n}", ON_L))
                .isEqualTo("void k() {\r\nl: for (;;) {\r\n  #pragma HLS PIPELINE II=2\r\n  x();\r\n}\r\n}");
    }

    @Test
    void breaksTheLineWhereCodeFollowsTheBrace() {
        assertThat(vitis("void k() {\n    l: for (;;) { x(); }\n}\n", ON_L))
                .isEqualTo("void k() {\n    l: for (;;) {\n        #pragma HLS PIPELINE II=2\n x(); }\n}\n");
    }

    @Test
    void aBlockCommentAfterTheBraceStaysWhole() {
        assertThat(vitis("void k() {\n    l: for (;;) { /* a\n b */\n        x();\n    }\n}\n", ON_L))
                .isEqualTo(
                        "void k() {\n    l: for (;;) { /* a\n b */\n        #pragma HLS PIPELINE II=2\n        x();\n    }\n}\n");
    }

    @Test
    void givesBracesToABodyWithoutAndTakesAPragmaAlong() {
        assertThat(vitis(
                        "void k() {\n    l: for (;;) // why\n#pragma HLS LOOP_TRIPCOUNT max=3\n        x(); // what\n    y();\n}\n",
                        ON_L))
                .isEqualTo(
                        "void k() {\n    l: for (;;) { // why\n        #pragma HLS PIPELINE II=2\n#pragma HLS LOOP_TRIPCOUNT max=3\n        x(); // what\n    }\n    y();\n}\n");
    }

    @Test
    void bracesOfNestedBodiesCloseInOrder() {
        assertThat(vitis(
                        "void k() {\n    l: for (;;)\n        m: for (;;)\n            x();\n}\n",
                        ON_L,
                        new Directive.Unroll("k/m", 4)))
                .isEqualTo(
                        "void k() {\n    l: for (;;) {\n        #pragma HLS PIPELINE II=2\n        m: for (;;) {\n            #pragma HLS UNROLL factor=4\n"
                                + "            x();\n        }\n    }\n}\n");
    }

    @Test
    void wholeNestOnOneLine() {
        assertThat(vitis(
                        "void k() {\n    l: for (;;) m: for (;;) x(); y();\n}\n", ON_L, new Directive.Unroll("k/m", 0)))
                .isEqualTo(
                        "void k() {\n    l: for (;;) {\n        #pragma HLS PIPELINE II=2\n m: for (;;) {\n        #pragma HLS UNROLL\n x();\n    }\n    } y();\n}\n");
    }

    @Test
    void doWhileWithoutBraces() {
        assertThat(vitis("void k() {\n    l: do\n        x();\n    while (c);\n}\n", ON_L))
                .isEqualTo(
                        "void k() {\n    l: do {\n        #pragma HLS PIPELINE II=2\n        x();\n    }\n    while (c);\n}\n");
    }

    @Test
    void labelsLoopsThatHaveNone() {
        Kernel kernel = SourceSketch.of("void k() {\n    for (;;)\n        while (c) {\n        }\n}\n");
        AnnotatedSource result = new PragmaWriter(Dialect.VITIS_HLS).write(kernel, List.of(), k -> false);
        assertThat(result.files().get("k.cpp"))
                .isEqualTo("void k() {\n    L2: for (;;)\n        L3: while (c) {\n        }\n}\n");
        assertThat(result.insertedLabels()).containsExactly("k/L2", "k/L3");
    }

    @Test
    void replacesAPragmaInItsPlaceAndLeavesCommentsAndOthers() {
        String text =
                "void k() {\nl: for (;;) {\n  #pragma HLS unroll factor=2 \\\n     skip_exit_check // chosen by hand\n#pragma HLS PIPELINE\n  x();\n}\n}\n";
        assertThat(write(Dialect.VITIS_HLS, Set.of(KnobNames.unroll("k/l")), text, new Directive.Unroll("k/l", 8)))
                .isEqualTo(
                        "void k() {\nl: for (;;) {\n  #pragma HLS UNROLL factor=8 // chosen by hand\n#pragma HLS PIPELINE\n  x();\n}\n}\n");
    }

    @Test
    void removesAPragmaThatTheDesignTurnsOff() {
        String text =
                "void k(int a[4][4]) {\n#pragma HLS ARRAY_PARTITION variable=a dim=2\nl: for (;;) {\n#pragma HLS PIPELINE // fast\n  x();\n}\n}\n";
        assertThat(write(
                        Dialect.VIVADO_HLS, Set.of(KnobNames.pipeline("k/l"), KnobNames.partitionType("k/a", 2)), text))
                .isEqualTo("void k(int a[4][4]) {\nl: for (;;) {\n // fast\n  x();\n}\n}\n");
    }

    @Test
    void keepsTheDimensionsThatTheDesignDoesNotDecide() {
        String text = "void k(int a[4][2]) {\n#pragma HLS ARRAY_PARTITION variable=a complete dim=0\n}\n";
        assertThat(write(
                        Dialect.VITIS_HLS,
                        Set.of(KnobNames.partitionType("k/a", 1)),
                        text,
                        new Directive.Partition("k/a", 1, PartitionType.BLOCK, 2)))
                .isEqualTo("void k(int a[4][2]) {\n#pragma HLS ARRAY_PARTITION variable=a type=block factor=2 dim=1\n"
                        + "#pragma HLS ARRAY_PARTITION variable=a complete dim=2\n}\n");
    }

    @Test
    void arraysOfEveryScope() {
        assertThat(vitis(
                        "void k(int a[8]) {\n  int b[4][8] = {{1, 2}, {3}}; // table\n  int c[8]; int d[8];\n}\n",
                        new Directive.Partition("k/a", 1, PartitionType.CYCLIC, 4),
                        new Directive.Partition("k/b", 2, PartitionType.COMPLETE, 8),
                        new Directive.Reshape("k/c", 1, PartitionType.BLOCK, 2),
                        new Directive.BindStorage("k/d", Storage.LUTRAM)))
                .isEqualTo("""
                        void k(int a[8]) {
                          #pragma HLS ARRAY_PARTITION variable=a type=cyclic factor=4 dim=1
                          int b[4][8] = {{1, 2}, {3}}; // table
                          #pragma HLS ARRAY_PARTITION variable=b type=complete dim=2
                          int c[8];
                          #pragma HLS ARRAY_RESHAPE variable=c type=block factor=2 dim=1
                         int d[8];
                          #pragma HLS BIND_STORAGE variable=d type=ram_2p impl=lutram
                        }
                        """);
    }

    @Test
    void olderToolHasOtherWords() {
        assertThat(write(
                        Dialect.VIVADO_HLS,
                        Set.of(),
                        "void k(int a[8]) {\n  int m;\n  int u[99];\n  m = x * y;\n}\n",
                        new Directive.Partition("k/a", 1, PartitionType.CYCLIC, 4),
                        new Directive.BindStorage("k/a", Storage.BRAM_1P),
                        new Directive.BindStorage("k/u", Storage.URAM),
                        new Directive.BindMultiplier("k", Core.FABRIC)))
                .isEqualTo("""
                        void k(int a[8]) {
                          #pragma HLS ARRAY_PARTITION variable=a cyclic factor=4 dim=1
                          #pragma HLS RESOURCE variable=a core=RAM_1P_BRAM
                          int m;
                          int u[99];
                          #pragma HLS RESOURCE variable=u core=XPM_MEMORY uram
                          m = x * y;
                          #pragma HLS RESOURCE variable=m core=Mul_LUT
                        }
                        """);
    }

    @Test
    void storageOfAnArgumentOfTheTopIsPartOfItsInterface() {
        assertThat(vitis(
                        "void k(int a[8]) {\n  m = x * y;\n}\n",
                        new Directive.BindStorage("k/a", Storage.BRAM_1P),
                        new Directive.BindMultiplier("k", Core.DSP)))
                .isEqualTo(
                        "void k(int a[8]) {\n  #pragma HLS INTERFACE port=a mode=ap_memory storage_type=ram_1p storage_impl=bram\n  m = x * y;\n"
                                + "  #pragma HLS BIND_OP variable=m op=mul impl=dsp\n}\n");
    }

    @Test
    void functionsAndRegions() {
        assertThat(vitis(
                        "void h() { x(); }\nvoid k() {\n  l: for (;;) {\n    h();\n  }\n}\n",
                        new Directive.Inline("h", true),
                        new Directive.Inline("k", false),
                        new Directive.Dataflow("k"),
                        new Directive.Dataflow("k/l"),
                        new Directive.Flatten("k/l", false)))
                .isEqualTo(
                        "void h() {\n    #pragma HLS INLINE\n x(); }\nvoid k() {\n  #pragma HLS INLINE off\n  #pragma HLS DATAFLOW\n  l: for (;;) {\n"
                                + "    #pragma HLS DATAFLOW\n    #pragma HLS LOOP_FLATTEN off\n    h();\n  }\n}\n");
    }

    @Test
    void bindsAProductOnlyWhereAPragmaMayStand() {
        Directive bind = new Directive.BindMultiplier("k", Core.FABRIC);
        assertThat(vitis("void k() {\n  if (c) {\n    const int m = x * y;\n  }\n}\n", bind))
                .isEqualTo(
                        "void k() {\n  if (c) {\n    const int m = x * y;\n    #pragma HLS BIND_OP variable=m op=mul impl=fabric\n  }\n}\n");
        for (String head : List.of("if (c) ", "else ", "if (c) { } else\n ")) {
            AnnotatedSource result = new PragmaWriter(Dialect.VITIS_HLS)
                    .write(SourceSketch.of("void k() {\n  " + head + "m = x * y;\n}\n"), List.of(bind), k -> false);
            assertThat(result.files()).isEmpty();
            assertThat(result.notes())
                    .singleElement()
                    .satisfies(n -> assertThat(n.message()).contains("no step of a block"));
        }
    }

    @Test
    void saysWhichProductCannotBeBound() {
        AnnotatedSource result = new PragmaWriter(Dialect.VITIS_HLS)
                .write(
                        SourceSketch.of("void k() {\n  s += x * y;\n}\n"),
                        List.of(new Directive.BindMultiplier("k", Core.DSP)),
                        k -> false);
        assertThat(result.files()).isEmpty();
        assertThat(result.notes())
                .singleElement()
                .satisfies(n -> assertThat(n.toString()).startsWith("k.cpp:2: ").contains("no variable of its own"));
    }

    @Test
    void bracesInCommentsAndTextsAreNotCode() {
        String text =
                "void k(int a[4]) { // {\n  int b[2]; /* ; */ char c = '{'; const char *s = \"}//\"; auto r = R\"x(};\")x\";\n  l: for (;;) {\n    x(\"}\");\n  }\n}\n";
        assertThat(vitis(text, ON_L, new Directive.Partition("k/b", 1, PartitionType.COMPLETE, 2)))
                .isEqualTo(text.replace(
                                "b[2]; /* ; */",
                                "b[2];\n  #pragma HLS ARRAY_PARTITION variable=b type=complete dim=1\n /* ; */")
                        .replace("l: for (;;) {\n", "l: for (;;) {\n    #pragma HLS PIPELINE II=2\n"));
    }
}
