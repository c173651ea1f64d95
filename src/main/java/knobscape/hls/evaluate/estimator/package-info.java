/// The built-in estimator: from a kernel and its directives to latency, clock, area and power at the fidelities `hls`, `syn` and `impl`,
/// without any vendor tool. It models effects (operator latencies, memory ports, recurrences, sharing, multiplexers, congestion) with the
/// same constants for every kernel; its figures are marked "built-in estimate" wherever they are shown.
package knobscape.hls.evaluate.estimator;
