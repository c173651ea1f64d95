package knobscape.hls.source.interpret;

/// Computes a value of at most 64 bits: an integer extended by its sign or by zeros, the bits of a
/// floating-point number, an address (of a structure: where it stands).
@FunctionalInterface
interface Code {
    long at(Frame frame);
}
