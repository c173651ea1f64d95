package knobscape.app.ui.designs;

import knobscape.explore.Prediction;
import knobscape.space.Configuration;

/// A design that a person tries out without evaluating it.
///
/// @param configuration its knobs
/// @param prediction what the surrogate expects of it
/// @param words the change and what it would give
public record WhatIf(Configuration configuration, Prediction prediction, String words) {}
