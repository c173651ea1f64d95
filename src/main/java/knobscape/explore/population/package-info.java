/// Searches by populations that every area may use.
///
/// [Evolution] is the one genetic search; an area gives it the operators of its space. [Recombination] has those of
/// configurations.
package knobscape.explore.population;
