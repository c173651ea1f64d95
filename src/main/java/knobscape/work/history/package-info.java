/// The tuning history: every measurement of every run of a user, and what was imported, in one SQLite file. Begin
/// with [knobscape.work.history.TuningHistory]; [knobscape.work.history.HistoryRecorder] fills it from runs. Files
/// of other programs are read and written by the areas (`gpu.history`).
package knobscape.work.history;
