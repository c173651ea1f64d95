/// The exports for the vendor's tool: Tcl directives, annotated sources, and a script that synthesises the
/// design.
///
/// Begin with [HlsExporter]; [TclWriter] and [PragmaWriter] write one form each, both in the words of a
/// [Dialect]. Tables of designs (CSV, JSON) are written by `evaluate.report`.
package knobscape.hls.export;
