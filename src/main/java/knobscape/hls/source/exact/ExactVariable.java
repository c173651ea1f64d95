package knobscape.hls.source.exact;

/// A variable.
///
/// @param name in the source; made ones have none
/// @param inMemory whether it has an address: its address is taken, or it does not fit 64 bits
public record ExactVariable(String name, ExactType type, boolean inMemory) {}
