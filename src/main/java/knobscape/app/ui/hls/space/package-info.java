/// The knobs a kernel offers, as a tree and one subject at a time, and what pruning left of their combinations.
package knobscape.app.ui.hls.space;
