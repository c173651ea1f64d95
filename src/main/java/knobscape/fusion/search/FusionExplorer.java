package knobscape.fusion.search;

import java.util.List;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.explore.PopulationExplorer;
import knobscape.explore.StepRandom;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.space.Strategy;
import knobscape.fusion.space.StrategySpace;
import knobscape.space.Configuration;

/// A [Searcher] as an explorer, so that its strategies are stored, shown and resumed like any other.
public final class FusionExplorer implements PopulationExplorer {
    private final FusionMethod method;
    private final CostModel model;
    private final StrategySpace space;
    private final Search search;
    private List<Cost> costs = List.of();

    public FusionExplorer(FusionMethod method, CostModel model, StrategySpace space, Constraint constraint, long seed) {
        this.method = method;
        this.model = model;
        this.space = space;
        this.search = method.searcher()
                .begin(new Problem(model, constraint, new CancellationSignal()), StepRandom.of(seed, 0));
    }

    @Override
    public String name() {
        return method.name();
    }

    @Override
    public String reason() {
        return method.label();
    }

    @Override
    public List<Configuration> population(int left) {
        List<int[]> asked = search.ask(left);
        costs = asked.stream().map(model::evaluate).toList();
        return asked.stream().map(s -> space.configuration(Strategy.of(s))).toList();
    }

    @Override
    public void tell(List<Evaluation> evaluations) {
        search.tell(costs);
    }
}
