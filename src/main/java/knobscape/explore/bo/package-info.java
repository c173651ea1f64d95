/// Model-based search for the best configuration by one metric, for any area: without a history ([BoExplorer]) and
/// from one ([TransferExplorer]).
///
/// Begin with [BoExplorer]; what both share is an [Arm], a model with what it picks, over a [Pool] of candidates.
package knobscape.explore.bo;
