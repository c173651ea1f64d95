/// The program's installation and its display. Uses nothing but the JDK.
package knobscape.app.system;
