/// Ensembles of trees, from Smile.
package knobscape.surrogate.ensemble;
