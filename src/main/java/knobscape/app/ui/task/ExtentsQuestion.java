package knobscape.app.ui.task;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.file.FileChoices;
import knobscape.network.MissingExtents;

/// Extents that a network file leaves open, which a person is asked for.
///
/// @param name of the network
/// @param extents what is missing
/// @param answer takes them, each 1 or more, by the key of the extent
/// @param declined says what is not open, where a person does not answer
public record ExtentsQuestion(
        String name, List<MissingExtents.Extent> extents, Consumer<Map<String, Long>> answer, Runnable declined) {
    public ExtentsQuestion {
        extents = List.copyOf(extents);
    }

    /// Lets a person answer whatever is asked.
    public static void answer(ObservableValue<Optional<ExtentsQuestion>> asked, FileChoices choices) {
        asked.subscribe(question ->
                question.ifPresent(q -> choices.extents(q.name, q.extents).ifPresentOrElse(q.answer, q.declined)));
    }
}
