/// Evaluations, fidelities and the door to the outside: what it means to judge a configuration.
package knobscape.evaluate;
