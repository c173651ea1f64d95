/// Choosing which designs are worth measuring before any is known: transductive experimental design and its
/// batched and randomised forms.
///
/// [TransductiveDesign] is all there is; it sees feature rows, never configurations.
package knobscape.explore.active;
