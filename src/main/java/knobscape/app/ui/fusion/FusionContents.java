package knobscape.app.ui.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import javafx.beans.Observable;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.plot.FigureSet.FigureEntry;
import knobscape.app.ui.plot.FigureView.Content;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionReport;

/// The contents of the figures of the paper's model.
final class FusionContents {
    static final String PAPER = "Paper's model";

    private final FusionViewModel model;

    /// @param model what is shown
    FusionContents(FusionViewModel model) {
        this.model = model;
    }

    /// The figures in the order of their tabs.
    List<FigureEntry> entries() {
        IntConsumer toLayer = i -> model.layer().set(i);
        return List.of(
                new FigureEntry(
                        PAPER,
                        "Layers",
                        content(
                                (m, r) -> {
                                    int chosen = model.layer().get();
                                    return Content.of(() -> FusionFigures.layers(m, r, chosen));
                                },
                                model.layer()),
                        toLayer),
                new FigureEntry(PAPER, "Compare", content(this::comparison, model.compared()), toLayer),
                new FigureEntry(
                        PAPER,
                        "Convergence",
                        content(this::convergence, model.searches().curves()),
                        toLayer),
                new FigureEntry(
                        PAPER,
                        "Roofline",
                        content(
                                (m, r) -> {
                                    int chosen = model.layer().get();
                                    return Content.of(() -> FusionFigures.roofline(m, r, chosen));
                                },
                                model.layer()),
                        toLayer));
    }

    private interface Maker {
        Content make(FusionCostModel m, FusionReport r);
    }

    /// The content of a figure, made anew when the strategy or one of `others` changes. The state of its
    /// properties is read on the screen's thread, before the drawing.
    private ObservableValue<Content> content(Maker maker, Observable... others) {
        var watched = new ArrayList<Observable>(List.of(others));
        watched.add(model.report());
        return Bindings.createObjectBinding(
                () -> model.model()
                        .get()
                        .filter(m -> model.report().get().isPresent())
                        .map(m -> maker.make(m, model.report().get().orElseThrow()))
                        .orElse(Content.empty("Nothing is open")),
                watched.toArray(Observable[]::new));
    }

    private Content comparison(FusionCostModel m, FusionReport r) {
        Optional<FusionReport> other = model.compared().get();
        if (other.isEmpty()) {
            return Content.empty("The strategy compared with needs a larger batch");
        }
        String now = model.origin().get();
        String against = model.againstTitle();
        return Content.of(() -> FusionFigures.comparison(m, r, now, other.get(), against));
    }

    private Content convergence(FusionCostModel m, FusionReport r) {
        List<SpeedupCurve> curves = model.searches().curves().get();
        return curves.stream().allMatch(c -> c.speedups().isEmpty())
                ? Content.empty(
                        curves.isEmpty()
                                ? "Search to see how the best speedup grows"
                                : "No strategy that fits was found yet")
                : Content.of(() -> FusionFigures.convergence(curves));
    }
}
