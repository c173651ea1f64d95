/// The templates of the operators: for convolutions (direct, depthwise, Winograd), dense layers and batched
/// matrix products, the knobs of AutoTVM's CUDA templates and the loop nests that each setting stands for; and
/// schedules as JSON, which name their template. Begin with [knobscape.gpu.space.operator.Templates].
///
/// The meaning of a template, its space and a schedule is in `gpu.space.template`; text of kernels is written in
/// `gpu.codegen`.
package knobscape.gpu.space.operator;
