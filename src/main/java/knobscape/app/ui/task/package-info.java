/// The few doors between the JavaFX thread and the rest.
package knobscape.app.ui.task;
