package knobscape.project;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.UserError;
import knobscape.explore.Exploration;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.space.DesignSpace;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;
import knobscape.work.StoredEvaluation;
import knobscape.work.Workbench;
import knobscape.work.history.HistoryRecorder;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;

/// Starts runs in the background and ends them when the program ends. One for the whole program.
public final class Runner implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;
    /// How often it is looked what other processes ask.
    private static final long LOOK_MILLIS = 500;

    private final Clock clock;
    private final LongSupplier nanoClock;
    private final Supplier<Optional<TuningHistory>> histories;
    private final ExecutorService runs;
    private final ExecutorService tools = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("tool-", 1).factory());
    private final List<RunSession> sessions = new CopyOnWriteArrayList<>();

    /// @param clock for the times stored
    /// @param nanoClock for the times measured, in nanoseconds, never going back
    public Runner(Clock clock, LongSupplier nanoClock) {
        this(clock, nanoClock, Optional::empty);
    }

    /// @param histories opens the tuning history that runs fill, when one begins
    public Runner(Clock clock, LongSupplier nanoClock, Supplier<Optional<TuningHistory>> histories) {
        this(clock, nanoClock, histories, Thread.NORM_PRIORITY);
    }

    @SuppressWarnings("ThreadPriorityCheck") // of who goes first, not of what is right
    private Runner(Clock clock, LongSupplier nanoClock, Supplier<Optional<TuningHistory>> histories, int priority) {
        this.runs = Executors.newThreadPerTaskExecutor(Thread.ofPlatform()
                .name("run-", 1)
                .daemon(true)
                .priority(priority)
                .factory());
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.histories = histories;
    }

    /// With the clocks of this machine and the user's history.
    public static Runner withSystemClocks() {
        return new Runner(Clock.systemUTC(), System::nanoTime, UserHistory::open);
    }

    /// As [#withSystemClocks], of runs that give way to the window they are watched in: their threads, and those that
    /// they start, have the least priority.
    public static Runner behindWindow() {
        return new Runner(Clock.systemUTC(), System::nanoTime, UserHistory::open, Thread.MIN_PRIORITY);
    }

    /// Begins a run; takes the project for writing. Throws [UserError] where the project is locked or cannot be
    /// written, or the settings name something unknown.
    ///
    /// @param watchers called from the first event on
    public RunSession start(Session<?> opened, RunSettings settings, List<RunListener> watchers) {
        refuseTold(settings, "RUN");
        return guarded(opened.bench().plan(settings), plan -> {
            RunStore store = opened.project().lock();
            long id = create(store, opened, settings, plan, clock);
            return launch(id, opened, settings, plan, store, List.of(), watchers);
        });
    }

    static long create(RunStore store, Session<?> opened, RunSettings settings, RunPlan plan, Clock clock) {
        return store.create(
                opened.bench().settings().stored(opened.project()),
                settings,
                plan.subjects().stream().map(StoredSubject::of).toList(),
                opened.bench().sourceHash(),
                RunCommand.of(opened.project(), opened.bench().settings(), settings),
                ProgramVersion.current(),
                clock.instant());
    }

    /// Nothing here can evaluate what is told.
    private static void refuseTold(RunSettings settings, String run) {
        if (EvaluatorKind.TOLD.isOf(settings.toolchain())) {
            throw new UserError("The designs of this run are evaluated outside: ask for them with 'knobscape ask " + run
                    + "' and tell the results with 'knobscape tell " + run + "'.");
        }
    }

    /// Throws [UserError] where a run does not fit what is opened any more.
    static void mustBeSame(RunRecord run, Workbench bench, RunPlan plan) {
        if (!run.sourceHash().equals(bench.sourceHash())
                || !run.subjects().stream()
                        .map(StoredSubject::knobs)
                        .toList()
                        .equals(plan.subjects().stream()
                                .map(s -> s.space().knobs())
                                .toList())) {
            throw new UserError("The source or the file of its knobs has changed since run " + run.id()
                    + " began, so it cannot be resumed; start a new run (the old one can still be exported).");
        }
    }

    /// Closes what was made for a run that does not begin.
    private static RunSession guarded(RunPlan plan, Function<RunPlan, RunSession> begin) {
        boolean started = false;
        try {
            RunSession session = begin.apply(plan);
            started = true;
            return session;
        } finally {
            if (!started) {
                plan.close();
            }
        }
    }

    /// Stores evaluations that were made elsewhere as a completed run. Throws [UserError] as [#start] does.
    ///
    /// @param info of what made them
    /// @param spaces of the subjects, by name
    /// @param evaluations of each subject, in order
    /// @param reason how the run came about
    public void store(
            Session<?> opened,
            RunSettings settings,
            EvaluatorInfo info,
            Map<String, DesignSpace> spaces,
            List<List<Evaluation>> evaluations,
            String reason) {
        Instant now = clock.instant();
        RunStore store = opened.project().lock();
        long run = store.create(
                opened.bench().settings().stored(opened.project()),
                settings,
                spaces.entrySet().stream()
                        .map(e -> new StoredSubject(
                                0,
                                e.getKey(),
                                1,
                                e.getValue().knobs(),
                                e.getValue().size().toString(),
                                info,
                                Optional.empty()))
                        .toList(),
                opened.bench().sourceHash(),
                RunCommand.of(opened.project(), opened.bench().settings(), settings),
                ProgramVersion.current(),
                now);
        new RunStory(store, run, info, now).write(evaluations);
        store.status(run, RunStatus.COMPLETED, reason, now);
    }

    /// Resumes a stored run with its own settings. See [#resume(Session, long, RunSettings, List)].
    public RunSession resume(Session<?> opened, long id, List<RunListener> watchers) {
        RunSettings settings = opened.project()
                .lock()
                .find(id)
                .orElseThrow(() -> unknown(opened, id))
                .settings();
        return resume(opened, id, settings, watchers);
    }

    /// Resumes a stored run as if it had never stopped.
    ///
    /// @param opened with the run's own settings ([RunRecord#work()])
    /// @param id number of the run
    /// @param settings the run's own; only `steps`, `earlyStop`, `leastGain` and `waitFactor` may differ
    /// @param watchers called from the first event on
    public RunSession resume(Session<?> opened, long id, RunSettings settings, List<RunListener> watchers) {
        RunStore store = opened.project().lock();
        RunRecord run = store.find(id).orElseThrow(() -> unknown(opened, id));
        if (sessions.stream()
                .anyMatch(s -> s.id() == id
                        && s.opened().project() == opened.project()
                        && s.state() != RunSession.State.ENDED)) {
            throw new UserError("Run " + id + " is running already.");
        }
        refuseTold(settings, opened.project().text(id));
        RunSettings own = run.settings()
                .with(RunSettings.STEPS, settings.values().get(RunSettings.STEPS))
                .with(RunSettings.EARLY_STOP, settings.earlyStop())
                .with(RunSettings.LEAST_GAIN, settings.leastGain())
                .with(RunSettings.WAIT, settings.waitFactor());
        if (!own.equals(settings)) {
            throw new UserError("Only steps, early stop, least gain and waiting can change when run " + id
                    + " is resumed; start a new run for other settings.");
        }
        return guarded(opened.bench().plan(settings), plan -> {
            mustBeSame(run, opened.bench(), plan);
            store.settings(
                    id,
                    settings,
                    settings.equals(run.settings())
                            ? run.command()
                            : RunCommand.of(opened.project(), opened.bench().settings(), settings));
            store.status(id, RunStatus.RUNNING, "", clock.instant());
            return launch(id, opened, settings, plan, store, store.past(run), watchers);
        });
    }

    private static UserError unknown(Session<?> opened, long id) {
        return new UserError("There is no run " + id + " in " + opened.project().runsFolder() + ".");
    }

    private RunSession launch(
            long id,
            Session<?> opened,
            RunSettings settings,
            RunPlan plan,
            RunStore store,
            List<RunEvent> past,
            List<RunListener> watchers) {
        var exploration = new Exploration(plan.subjects(), plan.scheduler(), plan.settings(), nanoClock, tools);
        List<HistoryTask> tasks = opened.bench().historyTasks(settings, plan.subjects());
        Optional<TuningHistory> history = tasks.isEmpty() ? Optional.empty() : histories.get();
        var all = new ArrayList<>(watchers);
        history.ifPresent(h -> {
            var recorder = new HistoryRecorder(h, tasks, opened.project().text(id), clock);
            if (!past.isEmpty()) {
                // What a kill kept from the history is in the store.
                store.results(id)
                        .found()
                        .filter(f -> f.step() != StoredEvaluation.KNOWN)
                        .forEach(f -> recorder.add(f.subject(), f.evaluation()));
            }
            all.add(recorder);
        });
        Path folder = opened.project().runsFolder();
        RunControl.begin(folder, id);
        all.add(e -> {
            if (e instanceof RunEvent.Paused || e instanceof RunEvent.Resumed || e instanceof RunEvent.Finished) {
                RunControl.tell(folder, id, e instanceof RunEvent.Paused);
            }
        });
        var session = new RunSession(id, opened, settings, exploration, new RunRecorder(store, id, clock), all);
        sessions.add(session);
        tools.execute(() -> obey(session, folder));
        // Taken out of the work, which lives as long as the run does.
        var replayed = new AtomicReference<>(past);
        runs.execute(() -> {
            try {
                RunEvent.Finished end = exploration.run(replayed.getAndSet(List.of()));
                sessions.remove(session);
                session.end(end);
            } catch (RuntimeException | Error e) {
                sessions.remove(session);
                session.end(e);
            } finally {
                plan.close();
                history.ifPresent(TuningHistory::close);
            }
        });
        return session;
    }

    /// Does what other processes ask of a run ([RunControl]), until it ends.
    private static void obey(RunSession session, Path folder) {
        try {
            while (session.state() != RunSession.State.ENDED) {
                RunControl.take(folder, session.id()).ifPresent(wish -> {
                    switch (wish) {
                        case PAUSE -> session.pause();
                        case RESUME -> session.resume();
                        case STOP -> session.stop();
                    }
                });
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The runs that are active.
    public List<RunSession> active() {
        return sessions.stream()
                .filter(s -> s.state() != RunSession.State.ENDED)
                .toList();
    }

    /// The runs of a project that are active.
    public List<RunSession> active(Project project) {
        return active().stream().filter(s -> s.opened().project() == project).toList();
    }

    /// Stops the runs of a project and waits until what arrived is stored. Not on a thread that draws.
    public void stop(Project project) {
        List<RunSession> mine =
                sessions.stream().filter(s -> s.opened().project() == project).toList();
        mine.forEach(RunSession::stop);
        for (RunSession s : mine) {
            try {
                s.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /// Stops every run, which ends the tools they started, and waits until what arrived is stored.
    @Override
    public void close() {
        sessions.forEach(RunSession::stop);
        runs.shutdown();
        tools.shutdown();
        try {
            if (!runs.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                runs.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            runs.shutdownNow();
        }
    }
}
