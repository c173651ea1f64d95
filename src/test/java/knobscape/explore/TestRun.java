package knobscape.explore;

import java.util.ArrayList;
import java.util.List;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.pareto.Adrs;
import knobscape.pareto.Hypervolume;
import knobscape.pareto.ParetoFront;

/// The plainest loop around an explorer, for tests: initial designs, then steps, no early stop.
public final class TestRun {
    private final Evaluator evaluator;
    private final Explorer explorer;
    private final History history = new History();
    private final List<Proposal> proposals = new ArrayList<>();
    private final List<String> states = new ArrayList<>();

    /// Runs nothing yet.
    public TestRun(Evaluator evaluator, Explorer explorer) {
        this.evaluator = evaluator;
        this.explorer = explorer;
    }

    /// Initial designs and fixed objectives.
    public TestRun start() {
        explorer.initial().forEach(this::run);
        history.fixObjectives(Objectives.calibrate(
                evaluator.info().objectives().stream()
                        .map(evaluator.info()::metric)
                        .toList(),
                history.evaluations()));
        return this;
    }

    /// Steps until `steps` are done, the tool time is spent, or nothing is left.
    public TestRun steps(int steps, int batch, double toolSeconds) {
        while (history.asks() < steps
                && history.evaluations().stream()
                                .mapToDouble(Evaluation::costSeconds)
                                .sum()
                        < toolSeconds) {
            List<Proposal> asked = explorer.ask(history, batch);
            if (asked.isEmpty()) {
                break;
            }
            asked.forEach(this::run);
            history.countAsk();
            states.add(explorer.state());
        }
        return this;
    }

    private void run(Proposal p) {
        proposals.add(p);
        for (Evaluation e : evaluator.evaluate(p.configuration(), p.upTo(), new CancellationSignal())) {
            history.add(e);
        }
    }

    /// What happened.
    public History history() {
        return history;
    }

    /// All proposals in order.
    public List<Proposal> proposals() {
        return proposals;
    }

    /// The explorer's state after every step.
    public List<String> states() {
        return states;
    }

    /// Normalised vectors measured at the highest fidelity.
    public double[][] found(Objectives objectives) {
        return history.at(evaluator.info().top()).stream()
                .flatMap(e -> objectives.vector(e).stream())
                .toArray(double[][]::new);
    }

    /// Hypervolume of what was found.
    public double hypervolume(Objectives objectives) {
        return Hypervolume.of(found(objectives), objectives.referencePoint());
    }

    /// ADRS of what was found against `front`.
    public double adrs(double[][] front, Objectives objectives) {
        return Adrs.of(front, ParetoFront.of(found(objectives)), Adrs.Distance.RELATIVE_WORST);
    }

    /// ADRS of what was found with the first `toolSeconds` of tool time.
    public double adrs(double[][] front, Objectives objectives, double toolSeconds) {
        var early = new ParetoFront<Integer>(objectives.count());
        double spent = 0;
        for (Evaluation e : history.evaluations()) {
            spent += e.costSeconds();
            if (spent <= toolSeconds && e.fidelity().equals(evaluator.info().top())) {
                objectives.vector(e).ifPresent(y -> early.add(y, 0));
            }
        }
        return Adrs.of(front, early.vectors(), Adrs.Distance.RELATIVE_WORST);
    }

    /// The true front of a flow over a whole space.
    public static double[][] trueFront(Evaluator evaluator, knobscape.space.DesignSpace space, Objectives objectives) {
        return ParetoFront.of(space.enumerate()
                .map(c -> evaluator
                        .evaluate(c, evaluator.info().top(), new CancellationSignal())
                        .getLast())
                .filter(e -> e.fidelity().equals(evaluator.info().top()))
                .flatMap(e -> objectives.vector(e).stream())
                .toArray(double[][]::new));
    }
}
