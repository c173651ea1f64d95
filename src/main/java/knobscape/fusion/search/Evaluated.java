package knobscape.fusion.search;

import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.space.Strategy;

/// A strategy and what it costs.
///
/// @param strategy the strategy
/// @param cost its cost
public record Evaluated(Strategy strategy, Cost cost) {}
