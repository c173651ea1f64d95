/// Pareto fronts of minimised objectives and what is measured on them: hypervolume, its improvement, and ADRS. Knows nothing of designs.
package knobscape.pareto;
