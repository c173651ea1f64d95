/// What leaves: Tcl directives, annotated source, CSV and JSON.
package knobscape.hls.export;
