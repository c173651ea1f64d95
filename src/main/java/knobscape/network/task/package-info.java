/// Tuning tasks: the distinct pieces of work in a network, with their counts. Begin with [TuningTasks] and
/// [Workload]. How a workload is computed is for `gpu.space.operator`.
package knobscape.network.task;
