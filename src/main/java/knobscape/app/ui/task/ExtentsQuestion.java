package knobscape.app.ui.task;

import java.util.Map;
import java.util.function.Consumer;
import knobscape.network.ImportOptions;
import knobscape.network.MissingExtents;
import knobscape.work.parameter.Parameter;
import knobscape.work.parameter.Values;

/// Extents that a network file leaves open, which a person is asked for.
///
/// @param name of the network
/// @param missing what the file leaves open
/// @param answer takes them, each 1 or more
/// @param declined says what is not open, where a person does not answer
public record ExtentsQuestion(String name, MissingExtents missing, Consumer<ImportOptions> answer, Runnable declined) {
    /// Settings with what a person answered.
    ///
    /// @param dims where an area keeps extents
    /// @param batch where it keeps the samples of a run
    public static Values taken(
            Values settings, ImportOptions given, Parameter<Map<String, Long>> dims, Parameter<Integer> batch) {
        Values sized = given.dims().isEmpty() ? settings : settings.with(dims, given.dims());
        return given.batch().isEmpty()
                ? sized
                : sized.with(batch, Math.toIntExact(given.batch().getAsLong()));
    }
}
