package knobscape.app.ui.plot;

import java.util.List;
import java.util.Optional;
import javafx.scene.Parent;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Results;
import knobscape.evaluate.Fidelity;

/// The traces of a run's surrogates, one family at a time.
final class TracesView {
    private static final String NOTHING =
            "The method of this run reports nothing about a surrogate, or no step has been done.";

    private final Results results;
    private final ChosenFigure<String> figure;

    TracesView(PlotContext context, Results results) {
        this.results = results;
        this.figure = new ChosenFigure<>(
                context, "Traces of the surrogate", "traceFamily", "What to trace", FitTraces::words, this::draw);
        results.shown().addListener((o, was, is) -> update());
        update();
    }

    Parent root() {
        return figure.root();
    }

    private static List<String> fidelities(DesignSet set) {
        return set.info()
                .map(i -> i.fidelities().stream().map(Fidelity::name).toList())
                .orElse(List.of());
    }

    private void update() {
        figure.offer(FitTraces.families(results.set().trace(), fidelities(results.set())));
        draw(figure);
    }

    private void draw(ChosenFigure<String> on) {
        DesignSet set = results.set();
        Optional<String> family = on.chosen();
        on.show(() -> family.map(f -> FitTraces.lines(set.trace(), fidelities(set), f))
                .orElse(Lines.none())
                .content(NOTHING));
    }
}
