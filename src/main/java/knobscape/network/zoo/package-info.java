/// Well-known networks, generated: no file has to be fetched to try the program.
package knobscape.network.zoo;
