package knobscape.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.explore.Exploration;
import knobscape.explore.RunEvent;
import knobscape.gpu.evaluate.device.DeviceInfo;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.Measurement;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.space.template.Schedule;
import knobscape.space.Configuration;
import knobscape.work.Place;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// After the search the best schedule of a kernel is measured with the tails it was not searched with.
class OtherTailsTest {
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
        try (InputStream in = OtherTailsTest.class.getResourceAsStream("/knobscape/gpu/tuning/small.json")) {
            Files.write(folder.resolve("small.json"), in.readAllBytes());
        }
        return GpuWorkbench.open(
                new Place() {
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
            assertThat(loop.run(List.of()).reason()).isEqualTo("all 60 measurements are done");
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
            assertThat(again.run(told).reason()).isEqualTo("all 60 measurements are done");
        }
        assertThat(device.residual).as("nothing is measured twice").hasSize(2);
    }
}
