/// Files of a source: their text, bounded and decoded, places in it, and headers that no search path leads to.
package knobscape.hls.source.file;
