/// Searches for the fastest configuration of one kernel: AutoTVM's annealing over boosted trees, transductive
/// initial designs (BTED), bootstrap-guided adaptive optimisation (BAO), a genetic search and a grid.
///
/// Begin with [TuningMethod], the list. Searches that any area may use are in `explore`; which kernel's turn it
/// is, is decided by a scheduler; what is measured on is `gpu.evaluate`.
package knobscape.gpu.search;
