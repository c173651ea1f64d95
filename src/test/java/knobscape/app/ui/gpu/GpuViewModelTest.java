package knobscape.app.ui.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.FileChoices.Kind;
import knobscape.app.ui.FileChoices;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.WorkStatus;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.OwnScreen;
import knobscape.gpu.codegen.Dialect;
import knobscape.network.subgraph.Subgraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The area without a display: the test's thread is the screen, only tuning has a thread of its own.
class GpuViewModelTest {
    @TempDir
    private Path folder;
    private final Messages messages = new Messages();
    private final Settings settings = Settings.inMemory();
    private final OwnScreen screen = new OwnScreen();

    private GpuViewModel opened() {
        var m = new GpuViewModel(screen, messages, settings, "recent", source -> folder.resolve(GpuNetwork.stem(source)));
        m.open("zoo:alexnet");
        m.form().method().set("random");
        m.form().trials().set(12);
        return m;
    }

    private void await(GpuViewModel m) throws InterruptedException {
        screen.await(() -> m.status().get().state() == WorkStatus.State.IDLE);
    }

    @Test
    void aNetworkOpensWithItsTasksAndGraph() {
        GpuViewModel m = opened();
        GpuNetwork n = m.network().get().orElseThrow();
        assertThat(n.kernels()).hasSize(8);
        assertThat(Arrays.stream(n.taskOf()).filter(t -> t >= 0).distinct().count()).isEqualTo(8);
        assertThat(m.states().get()).hasSize(8).allMatch(s -> s.trials() == 0);
        assertThat(m.latencyMilliseconds()).isNaN();
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void tuningFillsTheTasksIsStoredAndShownAgain() throws InterruptedException {
        GpuViewModel m = opened();
        m.tune();
        await(m);
        assertThat(messages.shown()).isEmpty();
        assertThat(m.states().get().stream().mapToInt(KernelState::trials).sum()).isEqualTo(96);
        KernelState first = m.states().get().getFirst();
        assertThat(first.curve()).isSorted();
        assertThat(first.measured().length + first.rejections().values().stream().mapToInt(Integer::intValue).sum() + first.failures()).isEqualTo(first.trials());
        assertThat(m.resumable().get()).isFalse();

        GpuViewModel again = opened();
        assertThat(again.shown().get()).isPresent();
        assertThat(again.states().get().stream().map(KernelState::bestGflops)).isEqualTo(m.states().get().stream().map(KernelState::bestGflops).toList());
        again.tune();
        await(again);
        assertThat(again.past().get()).hasSize(1);
    }

    @Test
    void whatIsStoppedGoesOnWhereItWas() throws InterruptedException {
        GpuViewModel m = opened();
        m.form().trials().set(2_000);
        m.tune();
        screen.await(() -> m.states().get().stream().mapToInt(KernelState::trials).sum() > 3);
        m.togglePause();
        assertThat(m.status().get().state()).isEqualTo(WorkStatus.State.PAUSED);
        m.togglePause();
        m.stop();
        await(m);
        int done = m.states().get().stream().mapToInt(KernelState::trials).sum();
        assertThat(m.resumable().get()).isTrue();
        m.resume();
        screen.await(() -> m.states().get().stream().mapToInt(KernelState::trials).sum() > done);
        m.stop();
        await(m);
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void theBestKernelLeavesAsSourceAndIsPinned() throws InterruptedException {
        GpuViewModel m = opened();
        m.tune();
        await(m);
        int k = java.util.stream.IntStream.range(0, 8).filter(i -> m.states().get().get(i).bestGflops() > 0).findFirst().orElseThrow();
        m.selected().set(k);
        m.togglePin();
        assertThat(m.pinned().get()).isPresent();
        m.togglePin();
        assertThat(m.pinned().get()).isEmpty();
        m.undo().undo();
        assertThat(m.pinned().get()).isPresent();
        var export = new GpuExport(screen, new FileChoices() {
            @Override
            public Optional<Path> openFile(String title, List<Kind> kinds) {
                return Optional.empty();
            }

            @Override
            public Optional<Path> openFolder(String title) {
                return Optional.of(folder);
            }

            @Override
            public Optional<Path> saveFile(String title, String name, Kind kind) {
                return Optional.of(folder.resolve(name));
            }
        }, messages, m);
        export.source(Dialect.CUDA);
        export.csv();
        export.json();
        export.log();
        assertThat(folder.resolve("kernels.cu")).exists();
        assertThat(folder.resolve("alexnet-tasks.csv")).content(StandardCharsets.UTF_8).hasLineCount(9);
        assertThat(folder.resolve("alexnet-log.jsonl")).content(StandardCharsets.UTF_8).hasLineCount(96);
        assertThat(messages.shown()).allMatch(x -> x.text().contains("written"));
    }

    @Test
    void aNetworkWithNothingToTuneAndAnUnknownDeviceAreSaid() throws IOException, InterruptedException {
        GpuViewModel m = opened();
        m.form().device().set("model:nothing");
        m.tune();
        await(m);
        assertThat(messages.shown().getFirst().text()).contains("nothing");
        Path broken = Files.writeString(folder.resolve("x.json"), "{}");
        m.open(broken.toString());
        assertThat(messages.shown().getFirst().text()).contains("x.json");
        assertThat(m.network().get().orElseThrow().name()).isEqualTo("alexnet");
    }

    @Test
    void theDrawingPutsEveryKernelBelowWhatItReads() {
        GraphLayout g = GpuNetwork.read(GpuNetwork.Subject.of("zoo:inception_v3")).graph();
        for (int[] e : g.edges()) {
            assertThat(g.layer()[e[1]]).isGreaterThan(g.layer()[e[0]]);
        }
        // No two boxes at one place.
        List<Subgraph> nodes = g.nodes();
        assertThat(java.util.stream.IntStream.range(0, nodes.size()).mapToObj(i -> g.layer()[i] + ":" + g.x()[i]).distinct().count()).isEqualTo(nodes.size());
        assertThat(g.halfWidth()).isLessThan(8);
    }
}
