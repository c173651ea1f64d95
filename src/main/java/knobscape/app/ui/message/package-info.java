/// Errors and news in words, inside the window, never in a dialog.
package knobscape.app.ui.message;
