/// The window's part for studies alone: the file and its parameters, the cover before a run, exports.
package knobscape.app.ui.study;
