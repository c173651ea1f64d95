package knobscape.app.ui.hls.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.app.ui.designs.Sizes;
import knobscape.app.ui.hls.source.SourceElement;
import knobscape.app.ui.hls.source.SourceViewModel;
import knobscape.app.ui.task.Background;
import knobscape.hls.HlsTools;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.Pruning;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpaceTest {
    private static Kernel kernel;
    private static DirectiveSpace space;

    @BeforeAll
    static void read() {
        HlsTools tools = HlsTools.standard();
        kernel = tools.reader().read(Path.of("sample-projects/gemm/gemm.cpp"), KernelReader.Options.defaults());
        space = tools.spaces().build(kernel, Optional.empty(), Optional.empty(), Pruning.HARD);
    }

    private static List<String> values(DirectiveSpace s, String knob) {
        return s.space()
                .knobs()
                .get(s.space().knobs().indexOf(knob).orElseThrow())
                .domain()
                .labels();
    }

    private static DirectiveSpace edited(KnobEdits edits) {
        return HlsTools.standard()
                .spaces()
                .build(
                        kernel,
                        Optional.of(DirectiveFile.parse("test", edits.yaml(space, Optional.empty(), 10))),
                        Optional.empty(),
                        Pruning.HARD);
    }

    @Test
    void everyKnobHangsAtItsLoopArrayOrFunction() {
        var source = new SourceViewModel(Background.direct());
        source.open(kernel);
        var model = new SpaceViewModel(Background.direct(), source);
        model.open(space, space);
        var tree = model.tree().get().orElseThrow();
        assertThat(tree.branches().stream().mapToInt(KnobTree.Branch::knobCount).sum())
                .isEqualTo(space.space().knobs().size());
        assertThat(tree.pruned()).isEqualTo(space.space().size());

        model.select(new SourceElement(SourceElement.Kind.LOOP, "gemm/dot"));
        var details = model.details().get().orElseThrow();
        assertThat(details.branch().knobs()).extracting(KnobTree.KnobLine::word).contains("unroll", "pipeline");
        assertThat(details.facts()).anyMatch(f -> f.contains("64 iterations"));
        assertThat(details.steps()).isNotEmpty();
    }

    @Test
    void functionsThatTheTopDoesNotReachAreNamed(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("two.cpp");
        Files.writeString(
                file,
                "void spare(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }\n"
                        + "void top(int a[8]) { for (int i = 0; i < 8; i++) a[i] += 1; }\n");
        var tools = HlsTools.standard();
        Kernel two = tools.reader().read(file, new KernelReader.Options(Optional.of("top"), List.of(), Map.of()));
        DirectiveSpace own = tools.spaces().build(two, Optional.empty(), Optional.empty(), Pruning.HARD);
        assertThat(KnobTree.of(own, own).facts()).contains("1 function is not reached from 'top': spare.");
    }

    @Test
    void withoutEditsTheFileGivesTheSameSpace() {
        DirectiveSpace same = edited(KnobEdits.none());
        assertThat(same.space().knobs()).isEqualTo(space.space().knobs());
        assertThat(same.space().size()).isEqualTo(space.space().size());
    }

    @Test
    void valueTakenOutIsMissingInTheNewSpaceAndOnlyThere() {
        var edits = KnobEdits.none()
                .toggled("unroll@gemm/dot", "4", values(space, "unroll@gemm/dot"))
                .orElseThrow()
                .toggled("partition_type@gemm/a#2", "block", values(space, "partition_type@gemm/a#2"))
                .orElseThrow()
                .toggled("pipeline@gemm/dot", "on", values(space, "pipeline@gemm/dot"))
                .orElseThrow();
        DirectiveSpace smaller = edited(edits);
        assertThat(values(smaller, "unroll@gemm/dot"))
                .doesNotContain("4")
                .containsAll(values(space, "unroll@gemm/dot").stream()
                        .filter(v -> !v.equals("4"))
                        .toList());
        assertThat(values(smaller, "partition_type@gemm/a#2"))
                .doesNotContain("block")
                .contains("cyclic", "complete");
        assertThat(smaller.space().size()).isLessThan(space.space().size());
        assertThat(smaller.space().contains(smaller.baseline())).isTrue();
    }

    @Test
    void factorsTakenOutAltogetherTakeTheirTypesAlong() {
        var edits = KnobEdits.none();
        for (String f : values(space, "partition_factor@gemm/a#2")) {
            if (!f.equals("1") && !f.equals("64")) {
                edits = edits.toggled("partition_factor@gemm/a#2", f, values(space, "partition_factor@gemm/a#2"))
                        .orElseThrow();
            }
        }
        assertThat(values(edited(edits), "partition_type@gemm/a#2")).containsExactly("none", "complete");
    }

    @Test
    void knobKeepsItsLastValueAndTakingBackIsTheWayBack() {
        List<String> values = List.of("off", "on");
        var one = KnobEdits.none().toggled("pipeline@gemm/dot", "on", values).orElseThrow();
        assertThat(one.isLeftOut("pipeline@gemm/dot", "on")).isTrue();
        assertThat(one.toggled("pipeline@gemm/dot", "off", values)).isEmpty();
        assertThat(one.toggled("pipeline@gemm/dot", "on", values).orElseThrow().isNone())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0             | 0
            4812          | 4 812
            99999999      | 99 999 999
            100000000     | 1.00 × 10⁸
            1032192000000 | 1.03 × 10¹²
            """)
    void sizesOfAnyMagnitudeAreWords(BigInteger size, String words) {
        assertThat(Sizes.words(size).replace('\u202f', ' ')).isEqualTo(words);
    }

    @Test
    void sharesAreWords() {
        assertThat(Sizes.share(BigInteger.valueOf(5), BigInteger.valueOf(5))).isEqualTo("all");
        assertThat(Sizes.share(BigInteger.valueOf(12), BigInteger.valueOf(100))).isEqualTo("12 %");
        assertThat(Sizes.share(BigInteger.valueOf(47), BigInteger.valueOf(10_000)))
                .isEqualTo("0.47 %");
        assertThat(Sizes.share(BigInteger.ONE, BigInteger.TEN.pow(90))).isEqualTo("1 in 1.00 \u00d7 10\u2079\u2070");
        assertThat(Sizes.log10(BigInteger.TEN.pow(90))).isCloseTo(90, org.assertj.core.data.Offset.offset(1e-9));
    }
}
