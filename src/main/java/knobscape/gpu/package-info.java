/// GPU schedules: spaces of tuning templates, the loop nests they describe, kernels, devices and exports.
///
/// The rooms: `source` (a network's kernels), `space` (templates, loop nests, features), `evaluate` (devices, models,
/// replay), `search` (searches for schedules only), `codegen` and `export` (CUDA, OpenCL, logs). Nothing here knows
/// `hls` or `fusion`.
package knobscape.gpu;
