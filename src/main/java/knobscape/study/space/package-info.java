/// The design space of a study: its parameters as knobs, its constraints as a decision diagram.
package knobscape.study.space;
