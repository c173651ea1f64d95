package knobscape.app.ui.designs;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.LatestTask;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.project.Design;
import knobscape.space.Configuration;

/// Figures of one design by evaluators other than that of the run shown: they stand beside those of the run and
/// are never mixed with them. Used from the JavaFX thread.
public final class OtherEvaluators {
    /// The figures of a design by an evaluator.
    ///
    /// @param label of the evaluator
    /// @param info its metrics and stages
    /// @param design the same configuration with its evaluations
    public record Told(String label, EvaluatorInfo info, Design design) {}

    /// Who is asked.
    ///
    /// @param own label of the evaluator whose run is shown; empty before a run
    /// @param known looks a configuration up; called away from the screen
    public record Source(String own, Function<Configuration, List<Told>> known) {
        /// Nobody.
        public static final Source NONE = new Source("", _ -> List.of());
    }

    private record Answer(Configuration of, List<Told> told) {}

    private final LatestTask<Answer> looking;
    private final ReadOnlyObjectWrapper<List<Told>> told = new ReadOnlyObjectWrapper<>(List.of());
    private Source source = Source.NONE;
    private Optional<Configuration> looked = Optional.empty();

    OtherEvaluators(Background background) {
        looking = new LatestTask<>(
                background,
                a -> {
                    if (looked.equals(Optional.of(a.of()))) {
                        told.set(a.told());
                    }
                },
                e -> {
                    throw new IllegalStateException("reading what other evaluators said failed", e);
                });
    }

    /// Asks others from now on.
    public void source(Source next) {
        source = next;
        looked = Optional.empty();
        told.set(List.of());
    }

    /// Label of the evaluator whose run is shown.
    public String own() {
        return source.own();
    }

    /// Asks about a design; [#told] changes when the answer is there.
    public void look(Configuration of) {
        if (!looked.equals(Optional.of(of))) {
            looked = Optional.of(of);
            told.set(List.of());
            Function<Configuration, List<Told>> known = source.known();
            looking.submit(() -> new Answer(of, known.apply(of)));
        }
    }

    /// Their figures of the design asked about last.
    public ReadOnlyObjectProperty<List<Told>> told() {
        return told.getReadOnlyProperty();
    }
}
