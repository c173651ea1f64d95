/// Asks a person for files.
package knobscape.app.ui.file;
