/// Evaluation of HLS designs with the vendor's tools or a person's own: reports as the tools write them, the scripts
/// and configuration files they are driven by, the processes they run in, and the engines (this machine, Slurm) that
/// start them. Not here: the built-in estimator (`hls.evaluate.estimator`) and directives as text (`hls.export`).
/// Start reading at [knobscape.hls.evaluate.vendor.ToolEvaluator]; reports at
/// [knobscape.hls.evaluate.vendor.VendorReport].
@org.jspecify.annotations.NullMarked
package knobscape.hls.evaluate.vendor;
