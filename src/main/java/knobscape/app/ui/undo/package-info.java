/// Undo and redo of what a person changed: pins, filters, knob edits, deletions.
package knobscape.app.ui.undo;
