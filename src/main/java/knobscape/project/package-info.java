/// A project on disk, its runs and designs: opening, exploring in the background, storing, resuming. The window and the
/// command line both stand on this package and add no logic of their own to a run.
package knobscape.project;
