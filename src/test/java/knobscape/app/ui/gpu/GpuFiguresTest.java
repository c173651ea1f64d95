package knobscape.app.ui.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.PlotExport;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.gpu.WeightsUse;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.search.FeatureGroups;
import knobscape.gpu.source.NetworkKernel;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.FiniteSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;

class GpuFiguresTest {
    private static GpuFigures.Curve after(String group, double... best) {
        Configuration only = Configuration.of(new KnobSet(List.of(new Knob("k", new Domain.Toggle()))), 0);
        var kernel = new NetworkKernel(
                new NetworkKernel.Names("T1", "k", "k", "k"),
                1,
                1_000_000,
                new FiniteSpace(only.knobs(), List.of(only)),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty());
        var track = new KernelState.Track(kernel);
        for (double gflops : best) {
            track.add(new Evaluation(
                    only,
                    new Fidelity("run", 0),
                    new Outcome.Measured(Map.of("gflops", gflops, "time", 1 / gflops)),
                    0,
                    new Provenance("model", "1", 0, Provenance.Source.MODEL)));
        }
        return new GpuFigures.Curve(group, group + " run", track.picture());
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
        String svg = new String(PlotExport.svg((w, h) -> figure), StandardCharsets.UTF_8);
        assertThat(svg).contains(">0<", ">1<", ">2<", "Trials of the task").doesNotContain(">0.5<", ">1.0<", ">0.2<");
    }

    @Test
    void seedsWithOneMeasurementEachAreOnePointOfTheirMedian() {
        Figure figure = GpuFigures.convergence(after("a", 120), List.of(after("a", 80), after("a", 100)), "GFLOPS", "");
        assertThat(figure.panels().getFirst().items().stream()
                        .filter(Figure.Line.class::isInstance)
                        .map(Figure.Line.class::cast)
                        .findFirst()
                        .orElseThrow()
                        .y())
                .containsExactly(100);
    }

    @Test
    void whatACostModelSaidIsDrawn() {
        int groups = FeatureGroups.names().size();
        double[] attention = new double[4 * groups];
        Arrays.fill(attention, 1.0 / groups);
        var belief = new TuningState.Belief(
                List.of(new double[] {1, 1.2}, new double[] {2, 1.9}), new double[] {3, 2, 1.5}, attention);

        Figure predicted = GpuFigures.predictions("T1", belief, "model");
        assertThat(predicted.panels().getFirst().items())
                .filteredOn(Figure.Dot.class::isInstance)
                .hasSize(2);
        Figure heat = GpuFigures.attention("T1", belief);
        assertThat(heat.panels().getFirst().items())
                .filteredOn(Figure.Bar.class::isInstance)
                .hasSize(4 * groups);
        assertThat(new String(PlotExport.svg((w, h) -> heat), StandardCharsets.UTF_8))
                .contains("head 4")
                .contains("buffer access");
        assertThat(GpuFigures.losses("T1", belief).panels().getFirst().items())
                .singleElement()
                .isInstanceOfSatisfying(
                        Figure.Line.class, l -> assertThat(l.y()).containsExactly(3, 2, 1.5));
        assertThat(GpuFigures.losses(new WeightsUse("/nowhere/model.gat", 1)).caption())
                .contains("/nowhere/model.gat");
    }
}
