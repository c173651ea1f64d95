/// Devices that judge schedules: real ones through OpenCL and CUDA; models and replayed measurements answer the same questions.
package knobscape.gpu.evaluate.device;
