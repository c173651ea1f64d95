package knobscape.app.ui.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.PlotExport;
import org.junit.jupiter.api.Test;

class GpuFiguresTest {
    private static GpuFigures.Curve after(String group, double... best) {
        return new GpuFigures.Curve(group, group + " run", new KernelState(best.length, Optional.empty(), best[best.length - 1], 1, 1, best, best, Map.of(), Map.of(), 0));
    }

    @Test
    void aSingleMeasurementStandsInsideAnAxisOfWholeNumbers() {
        Figure figure = GpuFigures.convergence(after("a", 120), List.of(), "GFLOPS", "");
        Figure.Panel panel = figure.panels().getFirst();
        assertThat(panel.items()).singleElement().isInstanceOfSatisfying(Figure.Line.class, l -> {
            assertThat(l.x()).containsExactly(1);
            assertThat(l.y()).containsExactly(120);
        });
        assertThat(panel.across().high()).isGreaterThan(1);
        String svg = new String(PlotExport.svg(PlotExport.figure(figure)), StandardCharsets.UTF_8);
        assertThat(svg).contains(">0<", ">1<", ">2<", "Measurements of the task").doesNotContain(">0.5<", ">1.0<", ">0.2<");
    }

    @Test
    void seedsWithOneMeasurementEachAreOnePointOfTheirMedian() {
        Figure figure = GpuFigures.convergence(after("a", 120), List.of(after("a", 80), after("a", 100)), "GFLOPS", "");
        assertThat(figure.panels().getFirst().items().stream().filter(Figure.Line.class::isInstance).map(Figure.Line.class::cast).findFirst().orElseThrow().y()).containsExactly(100);
    }
}
