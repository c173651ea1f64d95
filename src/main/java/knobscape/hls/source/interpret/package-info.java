/// Runs an exact kernel ([knobscape.hls.source.exact.ExactProgram]) as a C compiler's program would run: same
/// widths, same wrapping, same rounding, same layout in memory. What C leaves undefined stops the run with a
/// sentence instead of some result: a division by zero, an index outside its array, a shift by too much.
///
/// Begin with [Interpreter]. A program is first turned into small objects that compute ([Code], [WideCode] for
/// numbers beyond 64 bits, [Step] for statements), then run within [Limits].
package knobscape.hls.source.interpret;
