/// The laboratory: tables of papers repeated, and what this program is held to, outside of the program that is shipped.
///
/// [Laboratory] is its command line, `lab.bench` the tables, `lab.window` a window for them.
package knobscape.lab;
