package knobscape.app.ui.task;

import java.util.function.Consumer;
import knobscape.network.ImportOptions;
import knobscape.network.MissingExtents;

/// Extents that a network file leaves open, which a person is asked for.
///
/// @param name of the network
/// @param missing what the file leaves open
/// @param answer takes them, each 1 or more
/// @param declined says what is not open, where a person does not answer
public record ExtentsQuestion(String name, MissingExtents missing, Consumer<ImportOptions> answer, Runnable declined) {}
