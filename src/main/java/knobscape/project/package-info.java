/// A project on disk, its runs and designs: opening, exploring in the background, storing, resuming. The window
/// and the command line both stand on this package and add no logic of their own to a run.
///
/// Begin with [Project] and [Runner]; [RunStore] is the SQLite file of a project's runs, [RunResults] what was
/// found. The loop of a run is `explore`, what a kind of work is `work` and the areas.
package knobscape.project;
