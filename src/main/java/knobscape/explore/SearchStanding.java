package knobscape.explore;

import java.util.List;

/// How a subject stands when a [Scheduler] decides.
///
/// @param subject the subject
/// @param canBeAsked whether it may be chosen: its initial designs are not all out, and its search has not
/// ended
/// @param turns how often it was asked, its initial designs being the first time
/// @param history what it has learned; to be read only
/// @param known evaluations of the history that were known before the search began
/// @param steps its answered steps, in the order they were completed; grows with the search, as the history does
public record SearchStanding(
        Subject subject, boolean canBeAsked, int turns, History history, int known, List<Termination.Step> steps) {}
