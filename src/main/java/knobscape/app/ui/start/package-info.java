/// The page shown while nothing is open: samples, what was open before, and a place to drop files.
package knobscape.app.ui.start;
