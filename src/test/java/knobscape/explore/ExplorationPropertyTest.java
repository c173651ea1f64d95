package knobscape.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The loop of a run under random explorers, tools, failures, orders of arrival and kills.
class ExplorationPropertyTest {
    private static final GridSpace SPACE = GridSpace.of(5, 5, 4);
    /// Simulated tools need no threads.
    private static final ExecutorService NONE = Executors.newVirtualThreadPerTaskExecutor();

    /// Asks for a random number of random designs up to random stages, sometimes for none; its state counts its
    /// questions.
    private static final class Whim implements Explorer {
        static final String WORDS = "A word.";

        @Override
        public List<String> remarks() {
            return List.of(WORDS);
        }

        private final long seed;
        private final EvaluatorInfo info;
        private int asked;

        Whim(long seed, EvaluatorInfo info) {
            this.seed = seed;
            this.info = info;
        }

        @Override
        public String name() {
            return "whim";
        }

        @Override
        public List<Proposal> initial() {
            return draw(new History(), (int) (Math.abs(seed) % 5), new SplittableRandom(seed));
        }

        @Override
        public List<Proposal> ask(History history, int count) {
            asked++;
            // What was learned and the state decide too, so that any difference after a resumption shows.
            long known = history.evaluations().stream()
                    .mapToLong(e ->
                            e.configuration().hashCode() * 31L + e.fidelity().rank())
                    .reduce(7, (a, b) -> a * 1_000_003L + b);
            var random = StepRandom.of(seed ^ known ^ asked * 0x9E3779B9L, history.asks() + 1);
            if (!history.pending().isEmpty() && random.nextInt(4) == 0) {
                return List.of();
            }
            return draw(history, random.nextInt(Math.max(1, count)) + 1, random);
        }

        private List<Proposal> draw(History history, int count, SplittableRandom random) {
            Set<Configuration> taken = new HashSet<>();
            history.pending().forEach(p -> taken.add(p.configuration()));
            var all = new ArrayList<Proposal>();
            for (int tries = 0; tries < 40 && all.size() < count; tries++) {
                Configuration c = SPACE.draw(random);
                Fidelity upTo =
                        info.fidelities().get(random.nextInt(info.fidelities().size()));
                if (taken.add(c)) {
                    all.add(new Proposal(c, upTo, Double.NaN, Optional.empty(), "whim"));
                }
            }
            return all;
        }

        @Override
        public String state() {
            return "" + asked;
        }

        @Override
        public void restore(String state) {
            asked = state.isEmpty() ? 0 : Integer.parseInt(state);
        }
    }

    /// A tool of two stages with random costs and failures, the same for a design every time.
    private record Moody(long seed, boolean simulated, boolean delays) implements Evaluator {
        private static final List<Fidelity> STAGES = List.of(new Fidelity("low", 0), new Fidelity("high", 1));

        @Override
        public EvaluatorInfo info() {
            var info = new EvaluatorInfo(
                    "moody",
                    "For tests.",
                    Provenance.Source.MODEL,
                    STAGES,
                    List.of(
                            new Metric("a", "A", "", Metric.Direction.MINIMISE, Double.NaN),
                            new Metric("b", "B", "", Metric.Direction.MAXIMISE, 10)),
                    java.util.Map.of("low", Set.of("a"), "high", Set.of("a", "b")),
                    List.of("a", "b"),
                    java.util.Map.of("low", 1.0, "high", 2.0));
            return simulated ? info.simulated() : info;
        }

        @Override
        public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
            for (Fidelity f :
                    STAGES.subList(request.from().rank(), request.upTo().rank() + 1)) {
                cancel.throwIfCancelled();
                var random =
                        new SplittableRandom(seed * 31 + request.configuration().hashCode() * 7L + f.rank());
                if (delays) {
                    pause(random.nextInt(3));
                }
                Outcome outcome = switch (random.nextInt(8)) {
                    case 0 -> new Outcome.Failure(FailureKind.DOES_NOT_FIT, "too large", java.util.Map.of("a", 9.0));
                    case 1 -> new Outcome.Failure(FailureKind.CRASHED, "no reason");
                    default ->
                        new Outcome.Measured(
                                f.rank() == 0
                                        ? java.util.Map.of("a", random.nextDouble())
                                        : java.util.Map.of("a", random.nextDouble(), "b", random.nextDouble()));
                };
                stageDone.accept(new Evaluation(
                        request.configuration(),
                        f,
                        outcome,
                        random.nextInt(1, 5),
                        new Provenance("moody", "1", 0, Provenance.Source.MODEL)));
                if (!(outcome instanceof Outcome.Measured)) {
                    return;
                }
            }
        }

        private static void pause(int milliseconds) {
            try {
                Thread.sleep(milliseconds);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static List<RunEvent> run(long seed, boolean simulated, List<RunEvent> past, ExecutorService tools) {
        var random = new SplittableRandom(seed);
        int count = 1 + random.nextInt(3);
        var subjects = new ArrayList<Subject>();
        for (int i = 0; i < count; i++) {
            var tool = new Moody(seed + i, simulated, !simulated);
            var known = new ArrayList<Evaluation>();
            for (int k = random.nextInt(3); k > 0; k--) {
                known.addAll(tool.evaluate(SPACE.draw(random), Moody.STAGES.getFirst(), new CancellationSignal()));
            }
            subjects.add(new Subject(
                    "s" + i,
                    1 + i,
                    SPACE,
                    new Whim(seed * 10 + i, tool.info()),
                    tool,
                    List.of(tool.info().metric("a"), tool.info().metric("b")),
                    1 + random.nextInt(4),
                    random.nextBoolean() ? new Termination.Never() : new Termination.WithoutNewBest(4),
                    known));
        }
        var settings = new Exploration.Settings(
                seed,
                3 + random.nextInt(12),
                random.nextBoolean() ? 0 : 5 + random.nextInt(15),
                0,
                1 + random.nextInt(4),
                0);
        var exploration = new Exploration(subjects, Scheduler.roundRobin(), settings, System::nanoTime, tools);
        var events = new ArrayList<RunEvent>();
        exploration.addListener(events::add);
        assertThat(exploration.run(past).ending())
                .as("seed " + seed + " " + events.getLast())
                .isIn(RunEvent.Ending.COMPLETED, RunEvent.Ending.FAILED);
        // Of several searches each says whose words they are.
        assertThat(events)
                .filteredOn(RunEvent.Note.class::isInstance)
                .map(e -> ((RunEvent.Note) e).text())
                .filteredOn(t -> t.endsWith(Whim.WORDS))
                .allMatch(t -> t.matches(count == 1 ? Whim.WORDS : "s\\d: " + Whim.WORDS))
                .matches(all -> !past.isEmpty() || !all.isEmpty(), "there are some");
        return events;
    }

    /// What has to be the same in a run that was interrupted.
    private static List<String> essence(List<RunEvent> events) {
        return events.stream()
                .flatMap(e -> switch (e) {
                    case RunEvent.Known k -> java.util.stream.Stream.of("known " + k.subject() + " " + k.evaluations());
                    case RunEvent.Asked a ->
                        java.util.stream.Stream.of("asked " + a.subject() + " " + a.step() + " " + a.proposals() + " "
                                + a.explorerState());
                    case RunEvent.StageDone d ->
                        java.util.stream.Stream.of(
                                "stage " + d.subject() + " " + d.step() + " " + d.position() + " " + d.evaluation());
                    case RunEvent.Finished f ->
                        java.util.stream.Stream.of(f.ending() + " " + f.reason() + " "
                                + f.progress().hypervolume() + " "
                                + f.progress().toolSeconds() + " "
                                + f.progress().step() + " " + f.progress().evaluated());
                    default -> java.util.stream.Stream.<String>empty();
                })
                .toList();
    }

    private static boolean isStored(RunEvent e) {
        return e instanceof RunEvent.Known
                || e instanceof RunEvent.Asked
                || e instanceof RunEvent.Proposed
                || e instanceof RunEvent.StageDone;
    }

    /// Killed after any event and resumed, a run of simulated tools ends as if nothing had happened.
    @ParameterizedTest
    @ValueSource(
            longs = {
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                29, 30
            })
    void killedAfterAnyEventItEndsAsIfUndisturbed(long seed) {
        List<RunEvent> whole = run(seed, true, List.of(), NONE);
        for (int k = 0; k < whole.size(); k++) {
            List<RunEvent> past = whole.subList(0, k).stream()
                    .filter(ExplorationPropertyTest::isStored)
                    .toList();
            var together = new ArrayList<>(past);
            together.addAll(run(seed, true, past, NONE));
            assertThat(essence(together))
                    .as("seed " + seed + ", killed after event " + k)
                    .isEqualTo(essence(whole));
        }
    }

    /// Tools that answer when they like: nothing is lost, nothing is asked or charged twice, whenever the run
    /// is killed.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverTheOrderOfArrivalEveryProposalIsAnsweredOnce(long seed) {
        try (ExecutorService tools = Executors.newVirtualThreadPerTaskExecutor()) {
            List<RunEvent> whole = run(seed, false, List.of(), tools);
            check(whole, seed);
            for (int k = 0; k < whole.size(); k += 5) {
                List<RunEvent> past = whole.subList(0, k).stream()
                        .filter(ExplorationPropertyTest::isStored)
                        .toList();
                var together = new ArrayList<>(past);
                together.addAll(run(seed, false, past, tools));
                check(together, seed);
            }
        }
    }

    private static void check(List<RunEvent> events, long seed) {
        var stages = new HashSet<String>();
        var sent = new HashSet<String>();
        var answered = new HashSet<String>();
        for (RunEvent e : events) {
            if (e instanceof RunEvent.Proposed p) {
                sent.add(p.subject() + " " + p.step() + " " + p.position());
            } else if (e instanceof RunEvent.StageDone d) {
                String place = d.subject() + " " + d.step() + " " + d.position();
                assertThat(stages.add(place + " " + d.evaluation().fidelity()))
                        .as("seed " + seed + ": charged once: " + place)
                        .isTrue();
                if (!d.evaluation().isMeasured()
                        || d.evaluation().fidelity().rank()
                                == d.proposal().upTo().rank()) {
                    assertThat(answered.add(place)).isTrue();
                }
            }
        }
        assertThat(answered).as("seed " + seed).isEqualTo(sent);
    }

    @Test
    void subjectsTakeTurnsAndEveryOneIsAsked() {
        try (ExecutorService tools = Executors.newVirtualThreadPerTaskExecutor()) {
            List<RunEvent> whole = run(3, true, List.of(), tools);
            var turns = whole.stream()
                    .filter(RunEvent.Asked.class::isInstance)
                    .map(e -> ((RunEvent.Asked) e).subject())
                    .toList();
            assertThat(turns.stream().distinct().count()).isEqualTo(1 + new SplittableRandom(3).nextInt(3));
        }
    }
}
