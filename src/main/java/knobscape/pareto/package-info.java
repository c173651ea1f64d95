/// Pareto fronts of minimised objectives and what is measured on them: hypervolume, its improvement, and ADRS.
/// Knows nothing of designs. Begin with [ParetoFront] and [Hypervolume].
package knobscape.pareto;
