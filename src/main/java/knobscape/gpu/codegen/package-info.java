/// Loop nests printed as CUDA C and OpenCL C, and a plain reference that their results are held against.
package knobscape.gpu.codegen;
