/// Devices that measure schedules: real ones through OpenCL and CUDA, in a process of their own.
///
/// Begin with [GpuDevice] and [ScheduleEvaluator], the door that the loop of a run uses; [HardwareDevice]
/// speaks to a [Worker] process through a [Link]. Models of devices are in `gpu.evaluate.model`, recorded
/// measurements in `gpu.evaluate.replay`.
package knobscape.gpu.evaluate.device;
