package knobscape.app.ui.run;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.app.ui.designs.Quantity;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;

/// The words of the log on evaluations.
///
/// @param objectives what is said of an evaluation
record LogWords(List<Metric> objectives) {
    /// `step 3 #28; hls: Power 0.25 W, Delay 12 ms; impl: Power 0.24 W, Delay 10 ms`.
    ///
    /// @param step 0 for the initial designs
    /// @param title of the design
    /// @param stages of it
    String line(int step, String title, List<Evaluation> stages) {
        return Stream.concat(
                        Stream.of((step == 0 ? "initial design " : "step " + step + " ") + title),
                        stages.stream().map(this::words))
                .collect(Collectors.joining("; "));
    }

    private String words(Evaluation v) {
        return v.fidelity().name() + ": "
                + switch (v.outcome()) {
                    case Outcome.Measured m ->
                        objectives.stream()
                                .flatMap(o -> m.value(o.name()).stream()
                                        .mapToObj(x -> o.label() + " "
                                                + Quantity.of(o, x, x).withUnit(x)))
                                .collect(Collectors.joining(", "));
                    case Outcome.Failure f -> f.kind().status() + ", " + f.reason();
                };
    }
}
