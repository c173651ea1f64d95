/// Bayesian optimisation over several objectives and fidelities: acquisitions and the explorers that follow
/// them.
///
/// Begin with [CgpExplorer] and the [BayesStep] it takes; an [Acquisition] ([Eipv], [MaxValueEntropy]) scores
/// configurations against [LadderPredictions]. The models are in `surrogate`, hypervolume and boxes in `pareto`.
package knobscape.explore.bayes;
