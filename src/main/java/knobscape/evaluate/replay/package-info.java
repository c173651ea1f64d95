/// Measured designs from a file as an evaluator with a finite design space: `--toolchain replay:FILE`.
///
/// Begin with [ReplaySet]; a [ReplayMapping] (YAML) says which columns of a [CsvTable] are knobs and which are
/// objectives, with a [knobscape.evaluate.Formula] where one has to be computed. Measured GPU kernels are replayed by
/// `gpu.evaluate.replay`, which stands on this.
package knobscape.evaluate.replay;
