/// Loop nests printed as CUDA C and OpenCL C, and a plain reference that their results are held against.
///
/// Begin with [KernelPrinter]; [Reference] computes what a schedule should, [ResultCheck] compares. Running
/// kernels is `gpu.evaluate.device`; the files a person takes away are written by `gpu.export`.
package knobscape.gpu.codegen;
