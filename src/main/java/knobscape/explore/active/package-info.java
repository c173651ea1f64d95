/// Choosing which designs are worth measuring before any is known: transductive experimental design and its batched and randomised forms.
package knobscape.explore.active;
