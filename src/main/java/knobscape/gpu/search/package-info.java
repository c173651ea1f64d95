/// Searches for the fastest configuration of one kernel: AutoTVM's annealing over boosted trees, transductive initial designs (BTED), bootstrap-guided
/// adaptive optimisation (BAO), a genetic search and a grid.
package knobscape.gpu.search;
