/// Loop nests of GPU kernels: axes, buffers, affine accesses and statements. Templates build them; validity
/// rules, features, cost models and printers read them.
///
/// Begin with [LoopNest] and [NestStatement]; [DeviceLimitCheck] says whether a device can run one. What computes what
/// (the
/// operators) is in `gpu.space.operator`, text in `gpu.codegen`.
package knobscape.gpu.space.nest;
