/// Loop nests of GPU kernels: axes, buffers, affine accesses and statements. Templates build them; validity rules, features, cost models and
/// printers read them.
package knobscape.gpu.space.nest;
