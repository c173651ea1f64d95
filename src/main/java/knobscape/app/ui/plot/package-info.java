/// Pictures of results. Charts (JFreeChart) and parallel coordinates are drawn into images away from the JavaFX
/// thread; the screen shows the newest image and draws only the selection on top.
package knobscape.app.ui.plot;
