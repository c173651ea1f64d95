package knobscape.fusion.search;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Provenance;
import knobscape.explore.PopulationExplorer;
import knobscape.explore.StepRandom;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.space.Strategy;
import knobscape.fusion.space.StrategySpace;
import knobscape.space.Configuration;

/// A [Searcher] as an explorer, so that its strategies are stored, shown and resumed like any other. Before the
/// answers of a model that was learned comes a reference that is faster than all of them, where there is one.
public final class FusionExplorer implements PopulationExplorer {
    private final FusionMethod method;
    private final Problem problem;
    private final StrategySpace space;
    private final Search search;
    private boolean begun;
    private int left;
    private List<int[]> learned = List.of();
    private String reason;
    private List<Cost> costs = List.of();

    /// @param proofs told what an exact search proves
    public FusionExplorer(
            FusionMethod method,
            FusionCostModel model,
            StrategySpace space,
            Constraint constraint,
            long seed,
            Consumer<ExactSearch.Answer> proofs) {
        this(method, model, space, constraint, seed, proofs, Integer.MAX_VALUE);
    }

    /// @param most evaluations after which nothing is asked, for searches that keep the last ones for something else
    FusionExplorer(
            FusionMethod method,
            FusionCostModel model,
            StrategySpace space,
            Constraint constraint,
            long seed,
            Consumer<ExactSearch.Answer> proofs,
            int most) {
        this.left = most;
        this.method = method;
        this.space = space;
        problem = new Problem(model, constraint, new CancellationSignal(), proofs);
        search = method.searcher().begin(problem, StepRandom.of(seed, 0));
        reason = method.label();
    }

    @Override
    public String name() {
        return method.name();
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public List<Configuration> population(CancellationSignal stop) {
        List<int[]> asked = asked(stop);
        costs = asked.stream().map(problem.model()::evaluate).toList();
        return asked.stream().map(s -> space.configuration(Strategy.of(s))).toList();
    }

    private List<int[]> asked(CancellationSignal stop) {
        boolean first = !begun;
        begun = true;
        if (first) {
            stop.onCancel(problem.cancel()::cancel);
        }
        if (!first || method.kind() != FusionMethod.Kind.INFERENCE) {
            List<int[]> asked = learned.isEmpty() ? search.ask(left) : learned;
            learned = List.of();
            reason = method.label();
            return asked;
        }
        List<int[]> answers = search.ask(left);
        Optional<CostedStrategy> reference = BaselineStrategies.faster(problem, answers);
        if (reference.isEmpty()) {
            return answers;
        }
        learned = answers;
        double speedup = problem.model().speedup(reference.get().cost().seconds())
                * answers.stream()
                        .map(problem.model()::evaluate)
                        .filter(problem.model()::isValid)
                        .mapToDouble(c -> reference.get().cost().seconds() / c.seconds())
                        .max()
                        .orElse(0);
        reason = "faster than the answer of " + method.label()
                + (speedup > 0 ? String.format(Locale.ROOT, " (speedup %.2f)", speedup) : ", which does not fit");
        return List.of(reference.get().strategy().toArray());
    }

    @Override
    public void tell(List<Evaluation> evaluations) {
        left -= left == Integer.MAX_VALUE ? 0 : evaluations.size();
        search.tell(IntStream.range(0, costs.size())
                // The last population may be longer than what the run still had to evaluate.
                .mapToObj(i -> i < evaluations.size() ? cost(costs.get(i), evaluations.get(i)) : costs.get(i))
                .toList());
    }

    /// Measured costs count before the model's.
    private static Cost cost(Cost modelled, Evaluation e) {
        if (e.provenance().source() == Provenance.Source.MODEL) {
            return modelled;
        }
        return new Cost(
                e.value(FusionEvaluator.LATENCY).orElse(modelled.seconds() * 1e6) * 1e-6,
                e.isMeasured()
                        ? (long) (e.value(FusionEvaluator.MEMORY).orElse(modelled.peakBytes() * 1e-6) * 1e6)
                        : Long.MAX_VALUE / 4,
                modelled.offChipBytes(),
                modelled.onChipBytes());
    }
}
