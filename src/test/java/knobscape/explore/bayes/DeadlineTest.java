package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.explore.Budget;
import knobscape.explore.Exploration;
import knobscape.explore.GridSpace;
import knobscape.explore.History;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.space.Configuration;
import knobscape.surrogate.gp.GpSettings;
import knobscape.surrogate.gp.ProcessTrainer;
import org.junit.jupiter.api.Test;

/// What a search makes of tool time that draws to its end.
class DeadlineTest {
    private static final GridSpace SPACE = GridSpace.of(6, 5, 4, 3);

    /// What is best takes the tools longest: from 1 to 300 seconds a design.
    private record Dear(boolean isStaged) implements Evaluator {
        private static final Fidelity FAST = new Fidelity("fast", 0);

        private List<Fidelity> stages() {
            return isStaged ? List.of(FAST, new Fidelity("full", 1)) : List.of(FAST);
        }

        @Override
        public EvaluatorInfo info() {
            return new EvaluatorInfo(
                    "dear",
                    "For tests.",
                    Provenance.Source.MODEL,
                    stages(),
                    List.of(
                            new Metric("a", "a", "", Metric.Direction.MINIMISE, 10),
                            new Metric("b", "b", "", Metric.Direction.MINIMISE, 10)),
                    isStaged
                            ? Map.of("fast", Set.of("a", "b"), "full", Set.of("a", "b"))
                            : Map.of("fast", Set.of("a", "b")),
                    List.of("a", "b"),
                    isStaged ? Map.of("fast", 0.3, "full", 10.0) : Map.of("fast", 10.0));
        }

        @Override
        public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
            Configuration c = request.configuration();
            double size = c.level(0);
            double bend = 0.1 * (c.level(1) + c.level(2));
            stages().subList(request.from().rank(), request.upTo().rank() + 1)
                    .forEach(f -> stageDone.accept(new Evaluation(
                            c,
                            f,
                            new Outcome.Measured(Map.of("a", 7 - size + bend, "b", 1 + size + 0.1 * c.level(3))),
                            isStaged && f.rank() == 0 ? 0.1 * Math.exp(0.57 * size) : Math.exp(1.14 * size),
                            new Provenance("dear", "1", 0, Provenance.Source.MODEL))));
        }
    }

    /// Tool time of the designs of a run told `seconds`, and why it ended.
    private record Ran(List<Double> costs, String reason) {
        double seconds() {
            return costs.stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    private static Ran run(boolean isStaged, double seconds, long seed) {
        var tool = new Dear(isStaged);
        var objectives =
                tool.info().objectives().stream().map(tool.info()::metric).toList();
        var explorer = new CgpExplorer(
                SPACE,
                SPACE.encoder(),
                tool.info(),
                BayesSettings.cgp(tool.info(), 2)
                        .with(new BayesSettings.Limits(List.of(), Budget.ofToolSeconds(seconds))),
                seed);
        var costs = new ArrayList<Double>();
        var exploration = new Exploration(
                List.of(Subject.of("", SPACE, explorer, tool, objectives, Termination.of(0))),
                Scheduler.roundRobin(),
                new Exploration.Settings(seed, Integer.MAX_VALUE, 0, 0, 1, 0, seconds, 0),
                System::nanoTime,
                Runnable::run);
        exploration.addListener(event -> {
            if (event instanceof RunEvent.Evaluated e) {
                costs.add(e.evaluations().stream()
                        .mapToDouble(Evaluation::costSeconds)
                        .sum());
            }
        });
        return new Ran(costs, exploration.run(List.of()).reason());
    }

    /// @param designs that are thought of next
    private static Deadline deadline(History history, Dear tool, double toolSeconds, List<Configuration> designs) {
        return Deadline.of(
                history,
                tool.info(),
                toolSeconds,
                new CandidatePool.Batch(designs, SPACE.encoder().encodeAll(designs)),
                SPACE.encoder()::encode,
                new ProcessTrainer(GpSettings.DEFAULT),
                Optional.empty(),
                1);
    }

    @Test
    void spendsItsTimeWithoutPassingIt() {
        for (boolean isStaged : new boolean[] {true, false}) {
            Ran ran = run(isStaged, 700, 1);
            assertThat(ran.seconds()).as("staged " + isStaged).isBetween(0.8 * 700, 1.1 * 700);
        }
    }

    @Test
    void knowsWhatFitsOfAScreenedDesignAndOfItsNeighbours() {
        var tool = new Dear(true);
        var history = new History();
        List<Configuration> all = SPACE.enumerate().toList();
        for (int i = 0; i < all.size(); i += 7) {
            Configuration c = all.get(i);
            boolean isFull = i % 4 == 0;
            tool.evaluate(
                    new Request(c, tool.stages().getFirst(), tool.stages().get(isFull ? 1 : 0), List.of()),
                    history::add,
                    new CancellationSignal());
        }
        Deadline deadline = deadline(history, tool, new ToolTime(history, tool.info()).spent() + 40, all);
        assertThat(deadline.isOver()).isFalse();
        for (Configuration c : all) {
            if (c.level(0) <= 2) {
                assertThat(deadline.chances().get(c)).as("up to 10 seconds").isGreaterThan(0.8);
            } else if (c.level(0) == 5) {
                assertThat(deadline.chances().get(c)).as("300 seconds").isLessThan(0.2);
            }
        }
    }

    @Test
    void isOverWhereNothingFits() {
        var tool = new Dear(false);
        var history = new History();
        List<Configuration> all = SPACE.enumerate().toList();
        all.subList(0, 60)
                .forEach(c -> tool.evaluate(
                        new Request(c, tool.stages().getFirst(), tool.stages().getFirst(), List.of()),
                        history::add,
                        new CancellationSignal()));
        List<Configuration> left = all.subList(60, all.size());
        Deadline deadline = deadline(history, tool, new ToolTime(history, tool.info()).spent() + 0.1, left);
        assertThat(deadline.isOver()).isTrue();
    }

    /// A run of both stages whose first takes equally long for all; with `seconds` above `limit` it is stopped.
    private static void run(History history, Dear tool, Configuration c, double lut, double seconds, double limit) {
        var provenance = new Provenance("dear", "1", 0, Provenance.Source.MODEL);
        history.add(
                new Evaluation(c, tool.stages().getFirst(), new Outcome.Measured(Map.of("lut", lut)), 0.3, provenance));
        history.add(new Evaluation(
                c,
                tool.stages().getLast(),
                seconds > limit ? Outcome.Failure.timedOut(limit) : new Outcome.Measured(Map.of("a", 1.0, "b", 1.0)),
                Math.min(seconds, limit),
                provenance));
    }

    @Test
    void knowsALargeDesignByItsReport() {
        var tool = new Dear(true);
        var history = new History();
        List<Configuration> all = SPACE.enumerate().toList();
        for (int i = 0; i < 8; i++) {
            double lut = 1000 * Math.pow(2, i % 4);
            run(history, tool, all.get(i), lut, 0.01 * lut, Double.POSITIVE_INFINITY);
        }
        for (int i = 8; i < 10; i++) {
            history.add(new Evaluation(
                    all.get(i),
                    tool.stages().getFirst(),
                    new Outcome.Measured(Map.of("lut", i == 8 ? 1000.0 : 32000.0)),
                    0.3,
                    new Provenance("dear", "1", 0, Provenance.Source.MODEL)));
        }
        var time = new ToolTime(history, tool.info());
        assertThat(time.seconds(all.get(8))).isBetween(5.0, 20.0);
        assertThat(time.seconds(all.get(9))).isBetween(120.0, 600.0);
    }

    @Test
    void countsWhatWasStoppedAsAtLeastThatLong() {
        var tool = new Dear(true);
        var history = new History();
        List<Configuration> all = SPACE.enumerate().toList();
        for (int i = 0; i < 52; i++) {
            Configuration c = all.get(7 * i);
            double size = Math.exp(1.2 * c.level(0));
            run(history, tool, c, 1000 * size, 10 * size, 500);
        }
        Configuration small = all.getFirst();
        Configuration large = all.getLast();
        assertThat(List.of(small.level(0), large.level(0))).containsExactly(0, 5);
        var time = new ToolTime(history, tool.info());
        assertThat(time.limit().orElseThrow()).isBetween(300.0, 501.0);
        assertThat(time.seconds(all.get(357)))
                .as("4 034 seconds, stopped after 500")
                .isGreaterThan(1000);
        Deadline deadline = deadline(history, tool, Double.POSITIVE_INFINITY, all);
        assertThat(deadline.isOver()).isFalse();
        assertThat(deadline.worth(small)).isGreaterThan(0.95);
        assertThat(deadline.worth(large)).isLessThan(0.1);
    }
}
