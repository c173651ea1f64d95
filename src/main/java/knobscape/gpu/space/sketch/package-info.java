/// Schedules without templates (Ansor, OSDI 2020): what a fused subgraph computes ([Computation]), the sketches
/// that rules derive from it ([SketchRules]), and loop nests of a sketch with its annotation
/// ([SketchLowering]).
///
/// Begin with [SketchSource], through which everything else sees them.
package knobscape.gpu.space.sketch;
