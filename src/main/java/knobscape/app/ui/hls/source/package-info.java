/// The kernel's source with marks at what can be turned: loops, arrays, functions.
package knobscape.app.ui.hls.source;
