/// The GPU area's side of the tuning history: what its tasks are called there ([HistoryTasks]), what other programs'
/// files hold of it ([HistoryImport], [HistoryExport]), and what a search learns from it ([KernelExperience]). The
/// store itself is `work.history`.
package knobscape.gpu.history;
