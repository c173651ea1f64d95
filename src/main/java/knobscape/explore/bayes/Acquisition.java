package knobscape.explore.bayes;

import knobscape.surrogate.Posterior;

/// Scores candidates by what a surrogate believes of them; larger is better. Knows neither the surrogate nor
/// the candidates.
@FunctionalInterface
public interface Acquisition {

    /// One score per input of the posterior.
    double[] score(Posterior posterior);
}
