/// Benches: published or promised tables repeated by the program itself, resumable, with every aim as a row that is met or not.
package knobscape.bench;
