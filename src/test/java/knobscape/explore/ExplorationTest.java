package knobscape.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.pareto.Hypervolume;
import knobscape.space.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The run loop, with a random explorer and an evaluator whose answers are known.
class ExplorationTest {
    private final GridSpace space = GridSpace.of(6, 6, 6);
    private final ExecutorService tools = Executors.newVirtualThreadPerTaskExecutor();

    /// Every event of a run in order; also what a store would have kept.
    private static final class Log implements RunListener {
        final List<RunEvent> events = new ArrayList<>();

        @Override
        public synchronized void onEvent(RunEvent event) {
            events.add(event);
        }

        <T extends RunEvent> List<T> of(Class<T> type) {
            return events.stream().filter(type::isInstance).map(type::cast).toList();
        }

        List<Evaluation> stages() {
            return of(RunEvent.StageDone.class).stream()
                    .map(RunEvent.StageDone::evaluation)
                    .toList();
        }

        List<Evaluation> evaluations() {
            return of(RunEvent.Evaluated.class).stream()
                    .flatMap(e -> e.evaluations().stream())
                    .toList();
        }

        /// What was stored.
        List<RunEvent> past() {
            return List.copyOf(events);
        }
    }

    @AfterEach
    void close() {
        tools.close();
    }

    private Explorer random(long seed) {
        return new RandomExplorer(space, BoxEvaluator.IMPL, 4, seed);
    }

    private Subject subject(Explorer explorer, Evaluator evaluator, Termination termination) {
        var info = evaluator.info();
        return Subject.of(
                "box",
                space,
                explorer,
                evaluator,
                info.objectives().stream().map(info::metric).toList(),
                termination);
    }

    private Exploration exploration(
            Explorer explorer,
            Evaluator evaluator,
            Termination termination,
            int maxSteps,
            int parallel,
            RunListener... listeners) {
        var e = new Exploration(
                List.of(subject(explorer, evaluator, termination)),
                Scheduler.roundRobin(),
                new Exploration.Settings(7, maxSteps, 0, 0, parallel, 0),
                System::nanoTime,
                tools);
        Stream.of(listeners).forEach(e::addListener);
        return e;
    }

    private Log run(int steps, int parallel, Evaluator evaluator, List<RunEvent> past) {
        var log = new Log();
        exploration(random(7), evaluator, Termination.of(0), steps, parallel, log)
                .run(past);
        return log;
    }

    @Test
    void tellsInOrderWhatHappens() {
        Log log = run(2, 1, new BoxEvaluator(), List.of());
        assertThat(log.events)
                .extracting(e -> e.getClass().getSimpleName())
                .containsExactly(
                        "Started",
                        "Asked",
                        "Proposed",
                        "StageDone",
                        "StageDone",
                        "StageDone",
                        "Evaluated",
                        "Proposed",
                        "StageDone",
                        "StageDone",
                        "StageDone",
                        "Evaluated",
                        "Proposed",
                        "StageDone",
                        "StageDone",
                        "StageDone",
                        "Evaluated",
                        "Proposed",
                        "StageDone",
                        "StageDone",
                        "StageDone",
                        "Evaluated",
                        "ObjectivesFixed",
                        "StepDone",
                        "Asked",
                        "Proposed",
                        "StageDone",
                        "StageDone",
                        "StageDone",
                        "Evaluated",
                        "StepDone",
                        "Asked",
                        "Proposed",
                        "StageDone",
                        "StageDone",
                        "StageDone",
                        "Evaluated",
                        "StepDone",
                        "Finished");
        var end = log.of(RunEvent.Finished.class).getFirst();
        assertThat(end.ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        assertThat(end.reason()).isEqualTo("all 2 steps are done");
        assertThat(end.progress().evaluated()).isEqualTo(6);
        assertThat(end.progress().toolSeconds())
                .isEqualTo(log.evaluations().stream()
                        .mapToDouble(Evaluation::costSeconds)
                        .sum());
    }

    /// Designs that were looked at are run on from there: a stage is run and charged once.
    @Test
    void aStageThatWasRunIsNotChargedAgainWhenItsDesignGoesOn() {
        Explorer looks = new Explorer() {
            @Override
            public String name() {
                return "looks";
            }

            @Override
            public List<Proposal> initial() {
                return up(random(7).initial().stream().map(Proposal::configuration), 0);
            }

            @Override
            public List<Proposal> ask(History history, int count) {
                return up(
                        history.evaluations().stream()
                                .map(Evaluation::configuration)
                                .filter(c -> history.find(c, BoxEvaluator.IMPL).isEmpty())
                                .distinct()
                                .limit(count),
                        BoxEvaluator.IMPL.rank());
            }

            private List<Proposal> up(Stream<Configuration> designs, int rank) {
                return designs.map(c -> new Proposal(
                                c,
                                new BoxEvaluator().info().fidelities().get(rank),
                                Double.NaN,
                                java.util.Optional.empty(),
                                ""))
                        .toList();
            }
        };
        var log = new Log();
        exploration(looks, new BoxEvaluator(), Termination.of(0), 4, 1, log).run(List.of());
        assertThat(log.of(RunEvent.Evaluated.class))
                .hasSize(8)
                .filteredOn(e -> e.step() > 0)
                .allMatch(
                        e -> e.evaluations().stream().allMatch(v -> v.fidelity().rank() > 0));
        assertThat(log.stages()).doesNotHaveDuplicates().hasSize(4 * (BoxEvaluator.IMPL.rank() + 1));
        assertThat(log.of(RunEvent.Finished.class).getFirst().progress().toolSeconds())
                .isEqualTo(log.stages().stream()
                        .mapToDouble(Evaluation::costSeconds)
                        .sum());
    }

    @Test
    void hypervolumeIsThatOfEverythingMeasuredAtTheTop() {
        Log log = run(20, 1, new BoxEvaluator(), List.of());
        Objectives objectives =
                log.of(RunEvent.ObjectivesFixed.class).getFirst().objectives();
        double[][] vectors = log.evaluations().stream()
                .filter(e -> e.fidelity().equals(BoxEvaluator.IMPL))
                .map(objectives::vector)
                .flatMap(java.util.Optional::stream)
                .toArray(double[][]::new);
        assertThat(log.of(RunEvent.Finished.class).getFirst().progress().hypervolume())
                .isEqualTo(Hypervolume.of(vectors, objectives.referencePoint()));
    }

    @Test
    void objectivesWithoutALimitAreScaledByTwiceTheLargestInitialValue() {
        Log log = run(0, 1, new BoxEvaluator(), List.of());
        double largest = log.evaluations().stream()
                .filter(e -> e.fidelity().equals(BoxEvaluator.IMPL))
                .mapToDouble(e -> e.value("delay").orElse(0))
                .max()
                .orElseThrow();
        assertThat(log.of(RunEvent.ObjectivesFixed.class)
                        .getFirst()
                        .objectives()
                        .scales())
                .containsExactly(10.0, 2 * largest, 100_000.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void sameSeedSameRun(int parallel) {
        assertThat(run(8, parallel, new SimulatedBox(), List.of()).evaluations())
                .isEqualTo(run(8, parallel, new SimulatedBox(), List.of()).evaluations());
    }

    /// Three seconds of one design leave time for three of one second.
    @Test
    void aFreeSlotIsFilledAtOnceInTheOrderOfSimulatedTime() {
        Log log = run(6, 2, new SimulatedBox(), List.of());
        var finished = new ArrayList<Double>();
        double now = 0;
        var endOf = new java.util.IdentityHashMap<Proposal, Double>();
        for (RunEvent e : log.events) {
            if (e instanceof RunEvent.Proposed p) {
                endOf.put(p.proposal(), now);
            } else if (e instanceof RunEvent.StageDone d) {
                now = endOf.merge(d.proposal(), d.evaluation().costSeconds(), Double::sum);
                finished.add(now);
            }
        }
        assertThat(finished).isSorted();
        assertThat(log.of(RunEvent.Asked.class)).hasSize(7);
        // While initial designs are out nothing is asked, then two are always in flight.
        int inFlight = 0;
        int highest = 0;
        for (RunEvent e : log.events) {
            inFlight += e instanceof RunEvent.Proposed ? 1 : e instanceof RunEvent.Evaluated ? -1 : 0;
            highest = Math.max(highest, inFlight);
        }
        assertThat(highest).isEqualTo(2);
    }

    /// A run cut off after any number of answers continues to the same end, and evaluates nothing twice.
    @ParameterizedTest
    @CsvSource({
        "1, 0", "1, 1", "1, 3", "1, 4", "1, 5", "1, 9", "1, 13", "3, 1", "3, 2", "3, 5", "3, 8", "3, 12", "3, 15"
    })
    void goesOnAsIfNothingHadHappened(int parallel, int answersBeforeTheEnd) {
        Log whole = run(4, parallel, new SimulatedBox(), List.of());
        var first = new Log();
        var count = new AtomicInteger();
        var evaluator = new SimulatedBox() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                if (count.getAndIncrement() >= answersBeforeTheEnd) {
                    throw new CancellationException();
                }
                super.evaluate(request, stageDone, cancel);
            }
        };
        var end = exploration(random(7), evaluator, Termination.of(0), 4, parallel, first)
                .run(List.of());
        int total = whole.of(RunEvent.Evaluated.class).size();
        assertThat(end.ending())
                .isEqualTo(answersBeforeTheEnd >= total ? RunEvent.Ending.COMPLETED : RunEvent.Ending.STOPPED);

        var second = new Log();
        exploration(random(7), new SimulatedBox(), Termination.of(0), 4, parallel, second)
                .run(first.past());
        var together = new ArrayList<>(first.stages());
        together.addAll(second.stages());
        assertThat(together).isEqualTo(whole.stages());
        assertThat(second.of(RunEvent.Finished.class).getFirst().progress().hypervolume())
                .isEqualTo(
                        whole.of(RunEvent.Finished.class).getFirst().progress().hypervolume());
        assertThat(second.of(RunEvent.Finished.class).getFirst().progress().toolSeconds())
                .isEqualTo(
                        whole.of(RunEvent.Finished.class).getFirst().progress().toolSeconds());
    }

    @Test
    void explorerGetsItsStateBackBeforeItIsAskedAgain() {
        var calls = new ArrayList<String>();
        Explorer spy = new Spy(random(7)) {
            @Override
            public String state() {
                return "state";
            }

            @Override
            public void restore(String state) {
                calls.add("restore " + state);
            }

            @Override
            public List<Proposal> ask(History h, int count) {
                calls.add("ask after " + h.asks());
                return super.ask(h, count);
            }
        };
        Log first = run(2, 1, new BoxEvaluator(), List.of());
        List<RunEvent> past = first.past().stream()
                .map(e -> e instanceof RunEvent.Asked a
                        ? new RunEvent.Asked(a.subject(), a.step(), a.proposals(), "kept", a.diagnostics(), 0)
                        : e)
                .toList();
        exploration(spy, new BoxEvaluator(), Termination.of(0), 3, 1).run(past);
        assertThat(calls).containsExactly("restore kept", "ask after 2");
    }

    @Test
    void stepsWithoutResultsOfInitialDesignsAreDamage() {
        List<RunEvent> past = run(2, 1, new BoxEvaluator(), List.of()).past().stream()
                .filter(e -> !(e instanceof RunEvent.StageDone))
                .toList();
        RunEvent.Finished end = exploration(random(7), new BoxEvaluator(), Termination.of(0), 3, 1)
                .run(past);
        assertThat(end.ending()).isEqualTo(RunEvent.Ending.FAILED);
        assertThat(end.reason()).contains("is damaged (it has steps but no results of initial designs)");
    }

    @Test
    void stopEndsTheRunWhileTheToolWorks() throws Exception {
        var atWork = new CountDownLatch(1);
        Evaluator endless = new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                var killed = new CountDownLatch(1);
                cancel.onCancel(killed::countDown);
                atWork.countDown();
                try {
                    killed.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                throw new CancellationException();
            }
        };
        var log = new Log();
        var exploration = exploration(random(1), endless, Termination.of(0), 5, 2, log);
        var run = Executors.newSingleThreadExecutor();
        try {
            var end = run.submit(() -> exploration.run(List.of()));
            assertThat(atWork.await(10, TimeUnit.SECONDS)).isTrue();
            exploration.stop();
            assertThat(end.get(10, TimeUnit.SECONDS).ending()).isEqualTo(RunEvent.Ending.STOPPED);
            assertThat(log.evaluations()).isEmpty();
        } finally {
            run.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void pauseKeepsWhatIsInFlightAndContinuesWithTheRest(int parallel) throws Exception {
        var paused = new CountDownLatch(1);
        var log = new Log();
        var holder = new Exploration[1];
        // The first answer of a step pauses, whichever step's it is: with two slots the second step may be answered
        // first.
        var asked = new AtomicBoolean();
        Consumer<RunEvent> driver = event -> {
            if (event instanceof RunEvent.Evaluated e && e.step() > 0 && asked.compareAndSet(false, true)) {
                holder[0].pause();
            } else if (event instanceof RunEvent.Paused) {
                paused.countDown();
            }
        };
        holder[0] = exploration(random(7), new BoxEvaluator(), Termination.of(0), 3, parallel, log, driver::accept);
        var run = Executors.newSingleThreadExecutor();
        try {
            var end = run.submit(() -> holder[0].run(List.of()));
            assertThat(paused.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(log.of(RunEvent.Evaluated.class).stream()
                            .filter(e -> e.step() > 0)
                            .count())
                    .isBetween(1L, (long) parallel);
            assertThat(end.isDone()).isFalse();
            holder[0].resume();
            assertThat(end.get(10, TimeUnit.SECONDS).ending()).isEqualTo(RunEvent.Ending.COMPLETED);
            assertThat(log.evaluations())
                    .hasSize(run(3, parallel, new BoxEvaluator(), List.of())
                            .evaluations()
                            .size());
            assertThat(log.of(RunEvent.Resumed.class)).hasSize(1);
        } finally {
            run.shutdownNow();
        }
    }

    /// Nothing more is sent once the tool time is spent; what was sent comes back.
    @Test
    void endsOnceTheToolTimeIsSpent() {
        var log = new Log();
        var exploration = new Exploration(
                List.of(subject(random(7), new SimulatedBox(), Termination.of(0))),
                Scheduler.roundRobin(),
                new Exploration.Settings(7, 1000, 0, 0, 2, 0, 5000, 0),
                System::nanoTime,
                tools);
        exploration.addListener(log);
        RunEvent.Finished end = exploration.run(List.of());
        assertThat(end.reason()).isEqualTo("the simulated hours are spent");
        assertThat(end.progress().toolSeconds()).isBetween(5000.0, 5000.0 + 2 * 900);
    }

    @Test
    void simulatedTimeIsReallyWaitedForWhereThatIsWanted() {
        // Six designs of at most 900 simulated seconds, two at a time.
        var settings = new Exploration.Settings(7, 2, 0, 0, 2, 1e-4);
        long before = System.nanoTime();
        new Exploration(
                        List.of(subject(random(7), new SimulatedBox(), Termination.of(0))),
                        Scheduler.roundRobin(),
                        settings,
                        System::nanoTime,
                        tools)
                .run(List.of());
        double waited = (System.nanoTime() - before) * 1e-9;
        assertThat(waited).isGreaterThan(2 * 900 * 1e-4);
        var stopped = new Exploration(
                List.of(subject(random(7), new SimulatedBox(), Termination.of(0))),
                Scheduler.roundRobin(),
                new Exploration.Settings(7, 2, 0, 0, 2, 10),
                System::nanoTime,
                tools);
        tools.execute(stopped::stop);
        assertThat(stopped.run(List.of()).ending()).isEqualTo(RunEvent.Ending.STOPPED);
    }

    @Test
    void oneFailingToolCallIsAResultAndAllFailingInitialDesignsAreAnError() {
        Evaluator broken = new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                stageDone.accept(new Evaluation(
                        request.configuration(),
                        BoxEvaluator.HLS,
                        new Outcome.Failure(FailureKind.LICENCE, "no licence"),
                        1,
                        new Provenance("box", "1", 0, Provenance.Source.MODEL)));
            }
        };
        var end = run(3, 1, broken, List.of()).of(RunEvent.Finished.class).getFirst();
        assertThat(end.ending()).isEqualTo(RunEvent.Ending.FAILED);
        assertThat(end.reason()).contains("no licence").contains("resume");

        var calls = new AtomicInteger();
        Evaluator flaky = new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                if (calls.getAndIncrement() % 2 == 0) {
                    broken.evaluate(request, stageDone, cancel);
                } else {
                    super.evaluate(request, stageDone, cancel);
                }
            }
        };
        assertThat(run(3, 1, flaky, List.of())
                        .of(RunEvent.Finished.class)
                        .getFirst()
                        .ending())
                .isEqualTo(RunEvent.Ending.COMPLETED);
    }

    @Test
    void endsWhenTheSpaceIsExhausted() {
        var log = new Log();
        var small = GridSpace.of(6);
        exploration(
                        new RandomExplorer(small, BoxEvaluator.IMPL, 4, 1),
                        new BoxEvaluator(),
                        Termination.of(0),
                        100,
                        1,
                        log)
                .run(List.of());
        var end = log.of(RunEvent.Finished.class).getFirst();
        assertThat(end.ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        assertThat(end.progress().evaluated()).isEqualTo(6);
        assertThat(end.progress().step()).isEqualTo(2);
    }

    /// A design takes two seconds here, and ten of tool time at every stage.
    @Test
    void timeLeftIsThatOfTheToolTimeWhereItEndsSooner() {
        var now = new AtomicLong();
        Evaluator slow = new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                now.addAndGet(2_000_000_000L);
                super.evaluate(
                        request,
                        e -> stageDone.accept(
                                new Evaluation(e.configuration(), e.fidelity(), e.outcome(), 10, e.provenance())),
                        cancel);
            }
        };
        var log = new Log();
        var e = new Exploration(
                List.of(subject(random(7), slow, Termination.of(0))),
                Scheduler.roundRobin(),
                new Exploration.Settings(7, 1000, 0, 0, 1, 0, 600, 0),
                now::get,
                tools);
        e.addListener(log);
        e.run(List.of());
        var done = log.of(RunEvent.StepDone.class);
        RunEvent.Progress fourth = done.get(4).progress();
        double each = (fourth.toolSeconds() - done.getFirst().progress().toolSeconds()) / 4;
        assertThat(each).isPositive();
        assertThat(fourth.secondsLeft()).isCloseTo((600 - fourth.toolSeconds()) / each * 2, within(1e-9));
        assertThat(done.getLast().progress().secondsLeft()).isZero();
    }

    @Test
    void timeLeftComesFromMeasuredStepsAndPausesDoNotCount() {
        var now = new AtomicLong();
        Evaluator slow = new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                now.addAndGet(2_000_000_000L);
                super.evaluate(request, stageDone, cancel);
            }
        };
        var log = new Log();
        var e = new Exploration(
                List.of(subject(random(7), slow, Termination.of(0))),
                Scheduler.roundRobin(),
                Exploration.Settings.steps(7, 10),
                now::get,
                tools);
        e.addListener(log);
        e.run(List.of());
        var done = log.of(RunEvent.StepDone.class);
        var arrivals = log.of(RunEvent.Evaluated.class);
        assertThat(arrivals.get(0).progress().secondsLeft())
                .as("nothing is claimed before there is something to claim")
                .isNaN();
        // Ten steps and one initial design are left, two seconds each.
        assertThat(arrivals.get(2).progress().secondsLeft()).isEqualTo(22);
        assertThat(done.get(4).progress().secondsLeft()).isEqualTo(12);
        assertThat(done.getLast().progress().secondsLeft()).isZero();
        assertThat(done.getLast().progress().elapsedSeconds()).isEqualTo(28);
    }

    @Test
    void anExplorerThatBreaksEndsTheRunWithItsReason() {
        Explorer broken = new Spy(random(7)) {
            @Override
            public List<Proposal> ask(History h, int count) {
                throw new IllegalStateException("matrix is singular");
            }
        };
        // The defect is logged with its stack; not in the log of the tests.
        var log = (ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger(Exploration.class);
        log.setLevel(ch.qos.logback.classic.Level.OFF);
        try {
            var end = exploration(broken, new BoxEvaluator(), Termination.of(0), 3, 1)
                    .run(List.of());
            assertThat(end.ending()).isEqualTo(RunEvent.Ending.FAILED);
            assertThat(end.reason()).contains("matrix is singular");
        } finally {
            log.setLevel(null);
        }
    }

    @Test
    void aStoredStateThatIsDamagedIsSaidAsThat() {
        Explorer strict = new Spy(random(7)) {
            @Override
            public void restore(String state) {
                throw new IllegalArgumentException("unexpected end of " + state);
            }
        };
        var log = (ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger(Exploration.class);
        log.setLevel(ch.qos.logback.classic.Level.OFF);
        try {
            Log first = run(2, 1, new BoxEvaluator(), List.of());
            var end = exploration(strict, new BoxEvaluator(), Termination.of(0), 3, 1)
                    .run(first.past());
            assertThat(end.ending()).isEqualTo(RunEvent.Ending.FAILED);
            assertThat(end.reason())
                    .startsWith("what is stored of this run is damaged (unexpected end of")
                    .doesNotContain("nternal error");
        } finally {
            log.setLevel(null);
        }
    }

    /// The tool, only telling the time it takes.
    static class SimulatedBox extends BoxEvaluator {
        @Override
        public knobscape.evaluate.EvaluatorInfo info() {
            return super.info().simulated();
        }
    }

    /// Passes everything on.
    private static class Spy implements Explorer {
        private final Explorer inner;

        Spy(Explorer inner) {
            this.inner = inner;
        }

        @Override
        public String name() {
            return inner.name();
        }

        @Override
        public List<Proposal> initial() {
            return inner.initial();
        }

        @Override
        public List<Proposal> ask(History history, int count) {
            return inner.ask(history, count);
        }
    }
}
