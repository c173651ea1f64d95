/// Gaussian processes: several correlated outputs, a ladder of fidelities, hyper-parameters by maximum
/// likelihood with hand-written gradients.
///
/// Begin with [GaussianProcess] and its trainer; [MarginalLikelihood] is written once for all its structures,
/// those on learned features too. [GrowingProcess] is for searches that ask after every measurement. Acquisitions are
/// in `explore.bayes`.
package knobscape.surrogate.gp;
