package knobscape.fusion.mapper;

import knobscape.fusion.cost.Cost;
import knobscape.fusion.cost.Strategy;

/// A strategy and what it costs.
///
/// @param strategy the strategy
/// @param cost its cost
public record Judged(Strategy strategy, Cost cost) { }
