package knobscape.project.tune;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.gpu.search.TaskScheduler;
import knobscape.gpu.search.TaskSearch;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.search.TuningProblem;
import knobscape.gpu.search.ValidFirst;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.evaluate.Names;
import knobscape.project.RunStatus;
import knobscape.space.FeatureEncoder;

/// A tuning run: searches of all kernels, taken up in turn by what the network is expected to gain, until the budget is spent or every search has ended. It works on the caller's
/// thread and stores as it goes.
public final class TuningRun {
    /// Most measurements before the scheduler is asked again.
    private static final int LONGEST_ROUND = 64;
    /// The first look at each kernel takes at most this part of the measurements.
    private static final int FIRST_PART = 2;
    /// Measurements of a first look where time is what is short: how many there will be is not known then.
    private static final int SHORT_LOOK = 8;
    /// Measurements before a pace is told.
    private static final int LEAST_PACE = 16;
    private static final double NANO = 1e-9;

    /// Told what happens, on the run's thread.
    public interface Watcher {
        /// A measurement was stored.
        void measured(TuningTarget.Kernel kernel, TaskSearch.Answer answer, Progress progress);
    }

    /// How far it is.
    ///
    /// @param trials measurements so far
    /// @param most measurements allowed
    /// @param latencyMilliseconds sum over all kernels of best time and count, NaN until each has one
    /// @param best best GFLOPS (or rate) of the kernel in work, 0 for none
    /// @param secondsLeft estimate from this start's pace, NaN before there is one
    public record Progress(int trials, int most, double latencyMilliseconds, double best, double secondsLeft) { }

    private final long id;
    private final TuneSettings settings;
    private final TuningTarget target;
    private final TuningStore store;
    private final Clock clock;
    private final LongSupplier nanoClock;
    private final List<TaskSearch> searches = new ArrayList<>();
    private final OtherTails tails;
    private double algorithmSeconds;
    private double toolNanos;

    private TuningRun(long id, TuneSettings settings, TuningTarget target, TuningStore store, Clock clock, LongSupplier nanoClock, double algorithmSeconds) {
        this.id = id;
        this.settings = settings;
        this.target = target;
        this.store = store;
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.algorithmSeconds = algorithmSeconds;
        TuningMethod method = method(settings.method());
        for (int k = 0; k < target.kernels().size(); k++) {
            searches.add(search(method, k));
        }
        tails = new OtherTails(id, target, store, searches);
    }

    /// Begins a run. Throws [UserError] for an unknown method.
    public static TuningRun start(TuneSettings settings, TuningTarget target, TuningStore store, Clock clock, LongSupplier nanoClock) {
        return start(settings, target, store, clock, nanoClock, Optional.empty());
    }

    /// The same with measurements of a log known before the searches begin.
    public static TuningRun start(TuneSettings settings, TuningTarget target, TuningStore store, Clock clock, LongSupplier nanoClock, Optional<TuningLog.Matched> known) {
        method(settings.method());
        long id = store.create(settings, target, clock.instant());
        known.ifPresent(k -> k.store(id, TaskSearch.KNOWN, store, clock));
        return new TuningRun(id, settings, target, store, clock, nanoClock, 0).restored();
    }

    private TuningRun restored() {
        for (int k = 0; k < target.kernels().size(); k++) {
            searches.get(k).restore(store.past(id, k, target));
        }
        return this;
    }

    /// Goes on with a stored run as if it had never stopped; `settings` may have another budget. Throws [UserError] where what is tuned has changed.
    public static TuningRun resume(TuningStore.Tuning tuning, TuneSettings settings, TuningTarget target, TuningStore store, Clock clock, LongSupplier nanoClock) {
        if (!tuning.hash().equals(target.hash())) {
            throw new UserError("The network or the measured set has changed since tuning run " + tuning.id() + " began, so it cannot go on; start a new one.");
        }
        store.settings(tuning.id(), settings);
        return new TuningRun(tuning.id(), settings, target, store, clock, nanoClock, tuning.algorithmSeconds()).restored();
    }

    /// The method of a name; throws [UserError] naming the nearest where there is none.
    public static TuningMethod method(String name) {
        var names = TuningMethod.standard().all().stream().map(TuningMethod::name).toList();
        return TuningMethod.standard().all().stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow(() -> new UserError(
                "There is no method '" + name + "'" + Names.didYouMean(name, names) + "; known: " + String.join(", ", names) + "."));
    }

    private TaskSearch search(TuningMethod method, int index) {
        TuningTarget.Kernel k = target.kernels().get(index);
        var info = k.evaluator().info();
        // Kernels of one run must not draw alike, and each must draw the same whatever the others are.
        long seed = settings.seed() * 1_000_003L + k.id().hashCode();
        var problem = new TuningProblem(k.space(), k.features(), FeatureEncoder.coordinates(k.space().knobs()), info, info.metric(info.objectives().getFirst()), seed);
        Explorer explorer = method.factory().apply(problem);
        Optional<DeviceLimits> limits = target.device().map(d -> d.info().limits());
        Explorer first = limits.isEmpty() ? explorer : new ValidFirst(explorer, problem, c -> k.schedule(c).flatMap(s -> s.check(limits.get())).isEmpty());
        return new TaskSearch(problem, first, k.evaluator(), method.batch());
    }

    /// Number in the store.
    public long id() {
        return id;
    }

    /// How.
    public TuneSettings settings() {
        return settings;
    }

    /// What.
    public TuningTarget target() {
        return target;
    }

    /// The search of each kernel.
    public List<TaskSearch> searches() {
        return List.copyOf(searches);
    }

    /// Time of the searches themselves in seconds.
    public double algorithmSeconds() {
        return algorithmSeconds;
    }

    /// Measurements allowed in all.
    public int budget() {
        return settings.trials() > 0 ? settings.trials() : Math.multiplyExact(TuneSettings.DEFAULT_TRIALS_PER_TASK, searches.size());
    }

    /// Measurements of a kernel before the scheduler is asked again: 64, fewer where the budget is small, so that every kernel is looked at before any takes a second turn.
    private int round() {
        return Math.clamp(budget() / (FIRST_PART * (long) searches.size()), 1, LONGEST_ROUND);
    }

    /// Runs to an end, which is stored and returned. A stop is an ordinary end.
    public Ending run(CancellationSignal cancel, Watcher watcher) {
        store.status(id, RunStatus.RUNNING, "", clock.instant());
        Ending end;
        try {
            String reason = tune(cancel, watcher);
            tails.measure(cancel, clock);
            end = new Ending(RunStatus.COMPLETED, reason);
        } catch (CancellationException e) {
            end = new Ending(RunStatus.STOPPED, "stopped on request");
        } catch (UserError e) {
            end = new Ending(RunStatus.FAILED, e.getMessage());
        }
        store.status(id, end.status, end.reason, clock.instant());
        return end;
    }

    /// How a run ended.
    ///
    /// @param status completed, stopped or failed
    /// @param reason in words
    public record Ending(RunStatus status, String reason) { }

    private String tune(CancellationSignal cancel, Watcher watcher) {
        long begun = nanoClock.getAsLong();
        int before = trials();
        var scheduler = new TaskScheduler(target.kernels().stream().map(k -> new TaskScheduler.Task(k.count(), k.flops(), k.tag())).toList());
        var ends = new ArrayList<List<Integer>>();
        for (int k = 0; k < searches.size(); k++) {
            // A resumed run tells the scheduler what its rounds had brought.
            List<Integer> past = store.rounds(id, k);
            List<Double> curve = searches.get(k).curve();
            ends.add(new ArrayList<>(past));
            for (int i = 0; i < past.size(); i++) {
                scheduler.rounded(k, past.get(i) == 0 ? Double.POSITIVE_INFINITY : time(k, curve.get(past.get(i) - 1)));
                finishIfDone(scheduler, k, past.get(i));
            }
        }
        while (true) {
            if (trials() >= budget()) {
                return "all " + budget() + " measurements are done";
            }
            if (settings.minutes() > 0 && (nanoClock.getAsLong() - begun) * NANO > settings.minutes() * 60) {
                return "the time is over";
            }
            // A round that was cut off is brought to its end first.
            int k = IntStream.range(0, searches.size()).filter(i -> !scheduler.isDone(i) && searches.get(i).trials() > last(ends.get(i))).findFirst()
                    .orElseGet(() -> scheduler.next().orElse(-1));
            if (k < 0) {
                return "every search has ended";
            }
            int length = ends.get(k).isEmpty() && settings.minutes() > 0 ? Math.min(SHORT_LOOK, round()) : round();
            int until = last(ends.get(k)) + length;
            measure(k, until, cancel, watcher, begun, before);
            TaskSearch s = searches.get(k);
            if (s.trials() >= until || s.isExhausted()) {
                ends.get(k).add(s.trials());
                store.rounds(id, k, ends.get(k));
                scheduler.rounded(k, s.curve().isEmpty() ? Double.POSITIVE_INFINITY : time(k, s.curve().getLast()));
                finishIfDone(scheduler, k, s.trials());
            }
        }
    }

    private static int last(List<Integer> ends) {
        return ends.isEmpty() ? 0 : ends.getLast();
    }

    /// Takes a kernel out whose space is exhausted, or that had no new best in the last so many of its first `trials` measurements.
    private void finishIfDone(TaskScheduler scheduler, int k, int trials) {
        TaskSearch s = searches.get(k);
        List<Double> curve = s.curve();
        int gain = trials;
        while (gain > 0 && curve.get(gain - 1) <= (gain == 1 ? 0 : curve.get(gain - 2))) {
            gain--;
        }
        if (s.isExhausted() && trials == s.trials() || settings.earlyStop() > 0 && trials > 0 && trials - gain >= settings.earlyStop()) {
            scheduler.finish(k);
        }
    }

    /// Milliseconds of a score.
    private double time(int kernel, double score) {
        TuningProblem p = searches.get(kernel).problem();
        // Scores are 1/time, GFLOPS or calls per second; all but the first need the operations.
        if (score <= 0) {
            return Double.POSITIVE_INFINITY;
        }
        return switch (p.metric().name()) {
            case "gflops" -> target.kernels().get(kernel).flops() / (score * 1e6);
            case "rate" -> 1000 / score;
            default -> 1 / score;
        };
    }

    private void measure(int k, int until, CancellationSignal cancel, Watcher watcher, long begun, int before) {
        TaskSearch s = searches.get(k);
        while (s.trials() < until && trials() < budget()) {
            cancel.throwIfCancelled();
            long start = nanoClock.getAsLong();
            toolNanos = 0;
            int most = Math.min(until - s.trials(), budget() - trials());
            boolean more = s.round(most, cancel, a -> {
                long at = nanoClock.getAsLong();
                store.add(id, k, a, clock.instant());
                watcher.measured(target.kernels().get(k), a, progress(k, begun, before));
                toolNanos += nanoClock.getAsLong() - at;
            });
            algorithmSeconds += (nanoClock.getAsLong() - start - toolNanos) * NANO;
            if (!more) {
                return;
            }
            store.stepDone(id, k, s.step(), s.state(), algorithmSeconds);
        }
    }

    /// Measurements of all kernels.
    public int trials() {
        return searches.stream().mapToInt(TaskSearch::trials).sum();
    }

    /// Measurements of a log that were known before.
    public int known() {
        return searches.stream().mapToInt(TaskSearch::known).sum();
    }

    /// Milliseconds of all places of all tasks, each task by its fastest template and each place with its tail; NaN until each has one.
    public double latencyMilliseconds() {
        var names = target.kernels().stream().map(TuningTarget.Kernel::task).distinct().toList();
        double sum = 0;
        for (String task : names) {
            sum += IntStream.range(0, searches.size()).filter(k -> target.kernels().get(k).task().equals(task)).mapToDouble(tails::milliseconds).filter(t -> !Double.isNaN(t)).min()
                    .orElse(Double.NaN);
        }
        return sum;
    }

    /// What is known of the best schedule of a kernel with one of its tails (see [TuningTarget.Kernel#tails()]); empty before it was measured.
    public Optional<Evaluation> withTail(int kernel, int tail) {
        return tails.of(kernel, tail);
    }

    /// Best measured time of a kernel in milliseconds, NaN for none.
    public double bestMilliseconds(int kernel) {
        return searches.get(kernel).best().map(e -> e.value("time").orElse(Double.NaN)).orElse(Double.NaN);
    }

    private Progress progress(int k, long begun, int before) {
        int done = trials() - before;
        double seconds = (nanoClock.getAsLong() - begun) * NANO;
        double left = done < LEAST_PACE ? Double.NaN : seconds / done * (budget() - trials());
        if (settings.minutes() > 0) {
            double limit = settings.minutes() * 60 - seconds;
            left = Double.isNaN(left) ? limit : Math.min(left, limit);
        }
        Evaluation best = searches.get(k).best().orElse(null);
        return new Progress(trials(), budget(), latencyMilliseconds(), best == null ? 0 : best.value("gflops").orElse(best.value("rate").orElse(0)), left);
    }
}
