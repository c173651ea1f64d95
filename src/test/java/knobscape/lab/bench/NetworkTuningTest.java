package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.search.EvolutionaryExplorer;
import knobscape.gpu.search.ScheduleScorer;
import knobscape.gpu.search.TuningMethod;
import knobscape.surrogate.neural.TorchRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rows of a search that has changed since they were kept are not taken for those of the search of now.
class NetworkTuningTest {
    @TempDir
    private Path folder;

    private NetworkTuning tuning() {
        return new NetworkTuning(Jobs.quick(folder));
    }

    private static TuningMethod ansor(ScheduleScorer model, int population) {
        return new TuningMethod(
                "ansor",
                "Ansor",
                "As it is, or was.",
                16,
                p -> new EvolutionaryExplorer("ansor", p, model, population),
                Optional.of(model));
    }

    @Test
    void aRowIsKeptForTheSearchThatMadeIt() {
        var runs = new AtomicInteger();
        TuningMethod now = ansor(new ScheduleScorer.Process(), 64);
        assertThat(row(now, runs)).isEqualTo(1);
        assertThat(row(now, runs)).isEqualTo(1);
        assertThat(row(ansor(new ScheduleScorer.Process(), 64), runs)).isEqualTo(1);
        assertThat(row(ansor(new ScheduleScorer.Trees(), 64), runs)).isEqualTo(2);
        assertThat(row(ansor(new ScheduleScorer.Process(), 96), runs)).isEqualTo(3);
        assertThat(row(now, runs)).isEqualTo(1);
    }

    /// A search over templates is probed beyond the designs that it draws at the start.
    @Test
    void searchesOverTemplatesAreToldApart() {
        NetworkTuning tuning = tuning();
        TuningMethod autotvm = TuningMethod.standard().named("autotvm");
        TuningMethod random = TuningMethod.standard().named("random");
        assertThat(tuning.fingerprint(autotvm))
                .isEqualTo(tuning().fingerprint(TuningMethod.standard().named("autotvm")))
                .isNotEqualTo(tuning.fingerprint(random));
    }

    /// Graph models begin with weights there, and so do the searches that are told apart.
    @Test
    void searchesFromStoredWeightsAreToldApart() {
        assumeThat(TorchRuntime.problem()).as("LibTorch").isEmpty();
        NetworkTuning tuning = tuning();
        assertThat(tuning.fingerprint(TuningMethod.standard().named("gtuner")))
                .isEqualTo(tuning().fingerprint(TuningMethod.standard().named("gtuner")))
                .isNotEqualTo(tuning.fingerprint(TuningMethod.standard().named("gtuner-published")));
    }

    /// ResNet-18 has kernels whose places end differently; the best schedule of each is measured with the other ends
    /// too.
    @Test
    void aNetworkWhosePlacesEndDifferentlyHasATime() {
        NetworkTuning tuning = tuning();
        GpuWorkbench net = tuning.open(GpuSettings.of("zoo:resnet18"));
        NetworkTuning.TuningOutcome t = tuning.tune(net, TuningMethod.standard().named("random"), 200, 0, 1);
        assertThat(t.milliseconds()).isPositive();
        assertThat(t.deviceSeconds()).isPositive();
    }

    /// By a bench that was started anew; each run gives the number of runs so far.
    private double row(TuningMethod method, AtomicInteger runs) {
        var subject = tuning().new Tuned() {
            @Override
            public String name() {
                return "net";
            }

            @Override
            TuningMethod method(String name) {
                return method;
            }

            @Override
            String settings(String name) {
                return "net";
            }

            @Override
            NetworkTuning.TuningOutcome tune(TuningMethod search, long seed) {
                return new NetworkTuning.TuningOutcome(runs.incrementAndGet(), 1, 1);
            }
        };
        return TrialRunner.inTurn(Jobs.quick(folder), "rows.jsonl", NetworkTuning.TuningOutcome.class, 1)
                .run(subject, List.of(method.name()))
                .getFirst()
                .figures()
                .milliseconds();
    }
}
