/// Knobs, configurations and design spaces: the vocabulary every kind of work shares.
/// A space is never a list of everything; it counts exactly, draws uniformly and enumerates lazily.
package knobscape.space;
