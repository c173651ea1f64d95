/// What is found in an HLS kernel: functions, loops, arrays, accesses, operations, pragmas. The records here
/// are the intermediate form every other part works on; `hls.source.clang` makes them.
///
/// Begin with [Kernel] and its [Loop]s; a [LinearForm] is what is known of an integer, an [IndexForm] what an
/// array is indexed by. Knobs are made of this in `hls.space`.
package knobscape.hls.source;
