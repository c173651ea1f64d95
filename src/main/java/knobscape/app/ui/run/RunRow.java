package knobscape.app.ui.run;

import knobscape.project.RunRecord;

/// A line of the table of runs.
///
/// @param run the run
/// @param front designs on its own front
/// @param share its hypervolume as a share of that of all runs together, both by the project's reference point; NaN
/// where the run cannot be compared
public record RunRow(RunRecord run, int front, double share) {}
