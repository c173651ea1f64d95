package knobscape.fusion.search;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;
import knobscape.work.Named;

/// A way to find fusion strategies, by name.
///
/// @param name as on the command line (`gsampler`)
/// @param label for a person (`G-Sampler`)
public record FusionMethod(String name, String label, String description, Kind kind, Searcher searcher)
        implements Named {

    /// The use that a method makes of the evaluations it is given.
    public enum Kind {
        /// Spends all of them.
        SEARCH,
        /// Spends one and always gives the same.
        REFERENCE,
        /// Spends one or a few: a model answers in one pass.
        INFERENCE
    }

    @Override
    public boolean spendsSteps() {
        return kind == Kind.SEARCH;
    }

    /// The strategy of a method that needs no search. A learned one that is slower than that of DP or than no fusion
    /// gives way to it.
    public Strategy answer(FusionCostModel model, long seed) {
        Strategy own = Mapping.search(searcher, model, Constraint.LEXI, Mapping.EVALUATIONS, seed)
                .strategy();
        return Optional.of(own)
                .filter(_ -> kind == Kind.INFERENCE)
                .flatMap(s -> BaselineStrategies.faster(
                        new Problem(model, Constraint.LEXI, new CancellationSignal()), List.of(s.toArray())))
                .map(CostedStrategy::strategy)
                .orElse(own);
    }

    /// A method that needs nothing but the program.
    public static FusionMethod named(String name) {
        return builtIn().stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow();
    }

    /// The methods that need nothing but the program.
    public static List<FusionMethod> builtIn() {
        return Stream.concat(offered().stream(), baselines().stream()).toList();
    }

    /// Those of them that are offered, in the order shown.
    public static List<FusionMethod> offered() {
        return List.of(
                search(
                        "gsampler",
                        "G-Sampler",
                        "For networks that branch: genetic search in which runs of layers share a micro-batch and misfits are repaired.",
                        (p, r) -> GSampler.begin(p, r, GSampler.Mode.REPAIRING)),
                reference(
                        "exact",
                        "Exact",
                        "For chains of layers: the best strategy there is, proven; not for networks that branch.",
                        ExactSearch.searcher()),
                reference(
                        "dp",
                        "Grouping by DP",
                        "For an answer at once: the best grouping with one micro-batch a group, by dynamic programming.",
                        BaselineStrategies.grouping()),
                search(
                        "random",
                        "Random search",
                        "To have something to compare with: uniform draws.",
                        RandomSearch::new),
                reference(
                        "none",
                        "No fusion",
                        "To see what fusion gains: every layer for itself.",
                        BaselineStrategies.noFusion()));
    }

    /// Baselines of papers, which only their names reach.
    public static List<FusionMethod> baselines() {
        return List.of(
                search(
                        "gsampler-plain",
                        "G-Sampler (Kao 2022)",
                        "A baseline: G-Sampler with crossover and mutation only, nearest to the published figures.",
                        (p, r) -> GSampler.begin(p, r, GSampler.Mode.PLAIN)),
                search("pso", "PSO", "A baseline: particle swarm optimisation, 40 particles.", ParticleSwarm::new),
                search(
                        "cmaes",
                        "CMA-ES",
                        "A baseline: an evolution strategy that learns a covariance matrix.",
                        CovarianceMatrixAdaptation::new),
                search(
                        "de",
                        "DE",
                        "A baseline: differential evolution, 30 individuals, current-to-best.",
                        DifferentialEvolution::new),
                search(
                        "tbpsa",
                        "TBPSA",
                        "A baseline: an evolution strategy that widens its population where a test sees no progress.",
                        PopulationSizeAdaptation::new),
                search(
                        "ga",
                        "stdGA",
                        "A baseline: a genetic algorithm without knowledge of the problem.",
                        StandardGa::begin),
                search(
                        "a2c",
                        "A2C",
                        "A baseline: reinforcement learning, an actor and a critic choose one entry after the other.",
                        AdvantageActorCritic::new),
                reference(
                        "uniform",
                        "Uniform",
                        "A baseline: everything fused with the largest common micro-batch that fits.",
                        BaselineStrategies.uniform()));
    }

    private static FusionMethod search(String name, String label, String description, Searcher searcher) {
        return new FusionMethod(name, label, description, Kind.SEARCH, searcher);
    }

    private static FusionMethod reference(String name, String label, String description, Searcher searcher) {
        return new FusionMethod(name, label, description, Kind.REFERENCE, searcher);
    }
}
