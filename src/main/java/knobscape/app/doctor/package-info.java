/// What this machine offers to the program, and how to mend what is missing.
package knobscape.app.doctor;
