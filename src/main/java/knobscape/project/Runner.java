package knobscape.project;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.UserError;
import knobscape.explore.Exploration;
import knobscape.explore.Explorer;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;

/// Starts runs in the background and ends them when the program ends. One for the whole program.
public final class Runner implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final Clock clock;
    private final LongSupplier nanoClock;
    private final ExecutorService runs = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("run-", 1).daemon(true).factory());
    private final ExecutorService tools = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("tool-", 1).factory());
    private final List<RunSession> sessions = new CopyOnWriteArrayList<>();

    /// @param clock for the times stored
    /// @param nanoClock for the times measured, in nanoseconds, never going back
    public Runner(Clock clock, LongSupplier nanoClock) {
        this.clock = clock;
        this.nanoClock = nanoClock;
    }

    /// With the clocks of this machine.
    public static Runner withSystemClocks() {
        return new Runner(Clock.systemUTC(), System::nanoTime);
    }

    /// Begins a run; takes the project for writing. Throws [UserError] where the project is locked or cannot be written, or the settings name something unknown.
    ///
    /// @param watchers called from the first event on
    public RunSession start(Workbench workbench, RunSettings settings, List<RunListener> watchers) {
        Evaluator evaluator = workbench.evaluator(settings);
        boolean started = false;
        try {
            Explorer explorer = workbench.explorer(settings, evaluator.info());
            RunStore store = workbench.project().lock();
            List<Subject> subjects = subjects(workbench, settings, evaluator, explorer);
            long id = store.create(workbench.project().stored(workbench.settings()), settings, subjects, workbench.sourceHash(),
                    RunCommand.of(workbench.project(), workbench.settings(), settings), RunCommand.programVersion(), clock);
            RunSession session = launch(id, workbench, settings, subjects, store, List.of(), watchers);
            started = true;
            return session;
        } finally {
            if (!started) {
                evaluator.close();
            }
        }
    }

    private static List<Subject> subjects(Workbench workbench, RunSettings settings, Evaluator evaluator, Explorer explorer) {
        return List.of(Subject.of(workbench.project().name(), workbench.space(), explorer, evaluator, Workbench.objectives(settings, evaluator.info()),
                Termination.of(settings.earlyStop())));
    }

    /// Resumes a stored run with its own settings. See [#resume(Workbench, long, RunSettings, List)].
    public RunSession resume(Workbench workbench, long id, List<RunListener> watchers) {
        RunSettings settings = workbench.project().lock().find(id).orElseThrow(() -> unknown(workbench, id)).settings();
        return resume(workbench, id, settings, watchers);
    }

    /// Resumes a stored run as if it had never stopped.
    ///
    /// @param workbench opened with the run's own settings ([RunRecord#work()])
    /// @param id number of the run
    /// @param settings the run's own; only `steps`, `earlyStop` and `waitFactor` may differ
    /// @param watchers called from the first event on
    public RunSession resume(Workbench workbench, long id, RunSettings settings, List<RunListener> watchers) {
        RunStore store = workbench.project().lock();
        RunRecord run = store.find(id).orElseThrow(() -> unknown(workbench, id));
        if (sessions.stream().anyMatch(s -> s.id() == id && s.workbench().project() == workbench.project() && s.state() != RunSession.State.ENDED)) {
            throw new UserError("Run " + id + " is running already.");
        }
        RunSettings own = run.settings().withBudget(settings.steps(), run.settings().initialDesigns(), settings.earlyStop()).withWaitFactor(settings.waitFactor());
        if (!own.equals(settings)) {
            throw new UserError("Only steps, early stop and waiting can change when run " + id + " is resumed; start a new run for other settings.");
        }
        if (!run.sourceHash().equals(workbench.sourceHash()) || !run.knobs().equals(workbench.space().knobs())) {
            throw new UserError("The source or the file of its knobs has changed since run " + id + " began, so it cannot be resumed; start a new run (the old one can still be exported).");
        }
        Evaluator evaluator = workbench.evaluator(settings);
        boolean started = false;
        try {
            Explorer explorer = workbench.explorer(settings, evaluator.info());
            store.settings(id, settings, RunCommand.of(workbench.project(), workbench.settings(), settings));
            store.status(id, RunStatus.RUNNING, "", clock.instant());
            RunSession session = launch(id, workbench, settings, subjects(workbench, settings, evaluator, explorer), store, store.past(run), watchers);
            started = true;
            return session;
        } finally {
            if (!started) {
                evaluator.close();
            }
        }
    }

    private static UserError unknown(Workbench workbench, long id) {
        return new UserError("There is no run " + id + " in " + workbench.project().runsFolder() + ".");
    }

    private RunSession launch(long id, Workbench workbench, RunSettings settings, List<Subject> subjects, RunStore store, List<RunEvent> past,
            List<RunListener> watchers) {
        var exploration = new Exploration(subjects, Scheduler.roundRobin(),
                new Exploration.Settings(settings.seed(), settings.steps(), 0, 0, settings.parallel(), settings.waitFactor()), nanoClock, tools);
        var session = new RunSession(id, workbench, settings, subjects.getFirst().evaluator().info(), exploration, new RunRecorder(store, id, clock), watchers);
        sessions.add(session);
        runs.execute(() -> {
            try {
                RunEvent.Finished end = exploration.run(past);
                sessions.remove(session);
                session.end(end);
            } catch (RuntimeException | Error e) {
                sessions.remove(session);
                session.end(e);
            } finally {
                subjects.forEach(s -> s.evaluator().close());
            }
        });
        return session;
    }

    /// Runs in progress.
    public List<RunSession> sessions() {
        return List.copyOf(sessions);
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
