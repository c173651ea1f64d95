/// Bayesian optimisation over several objectives and fidelities: acquisitions and the explorers that follow them.
package knobscape.explore.bayes;
