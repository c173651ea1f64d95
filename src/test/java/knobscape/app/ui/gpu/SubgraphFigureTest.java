package knobscape.app.ui.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import knobscape.app.ui.plot.Figure;
import knobscape.gpu.codegen.WorkSamples;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The drawing of a subgraph beside its loops.
class SubgraphFigureTest {
    private static final Epilogue TAIL = WorkSamples.epilogues().get(3);
    private static final double WIDTH = 640;
    private static final double HEIGHT = 400;

    private static Workload convolution() {
        return WorkSamples.work().get("direct").getFirst();
    }

    private static SketchSource sketches() {
        return SketchSource.of(convolution()).orElseThrow();
    }

    private static Figure figure(Optional<Schedule> best, double height) {
        SketchSource s = sketches();
        return SubgraphFigure.of(
                "T1", s.computation(TAIL), Optional.of(s.sketches(TAIL).getFirst()), best, WIDTH, height);
    }

    private static List<String> words(Figure f) {
        return f.panels().getFirst().items().stream()
                .filter(Figure.Words.class::isInstance)
                .map(i -> ((Figure.Words) i).text())
                .toList();
    }

    private static List<String> tips(Figure f) {
        return f.panels().getFirst().items().stream()
                .filter(Figure.Bar.class::isInstance)
                .map(i -> ((Figure.Bar) i).tip())
                .toList();
    }

    @Test
    void everyOperatorIsDrawnAndTheAnchorIsMarked() {
        Figure f = figure(Optional.empty(), HEIGHT);

        assertThat(words(f))
                .contains("data", "weight", "bias", "residual", "pad", "conv2d", "clamp", "1\u00d76\u00d712\u00d712")
                .contains("No schedule of it has run yet");
        assertThat(tips(f).stream().filter(t -> t.endsWith("anchor")).toList())
                .singleElement()
                .asString()
                .startsWith("conv2d: 1\u00d78\u00d712\u00d712")
                .contains("gathers over rc 6, ry 3, rx 3", "tiled");
        assertThat(tips(f)).anyMatch(t -> t.startsWith("clamp") && t.contains("applied before conv2d writes"));
    }

    @Test
    void loopsAreRowsAndWhatHasNoRoomIsCounted() {
        Schedule s = WorkSamples.brief(sketches(), TAIL, new Random(1));
        List<String> all = words(figure(Optional.of(s), 2000));

        assertThat(all)
                .anyMatch(t -> t.startsWith("blocks "))
                .anyMatch(t -> t.startsWith("threads "))
                .anyMatch(t -> t.startsWith("sum += f(data_pad_tile"))
                .anyMatch(t -> t.startsWith("output = f(sum, bias, residual"))
                .contains("barrier")
                .noneMatch(t -> t.contains("more, in the panel"));
        assertThat(words(figure(Optional.of(s), 120))).anyMatch(t -> t.contains("more, in the panel Schedule"));
    }

    @Test
    void aTemplatesLoopsStandBesideWhatItComputes() {
        Schedule s = WorkSamples.brief(Templates.of(convolution(), "direct"), TAIL, new Random(1));
        Figure f =
                SubgraphFigure.of("T1", sketches().computation(TAIL), Optional.empty(), Optional.of(s), WIDTH, HEIGHT);

        assertThat(words(f)).contains("conv2d").anyMatch(t -> t.startsWith("kernel "));
        assertThat(tips(f)).anyMatch(t -> t.startsWith("conv2d") && t.endsWith("anchor"));
    }

    static List<Workload> work() {
        return WorkSamples.graphs();
    }

    @ParameterizedTest
    @MethodSource("work")
    void everyKindOfSubgraphFitsItsPlace(Workload work) {
        SketchSource source = SketchSource.of(work).orElseThrow();
        Schedule s = WorkSamples.brief(source, Epilogue.NONE, new Random(2));
        Figure f = SubgraphFigure.of(
                "T1",
                source.computation(Epilogue.NONE),
                Optional.of(source.sketch(s.configuration())),
                Optional.of(s),
                WIDTH,
                HEIGHT);

        assertThat(f.panels().getFirst().items())
                .filteredOn(Figure.Bar.class::isInstance)
                .allSatisfy(i -> {
                    var b = (Figure.Bar) i;
                    assertThat(b.left()).isBetween(0.0, b.right());
                    assertThat(b.right()).isLessThanOrEqualTo(WIDTH);
                    assertThat(b.bottom()).isBetween(0.0, b.top());
                    assertThat(b.top()).isLessThanOrEqualTo(HEIGHT);
                });
    }
}
