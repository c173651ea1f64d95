package knobscape.app.ui.plot;

import java.util.List;
import java.util.Optional;
import javafx.beans.value.ObservableValue;
import javafx.scene.canvas.GraphicsContext;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.theme.Hue;
import knobscape.project.Design;
import knobscape.project.RunResults.TracePoint;

/// Hypervolume against hours of tools, which estimates simulate. Names its reference point; a click on a step selects
/// the design that step
/// brought.
final class HypervolumeView extends FigureView {
    private static final double RING = 6;

    private final Results results;
    private final ObservableValue<Curves> curves;

    HypervolumeView(PlotContext context, Results results, ObservableValue<Curves> curves) {
        this.results = results;
        this.curves = curves;
        super(
                context,
                "Hypervolume against time spent",
                curves.map(HypervolumeView::content),
                k -> choose(results, curves.getValue(), k));
        results.selected().addListener((o, was, is) -> repaintOverlay());
    }

    private static Content content(Curves c) {
        return c.isEmpty() ? Content.empty("The curve begins after the initial designs") : Content.plot(() -> c);
    }

    private static List<TracePoint> steps(Curves c) {
        return c.curves().stream()
                .filter(Curves.Curve::current)
                .findFirst()
                .map(Curves::steps)
                .orElse(List.of());
    }

    @Override
    String words(Optional<Figure> figure) {
        List<TracePoint> steps = steps(curves.getValue());
        return super.words(figure)
                + (steps.isEmpty()
                        ? ""
                        : " Now "
                                + Curves.words(
                                        steps.getLast(), curves.getValue().best()) + ".");
    }

    @Override
    void overlay(GraphicsContext g, FigureFrame f) {
        results.selectedDesign()
                .filter(d -> d.number() != Results.BASELINE)
                .flatMap(d -> steps(curves.getValue()).stream()
                        .filter(p -> p.step() == d.step())
                        .findFirst())
                .ifPresent(p -> {
                    g.setStroke(ink(Hue.SELECTED));
                    g.setLineWidth(2);
                    g.strokeOval(
                            f.across().pixel(curves.getValue().across(p)) - RING,
                            f.upwards().pixel(curves.getValue().percent(p)) - RING,
                            2 * RING,
                            2 * RING);
                });
    }

    /// The design a step brought: one proposed in it, on the front before others.
    private static void choose(Results results, Curves curves, int key) {
        List<TracePoint> steps = steps(curves);
        DesignSet set = results.set();
        Optional<Design> found = Optional.empty();
        for (int i = 0; key < steps.size() && i < set.size(); i++) {
            if (set.get(i).step() == steps.get(key).step()
                    && (found.isEmpty() || set.standing(i) == DesignStanding.FRONT)) {
                found = Optional.of(set.get(i));
            }
        }
        found.ifPresent(d -> results.select(d.number()));
    }
}
