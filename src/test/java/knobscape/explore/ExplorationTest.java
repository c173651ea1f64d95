package knobscape.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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

        List<Evaluation> evaluations() {
            return of(RunEvent.Evaluated.class).stream().flatMap(e -> e.evaluations().stream()).toList();
        }

        /// What was stored, where positions are those of the proposals in their step.
        PastAnswers past() {
            var places = new java.util.IdentityHashMap<Proposal, Integer>();
            var inStep = new java.util.HashMap<Integer, Integer>();
            of(RunEvent.Proposed.class).forEach(p -> places.put(p.proposal(), inStep.merge(p.step(), 1, Integer::sum) - 1));
            var answers = of(RunEvent.Evaluated.class).stream().map(e -> new Answer(e.step(), places.get(e.proposal()), e.proposal(), e.evaluations())).toList();
            var steps = of(RunEvent.StepDone.class);
            return steps.isEmpty() ? new PastAnswers(answers, -1, "", 0)
                    : new PastAnswers(answers, steps.getLast().step(), steps.getLast().explorerState(), steps.getLast().progress().algorithmSeconds());
        }
    }

    @AfterEach
    void close() {
        tools.close();
    }

    private Explorer random(long seed) {
        return new RandomExplorer(space, BoxEvaluator.IMPL, 4, seed);
    }

    private Exploration exploration(Explorer explorer, Evaluator evaluator, Termination termination, int maxSteps, int parallel, RunListener... listeners) {
        var info = evaluator.info();
        var e = new Exploration(explorer, evaluator,
                new Exploration.Settings(info.objectives().stream().map(info::metric).toList(), 7, maxSteps, termination, parallel), System::nanoTime, tools);
        Stream.of(listeners).forEach(e::addListener);
        return e;
    }

    private Log run(int steps, int parallel, Evaluator evaluator, PastAnswers past) {
        var log = new Log();
        exploration(random(7), evaluator, Termination.of(steps, 0), steps, parallel, log).run(past);
        return log;
    }

    @Test
    void tellsInOrderWhatHappens() {
        Log log = run(2, 1, new BoxEvaluator(), PastAnswers.none());
        assertThat(log.events).extracting(e -> e.getClass().getSimpleName()).containsExactly("Started", "Proposed", "Evaluated", "Proposed", "Evaluated", "Proposed",
                "Evaluated", "Proposed", "Evaluated", "ObjectivesFixed", "StepDone", "Proposed", "Evaluated", "StepDone", "Proposed", "Evaluated", "StepDone", "Finished");
        var end = log.of(RunEvent.Finished.class).getFirst();
        assertThat(end.ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        assertThat(end.reason()).isEqualTo("all 2 steps are done");
        assertThat(end.progress().evaluated()).isEqualTo(6);
        assertThat(end.progress().toolSeconds()).isEqualTo(log.evaluations().stream().mapToDouble(Evaluation::costSeconds).sum());
    }

    @Test
    void hypervolumeIsThatOfEverythingMeasuredAtTheTop() {
        Log log = run(20, 1, new BoxEvaluator(), PastAnswers.none());
        Objectives objectives = log.of(RunEvent.ObjectivesFixed.class).getFirst().objectives();
        double[][] vectors = log.evaluations().stream().filter(e -> e.fidelity().equals(BoxEvaluator.IMPL)).map(objectives::vector)
                .flatMap(java.util.Optional::stream).toArray(double[][]::new);
        assertThat(log.of(RunEvent.Finished.class).getFirst().progress().hypervolume()).isEqualTo(Hypervolume.of(vectors, objectives.referencePoint()));
    }

    @Test
    void objectivesWithoutALimitAreScaledByTwiceTheLargestInitialValue() {
        Log log = run(0, 1, new BoxEvaluator(), PastAnswers.none());
        double largest = log.evaluations().stream().filter(e -> e.fidelity().equals(BoxEvaluator.IMPL)).mapToDouble(e -> e.value("delay").orElse(0)).max().orElseThrow();
        assertThat(log.of(RunEvent.ObjectivesFixed.class).getFirst().objectives().scales()).containsExactly(10.0, 2 * largest, 100_000.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void sameSeedSameRun(int parallel) {
        assertThat(run(8, parallel, new BoxEvaluator(), PastAnswers.none()).past().answers().stream().map(Answer::evaluations).toList())
                .containsExactlyInAnyOrderElementsOf(run(8, parallel, new BoxEvaluator(), PastAnswers.none()).past().answers().stream().map(Answer::evaluations).toList());
    }

    /// Whatever the tool's delays, the explorer sees the answers of a batch in the order it asked.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void orderOfArrivalDoesNotMatter(long seed) {
        var seen = new ArrayList<List<Configuration>>();
        for (long s : new long[] {seed, seed + 100}) {
            var delays = new Random(s);
            Evaluator slow = new BoxEvaluator() {
                @Override
                public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                    int wait;
                    synchronized (delays) {
                        wait = delays.nextInt(4);
                    }
                    try {
                        Thread.sleep(wait);
                    } catch (InterruptedException e) {
                        throw new CancellationException();
                    }
                    super.evaluate(request, stageDone, cancel);
                }
            };
            var history = new ArrayList<Configuration>();
            Explorer spy = new Spy(random(3)) {
                @Override
                public List<Proposal> ask(History h, int count) {
                    history.clear();
                    h.evaluations().forEach(e -> history.add(e.configuration()));
                    return super.ask(h, count);
                }
            };
            exploration(spy, slow, Termination.of(6, 0), 6, 4).run(PastAnswers.none());
            seen.add(history);
        }
        assertThat(seen.get(0)).isEqualTo(seen.get(1));
    }

    /// A run cut off after any number of answers goes on to the same end, and evaluates nothing twice.
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "1, 3", "1, 4", "1, 5", "1, 9", "1, 13", "3, 1", "3, 2", "3, 5", "3, 8", "3, 12", "3, 15"})
    void goesOnAsIfNothingHadHappened(int parallel, int answersBeforeTheEnd) {
        Log whole = run(4, parallel, new BoxEvaluator(), PastAnswers.none());
        var first = new Log();
        var count = new AtomicInteger();
        var evaluator = new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                if (count.getAndIncrement() >= answersBeforeTheEnd) {
                    throw new CancellationException();
                }
                super.evaluate(request, stageDone, cancel);
            }
        };
        var end = exploration(random(7), evaluator, Termination.of(4, 0), 4, parallel, first).run(PastAnswers.none());
        int total = whole.past().answers().size();
        assertThat(end.ending()).isEqualTo(answersBeforeTheEnd >= total ? RunEvent.Ending.COMPLETED : RunEvent.Ending.STOPPED);

        var second = new Log();
        exploration(random(7), new BoxEvaluator(), Termination.of(4, 0), 4, parallel, second).run(first.past());
        var together = new ArrayList<>(first.evaluations());
        together.addAll(second.evaluations());
        assertThat(together).containsExactlyInAnyOrderElementsOf(whole.evaluations());
        assertThat(second.of(RunEvent.Finished.class).getFirst().progress().hypervolume()).isEqualTo(whole.of(RunEvent.Finished.class).getFirst().progress().hypervolume());
        assertThat(second.of(RunEvent.Finished.class).getFirst().progress().toolSeconds()).isEqualTo(whole.of(RunEvent.Finished.class).getFirst().progress().toolSeconds());
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
                calls.add("ask after " + h.steps());
                return super.ask(h, count);
            }
        };
        Log first = run(2, 1, new BoxEvaluator(), PastAnswers.none());
        PastAnswers p = first.past();
        exploration(spy, new BoxEvaluator(), Termination.of(3, 0), 3, 1).run(new PastAnswers(p.answers(), p.completedStep(), "kept", 0));
        assertThat(calls).containsExactly("restore kept", "ask after 2");
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
        var exploration = exploration(random(1), endless, Termination.of(5, 0), 5, 2, log);
        var run = Executors.newSingleThreadExecutor();
        try {
            var end = run.submit(() -> exploration.run(PastAnswers.none()));
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
    void pauseKeepsWhatIsInFlightAndGoesOnWithTheRest(int parallel) throws Exception {
        var paused = new CountDownLatch(1);
        var log = new Log();
        var holder = new Exploration[1];
        Consumer<RunEvent> driver = event -> {
            if (event instanceof RunEvent.Evaluated e && e.step() == 1) {
                holder[0].pause();
            } else if (event instanceof RunEvent.Paused) {
                paused.countDown();
            }
        };
        holder[0] = exploration(random(7), new BoxEvaluator(), Termination.of(3, 0), 3, parallel, log, driver::accept);
        var run = Executors.newSingleThreadExecutor();
        try {
            var end = run.submit(() -> holder[0].run(PastAnswers.none()));
            assertThat(paused.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(log.of(RunEvent.Evaluated.class).stream().filter(e -> e.step() == 1).count()).isEqualTo(parallel);
            assertThat(end.isDone()).isFalse();
            holder[0].goOn();
            assertThat(end.get(10, TimeUnit.SECONDS).ending()).isEqualTo(RunEvent.Ending.COMPLETED);
            assertThat(log.evaluations()).containsExactlyInAnyOrderElementsOf(run(3, parallel, new BoxEvaluator(), PastAnswers.none()).evaluations());
            assertThat(log.of(RunEvent.Resumed.class)).hasSize(1);
        } finally {
            run.shutdownNow();
        }
    }

    @Test
    void oneFailingToolCallIsAResultAndAllFailingInitialDesignsAreAnError() {
        Evaluator broken = new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                stageDone.accept(new Evaluation(request.configuration(), BoxEvaluator.HLS, new Outcome.Failure(FailureKind.LICENCE, "no licence"), 1,
                        new Provenance("box", "1", 0, Provenance.Source.MODEL)));
            }
        };
        var end = run(3, 1, broken, PastAnswers.none()).of(RunEvent.Finished.class).getFirst();
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
        assertThat(run(3, 1, flaky, PastAnswers.none()).of(RunEvent.Finished.class).getFirst().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
    }

    @Test
    void endsWhenTheSpaceIsExhausted() {
        var log = new Log();
        var small = GridSpace.of(6);
        exploration(new RandomExplorer(small, BoxEvaluator.IMPL, 4, 1), new BoxEvaluator(), Termination.of(100, 0), 100, 1, log).run(PastAnswers.none());
        var end = log.of(RunEvent.Finished.class).getFirst();
        assertThat(end.ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        assertThat(end.progress().evaluated()).isEqualTo(6);
        assertThat(end.progress().step()).isEqualTo(2);
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
        var info = slow.info();
        var e = new Exploration(random(7), slow, new Exploration.Settings(info.objectives().stream().map(info::metric).toList(), 7, 10, Termination.of(10, 0), 1), now::get, tools);
        e.addListener(log);
        e.run(PastAnswers.none());
        var done = log.of(RunEvent.StepDone.class);
        var arrivals = log.of(RunEvent.Evaluated.class);
        assertThat(arrivals.get(0).progress().secondsLeft()).as("nothing is claimed before there is something to claim").isNaN();
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
            var end = exploration(broken, new BoxEvaluator(), Termination.of(3, 0), 3, 1).run(PastAnswers.none());
            assertThat(end.ending()).isEqualTo(RunEvent.Ending.FAILED);
            assertThat(end.reason()).contains("matrix is singular");
        } finally {
            log.setLevel(null);
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
