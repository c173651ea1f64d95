/// Fusion strategies ([Strategy]), and the design space they make ([StrategySpace]). Whether a strategy fits
/// the buffer is for `fusion.evaluate` to say.
package knobscape.fusion.space;
