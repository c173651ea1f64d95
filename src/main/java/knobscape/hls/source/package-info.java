/// The contents of an HLS kernel: functions, loops, arrays, accesses, operations, pragmas. The records here
/// are the intermediate form every other part works on; `hls.source.clang` makes them.
///
/// Begin with [Kernel] and its [Loop]s; an [IndexForm] is what an array is indexed by. Knobs are made of this in
/// `hls.space`.
package knobscape.hls.source;
