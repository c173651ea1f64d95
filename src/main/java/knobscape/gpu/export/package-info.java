/// The exports of the program: kernels with a launch header and a host example, schedules, tuning logs in
/// AutoTVM's form, tables.
///
/// Begin with [GpuExporter] (one kernel) and [TuningExport] (a tuned network); [AutoTvmLog] writes and reads
/// logs. The text of kernels is made by `gpu.codegen`.
package knobscape.gpu.export;
