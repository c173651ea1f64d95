/// Gaussian processes: several correlated outputs, a ladder of fidelities, hyper-parameters by maximum likelihood with hand-written gradients.
package knobscape.surrogate.gp;
