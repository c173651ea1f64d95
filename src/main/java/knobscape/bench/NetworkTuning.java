package knobscape.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Repeats;
import knobscape.evaluate.UserError;
import knobscape.explore.Exploration;
import knobscape.explore.RunEvent;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.evaluate.Devices;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.source.TunableNetwork;
import knobscape.work.Place;
import knobscape.work.Plan;
import knobscape.work.RunSettings;

/// Whole networks tuned on a model device in a bench; nothing of them is stored but what they came to.
final class NetworkTuning {
    static final String DEVICE = "model:gtx1080ti";

    private final Bench.Job job;
    private final KeptLog<Tuned> log;

    /// A network tuned once.
    ///
    /// @param milliseconds of all its kernels
    /// @param algorithmSeconds of the search
    /// @param deviceSeconds of compiling and measuring, as the device says
    record Tuned(String method, double milliseconds, double algorithmSeconds, double deviceSeconds) {}

    /// Where runs would be kept; none are.
    private record Folder(Path folder) implements Place {
        @Override
        public boolean isScratch() {
            return true;
        }
    }

    /// @param file beside the job's results, where what is finished is kept
    NetworkTuning(Bench.Job job, String file) {
        this.job = job;
        this.log = new KeptLog<>(job.out().resolve(file), Tuned.class);
    }

    /// What a tuning came to; run where it was not before.
    ///
    /// @param key everything that it depends on but the method
    Tuned of(String key, String method, Supplier<Tuned> tune) {
        job.cancel().throwIfCancelled();
        Optional<Tuned> kept = log.find(key, t -> t.method.equals(method));
        if (kept.isPresent()) {
            return kept.get();
        }
        Tuned fresh = tune.get();
        log.add(key, fresh);
        job.progress().accept(String.format(Locale.ROOT, "%s by %s: %.4f ms", key, method, fresh.milliseconds));
        return fresh;
    }

    /// Opens what is tuned.
    GpuWorkbench open(GpuSettings settings) {
        return GpuWorkbench.open(new Folder(job.out().toAbsolutePath()), settings);
    }

    /// @param budget measurements in all
    /// @param earlyStop a kernel is done after so many measurements without a new best, 0 never
    Tuned tune(GpuWorkbench bench, TuningMethod method, int budget, int earlyStop, long seed) {
        var run = RunSettings.of(method.name(), DEVICE, budget, 1, earlyStop).withSeed(seed);
        try (Plan plan = bench.plan(run, method, Devices.open(DEVICE))) {
            var search = new Exploration(
                    plan.subjects(), plan.scheduler(), plan.settings(), System::nanoTime, Runnable::run);
            List<Repeats> measured = Stream.generate(() -> Repeats.bySpeed(
                            e -> 1 / e.value(ScheduleEvaluator.TIME).orElse(Double.POSITIVE_INFINITY)))
                    .limit(plan.subjects().size())
                    .toList();
            double[] device = new double[1];
            search.addListener(event -> {
                if (event instanceof RunEvent.StageDone d) {
                    device[0] += d.evaluation().costSeconds();
                    measured.get(d.subject()).add(d.evaluation());
                }
            });
            job.cancel().onCancel(search::stop);
            RunEvent.Finished end = search.run(List.of());
            job.cancel().throwIfCancelled();
            if (end.ending() == RunEvent.Ending.FAILED) {
                throw new UserError(method.name() + " on " + bench.network().name() + ": " + end.reason());
            }
            return new Tuned(
                    method.name(),
                    latency(bench, measured).orElse(Double.NaN),
                    end.progress().algorithmSeconds(),
                    device[0]);
        }
    }

    /// The kernels' best times, each as often as the network runs it, of the work that templates and sketches both
    /// compute; empty where one never ran.
    private static OptionalDouble latency(GpuWorkbench bench, List<Repeats> measured) {
        TunableNetwork other = TunableNetwork.read(
                bench.settings().source(),
                1,
                Map.of(),
                false,
                true,
                !bench.settings().sketches());
        Set<String> both = other.kernels().stream().map(NetworkTuning::workload).collect(Collectors.toSet());
        double sum = 0;
        for (int k = 0; k < bench.network().kernels().size(); k++) {
            NetworkKernel kernel = bench.network().kernels().get(k);
            if (both.contains(workload(kernel))) {
                OptionalDouble best = measured.get(k)
                        .best()
                        .map(e -> e.value(ScheduleEvaluator.TIME))
                        .orElse(OptionalDouble.empty());
                if (best.isEmpty()) {
                    return OptionalDouble.empty();
                }
                sum += kernel.count() * best.getAsDouble();
            }
        }
        return OptionalDouble.of(sum);
    }

    private static String workload(NetworkKernel kernel) {
        return kernel.source().orElseThrow().workload().id();
    }
}
