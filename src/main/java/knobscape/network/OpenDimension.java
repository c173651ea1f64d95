package knobscape.network;

/// An extent of an input that a file leaves open, so that a person has to be asked.
///
/// @param input name of the input
/// @param axis its axis
/// @param symbol the name the file gives the extent; empty where it gives none
/// @param isBatch whether it is the number of samples
public record OpenDimension(String input, int axis, String symbol, boolean isBatch) {
    /// How [ImportOptions#dims] names it.
    public String key() {
        return symbol.isEmpty() ? input + ":" + axis : symbol;
    }
}
