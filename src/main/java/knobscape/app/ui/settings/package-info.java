/// What the program remembers of its window between two starts.
package knobscape.app.ui.settings;
