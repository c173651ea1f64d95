package knobscape.fusion.search;

import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.space.Strategy;

/// A strategy and what it costs.
public record CostedStrategy(Strategy strategy, Cost cost) {}
