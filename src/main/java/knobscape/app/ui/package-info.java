/// The window: one shell with four places (what is optimised, the space of results, one design, what is
/// running) into which the areas of work are put. Every part is a view (FXML and a controller that only binds)
/// and a view model that knows no control; view models hand arithmetic to the background and never work on the
/// JavaFX thread.
package knobscape.app.ui;
