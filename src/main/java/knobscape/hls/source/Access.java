package knobscape.hls.source;

import java.util.List;

/// One textual access to an array. A compound assignment (`a[i] += e`) is one access of kind [Kind#READ_WRITE].
/// An access to a stream ([ArrayVariable.Scope#STREAM]) has an index for the array of streams only, none for the
/// stream itself.
///
/// @param array id of the array, [ArrayVariable#id()]
/// @param kind read, write or both (`+=`, `++`)
/// @param index one form per dimension, outermost first
/// @param loop id of the innermost loop around it, empty where none
/// @param location of the access in the file (of the macro's use where a macro made it)
public record Access(String array, Kind kind, List<IndexForm> index, String loop, Location location) {

    /// Read, write or both.
    public enum Kind {
        READ,
        WRITE,
        READ_WRITE
    }

    public Access {
        index = List.copyOf(index);
    }
}
