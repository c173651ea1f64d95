/// One design: its figures against the baseline, at every fidelity and against what was predicted, and the
/// knobs that make the difference.
package knobscape.app.ui.inspector;
