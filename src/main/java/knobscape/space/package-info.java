/// Knobs, configurations and design spaces: the vocabulary every kind of work shares. A space is never a list
/// of everything; it counts exactly, draws uniformly and enumerates lazily.
///
/// Begin with [DesignSpace], [KnobSet] and [Configuration]; [Diagrams] makes spaces of constrained knobs. Which
/// knobs there are is said by the areas (`hls.space`, `gpu.space`, `fusion.space`), what a model sees of them
/// by an [Encoder].
package knobscape.space;
