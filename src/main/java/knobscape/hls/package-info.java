/// FPGA directives: which pipelining, unrolling, partitioning and inlining of an HLS kernel are worth
/// synthesising.
///
/// Begin with [HlsArea], the one class the floors above see. The rooms: `source` (what is found in a C/C++
/// kernel), `space` (directives as knobs), `evaluate` (the built-in estimator), `export` (Tcl, pragmas).
/// Nothing here knows `gpu` or `fusion`; searches are in `explore`, measured designs in `evaluate.replay`.
package knobscape.hls;
