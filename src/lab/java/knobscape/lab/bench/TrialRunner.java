package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/// The loop of all benches: subjects of a suite x methods x seeds. A trial that was finished earlier is read back, so
/// that an interrupted bench resumes where it was.
///
/// @param <F> a record of what a trial comes to
final class TrialRunner<F> {
    private final Bench.Job job;
    private final TrialLog<F> log;
    private final int seeds;
    private final int atOnce;

    private TrialRunner(Bench.Job job, TrialLog<F> log, int seeds, int atOnce) {
        this.job = job;
        this.log = log;
        this.seeds = seeds;
        this.atOnce = atOnce;
    }

    /// One trial after another, for searches that use all processors and times that must not be disturbed.
    ///
    /// @param file of the job's folder, where trials are kept
    /// @param seeds repetitions
    static <F> TrialRunner<F> inTurn(Bench.Job job, String file, Class<F> figures, int seeds) {
        return new TrialRunner<>(job, new TrialLog<>(job.out().resolve(file), figures), seeds, 1);
    }

    /// As [#inTurn], seeds side by side.
    static <F> TrialRunner<F> sideBySide(Bench.Job job, String file, Class<F> figures, int seeds) {
        return new TrialRunner<>(
                job,
                new TrialLog<>(job.out().resolve(file), figures),
                seeds,
                Runtime.getRuntime().availableProcessors());
    }

    /// The trials of a subject by seed, and with each seed in the order of the methods; those that were finished
    /// earlier
    /// where nothing is to be run. Throws
    /// `CancellationException` where the job is to stop; finished trials are kept.
    List<Trial<F>> run(TrialSubject<F> subject, List<String> methods) {
        int most = methods.stream().mapToInt(m -> subject.seeds(m, seeds)).max().orElse(0);
        List<Long> all = LongStream.range(job.firstSeed(), job.firstSeed() + most)
                .boxed()
                .toList();
        if (atOnce == 1 || most < 2) {
            return all.stream().flatMap(s -> run(subject, methods, s).stream()).toList();
        }
        var trials = new ArrayList<Trial<F>>();
        try (var pool = Executors.newFixedThreadPool(Math.min(most, atOnce))) {
            List<Future<List<Trial<F>>>> futures = all.stream()
                    .map(s -> pool.submit(() -> run(subject, methods, s)))
                    .toList();
            for (var f : futures) {
                try {
                    trials.addAll(f.get());
                } catch (ExecutionException x) {
                    pool.shutdownNow();
                    if (x.getCause() instanceof RuntimeException r) {
                        throw r;
                    }
                    throw new IllegalStateException(x.getCause());
                } catch (InterruptedException x) {
                    pool.shutdownNow();
                    Thread.currentThread().interrupt();
                    throw new CancellationException("stopped on request");
                }
            }
        }
        return trials;
    }

    private List<Trial<F>> run(TrialSubject<F> subject, List<String> methods, long seed) {
        Map<String, F> earlier = new LinkedHashMap<>();
        for (String method : methods) {
            if (seed - job.firstSeed() < subject.seeds(method, seeds)) {
                job.cancel().throwIfCancelled();
                figures(subject, method, seed, earlier).ifPresent(f -> earlier.put(method, f));
            }
        }
        return earlier.entrySet().stream()
                .map(e -> new Trial<>(subject.name(), e.getKey(), seed, e.getValue()))
                .toList();
    }

    private Optional<F> figures(TrialSubject<F> subject, String method, long seed, Map<String, F> earlier) {
        Optional<String> key = subject.key(method).map(k -> k + " method=" + method + " seed=" + seed);
        Optional<F> finished = key.flatMap(log::find);
        if (finished.isPresent() || job.extent() == Bench.Extent.FINISHED) {
            return finished;
        }
        F fresh = subject.run(method, seed, earlier);
        key.ifPresent(k -> log.add(k, fresh));
        job.progress().accept(subject.name() + ", " + method + ", seed " + seed + ": " + subject.words(fresh));
        return Optional.of(fresh);
    }
}
