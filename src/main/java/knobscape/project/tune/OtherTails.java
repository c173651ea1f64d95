package knobscape.project.tune;

import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.gpu.search.TaskSearch;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.source.FusedTail;
import knobscape.space.Configuration;

/// The best schedules of a run with the tails they were not searched with: each is measured (and checked, as a first result always is) once, and where the best one fails with a
/// tail, the next best ones are tried. Not part of the budget: it is at most a few measurements a kernel. One thread uses it.
final class OtherTails {
    private static final int TRIES = 8;
    private final long run;
    private final TuningTarget target;
    private final TuningStore store;
    private final List<TaskSearch> searches;
    private final Map<Place, Found> found = new HashMap<>();

    private record Place(int kernel, String tail) { }

    /// @param best the best configuration of the search when this was measured
    private record Found(Configuration best, Evaluation evaluation) { }

    OtherTails(long run, TuningTarget target, TuningStore store, List<TaskSearch> searches) {
        this.run = run;
        this.target = target;
        this.store = store;
        this.searches = searches;
        for (int k = 0; k < searches.size(); k++) {
            for (TuningStore.TailRow row : store.tails(run, k, target)) {
                keep(new Place(k, row.tail()), row.best(), row.evaluation());
            }
        }
    }

    private void keep(Place place, Configuration best, Evaluation e) {
        if (e.outcome() instanceof Outcome.Measured) {
            found.put(place, new Found(best, e));
        }
    }

    /// What is known of the best schedule of a kernel with one of its tails; empty before it was measured. The first tail is the one of the search.
    Optional<Evaluation> of(int kernel, int tail) {
        Optional<Evaluation> best = searches.get(kernel).best();
        if (tail == 0 || best.isEmpty()) {
            return best;
        }
        Found f = found.get(new Place(kernel, target.kernels().get(kernel).tails().get(tail).epilogue().id()));
        return f != null && f.best.equals(best.get().configuration()) ? Optional.of(f.evaluation) : Optional.empty();
    }

    /// Milliseconds of all places of a kernel together, NaN before anything ran. Places whose tail was not measured yet count as the others.
    double milliseconds(int kernel) {
        double first = time(of(kernel, 0));
        List<FusedTail> tails = target.kernels().get(kernel).tails();
        double sum = tails.isEmpty() ? target.kernels().get(kernel).count() * first : 0;
        for (int t = 0; t < tails.size(); t++) {
            double own = time(of(kernel, t));
            sum += tails.get(t).count() * (Double.isNaN(own) ? first : own);
        }
        return sum;
    }

    private static double time(Optional<Evaluation> e) {
        return e.map(x -> x.value("time").orElse(Double.NaN)).orElse(Double.NaN);
    }

    /// Measures what is missing. Throws what a device that is gone throws, and `CancellationException`.
    void measure(CancellationSignal cancel, Clock clock) {
        Optional<GpuDevice> device = target.device();
        for (int k = 0; k < searches.size() && device.isPresent(); k++) {
            for (int t = 1; t < target.kernels().get(k).tails().size(); t++) {
                if (searches.get(k).best().isPresent() && of(k, t).isEmpty()) {
                    measure(k, target.kernels().get(k).tails().get(t), device.get(), cancel, clock);
                }
            }
        }
    }

    private void measure(int k, FusedTail tail, GpuDevice device, CancellationSignal cancel, Clock clock) {
        TuningTarget.Kernel kernel = target.kernels().get(k);
        Configuration best = searches.get(k).best().orElseThrow().configuration();
        var evaluator = new ScheduleEvaluator(kernel.template().orElseThrow(), tail.epilogue(), device);
        Stream<Configuration> next = store.rows(run, k, target).stream().map(TuningStore.Row::evaluation).filter(e -> e.value("time").isPresent())
                .sorted(Comparator.comparingDouble(e -> e.value("time").orElseThrow())).map(Evaluation::configuration);
        for (Configuration c : Stream.concat(Stream.of(best), next).distinct().limit(TRIES).toList()) {
            cancel.throwIfCancelled();
            Evaluation e = evaluator.evaluate(c, evaluator.info().top(), cancel).getLast();
            store.addTail(run, k, tail.epilogue().id(), best, e, clock.instant());
            keep(new Place(k, tail.epilogue().id()), best, e);
            if (e.outcome() instanceof Outcome.Measured) {
                return;
            }
        }
    }
}
