/// What is found in an HLS kernel: functions, loops, arrays, accesses, operations, pragmas. The records here are the
/// intermediate form every other part works on; only `hls.source.cdt` knows the parser.
package knobscape.hls.source;
