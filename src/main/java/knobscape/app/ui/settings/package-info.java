/// The program's memory of its window between two starts.
package knobscape.app.ui.settings;
