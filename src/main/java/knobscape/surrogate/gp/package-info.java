/// Gaussian processes: several correlated outputs, a ladder of fidelities, hyper-parameters by maximum
/// likelihood with hand-written gradients.
///
/// Begin with [CoregionalGp] and its trainer; [MarginalLikelihood] is written once for all processes,
/// those on learned features too. Acquisitions are in `explore.bayes`.
package knobscape.surrogate.gp;
