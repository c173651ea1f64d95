package knobscape.fusion.search;

import java.util.Optional;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.evaluate.Strategy;

/// The evaluations a searcher may spend, and what came of them. One searcher, one thread.
public final class Trials {
    private final CostModel model;
    private final Constraint constraint;
    private final int budget;
    private final Consumer<Judged> listener;
    private final CancellationSignal cancel;
    private int used;
    private Optional<Judged> best = Optional.empty();
    private double bestFitness = Double.POSITIVE_INFINITY;

    /// @param model judges
    /// @param constraint how strategies that do not fit are seen
    /// @param budget most evaluations, at least 1
    /// @param listener told every evaluation at once
    /// @param cancel asked before every evaluation
    public Trials(CostModel model, Constraint constraint, int budget, Consumer<Judged> listener, CancellationSignal cancel) {
        if (budget < 1) {
            throw new IllegalArgumentException("evaluations must be at least 1, was " + budget);
        }
        this.model = model;
        this.constraint = constraint;
        this.budget = budget;
        this.listener = listener;
        this.cancel = cancel;
    }

    /// Thrown to a searcher that asks for more than its budget; whoever started it catches it.
    static final class Spent extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Spent() {
            super("all evaluations are spent", null, false, false);
        }
    }

    /// Spends one evaluation. Throws [Spent] where none is left, `CancellationException` where the search was stopped.
    ///
    /// @param s N + 1 entries, each 1..B or, but for entry 0, below 1 for a synchronisation; copied
    public Cost judge(int[] s) {
        cancel.throwIfCancelled();
        if (used == budget) {
            throw new Spent();
        }
        used++;
        Cost cost = model.evaluate(s);
        var judged = new Judged(Strategy.of(s), cost);
        double fitness = constraint.fitness(model, cost);
        boolean valid = model.isValid(cost);
        boolean bestValid = best.isPresent() && model.isValid(best.get().cost());
        // What fits goes before what does not, however the searcher sees it.
        if (best.isEmpty() || valid && !bestValid || valid == bestValid && fitness < bestFitness) {
            best = Optional.of(judged);
            bestFitness = fitness;
        }
        listener.accept(judged);
        return cost;
    }

    /// Spends one evaluation and gives the fitness.
    public double fitness(int[] s) {
        return constraint.fitness(model, judge(s));
    }

    /// The fitness of a cost.
    public double fitness(Cost cost) {
        return constraint.fitness(model, cost);
    }

    /// The best so far: the fastest that fits, else the one of the best fitness, the first of equals.
    public Optional<Judged> best() {
        return best;
    }

    /// Judges.
    public CostModel model() {
        return model;
    }

    /// How strategies that do not fit are seen.
    public Constraint constraint() {
        return constraint;
    }

    /// Evaluations spent.
    public int used() {
        return used;
    }

    /// Evaluations left.
    public int left() {
        return budget - used;
    }

    /// Makes sure that work which spends no evaluation can be stopped too.
    public void throwIfCancelled() {
        cancel.throwIfCancelled();
    }
}
