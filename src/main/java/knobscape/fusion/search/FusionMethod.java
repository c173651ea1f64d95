package knobscape.fusion.search;

import java.util.List;
import java.util.Optional;
import knobscape.evaluate.CancellationSignal;
import knobscape.explore.StepRandom;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.space.Strategy;
import knobscape.work.Named;

/// A way to find fusion strategies, by name.
///
/// @param name as on the command line (`gsampler`)
/// @param label for a person (`G-Sampler`)
public record FusionMethod(String name, String label, String description, Kind kind, Searcher searcher)
        implements Named {

    /// What a method does with the evaluations it is given.
    public enum Kind {
        /// Spends all of them.
        SEARCH,
        /// Spends one and always gives the same.
        REFERENCE,
        /// Spends one or a few: a model answers in one pass.
        INFERENCE
    }

    /// The strategy of a method that needs no search. A learned one that is slower than that of DP or than no fusion
    /// gives way to it.
    public Strategy answer(CostModel model, long seed) {
        var problem = new Problem(model, Constraint.LEXI, new CancellationSignal());
        Mapping own = Mapping.of(searcher.begin(problem, StepRandom.of(seed, 0)), problem, Mapping.EVALUATIONS);
        return (kind == Kind.INFERENCE
                        ? References.faster(problem, List.of(own.strategy().toArray()))
                        : Optional.<Mapping>empty())
                .orElse(own)
                .strategy();
    }

    /// The methods that need nothing but the program, in the order shown.
    public static List<FusionMethod> builtIn() {
        return List.of(
                search(
                        "gsampler",
                        "G-Sampler",
                        "Genetic search made for fusion: runs of layers share a micro-batch, and what does not fit is repaired.",
                        (p, r) -> GSampler.begin(p, r, GSampler.Mode.REPAIRING)),
                search(
                        "gsampler-plain",
                        "G-Sampler (plain)",
                        "The same with crossover and mutation only, nearest to the published figures.",
                        (p, r) -> GSampler.begin(p, r, GSampler.Mode.PLAIN)),
                search("pso", "PSO", "Particle swarm optimisation, 40 particles.", ParticleSwarm::new),
                search(
                        "cmaes",
                        "CMA-ES",
                        "Evolution strategy that learns a covariance matrix.",
                        CovarianceMatrixAdaptation::new),
                search(
                        "de",
                        "DE",
                        "Differential evolution, 30 individuals, current-to-best.",
                        DifferentialEvolution::new),
                search(
                        "tbpsa",
                        "TBPSA",
                        "Evolution strategy that widens its population where a test sees no progress.",
                        PopulationSizeAdaptation::new),
                search("ga", "stdGA", "Genetic algorithm without knowledge of the problem.", StandardGa::begin),
                search(
                        "a2c",
                        "A2C",
                        "Reinforcement learning: an actor and a critic choose the entries one after the other.",
                        AdvantageActorCritic::new),
                search("random", "Random search", "Uniform draws.", RandomSearch::new),
                reference(
                        "exact",
                        "Exact",
                        "The best strategy there is, proven; not for networks that branch.",
                        ExactSearch.searcher()),
                reference(
                        "dp",
                        "DP",
                        "The best grouping with one micro-batch a group, by dynamic programming.",
                        References.grouping()),
                reference(
                        "uniform",
                        "Uniform",
                        "Everything fused with the largest common micro-batch that fits.",
                        References.uniform()),
                reference("none", "No fusion", "Every layer for itself: the baseline.", References.noFusion()));
    }

    private static FusionMethod search(String name, String label, String description, Searcher searcher) {
        return new FusionMethod(name, label, description, Kind.SEARCH, searcher);
    }

    private static FusionMethod reference(String name, String label, String description, Searcher searcher) {
        return new FusionMethod(name, label, description, Kind.REFERENCE, searcher);
    }
}
