package knobscape.app.ui.plot;

import java.util.List;
import javafx.collections.FXCollections;
import javafx.scene.control.ComboBox;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import javafx.util.StringConverter;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.task.Latest;
import knobscape.evaluate.Fidelity;

/// The traces of a run's surrogates, one family at a time.
final class TracesView extends VBox {
    private static final String NOTHING = "The method of this run tells nothing of a surrogate, or no step has been done.";

    private final Results results;
    private final ComboBox<String> families = new ComboBox<>();
    private final FigureView plot;
    private final Latest<Lines> gathering;

    TracesView(PlotContext context, Results results) {
        this.results = results;
        this.plot = new FigureView(context, "Traces of the surrogate", FigureView.NOTHING_TO_CHOOSE);
        this.gathering = new Latest<>(context.background(), l -> plot.show(l.content(NOTHING)), context.failed());
        families.setConverter(new StringConverter<>() {
            @Override
            public String toString(String family) {
                return family == null ? "" : FitTraces.words(family);
            }

            @Override
            public String fromString(String words) {
                return families.getItems().stream().filter(f -> FitTraces.words(f).equals(words)).findFirst().orElse(words);
            }
        });
        families.setId("traceFamily");
        families.setAccessibleText("What to trace");
        families.setMaxWidth(Double.MAX_VALUE);
        families.valueProperty().addListener((o, was, is) -> draw());
        HBox.setHgrow(families, Priority.ALWAYS);
        var line = new HBox(families);
        line.getStyleClass().add("trace-choice");
        VBox.setVgrow(plot, Priority.ALWAYS);
        getChildren().addAll(line, plot);
        setMinSize(0, 0);
        results.shown().addListener((o, was, is) -> update(is.set()));
        update(results.set());
    }

    private static List<String> fidelities(DesignSet set) {
        return set.info().map(i -> i.fidelities().stream().map(Fidelity::name).toList()).orElse(List.of());
    }

    private void update(DesignSet set) {
        List<String> now = FitTraces.families(set.trace(), fidelities(set));
        if (!now.equals(families.getItems())) {
            String before = families.getValue();
            families.setItems(FXCollections.observableArrayList(now));
            families.setValue(before != null && now.contains(before) ? before : now.stream().findFirst().orElse(null));
        }
        draw();
    }

    private void draw() {
        DesignSet set = results.set();
        String family = families.getValue();
        if (family == null) {
            plot.show(Lines.none().content(NOTHING));
        } else {
            gathering.submit(() -> FitTraces.lines(set.trace(), fidelities(set), family));
        }
    }
}
