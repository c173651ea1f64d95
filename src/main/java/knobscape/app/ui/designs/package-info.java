/// The designs of a run as every view of the window sees them: one set, one filter, one selection, the pins;
/// and their table.
package knobscape.app.ui.designs;
