package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.WorkStatus;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.EventBatch;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.report.FileGuard;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.export.ImportedLog;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TuningFiles;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.source.NetworkKernel;
import knobscape.project.Opened;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunSession;
import knobscape.project.RunStatus;
import knobscape.project.Runner;
import knobscape.space.DesignSpace;
import knobscape.work.RunSettings;

/// Tunings in the background, one after the other, with pause and stop. Used from the JavaFX thread.
final class TuneJob implements AutoCloseable {
    /// Measurements before a pace is told.
    private static final int LEAST_PACE = 16;
    private final Background background;
    private final Messages messages;
    private final Listener listener;
    private final Runner runner = Runner.withSystemClocks();
    private final ReadOnlyObjectWrapper<WorkStatus> status =
            new ReadOnlyObjectWrapper<>(WorkStatus.idle("Nothing has been tuned yet"));
    private volatile Optional<Job> job = Optional.empty();
    /// The newest, whether it is shown or not.
    private Optional<Job> newest = Optional.empty();

    /// Told how runs go, on the screen.
    interface Listener {
        /// A run begins.
        ///
        /// @param resumed whether it is an earlier one
        void begun(Tuning run, boolean resumed);

        /// Kernels have come further.
        ///
        /// @param kernel the one being measured
        void moved(List<KernelState> kernels, int kernel);

        /// A run has ended; `kernels` is empty where it could not begin.
        void ended(RunStatus status, List<KernelState> kernels);

        /// What a device calls itself.
        void device(String device, String hardware);
    }

    TuneJob(Background background, Messages messages, Listener listener) {
        this.background = background;
        this.messages = messages;
        this.listener = listener;
    }

    /// Starts runs, one after the other.
    void start(Opened<GpuWorkbench> opened, List<RunSettings> queue) {
        begin(new Job(opened, queue, 0));
    }

    /// Resumes a stored run.
    void resume(Opened<GpuWorkbench> opened, Tuning run) {
        begin(new Job(opened, List.of(run.how()), run.id()));
    }

    private void begin(Job started) {
        if (job.isEmpty()) {
            job = Optional.of(started);
            newest = job;
            status.set(WorkStatus.idle("").at(0, "Starting " + started.words(), ""));
            background.away(started::next);
        }
    }

    boolean isActive() {
        return job.isPresent();
    }

    ReadOnlyObjectProperty<WorkStatus> status() {
        return status.getReadOnlyProperty();
    }

    /// Pauses after the measurement in flight, or ends the pause.
    void togglePause() {
        job.ifPresent(j -> {
            status.set(status.get().toggled(j.words()));
            j.pause(status.get().state() == WorkStatus.State.PAUSED);
        });
    }

    /// Stops after the measurement in flight; what was measured is stored and can be resumed.
    void stop() {
        job.ifPresent(Job::stop);
    }

    /// Stops, and says no more of what runs.
    void forget(String words) {
        stop();
        job = Optional.empty();
        status.set(WorkStatus.idle(words));
    }

    /// Stores a log as a completed run. Away from the screen.
    void store(Opened<GpuWorkbench> opened, ImportedLog log) {
        var spaces = new LinkedHashMap<String, DesignSpace>();
        var evaluations = new ArrayList<List<Evaluation>>();
        for (NetworkKernel k : opened.bench().network().kernels()) {
            spaces.put(k.id(), k.space());
            evaluations.add(log.of(evaluations.size()));
        }
        String file = String.valueOf(log.log().getFileName());
        runner.store(
                opened,
                GpuSettings.defaultRun()
                        .withMethod(Tuning.LOG)
                        .withToolchain("log:" + file)
                        .withBudget(log.count(), 1, 0),
                ScheduleEvaluator.info("log:" + file, file, Provenance.Source.REPLAYED),
                spaces,
                evaluations,
                "imported from " + file);
    }

    /// Closes a project once nothing runs in it any more.
    void close(Project project) {
        newest.filter(j -> j.opened.project() == project)
                .ifPresentOrElse(j -> j.then(project::close), () -> background.away(project::close));
    }

    @Override
    public void close() {
        stop();
        background.away(runner::close);
    }

    /// Runs that begin with one press of the button.
    private final class Job implements RunListener {
        private final Opened<GpuWorkbench> opened;
        private final List<RunSettings> queue;
        private final long resumed;
        private final EventBatch<RunEvent.Evaluated> news;
        private volatile TuningResults results;
        private volatile int at;
        private volatile int before;
        private Optional<RunSession> session = Optional.empty();
        private boolean paused;
        private boolean stopped;
        private boolean over;
        private Optional<Runnable> last = Optional.empty();

        Job(Opened<GpuWorkbench> opened, List<RunSettings> queue, long resumed) {
            this.opened = opened;
            this.queue = List.copyOf(queue);
            this.resumed = resumed;
            this.results = new TuningResults(opened.bench().network());
            this.news = new EventBatch<>(background, batch -> {
                List<KernelState> now = results.picture().states();
                return () -> show(this, now, batch.getLast());
            });
        }

        private RunSettings settings() {
            return queue.get(Math.min(at, queue.size() - 1));
        }

        private String words() {
            return Tuning.title(settings()) + (queue.size() > 1 ? ", run " + (at + 1) + " of " + queue.size() : "");
        }

        private int budget() {
            return opened.bench().budget(settings());
        }

        synchronized void pause(boolean on) {
            paused = on;
            session.ifPresent(s -> {
                if (on) {
                    s.pause();
                } else {
                    s.resume();
                }
            });
        }

        synchronized void stop() {
            stopped = true;
            session.ifPresent(RunSession::stop);
        }

        /// Does something when nothing runs any more.
        synchronized void then(Runnable action) {
            if (over) {
                background.away(action);
            } else {
                last = Optional.of(action);
            }
        }

        private synchronized void over() {
            over = true;
            last.ifPresent(Runnable::run);
        }

        /// Away from the screen: begins the next run.
        private void next() {
            try {
                results = resumed > 0
                        ? TuningResults.of(
                                opened.bench().network(),
                                opened.project()
                                        .runs()
                                        .orElseThrow()
                                        .results(resumed)
                                        .found())
                        : new TuningResults(opened.bench().network());
                before = trials(results.picture().states());
                List<KernelState> states = results.picture().states();
                if (resumed == 0) {
                    // A log that cannot be used ends a run before it begins.
                    opened.bench().log();
                }
                List<RunListener> watchers = List.of(results, this);
                RunSession begun = resumed > 0
                        ? runner.resume(opened, resumed, settings(), watchers)
                        : runner.start(opened, settings(), watchers);
                synchronized (this) {
                    session = Optional.of(begun);
                    if (stopped) {
                        begun.stop();
                    } else if (paused) {
                        begun.pause();
                    }
                }
                var run = new Tuning(begun.id(), opened.bench().settings(), settings(), RunStatus.RUNNING, states);
                background.onScreen(() -> {
                    if (isShown()) {
                        listener.begun(run, resumed > 0);
                    }
                });
                begun.ending().whenComplete((end, problem) -> background.away(() -> ended(begun)));
            } catch (RuntimeException e) {
                background.onScreen(() -> failed(this, e));
                over();
            }
        }

        private boolean isShown() {
            return job.filter(this::equals).isPresent();
        }

        /// Away from the screen: writes the files, and begins the next run.
        private void ended(RunSession run) {
            try {
                RunRecord record = run.results().run();
                TuningFiles.write(
                        opened.project().runsFolder(),
                        record.summary(opened.project()),
                        results,
                        FileGuard.standard());
                List<KernelState> last = results.picture().states();
                int next = at + 1;
                boolean more = record.status() == RunStatus.COMPLETED && next < queue.size() && isShown();
                background.onScreen(() -> TuneJob.this.ended(this, last, record, more));
                if (more) {
                    at = next;
                    next();
                } else {
                    over();
                }
            } catch (RuntimeException e) {
                background.onScreen(() -> failed(this, e));
                over();
            }
        }

        @Override
        public void onEvent(RunEvent event) {
            switch (event) {
                case RunEvent.Started s ->
                    ScheduleEvaluator.hardware(s.info())
                            .ifPresent(h -> background.onScreen(
                                    () -> listener.device(settings().toolchain(), h)));
                case RunEvent.Evaluated e -> news.add(e);
                default -> {}
            }
        }
    }

    private static int trials(List<KernelState> states) {
        return states.stream().mapToInt(KernelState::trials).sum();
    }

    private void show(Job j, List<KernelState> now, RunEvent.Evaluated newest) {
        if (!j.isShown()) {
            return;
        }
        listener.moved(now, j.results.kernel(newest.subject()));
        int done = trials(now);
        double left = done - j.before < LEAST_PACE
                ? Double.NaN
                : newest.progress().elapsedSeconds() / (done - j.before) * (j.budget() - done);
        status.set(status.get()
                .at(
                        (j.at + (double) done / Math.max(1, j.budget())) / j.queue.size(),
                        j.words(),
                        Quantity.count(done) + " of " + Quantity.count(j.budget())
                                + (Double.isNaN(left) ? "" : ", about " + Quantity.duration(left) + " left")));
    }

    private void ended(Job j, List<KernelState> last, RunRecord run, boolean more) {
        if (!j.isShown()) {
            return;
        }
        String words = run.status().words() + ": " + run.reason();
        if (!more) {
            finish(words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1));
        }
        listener.ended(run.status(), last);
        if (run.status() == RunStatus.FAILED) {
            messages.show(Message.error("Tuning ended: " + words + ". What was measured is kept."));
        }
    }

    private void failed(Job j, RuntimeException problem) {
        if (j.isShown()) {
            messages.fail("Tuning failed", problem);
            finish("Failed");
            listener.ended(RunStatus.FAILED, List.of());
        }
    }

    private void finish(String words) {
        job = Optional.empty();
        status.set(WorkStatus.idle(words));
    }
}
