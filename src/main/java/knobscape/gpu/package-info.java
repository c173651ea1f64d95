/// GPU schedules: spaces of tuning templates, the loop nests they describe, kernels, devices and exports.
///
/// Begin with [GpuArea], the one class the floors above see. The rooms: `source` (a network's kernels), `space`
/// (templates, loop nests, features), `evaluate` (devices, models, replay), `search` (searches for schedules
/// only), `codegen` and `export` (CUDA, OpenCL, logs). Nothing here knows `hls` or `fusion`.
package knobscape.gpu;
