/// Devices that compile and run kernels: OpenCL and CUDA behind one door, without any knowledge of what the kernels
/// compute. A device is used by one thread of a process that may be killed at any time.
package knobscape.work.device;
