/// The built-in estimator: from a kernel and its directives to latency, clock, area and power at the fidelities
/// `hls`, `syn` and `impl`, without any vendor tool. It models effects (operator latencies, memory ports,
/// recurrences, sharing, multiplexers, congestion) with the same constants for every kernel; its figures are
/// marked "built-in estimate" wherever they are shown.
///
/// Begin with [EstimatorEvaluator], then [Estimator]: a [CompiledKernel] whose directives LLVM writes out
/// ([IrPolicy], [IrModules]), loops from the outside in ([IrEstimator]), a graph ([IrGraphBuilder]) and a schedule
/// ([BlockSchedule]) for each block, and [Physics] for area, clock and power.
package knobscape.hls.evaluate.estimator;
