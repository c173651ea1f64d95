package knobscape.project.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.gpu.search.TaskSearch;
import knobscape.project.RunStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuningRunTest {
    @TempDir
    private Path folder;

    private static TuneSettings settings(String method, int trials) {
        return new TuneSettings("zoo:alexnet", method, "model:gtx1080ti", trials, 0, 400, 1, false, "knob", 3);
    }

    private Path place(String name) throws java.io.IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private static List<List<Double>> curves(TuningRun run) {
        return run.searches().stream().map(TaskSearch::curve).toList();
    }

    @ParameterizedTest
    @CsvSource({"random, 700, 130", "random, 700, 611", "ga, 800, 333", "autotvm, 560, 500"})
    void aRunStoppedAnywhereGoesOnAsIfItHadNot(String method, int trials, int at) throws java.io.IOException {
        TuneSettings settings = settings(method, trials);
        List<List<Double>> whole;
        try (var target = TuningTarget.open(settings, folder); var store = new TuningStore(place("whole"))) {
            TuningRun run = TuningRun.start(settings, target, store, Clock.systemUTC(), System::nanoTime);
            assertThat(run.run(new CancellationSignal(), (k, a, p) -> { }).status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(run.trials()).isEqualTo(trials);
            whole = curves(run);
        }
        try (var target = TuningTarget.open(settings, folder); var store = new TuningStore(place("parts"))) {
            var cancel = new CancellationSignal();
            TuningRun run = TuningRun.start(settings, target, store, Clock.systemUTC(), System::nanoTime);
            var end = run.run(cancel, (k, a, p) -> {
                if (p.trials() >= at - 1) {
                    cancel.cancel();
                }
            });
            assertThat(end.status()).isEqualTo(RunStatus.STOPPED);
            assertThat(run.trials()).isBetween(at - 1, at + 1);
        }
        try (var target = TuningTarget.open(settings, folder); var store = new TuningStore(place("parts"))) {
            TuningStore.Tuning stored = store.find(Optional.empty());
            assertThat(stored.status()).isEqualTo(RunStatus.STOPPED);
            TuningRun run = TuningRun.resume(stored, stored.settings(), target, store, Clock.systemUTC(), System::nanoTime);
            assertThat(run.run(new CancellationSignal(), (k, a, p) -> { }).status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(curves(run)).isEqualTo(whole);
        }
    }

    @Test
    void whatIsTunedMustBeTheSameWhenARunGoesOn() throws java.io.IOException {
        try (var store = new TuningStore(place("runs"))) {
            try (var target = TuningTarget.open(settings("random", 64), folder)) {
                TuningRun.start(settings("random", 64), target, store, Clock.systemUTC(), System::nanoTime);
            }
            var other = new TuneSettings("zoo:squeezenet_v1.1", "random", "model:t4", 64, 0, 400, 1, false, "knob", 3);
            try (var target = TuningTarget.open(other, folder)) {
                TuningStore.Tuning stored = store.find(Optional.of(1L));
                assertThatThrownBy(() -> TuningRun.resume(stored, other, target, store, Clock.systemUTC(), System::nanoTime)).isInstanceOf(UserError.class)
                        .hasMessageContaining("has changed since tuning run 1");
            }
            assertThatThrownBy(() -> store.find(Optional.of(7L))).isInstanceOf(UserError.class).hasMessageContaining("no tuning run 7");
        }
    }

    @Test
    void aKernelWithoutGainIsLeftAndTheOthersGoOn() throws java.io.IOException {
        var settings = new TuneSettings("zoo:alexnet", "random", "model:gtx1080ti", 100_000, 0, 100, 1, false, "knob", 3);
        try (var target = TuningTarget.open(settings, folder); var store = new TuningStore(place("runs"))) {
            TuningRun run = TuningRun.start(settings, target, store, Clock.systemUTC(), System::nanoTime);
            assertThat(run.run(new CancellationSignal(), (k, a, p) -> { }).reason()).isEqualTo("every search has ended");
            assertThat(run.searches()).allMatch(s -> s.isExhausted() || s.sinceGain() >= 100 && s.sinceGain() < 100 + 64);
            assertThat(run.latencyMilliseconds()).isPositive();
        }
    }
}
