/// Checks of this machine: what it offers to the program, and how to fix what is missing.
package knobscape.app.doctor;
