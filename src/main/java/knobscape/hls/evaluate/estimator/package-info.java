/// The built-in estimator: from a kernel and its directives to latency, clock, area and power at the fidelities
/// `hls`, `syn` and `impl`, without any vendor tool. It models effects (operator latencies, memory ports,
/// recurrences, sharing, multiplexers, congestion) with the same constants for every kernel; its figures are
/// marked "built-in estimate" wherever they are shown.
///
/// Begin with [EstimatorEvaluator], then [Estimator]: a [Plan] of what the directives do, a [Program] of
/// regions, a schedule for each block ([BlockSchedule]), and [Physics] for area, clock and power. Nothing here
/// reads source text or files.
package knobscape.hls.evaluate.estimator;
