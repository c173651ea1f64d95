/// Designs on their way out, and files of our own: tables of configurations with their results as JSON and CSV,
/// files written whole or not at all, JSON objects read with errors that name file and key.
///
/// Begin with [DesignTable] and [FileOutput]. What is particular to an area (Tcl, kernels, strategies) is
/// written by the `export` package of that area, with [FileOutput] and [JsonFields].
package knobscape.evaluate.report;
