/// The area of layer fusion: a network as a chain of layers, the strategy that groups them, and searches for
/// better ones.
package knobscape.app.ui.fusion;
