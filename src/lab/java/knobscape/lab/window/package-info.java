/// Benches in the window: which there are, one running in the background, tables, aims and curves, earlier
/// results.
package knobscape.lab.window;
