package knobscape.network;

import java.util.List;

/// A network read from a file, and what its reader should know.
///
/// @param network the network
/// @param notes sentences: operators kept as opaque nodes, shapes that are not known, declarations that
/// disagree, nodes left out
public record ImportedNetwork(Network network, List<String> notes) {
    public ImportedNetwork {
        notes = List.copyOf(notes);
    }
}
