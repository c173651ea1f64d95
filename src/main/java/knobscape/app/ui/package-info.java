/// The window.
package knobscape.app.ui;
