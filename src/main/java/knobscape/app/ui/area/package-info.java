/// An area of the window: what it shows in the four places, which files it takes.
package knobscape.app.ui.area;
