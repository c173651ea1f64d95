/// What the program finds of itself and of the display. Uses nothing but the JDK.
package knobscape.app.system;
