/// Facts about a function from its IR alone: which blocks form loops, how often they run, where an address
/// points to and how it moves. Nothing here knows hardware.
///
/// Begin with [IrLoops] and [AffineForms].
package knobscape.compile.analysis;
