package knobscape.explore.bo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.explore.Exploration;
import knobscape.explore.Explorer;
import knobscape.explore.RunListener;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// A valley of times around levels 3, 4, 3, 4 and so on.
///
/// @param asked how often each configuration was measured
/// @param factor of a measurement: the configuration and how often it was measured before
record Valley(
        Provenance.Source source, Map<Configuration, Integer> asked, ToDoubleBiFunction<Configuration, Integer> factor)
        implements Evaluator {
    static final Metric TIME = new Metric("time", "Time", "ms", Metric.Direction.MINIMISE, Double.NaN);
    private static final Fidelity RUN = new Fidelity("run", 0);

    Valley(Provenance.Source source, ToDoubleBiFunction<Configuration, Integer> factor) {
        this(source, new HashMap<>(), factor);
    }

    static double time(Configuration c) {
        return Math.exp(0.05
                * IntStream.range(0, c.knobs().size())
                        .mapToDouble(i -> Math.pow(c.level(i) - 3.0 - i % 2, 2))
                        .sum());
    }

    @Override
    public EvaluatorInfo info() {
        return new EvaluatorInfo(
                "valley",
                "For tests.",
                source,
                List.of(RUN),
                List.of(TIME),
                Map.of("run", Set.of("time")),
                List.of("time"),
                Map.of("run", 1.0));
    }

    @Override
    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
        Configuration c = request.configuration();
        double time = time(c) * factor.applyAsDouble(c, asked.merge(c, 1, Integer::sum) - 1);
        stageDone.accept(new Evaluation(
                c, RUN, new Outcome.Measured(Map.of("time", time)), 1, new Provenance("valley", "1", 0, source)));
    }

    /// Searches it, one measurement at a time.
    void search(DesignSpace space, Explorer explorer, long seed, int trials, RunListener listener) {
        var search = new Exploration(
                List.of(new Subject(
                        "valley", 1, space, explorer, this, List.of(TIME), 1, new Termination.Never(), List.of())),
                Scheduler.roundRobin(),
                new Exploration.Settings(seed, Integer.MAX_VALUE, trials, 0, 1, 0),
                () -> 0,
                Runnable::run);
        search.addListener(listener);
        search.run(List.of());
    }
}
