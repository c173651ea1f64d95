/// Exact answers of strip fusion: the best grouping of a network's layers ([StripSearch]).
package knobscape.fusion.search.strip;
