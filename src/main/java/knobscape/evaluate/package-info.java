/// Evaluations, fidelities and the door to the outside: what it means to evaluate a configuration.
package knobscape.evaluate;
