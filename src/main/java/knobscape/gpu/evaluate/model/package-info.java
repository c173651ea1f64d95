/// Analytical models of GPUs: from the description of a kernel to a time, without a device.
///
/// Begin with [GpuModel] and [ModelDevice]; [GpuSpec] describes a GPU, [NestProfile] counts what a loop nest
/// does. Learned cost models are in `surrogate`.
package knobscape.gpu.evaluate.model;
