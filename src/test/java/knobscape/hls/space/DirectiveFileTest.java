package knobscape.hls.space;

import static knobscape.hls.space.HandKernels.array;
import static knobscape.hls.space.HandKernels.call;
import static knobscape.hls.space.HandKernels.function;
import static knobscape.hls.space.HandKernels.gemm;
import static knobscape.hls.space.HandKernels.kernel;
import static knobscape.hls.space.HandKernels.loop;
import static knobscape.hls.space.HandKernels.parameter;
import static knobscape.hls.space.HandKernels.touch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import knobscape.evaluate.UserError;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;
import knobscape.space.Knob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectiveFileTest {
    private static final SpaceLimits LIMITS = new SpaceLimits(8, 8, 64, true);

    /// Two tasks, a formal bound to two actuals, a perfect nest, an unknown trip count, a global.
    private static final Kernel MIXED = kernel(
            function("fill", List.of(parameter("fill/x", 16)), loop("go", 16, touch("fill/x[go]"))),
            function(
                    "top",
                    List.of(
                            parameter("top/a", 16),
                            array("top/b", ArrayVariable.Scope.LOCAL, 16),
                            parameter("top/m", 4, 8),
                            array("top/s", ArrayVariable.Scope.STREAM, 4)),
                    call("fill", Map.of("x", "top/a")),
                    call("fill", Map.of("x", "top/b")),
                    loop("row", 4, loop("column", 8, touch("top/m[row][column]"))),
                    loop("open", 0, touch("top/a[open]", "top/b[?]"))));

    private static DirectiveSpace build(Kernel kernel, String knobs) {
        return SpaceBuilder.build(kernel, LIMITS, DirectiveFile.parse("d.yaml", "version: 1\nknobs:\n" + knobs));
    }

    private static List<String> names(DirectiveSpace space) {
        return space.space().knobs().list().stream().map(Knob::name).toList();
    }

    @Test
    void readsWhatIsWritten() {
        var file = DirectiveFile.parse("d.yaml", """
                # comment
                version: 1
                part: xc7vx485t
                clock: 7.5 ns
                top: gemm
                defaults: [inline, reshape]
                prune: false
                knobs:
                  - {kind: unroll, at: [gemm/i, gemm/j], factors: [1, 4]}
                  - kind: pipeline
                    at: gemm/k
                    values: [off, on, ii=2]
                  - {kind: partition, at: gemm/a, dim: 2, types: [none, cyclic], factors: 4}
                """);
        assertThat(file.part()).contains("xc7vx485t");
        assertThat(file.clockNs()).hasValue(7.5);
        assertThat(file.top()).contains("gemm");
        assertThat(file.prune()).isFalse();
        assertThat(file.defaults()).containsExactlyInAnyOrder(KnobKind.INLINE, KnobKind.RESHAPE);
        assertThat(file.knobs()).hasSize(3);
        assertThat(file.knobs().get(1).line()).isEqualTo(10);
        DirectiveSpace space = SpaceBuilder.build(gemm(16), LIMITS, file);
        assertThat(names(space))
                .containsExactlyInAnyOrder(
                        "unroll@gemm/i",
                        "unroll@gemm/j",
                        "pipeline@gemm/k",
                        "partition_type@gemm/a#2",
                        "partition_factor@gemm/a#2",
                        "reshape@gemm/a#1",
                        "reshape@gemm/a#2",
                        "reshape@gemm/b#1",
                        "reshape@gemm/b#2",
                        "reshape@gemm/c#1",
                        "reshape@gemm/c#2");
        assertThat(space.space()
                        .knobs()
                        .get(space.space().knobs().indexOf("pipeline@gemm/k").orElseThrow())
                        .domain()
                        .labels())
                .containsExactly("off", "on", "ii=2");
        assertThat(space.space().size())
                .as("none with 1 or a reshape, cyclic with 4 and words of up to 4; nothing else is tied")
                .isEqualTo(2 * 2 * 3 * (4 + 3) * 4 * 4 * 4 * 4 * 4);
    }

    @Test
    void withoutKnobsTheDefaultsAreMeant() {
        var plain = SpaceBuilder.build(MIXED, LIMITS);
        var same = SpaceBuilder.build(MIXED, LIMITS, DirectiveFile.parse("d.yaml", "version: 1"));
        assertThat(names(same)).isEqualTo(names(plain));
        assertThat(names(plain))
                .noneMatch(n -> n.startsWith("flatten") || n.startsWith("storage") || n.startsWith("dataflow"));
        var replaced = SpaceBuilder.build(
                MIXED,
                LIMITS,
                DirectiveFile.parse(
                        "d.yaml",
                        "version: 1\ndefaults: true\nknobs:\n  - {kind: unroll, at: fill/go, factors: [1, 16]}"));
        assertThat(names(replaced)).isEqualTo(names(plain));
        assertThat(replaced.space()
                        .knobs()
                        .get(replaced.space().knobs().indexOf("unroll@fill/go").orElseThrow())
                        .domain()
                        .labels())
                .containsExactly("1", "16");
    }

    @Test
    void theDefaultFileReadsBackToTheSameSpace() {
        for (Kernel kernel : List.of(gemm(16), MIXED, HandKernels.figure35(4, 8))) {
            for (var kinds : List.of(KnobKind.defaults(), EnumSet.allOf(KnobKind.class))) {
                DirectiveSpace space = SpaceBuilder.build(kernel, LIMITS, kinds);
                String text = DirectiveFile.write(space, Optional.of("xc7z020"), OptionalDouble.of(10));
                var file = DirectiveFile.parse("written.yaml", text);
                DirectiveSpace again = SpaceBuilder.build(kernel, LIMITS, file);
                assertThat(again.space().knobs())
                        .as(text)
                        .isEqualTo(space.space().knobs());
                assertThat(again.space().size()).isEqualTo(space.space().size());
                assertThat(again.baseline()).isEqualTo(space.baseline());
                var random = new java.util.Random(1);
                for (int i = 0; i < 200; i++) {
                    assertThat(again.space().contains(space.space().draw(random)))
                            .isTrue();
                }
                assertThat(file.part()).contains("xc7z020");
                assertThat(file.clockNs()).hasValue(10);
                assertThat(file.top()).contains(kernel.top());
            }
        }
    }

    @Test
    void theDefaultFileExplainsItself() {
        String text = DirectiveFile.write(SpaceBuilder.build(MIXED, LIMITS), Optional.empty(), OptionalDouble.empty());
        assertThat(text)
                .contains(
                        "# loop open (line 1): unknown number of iterations",
                        "#   loop column (line 1): 8 iterations",
                        "# array m (line 1): int [4][8]",
                        "  # - {kind: flatten, at: top/column}",
                        "  # - {kind: storage, at: top/b}")
                .doesNotContain("part:", "  - {kind: partition, at: top/s");
        String uncommented = text.replace("  # - {", "  - {");
        assertThat(names(SpaceBuilder.build(MIXED, LIMITS, DirectiveFile.parse("d.yaml", uncommented))))
                .contains("flatten@top/column", "storage@top/b", "reshape@top/m#1", "multiplier@fill");
    }

    @Test
    void awkwardNamesAreQuoted() {
        Kernel kernel = kernel(
                function("f<8, 3>", List.of(parameter("f<8, 3>/a", 16)), loop("go", 16, touch("f<8, 3>/a[go]"))));
        DirectiveSpace space = SpaceBuilder.build(kernel, LIMITS);
        var again = SpaceBuilder.build(
                kernel,
                LIMITS,
                DirectiveFile.parse("d.yaml", DirectiveFile.write(space, Optional.empty(), OptionalDouble.empty())));
        assertThat(again.space().knobs()).isEqualTo(space.space().knobs());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {kind: unroll, at: top/rov}                       | there is no loop 'top/rov' in hand.cpp (did you mean 'top/row'?)
            {kind: unroll, at: fil/go}                        | did you mean 'fill/go'?
            {kind: unroll, at: zzzzzz/qqqqqqq}                | there are fill/go, top/row, top/column, top/open
            {kind: unroll, at: top/m}                         | top/m is an array, but unroll belongs to a loop
            {kind: partition, at: top/row}                    | top/row is a loop, but partition belongs to an array
            {kind: partition, at: fill/x}                     | fill/x is a parameter that stands for top/a and top/b; the knob belongs there
            {kind: partition, at: top/m, dim: 3}              | array top/m has 2 dimensions, not a dimension 3
            {kind: partition, at: top/m, dim: 0}              | not a dimension 0
            {kind: partition, at: top/s}                      | top/s is a stream
            {kind: partition, at: top/m, dim: 1, factors: 5}  | factor 5 is more than the 4 elements of dimension 1 of top/m
            {kind: unroll, at: top/row, factors: [1, 8]}      | factor 8 is more than the 4 iterations of loop top/row
            {kind: unroll, at: top/open}                      | loop top/open has no known trip count to choose factors from; give 'factors'
            {kind: inline, at: top}                           | top is the top function and cannot be inlined
            {kind: inline, at: topp}                          | there is no function 'topp' in hand.cpp (did you mean 'top'?)
            {kind: multiplier, at: nothing}                   | there is no function 'nothing'
            {kind: flatten, at: top/row}                      | such loops are top/column
            {kind: dataflow, at: top/row}                     | not a sequence of loops and calls
            {kind: dataflow, at: hop}                         | there is no function or loop 'hop' in hand.cpp (did you mean 'top'?)
            {kind: unrol, at: top/row}                        | there is no kind of knob 'unrol'; it is one of unroll, pipeline, partition, inline, reshape, flatten, dataflow, multiplier, storage, function_pipeline, bundle, burst, outstanding, fifo, allocation (did you mean 'unroll'?)
            {at: top/row}                                     | 'kind' is missing
            {kind: unroll}                                    | 'at' is missing
            {kind: unroll, at: []}                            | 'at' names nothing
            {kind: unroll, at: top/row, factor: 2}            | a knob of kind unroll has no 'factor'; it has kind, at, factors (did you mean 'factors'?)
            {kind: unroll, at: top/row, factors: [0, 2]}      | a factor is at least 1, not 0
            {kind: unroll, at: top/row, factors: [two]}       | a factor is a whole number, not 'two'
            {kind: unroll, at: top/row, factors: []}          | 'factors' is empty
            {kind: pipeline, at: top/row, values: [ii=0]}     | 'ii=0' is not a value of pipeline; choose from off, on, ii=N
            {kind: partition, at: top/m, types: [cylic]}      | 'cylic' is not a value of partition; choose from none, cyclic, block, complete (did you mean 'cyclic'?)
            {kind: unroll, at: [top/row, top/row]}            | the unroll knob of top/row is given already on line 3
            just words                                        | an entry of 'knobs' has keys
            """)
    void aWrongEntryIsNamedWithItsLine(String entry, String message) {
        assertThatThrownBy(() -> build(MIXED, "  - " + entry))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("d.yaml:3: ")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            knobs: []                       | d.yaml:1: 'version: 1' is missing
            version: 2                      | d.yaml:1: this file is of version 2, made for a newer program
            version: one                    | d.yaml:1: version is a whole number, not 'one'
            version: 1;knob: []             | d.yaml:2: a directive file has no 'knob'
            version: 1;version: 1           | d.yaml:2:
            version: 1;clock: fast          | d.yaml:2: the clock period is a positive number of ns, not 'fast'
            version: 1;clock: 0             | d.yaml:2: the clock period is a positive number
            version: 1;prune: maybe         | d.yaml:2: 'prune' is true or false, not 'maybe'
            version: 1;defaults: some       | d.yaml:2: 'defaults' is true or false, or a list of kinds, not 'some'
            version: 1;defaults: [unrolll]  | d.yaml:2: there is no kind of knob 'unrolll'
            version: 1;knobs: yes           | d.yaml:2: 'knobs' is a list; found 'yes'
            version: 1;part: []             | d.yaml:2: 'part' wants a word; found a list
            - a                             | d.yaml:1: a directive file starts with keys
            version: 1;knobs: [             | this is not YAML
            version: 1;  bad indent: x      | this is not YAML
            version: &v 1;part: *v          | anchors and aliases
            version: 1;---;version: 1       | a directive file is a single YAML document
            "# only a comment"              | the directive file is empty
            """)
    void aWrongFileIsNamedWithItsLine(String text, String message) {
        assertThatThrownBy(() -> DirectiveFile.parse("d.yaml", text.replace(";", "\n")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message)
                .hasMessageStartingWith("d.yaml:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "version: 1\nknobs:\n\t- tab",
                "{[}",
                "version: 1\nknobs:\n  - {kind: unroll",
                "%",
                "a: b: c",
                "!!",
                "\u0000"
            })
    void whatIsNotYamlIsOneSentence(String text) {
        assertThatThrownBy(() -> DirectiveFile.parse("d.yaml", text))
                .isInstanceOf(UserError.class)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
                .hasMessageStartingWith("d.yaml:");
    }

    @Test
    void deepNestingIsRefused() {
        assertThatThrownBy(() -> DirectiveFile.parse("d.yaml", "version: 1\nknobs: " + "[".repeat(20_000)))
                .isInstanceOf(UserError.class);
    }

    @Test
    void theReasonOfAnEmptySpaceIsSaid() {
        assertThatThrownBy(() -> build(MIXED, """
                  - {kind: unroll, at: top/column, factors: [8]}
                  - {kind: partition, at: top/m, dim: 2, types: [none]}
                """))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("unroll@top/column")
                .hasMessageContaining("prune: false");
        assertThatThrownBy(() -> build(
                        kernel(function(
                                "f", List.of(parameter("f/a", 4)), loop("out", 4, loop("in", 0, touch("f/a[out]"))))),
                        "  - {kind: pipeline, at: f/out}"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("its trip count is not known exactly");
    }

    @Test
    void filesThatCannotBeReadAreNamed(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> DirectiveFile.read(folder.resolve("none.yaml")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none.yaml");
        assertThatThrownBy(() -> DirectiveFile.read(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is a folder");
        Path binary = Files.write(folder.resolve("b.yaml"), new byte[] {(byte) 0xC3, 0x28, 0, 1});
        assertThatThrownBy(() -> DirectiveFile.read(binary))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not a text file");
        Path big = Files.write(folder.resolve("big.yaml"), new byte[(1 << 20) + 1]);
        assertThatThrownBy(() -> DirectiveFile.read(big))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("larger");
        Path good = Files.writeString(folder.resolve("good.yaml"), "version: 1\n");
        assertThat(DirectiveFile.read(good).defaults()).isEqualTo(KnobKind.defaults());
    }

    @Test
    void everyLocationExists() {
        assertThat(
                        names(
                                build(
                                        MIXED,
                                        "  - {kind: partition, at: top/m}\n  - {kind: reshape, at: top/m, dim: 2}\n  - {kind: unroll, at: top/open, factors: [1, 2]}\n")))
                .containsExactlyInAnyOrder(
                        "partition_type@top/m#1",
                        "partition_factor@top/m#1",
                        "partition_type@top/m#2",
                        "partition_factor@top/m#2",
                        "reshape@top/m#2",
                        "unroll@top/open");
    }

    @Test
    void aFileThatNestsTooDeepIsToldInOwnWords() {
        for (String text : List.of(
                "version: 1\nknobs: " + "[".repeat(3000) + "]".repeat(3000),
                "version: 1\nknobs: " + "{a: ".repeat(100) + "1" + "}".repeat(100))) {
            assertThatThrownBy(() -> DirectiveFile.parse("d.yaml", text))
                    .isInstanceOf(UserError.class)
                    .hasMessage(
                            "d.yaml:2: lists and blocks nest more than 20 levels deep here; no directive file needs that, check the brackets and the indentation");
        }
    }
}
