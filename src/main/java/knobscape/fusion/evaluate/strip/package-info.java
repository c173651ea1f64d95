/// The cost of fused layers that work strip by strip on one on-chip buffer. Begin with [StripModel]; a group of layers
/// in it costs what a [GroupPlan] says.
package knobscape.fusion.evaluate.strip;
