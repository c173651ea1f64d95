package knobscape.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Provenance;
import knobscape.explore.Exploration;
import knobscape.explore.RunEvent;
import knobscape.gpu.evaluate.device.DeviceInfo;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.space.template.Schedule;
import knobscape.space.Configuration;
import knobscape.work.RunSettings;
import knobscape.work.WorkLocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// After the search the best schedules of a kernel are measured again where measurements vary, and the best with the
/// tails it was not searched with.
class FinishTest {
    @TempDir
    private Path folder;

    /// Refuses the best schedule with a residual, as registers that run out would, and notes what it is asked
    /// with that tail.
    private static final class Picky implements GpuDevice {
        private final ModelDevice inner = ModelDevice.named("t4");
        private final List<Configuration> residual = new ArrayList<>();

        @Override
        public DeviceInfo info() {
            return inner.info();
        }

        @Override
        public Measurement measure(Schedule schedule, CancellationSignal cancel) {
            if (schedule.epilogue().hasResidual()) {
                residual.add(schedule.configuration());
                if (residual.size() == 1) {
                    return new Measurement.Failed(Measurement.Failure.RUN, "too many resources requested", 0.1);
                }
            }
            return inner.measure(schedule, cancel);
        }
    }

    private GpuWorkbench bench() throws IOException {
        try (InputStream in = FinishTest.class.getResourceAsStream("/knobscape/gpu/tuning/small.json")) {
            Files.write(folder.resolve("small.json"), in.readAllBytes());
        }
        return GpuWorkbench.open(
                new WorkLocation() {
                    @Override
                    public Path folder() {
                        return folder;
                    }

                    @Override
                    public boolean isScratch() {
                        return false;
                    }
                },
                GpuSettings.of("small.json"));
    }

    @Test
    void whereTheBestScheduleFailsWithATailTheNextBestIsTakenAndNothingIsMeasuredTwice() throws IOException {
        GpuWorkbench bench = bench();
        RunSettings run = GpuSettings.defaultRun()
                .with(RunSettings.METHOD, "random")
                .with(RunSettings.STEPS, 60)
                .with(RunSettings.INITIAL, 1)
                .with(RunSettings.EARLY_STOP, 400);
        var device = new Picky();
        var results = new TuningResults(bench.network());
        var told = new ArrayList<RunEvent>();
        try (var plan = bench.plan(run, TuningMethod.standard().named("random"), device)) {
            var loop = new Exploration(
                    plan.subjects(), plan.scheduler(), plan.settings(), System::nanoTime, Runnable::run);
            loop.addListener(results);
            loop.addListener(told::add);
            assertThat(loop.run(List.of()).reason()).isEqualTo("all 60 trials are done");
        }
        KernelState first = results.picture().states().getFirst();
        Evaluation other = first.with(first.kernel().tails().get(1)).orElseThrow();
        assertThat(results.picture().states().stream()
                        .mapToInt(KernelState::trials)
                        .sum())
                .as("other tails are not counted")
                .isEqualTo(60);
        assertThat(device.residual)
                .containsExactly(first.best().orElseThrow(), other.configuration())
                .doesNotHaveDuplicates();
        assertThat(first.with(first.kernel().tails().get(2))).isPresent();

        try (var plan = bench.plan(run, TuningMethod.standard().named("random"), device)) {
            var again = new Exploration(
                    plan.subjects(), plan.scheduler(), plan.settings(), System::nanoTime, Runnable::run);
            assertThat(again.run(told).reason()).isEqualTo("all 60 trials are done");
        }
        assertThat(device.residual).as("nothing is measured twice").hasSize(2);
    }

    /// A device whose measurements vary by a tenth.
    private static final class Noisy implements GpuDevice {
        private final ModelDevice inner = ModelDevice.named("t4");
        private final Random random = new Random(7);
        private final List<Configuration> asked = new ArrayList<>();

        @Override
        public DeviceInfo info() {
            DeviceInfo i = inner.info();
            return new DeviceInfo(
                    "cuda", "a noisy GPU", i.version(), Provenance.Source.MEASURED, i.limits(), i.caution());
        }

        @Override
        public Measurement measure(Schedule schedule, CancellationSignal cancel) {
            asked.add(schedule.configuration());
            return inner.measure(schedule, cancel) instanceof Measurement.Timed t
                    ? new Measurement.Timed(
                            t.mean() * Math.exp(0.1 * random.nextGaussian()), 0, List.of(t.mean()), true, 1)
                    : inner.measure(schedule, cancel);
        }

        double truth(Schedule schedule) {
            return inner.measure(schedule, new CancellationSignal()).seconds().orElseThrow() * 1e3;
        }
    }

    @Test
    void theBestAreMeasuredAgainInRounds() throws IOException {
        GpuWorkbench bench = bench();
        int kernels = bench.network().kernels().size();
        RunSettings run = GpuSettings.defaultRun()
                .with(RunSettings.METHOD, "random")
                .with(RunSettings.STEPS, 120 * kernels)
                .with(RunSettings.INITIAL, 1)
                .with(RunSettings.EARLY_STOP, 0);
        var device = new Noisy();
        var results = new TuningResults(bench.network());
        var told = new ArrayList<RunEvent>();
        try (var plan = bench.plan(run, TuningMethod.standard().named("random"), device)) {
            var loop = new Exploration(
                    plan.subjects(), plan.scheduler(), plan.settings(), System::nanoTime, Runnable::run);
            loop.addListener(results);
            loop.addListener(told::add);
            assertThat(loop.run(List.of()).reason()).isEqualTo("all " + 120 * kernels + " trials are done");
        }
        for (int k = 0; k < kernels; k++) {
            KernelState s = results.picture().states().get(k);
            KernelState.Spread spread = s.spread().orElseThrow();
            assertThat(spread.measurements()).isGreaterThanOrEqualTo(4);
            assertThat(spread.deviation()).isBetween(0.05, 0.15);
            double truth = device.truth(s.schedule().orElseThrow());
            assertThat(s.bestMilliseconds()).isBetween(0.85 * truth, 1.15 * truth);
        }
        Map<Configuration, Long> counts =
                device.asked.stream().collect(Collectors.groupingBy(c -> c, Collectors.counting()));
        assertThat(counts.values().stream().filter(n -> n >= 4).count())
                .as("four times each, of every kernel the best, and no more than twice ten")
                .isBetween(2L * kernels, 20L * kernels);
        int measured = device.asked.size();

        try (var plan = bench.plan(run, TuningMethod.standard().named("random"), device)) {
            var again = new Exploration(
                    plan.subjects(), plan.scheduler(), plan.settings(), System::nanoTime, Runnable::run);
            again.run(told);
        }
        assertThat(device.asked).as("nothing is measured twice").hasSize(measured);
    }

    /// While some tasks have not run, the network's time is what has, and a bound for the rest that is never above
    /// what comes out where no later kernel is faster.
    @Test
    void theNetworksTimeIsKnownFromTheFirstMeasurement() throws IOException {
        GpuWorkbench bench = bench();
        RunSettings run = GpuSettings.defaultRun()
                .with(RunSettings.METHOD, "random")
                .with(RunSettings.STEPS, 60)
                .with(RunSettings.INITIAL, 1)
                .with(RunSettings.EARLY_STOP, 400);
        var results = new TuningResults(bench.network());
        var seen = new ArrayList<TunedNetwork.SoFar>();
        try (var plan = bench.plan(run, TuningMethod.standard().named("random"), new Picky())) {
            var loop = new Exploration(
                    plan.subjects(), plan.scheduler(), plan.settings(), System::nanoTime, Runnable::run);
            loop.addListener(results);
            loop.addListener(e -> results.picture().soFar().ifPresent(seen::add));
            loop.run(List.of());
        }
        TunedNetwork end = results.picture();
        assertThat(seen).isNotEmpty();
        assertThat(end.soFar()).isEmpty();
        assertThat(end.isModelled()).isTrue();
        TunedNetwork.SoFar first = seen.getFirst();
        assertThat(first.left())
                .isEqualTo((int) end.states().stream()
                                .map(s -> s.kernel().task())
                                .distinct()
                                .count()
                        - 1);
        double rate = end.states().stream()
                .mapToDouble(s -> s.kernel().totalFlops() / s.placesMilliseconds())
                .max()
                .orElseThrow();
        double all =
                end.states().stream().mapToDouble(s -> s.kernel().totalFlops()).sum();
        assertThat(all / rate).isLessThanOrEqualTo(end.latencyMilliseconds());
        assertThat(first.words()).contains(" ms and at least ").endsWith("at the best rate so far");
    }
}
