package knobscape.explore;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The loop of a run: asks an explorer, has the evaluator judge, tells the watchers.
///
/// Designs go out in batches, one batch per optimisation step with at most [Settings#parallel()] in flight, and the explorer is asked again when the
/// whole batch is back. Answers enter the [History] in the order of the proposals, whatever order they arrived in, so
/// that a run with several designs in flight repeats exactly. For the same reason a run goes on after a stop or a crash as if nothing had happened: completed steps are read
/// from what was stored, the explorer is asked again for the step that was interrupted, and what of it had been answered is not evaluated twice.
///
/// [#run] works on the caller's thread; [#pause], [#goOn] and [#stop] may be called from any other. A pause lets what is in flight come back first; a stop cancels it.
public final class Exploration {
    private static final Logger LOG = LoggerFactory.getLogger(Exploration.class);

    /// How to explore.
    ///
    /// @param objectives the metrics explored, in order
    /// @param seed told to the watchers; the explorer was made with it
    /// @param maxSteps most optimisation steps
    /// @param termination when to end; a limit of `maxSteps` is part of it
    /// @param parallel designs in flight at once, at least 1
    public record Settings(List<Metric> objectives, long seed, int maxSteps, Termination termination, int parallel) {
        public Settings {
            objectives = List.copyOf(objectives);
            if (objectives.isEmpty()) {
                throw new IllegalArgumentException("a run needs at least one objective");
            }
            if (parallel < 1) {
                throw new IllegalArgumentException("parallel must be at least 1, was " + parallel);
            }
        }
    }

    private final Explorer explorer;
    private final Evaluator evaluator;
    private final EvaluatorInfo info;
    private final Settings settings;
    private final LongSupplier nanoClock;
    private final Executor tools;
    private final List<RunListener> listeners = new CopyOnWriteArrayList<>();
    private final CancellationSignal stop = new CancellationSignal();
    private final Object gate = new Object();
    private boolean pauseAsked;

    // Only the run's thread uses what follows.
    private final History history = new History();
    private final Set<Configuration> seen = new HashSet<>();
    private final List<Evaluation> beforeObjectives = new ArrayList<>();
    private final List<Termination.Step> steps = new ArrayList<>();
    private final TimeLeft stepTimes = new TimeLeft(2);
    private final TimeLeft proposalTimes = new TimeLeft(3);
    private Optional<TopFront> front = Optional.empty();
    private double initialHypervolume = Double.NaN;
    private double toolSeconds;
    private double algorithmSeconds;
    private int initialOpen;
    private long startedNanos;
    private long pausedNanos;

    /// @param explorer fresh, as made for this run
    /// @param evaluator asked from this run's thread where one design is in flight, from `tools` where there are more
    /// @param settings how to explore
    /// @param nanoClock a clock that never goes back, in nanoseconds
    /// @param tools runs evaluations side by side; must not be bounded below `parallel`
    public Exploration(Explorer explorer, Evaluator evaluator, Settings settings, LongSupplier nanoClock, Executor tools) {
        this.explorer = Objects.requireNonNull(explorer);
        this.evaluator = Objects.requireNonNull(evaluator);
        this.info = evaluator.info();
        this.settings = Objects.requireNonNull(settings);
        this.nanoClock = Objects.requireNonNull(nanoClock);
        this.tools = Objects.requireNonNull(tools);
    }

    /// Adds a watcher. Whoever must not miss anything (the store) is added first: an exception of a watcher ends the run.
    public void addListener(RunListener listener) {
        listeners.add(listener);
    }

    /// Removes a watcher.
    public void removeListener(RunListener listener) {
        listeners.remove(listener);
    }

    /// Asks for a pause: what is in flight comes back and is told to the watchers, then the run waits.
    public void pause() {
        synchronized (gate) {
            pauseAsked = true;
        }
    }

    /// Ends a pause.
    public void goOn() {
        synchronized (gate) {
            pauseAsked = false;
            gate.notifyAll();
        }
    }

    /// Stops: what is in flight is cancelled, and the run ends as [RunEvent.Ending#STOPPED].
    public void stop() {
        stop.cancel();
        goOn();
    }

    /// Runs to an end. Called once.
    ///
    /// @param past what earlier starts left
    /// @return the last event, which the watchers have got too
    public RunEvent.Finished run(PastAnswers past) {
        startedNanos = nanoClock.getAsLong();
        RunEvent.Finished end;
        try {
            end = finished(RunEvent.Ending.COMPLETED, explore(past));
        } catch (CancellationException e) {
            end = finished(RunEvent.Ending.STOPPED, "stopped on request");
        } catch (UserError e) {
            end = finished(RunEvent.Ending.FAILED, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("the run ended by a defect of the program", e);
            end = finished(RunEvent.Ending.FAILED, "internal error: " + e);
        }
        publish(end);
        return end;
    }

    private RunEvent.Finished finished(RunEvent.Ending ending, String reason) {
        return new RunEvent.Finished(ending, reason, progress());
    }

    private String explore(PastAnswers past) {
        algorithmSeconds = past.algorithmSeconds();
        var known = new TreeMap<Integer, TreeMap<Integer, Answer>>();
        past.answers().forEach(a -> known.computeIfAbsent(a.step(), s -> new TreeMap<>()).put(a.position(), a));
        List<Proposal> initial = thinking(explorer::initial);
        initialOpen = initial.size();
        publish(new RunEvent.Started(explorer.name(), settings.seed(), info, settings.maxSteps(), initial.size(),
                past.answers().stream().mapToInt(a -> a.evaluations().size()).sum()));

        if (past.completedStep() >= 0) {
            replay(known.getOrDefault(0, new TreeMap<>()));
        } else {
            answer(0, initial, known.getOrDefault(0, new TreeMap<>()));
        }
        initialOpen = 0;
        fixObjectives();
        if (past.completedStep() < 0) {
            publish(new RunEvent.StepDone(0, progress(), explorer.state(), Map.of()));
        }
        for (int step = 1; step <= past.completedStep(); step++) {
            completeStep(step, replay(known.getOrDefault(step, new TreeMap<>())));
        }
        if (past.completedStep() >= 0) {
            thinking(() -> {
                explorer.restore(past.explorerState());
                return null;
            });
        }
        while (true) {
            Optional<String> reached = settings.termination().reached(initialHypervolume, steps);
            if (reached.isPresent()) {
                return reached.get();
            }
            waitWhilePaused();
            int step = history.steps() + 1;
            long before = nanoClock.getAsLong() - pausedNanos;
            List<Proposal> proposals = thinking(() -> explorer.ask(history, settings.parallel()));
            var already = known.getOrDefault(step, new TreeMap<>());
            if (proposals.isEmpty() && already.isEmpty()) {
                return "every design worth asking for has been evaluated";
            }
            completeStep(step, answer(step, proposals, already));
            stepTimes.add((nanoClock.getAsLong() - pausedNanos - before) * 1e-9);
            publish(new RunEvent.StepDone(step, progress(), explorer.state(), explorer.diagnostics()));
        }
    }

    private void completeStep(int step, boolean reachedTop) {
        history.countStep();
        steps.add(new Termination.Step(step, front.orElseThrow().hypervolume(), reachedTop));
    }

    private void fixObjectives() {
        List<Evaluation> initial = history.evaluations();
        var failures = initial.stream().filter(e -> !e.isMeasured()).toList();
        if (!initial.isEmpty() && initial.stream().allMatch(e -> e.outcome() instanceof Outcome.Failure f && f.kind().mayRetry())) {
            String why = failures.getFirst().outcome() instanceof Outcome.Failure f ? f.reason() : "";
            throw new UserError("All initial designs failed in the toolchain " + info.name() + " (" + why + "); mend that and resume the run.");
        }
        Objectives objectives = Objectives.calibrate(settings.objectives(), highest(initial));
        history.fixObjectives(objectives);
        var top = new TopFront(objectives);
        beforeObjectives.forEach(top::add);
        beforeObjectives.clear();
        front = Optional.of(top);
        initialHypervolume = top.hypervolume();
        publish(new RunEvent.ObjectivesFixed(objectives));
    }

    /// The evaluation at the highest measured fidelity of each configuration, in order of first arrival.
    private static List<Evaluation> highest(List<Evaluation> evaluations) {
        var best = new java.util.LinkedHashMap<Configuration, Evaluation>();
        for (Evaluation e : evaluations) {
            if (e.isMeasured()) {
                best.merge(e.configuration(), e, (a, b) -> b.fidelity().compareTo(a.fidelity()) >= 0 ? b : a);
            }
        }
        return List.copyOf(best.values());
    }

    /// Takes stored answers of a completed step; whether any reached the top fidelity.
    private boolean replay(Map<Integer, Answer> stored) {
        boolean top = false;
        for (Answer a : stored.values()) {
            arrived(a.evaluations());
            remember(a.evaluations());
            top |= reachesTop(a.evaluations());
        }
        return top;
    }

    /// Has the proposals of one step judged, as far as `stored` does not answer them; whether any reached the top fidelity.
    private boolean answer(int step, List<Proposal> proposals, TreeMap<Integer, Answer> stored) {
        int count = Math.max(proposals.size(), stored.isEmpty() ? 0 : stored.lastKey() + 1);
        var answers = new TreeMap<Integer, List<Evaluation>>();
        var open = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            Answer a = stored.get(i);
            if (a != null) {
                if (i >= proposals.size() || !sameQuestion(a.proposal(), proposals.get(i))) {
                    publish(new RunEvent.Note("Step " + step + " had been asked differently before the run was interrupted (another version of the program?); "
                            + "the stored answer is kept."));
                }
                answers.put(i, a.evaluations());
                arrived(a.evaluations());
            } else if (i < proposals.size()) {
                open.add(i);
            }
        }
        initialOpen = step == 0 ? open.size() : 0;
        if (settings.parallel() == 1) {
            oneAfterTheOther(step, proposals, open, answers);
        } else {
            sideBySide(step, proposals, open, answers);
        }
        answers.values().forEach(this::remember);
        return answers.values().stream().anyMatch(this::reachesTop);
    }

    private static boolean sameQuestion(Proposal a, Proposal b) {
        return a.configuration().equals(b.configuration()) && a.upTo().rank() == b.upTo().rank();
    }

    private void oneAfterTheOther(int step, List<Proposal> proposals, List<Integer> open, Map<Integer, List<Evaluation>> answers) {
        for (int i : open) {
            waitWhilePaused();
            Proposal p = proposals.get(i);
            history.markPending(p);
            publish(new RunEvent.Proposed(step, p));
            long before = nanoClock.getAsLong();
            List<Evaluation> evaluations = evaluator.evaluate(p.configuration(), p.upTo(), stop);
            take(step, p, i, evaluations, (nanoClock.getAsLong() - before) * 1e-9, answers);
        }
    }

    private record Returned(int position, Optional<List<Evaluation>> evaluations, Optional<RuntimeException> problem, double seconds) { }

    private void sideBySide(int step, List<Proposal> proposals, List<Integer> open, Map<Integer, List<Evaluation>> answers) {
        var back = new LinkedBlockingQueue<Returned>();
        int next = 0;
        int inFlight = 0;
        Optional<RuntimeException> problem = Optional.empty();
        while (inFlight > 0 || (next < open.size() && problem.isEmpty())) {
            if (problem.isEmpty() && inFlight == 0) {
                waitWhilePaused();
            }
            while (problem.isEmpty() && next < open.size() && inFlight < settings.parallel() && !isPauseAsked() && !stop.isCancelled()) {
                int position = open.get(next++);
                Proposal p = proposals.get(position);
                history.markPending(p);
                publish(new RunEvent.Proposed(step, p));
                tools.execute(() -> back.add(judge(position, p)));
                inFlight++;
            }
            if (inFlight == 0) {
                continue;
            }
            Returned r = awaitOne(back);
            inFlight--;
            if (r.evaluations().isPresent()) {
                take(step, proposals.get(r.position()), r.position(), r.evaluations().get(), r.seconds(), answers);
            } else if (problem.isEmpty() || problem.get() instanceof CancellationException) {
                problem = r.problem();
            }
        }
        problem.ifPresent(p -> {
            throw p;
        });
    }

    private Returned judge(int position, Proposal p) {
        long before = nanoClock.getAsLong();
        try {
            List<Evaluation> evaluations = evaluator.evaluate(p.configuration(), p.upTo(), stop);
            return new Returned(position, Optional.of(evaluations), Optional.empty(), (nanoClock.getAsLong() - before) * 1e-9);
        } catch (RuntimeException e) {
            return new Returned(position, Optional.empty(), Optional.of(e), 0);
        }
    }

    /// Waits for what is in flight also where this thread is interrupted: the interrupt becomes a stop, which the tools obey.
    private Returned awaitOne(LinkedBlockingQueue<Returned> back) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return back.take();
                } catch (InterruptedException e) {
                    interrupted = true;
                    stop.cancel();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void take(int step, Proposal p, int position, List<Evaluation> evaluations, double seconds, Map<Integer, List<Evaluation>> answers) {
        if (evaluations.isEmpty()) {
            throw new IllegalStateException(info.name() + " gave no evaluation for " + p.configuration());
        }
        proposalTimes.add(seconds);
        history.clearPending(p);
        answers.put(position, evaluations);
        if (step == 0) {
            initialOpen--;
        }
        arrived(evaluations);
        publish(new RunEvent.Evaluated(step, p, evaluations, progress()));
    }

    /// Counts arrivals at once; the explorer's history gets them in the order asked, by [#remember].
    private void arrived(List<Evaluation> evaluations) {
        for (Evaluation e : evaluations) {
            toolSeconds += e.costSeconds();
            seen.add(e.configuration());
            if (e.fidelity().rank() == info.top().rank()) {
                front.ifPresentOrElse(f -> f.add(e), () -> beforeObjectives.add(e));
            }
        }
    }

    private void remember(List<Evaluation> evaluations) {
        evaluations.forEach(history::add);
    }

    private boolean reachesTop(List<Evaluation> evaluations) {
        return evaluations.stream().anyMatch(e -> e.fidelity().rank() == info.top().rank());
    }

    private boolean isPauseAsked() {
        synchronized (gate) {
            return pauseAsked;
        }
    }

    private void waitWhilePaused() {
        stop.throwIfCancelled();
        if (isPauseAsked()) {
            long before = nanoClock.getAsLong();
            publish(new RunEvent.Paused(progress()));
            synchronized (gate) {
                while (pauseAsked && !stop.isCancelled()) {
                    try {
                        gate.wait();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        stop.cancel();
                    }
                }
            }
            pausedNanos += nanoClock.getAsLong() - before;
            stop.throwIfCancelled();
            publish(new RunEvent.Resumed());
        }
        if (Thread.currentThread().isInterrupted()) {
            stop.cancel();
            stop.throwIfCancelled();
        }
    }

    private <T> T thinking(Supplier<T> work) {
        long before = nanoClock.getAsLong();
        try {
            return work.get();
        } finally {
            algorithmSeconds += (nanoClock.getAsLong() - before) * 1e-9;
        }
    }

    private RunEvent.Progress progress() {
        double elapsed = (nanoClock.getAsLong() - startedNanos - pausedNanos) * 1e-9;
        return new RunEvent.Progress(history.steps(), settings.maxSteps(), seen.size(), front.map(TopFront::hypervolume).orElse(Double.NaN),
                front.map(TopFront::size).orElse(0), toolSeconds, algorithmSeconds, elapsed, secondsLeft());
    }

    /// From measured steps; until two of them are known, from the time of the proposals judged so far, one batch per step.
    private double secondsLeft() {
        int stepsLeft = Math.max(0, settings.maxSteps() - history.steps());
        double bySteps = stepTimes.forUnits(stepsLeft);
        return Double.isNaN(bySteps) ? proposalTimes.forUnits((double) initialOpen / settings.parallel() + stepsLeft) : bySteps;
    }

    private void publish(RunEvent event) {
        listeners.forEach(l -> l.onEvent(event));
    }
}
