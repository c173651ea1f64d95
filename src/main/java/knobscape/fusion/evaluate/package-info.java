/// The cost of a fusion strategy: an analytical model of a DNN accelerator with two memories (DNNFuser, arXiv
/// 2201.11218, sections 3 and 5.1).
///
/// Begin with [FusionCostModel]; [IncrementalCost] is the same for searches that change one entry at a time,
/// [FusionReport] explains a cost, [FusionEvaluator] is the door that the loop of a run uses.
package knobscape.fusion.evaluate;
