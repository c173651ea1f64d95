/// A kernel as exactly as its source says it: every operator with the type it computes in, every conversion
/// written out, effects in the order of the language. Nothing is simplified and nothing is guessed; what cannot
/// be held is an [ExactStatement.Unsupported] that says so by name.
///
/// Begin with [ExactProgram]; [ExactType] lists the types with their layout in memory, [ExactPlace] what can
/// be assigned. `hls.source.interpret` runs it, `hls.source.cdt` makes it of C and C++. The abstract form for
/// knobs and estimates is one package up ([knobscape.hls.source.Kernel]).
package knobscape.hls.source.exact;
