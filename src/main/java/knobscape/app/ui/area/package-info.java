/// What an area of the window is: what it shows in the four places, which files it takes.
package knobscape.app.ui.area;
