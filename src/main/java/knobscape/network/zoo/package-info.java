/// Well-known networks, generated: no file has to be fetched to try the program. Begin with [Zoo]. Weights are
/// not there, only shapes.
package knobscape.network.zoo;
