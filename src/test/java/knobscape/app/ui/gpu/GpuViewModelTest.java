package knobscape.app.ui.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.run.RunForm;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.run.RunTable;
import knobscape.app.ui.run.RunTable.Column;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.HeldBackground;
import knobscape.app.ui.task.OwnScreen;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.codegen.KernelLanguage;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.source.TunableNetwork;
import knobscape.network.ImportOptions;
import knobscape.network.onnx.OpenNetwork;
import knobscape.network.subgraph.Subgraph;
import knobscape.project.RunRecord;
import knobscape.project.Runner;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.work.Evaluators;
import knobscape.work.RunSettings;
import knobscape.work.parameter.Parameter;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The area without a display: the test's thread is the screen, only tuning has a thread of its own.
class GpuViewModelTest {
    @TempDir
    private Path folder;

    private final Messages messages = new Messages();
    private final Settings settings = Settings.inMemory();
    private final OwnScreen screen = new OwnScreen();
    private final Runner runner = Runner.withSystemClocks();
    private final List<GpuViewModel> made = new ArrayList<>();

    @AfterEach
    void end() {
        runner.close();
        made.forEach(GpuViewModel::shutDown);
    }

    private static void choose(GpuViewModel m, String method) {
        m.form()
                .method()
                .set(m.form().methods().get().stream()
                        .filter(x -> x.name().equals(method))
                        .findFirst());
    }

    private static void perTask(GpuViewModel m, int trials) {
        int kernels = m.network().get().map(n -> n.kernels().size()).orElse(1);
        m.form().text(GpuSettings.TRIALS).set("" + trials * kernels);
    }

    private static void device(GpuViewModel m, String device) {
        m.form().toolchain().set(Optional.of(new Evaluators.Plain(device, device, "")));
    }

    private static void set(GpuViewModel m, Parameter<?> field, String text) {
        m.form().text(field).set(text);
        m.form().isRight();
    }

    private GpuViewModel opened() {
        var m = new GpuViewModel(
                screen, runner, messages, settings, "recent", source -> folder.resolve(TunableNetwork.stem(source)));
        m.open("zoo:alexnet");
        made.add(m);
        choose(m, "random");
        perTask(m, 12);
        return m;
    }

    private void await(GpuViewModel m) throws InterruptedException {
        screen.await(() -> !m.runs().anyActive());
    }

    @Test
    void aNetworkOpensWithItsTasksAndGraph() {
        GpuViewModel m = opened();
        GpuNetwork n = m.network().get().orElseThrow();
        assertThat(n.kernels()).hasSize(8);
        assertThat(Arrays.stream(n.taskOf()).filter(t -> t >= 0).distinct().count())
                .isEqualTo(8);
        assertThat(m.states().get()).hasSize(8).allMatch(s -> s.trials() == 0);
        assertThat(m.tuned().latencyMilliseconds()).isNaN();
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void extentsThatAFileLeavesOpenAreAskedFor() throws Exception {
        String file = OpenNetwork.write(folder.resolve("open.onnx")).toString();
        GpuViewModel m = opened();
        m.open(file);
        assertThat(m.network().get().orElseThrow().kernels())
                .as("what was open stays")
                .hasSize(8);
        m.opener()
                .question()
                .getValue()
                .orElseThrow()
                .answer()
                .accept(new ImportOptions(OptionalLong.empty(), Map.of("height", 40L, "width", 20L)));
        assertThat(m.network().get().orElseThrow().kernels())
                .extracting(k -> k.id())
                .containsExactly("conv2d_1x3x40x20_k8_3x3_s1_p0/direct", "conv2d_1x8x38x18_k8_3x3_s1_p0/direct");
        choose(m, "random");
        perTask(m, 4);
        m.tune();
        await(m);
        m.open("zoo:alexnet");
        m.open(file);
        assertThat(m.opener().question().getValue()).isEmpty();
        assertThat(m.network().get().orElseThrow().kernels()).hasSize(2);
    }

    /// Looking at a layer selects its kernel; selecting another kernel ends it.
    @Test
    void aLayerShowsWhatTheFileSaysOfIt() {
        GpuViewModel m = opened();
        GpuNetwork n = m.network().get().orElseThrow();
        var second = n.graph().nodes().stream()
                .filter(s -> n.taskOf()[s.index()] == 1)
                .findFirst()
                .orElseThrow();
        m.look(second);
        assertThat(m.selected().get()).isEqualTo(1);
        assertThat(m.layer().get()).contains(second);
        List<LayerFacts> facts = n.facts(second);
        String searched = GraphView.searched(n, second);
        assertThat(GraphView.finds("conv, Kernel 5x5, stride 1", searched)).isTrue();
        assertThat(GraphView.finds("conv, kernel 5x5, stride 2", searched)).isFalse();
        assertThat(facts).hasSameSizeAs(second.nodes());
        assertThat(facts.getFirst().title()).endsWith(": Conv");
        // Of the paper: 192 filters of 5 x 5 over 64 planes of 27 x 27.
        assertThat(facts.getFirst().rows())
                .containsEntry("kernel", "5 \u00d7 5")
                .containsEntry("strides", "1 \u00d7 1")
                .containsEntry("pad begin", "2 \u00d7 2")
                .containsEntry("groups", "1")
                .containsEntry("parameters", Quantity.count(307_200 + 192))
                .containsEntry("FLOP", Quantity.count(2L * 307_200 * 27 * 27))
                .anySatisfy(
                        (k, v) -> assertThat(k + " " + v).startsWith("output ").contains("192", "27"));
        var untuned = n.graph().nodes().stream()
                .filter(s -> n.taskOf()[s.index()] < 0)
                .findFirst()
                .orElseThrow();
        m.look(untuned);
        assertThat(m.selected().get()).as("no kernel computes it").isEqualTo(1);
        assertThat(m.layer().get()).contains(untuned);
        m.selected().set(3);
        assertThat(m.layer().get()).isEmpty();
    }

    @Test
    void theRooflineOfANetworkIsOfArithmeticOrOfMemoryTaskByTask() {
        var kernels = opened().network().get().orElseThrow().kernels();
        double flops = kernels.stream().mapToDouble(k -> k.totalFlops()).sum();
        double bytes = kernels.stream()
                .mapToDouble(k -> k.totalFlops() / k.intensity().orElseThrow())
                .sum();
        // Milliseconds by hand: 1 TFLOPS with endless traffic, 1 GB/s with endless arithmetic.
        assertThat(GpuHeadline.leastMilliseconds(kernels, new DevicePeaks.Roof("", 1000, 1e12, 4, 8)))
                .isCloseTo(flops / 1e12 * 1e3, Offset.offset(1e-9));
        assertThat(GpuHeadline.leastMilliseconds(kernels, new DevicePeaks.Roof("", 1e12, 1, 4, 8)))
                .isCloseTo(bytes / 1e9 * 1e3, Offset.offset(1e-6));
        // No task beats either roof, so a real device is slower than both.
        assertThat(GpuHeadline.leastMilliseconds(kernels, new DevicePeaks.Roof("", 1000, 1, 4, 8)))
                .isGreaterThanOrEqualTo(Math.max(flops / 1e9, bytes / 1e6) * (1 - 1e-12));
    }

    @Test
    void tuningFillsTheTasksIsStoredAndShownAgain() throws InterruptedException {
        GpuViewModel m = opened();
        m.tune();
        await(m);
        assertThat(messages.shown()).isEmpty();
        assertThat(m.states().get().stream().mapToInt(KernelState::trials).sum())
                .isEqualTo(96);
        KernelState one = m.states().get().getFirst();
        assertThat(one.curve()).isSorted();
        assertThat(one.measured().length
                        + one.rejections().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum()
                        + one.effort().failures())
                .isEqualTo(one.trials());
        assertThat(m.runs().status().get().state()).isEqualTo(RunState.COMPLETED);
        List<Double> found =
                m.states().get().stream().map(KernelState::bestGflops).toList();
        m.close();

        GpuViewModel again = opened();
        assertThat(again.tunings().shown().get()).isPresent();
        assertThat(again.states().get().stream().map(KernelState::bestGflops)).isEqualTo(found);
        perTask(again, 2);
        // A new run repeats none.
        assertThat(again.form().text(RunSettings.SEED).get()).isEqualTo("2");
        again.tune();
        await(again);
        screen.await(() -> again.runs().best().get());
        // A worse second run does not bury the better one.
        assertThat(again.tunings().past().get()).hasSize(2);
        assertThat(again.tunings().shown().get().orElseThrow().isBest()).isTrue();
        assertThat(again.states().get().stream().map(KernelState::bestGflops))
                .zipSatisfy(found, (best, first) -> assertThat(best).isGreaterThanOrEqualTo(first));
        assertThat(again.tuned().latencyMilliseconds())
                .isLessThanOrEqualTo(again.tunings().past().get().stream()
                        .flatMap(t -> t.network().stream())
                        .filter(TuningState.NetworkTime::isWhole)
                        .mapToDouble(TuningState.NetworkTime::milliseconds)
                        .min()
                        .orElseThrow());
        TuningState first = again.tunings().past().get().getFirst();
        assertThat(first.network().stream().filter(TuningState.NetworkTime::isWhole))
                .extracting(p -> -p.milliseconds())
                .isSorted();
        assertThat(first.network().getFirst().trials()).isEqualTo(1);
        assertThat(first.network().getFirst().isWhole()).isFalse();
        assertThat(first.latency().orElseThrow()).isEqualTo(new TunedNetwork(first.kernels()).latencyMilliseconds());
        again.runs().show(again.runs().runs().getLast().id());
        assertThat(again.tunings().shown().get().orElseThrow().how().seed()).isEqualTo(2);
        assertThat(again.tunings().past().get()).hasSize(1);
    }

    @Test
    void whatIsStoppedContinuesWhereItWas() throws InterruptedException {
        GpuViewModel m = opened();
        perTask(m, 2000);
        m.tune();
        screen.await(
                () -> m.states().get().stream().mapToInt(KernelState::trials).sum() > 3);
        m.runs().togglePause();
        assertThat(m.runs().status().get().state()).isIn(RunState.PAUSING, RunState.PAUSED);
        m.runs().togglePause();
        m.runs().stop();
        await(m);
        int done = m.states().get().stream().mapToInt(KernelState::trials).sum();
        assertThat(m.runs().status().get().state()).isEqualTo(RunState.STOPPED);
        m.runs().resume();
        screen.await(
                () -> m.states().get().stream().mapToInt(KernelState::trials).sum() > done);
        m.runs().stop();
        await(m);
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void theBestKernelLeavesAsSourceAndIsPinned() throws InterruptedException {
        GpuViewModel m = opened();
        m.tune();
        await(m);
        int k = java.util.stream.IntStream.range(0, 8)
                .filter(i -> m.states().get().get(i).bestGflops() > 0)
                .findFirst()
                .orElseThrow();
        m.selected().set(k);
        int best = m.results().selected().get();
        assertThat(m.results().selectedDesign().orElseThrow().configuration())
                .isEqualTo(m.states().get().get(k).best().orElseThrow());
        m.results().togglePin(best);
        m.results().togglePin(best);
        assertThat(m.results().pins()).isEmpty();
        m.undo().undo();
        assertThat(m.results().pins()).containsExactly(best);
        var export = new GpuExport(screen, new Answers(folder), messages, m);
        export.source(KernelLanguage.CUDA);
        export.csv();
        export.json();
        export.log();
        assertThat(folder.resolve("kernels.cu")).exists();
        assertThat(folder.resolve("alexnet-tasks.csv"))
                .content(StandardCharsets.UTF_8)
                .hasLineCount(9);
        assertThat(folder.resolve("alexnet-log.jsonl"))
                .content(StandardCharsets.UTF_8)
                .hasLineCount(96);
        assertThat(messages.shown()).allMatch(x -> x.text().contains("written"));
    }

    /// The table of designs and the table of tasks are folded apart; they must agree, live, stored and of all runs.
    private static void agrees(GpuViewModel m) {
        for (int k = 0; k < m.states().get().size(); k++) {
            m.selected().set(k);
            DesignSet set = m.results().set();
            KernelState state = m.states().get().get(k);
            double least = IntStream.range(0, set.size())
                    .mapToDouble(i -> set.shownOrNaN(i, "time"))
                    .filter(v -> v > 0)
                    .min()
                    .orElse(Double.NaN);
            assertThat(least).isEqualTo(state.bestMilliseconds());
            assertThat(set.size()).isGreaterThanOrEqualTo(state.trials());
            if (least > 0) {
                assertThat(set.baseline().orElseThrow().value("time").getAsDouble())
                        .isGreaterThanOrEqualTo(least);
            }
        }
    }

    @Test
    void theDesignsOfEveryTaskAgreeWithTheTasksAndKeepTheirPins() throws InterruptedException {
        GpuViewModel m = opened();
        m.tune();
        await(m);
        agrees(m);
        m.selected().set(3);
        m.results().togglePin(2);
        m.selected().set(4);
        assertThat(m.results().pins()).isEmpty();
        m.close();

        GpuViewModel again = opened();
        screen.await(() -> again.tunings().shown().get().isPresent());
        agrees(again);
        again.selected().set(3);
        assertThat(again.results().pins()).containsExactly(2);
        perTask(again, 3);
        again.tune();
        await(again);
        screen.await(() -> again.runs().best().get());
        agrees(again);
    }

    @Test
    void whatIsTriedOutIsMeasuredAndLeavesAsItsOwnSource() throws Exception {
        GpuViewModel m = opened();
        m.tune();
        await(m);
        m.selected().set(2);
        DesignSpace space = m.kernel().orElseThrow().space();
        Configuration other = space.draw(new SplittableRandom(4));
        m.models().insight().tryOut(other, "another");
        assertThat(m.results().whatIf().get().orElseThrow().configuration()).isEqualTo(other);
        m.models().insight().evaluate();
        screen.await(() -> m.runs().best().get()
                && m.results()
                        .selectedDesign()
                        .filter(d -> d.configuration().equals(other))
                        .isPresent());
        assertThat(m.runs().runs()).hasSize(2);
        assertThat(m.results().selectedDesign().orElseThrow().evaluations()).hasSize(1);
        if (m.results().selectedDesign().orElseThrow().value("time").isPresent()) {
            new GpuExport(screen, new Answers(folder), messages, m).json();
            try (var files = Files.list(folder)) {
                Path json = files.filter(f -> f.toString().endsWith(".json"))
                        .findFirst()
                        .orElseThrow();
                assertThat(Files.readString(json)).contains(other.value(0).replace("x", ", "));
            }
        }
    }

    @Test
    void aNetworkWithNothingToTuneAndAnUnknownDeviceAreSaid() throws IOException, InterruptedException {
        GpuViewModel m = opened();
        device(m, "model:nothing");
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
        GraphLayout<Subgraph> g =
                GraphLayout.of(TunableNetwork.read("zoo:inception_v3", 1, Map.of(), TunableNetwork.Ways.FIRST, true)
                        .subgraphs());
        for (int[] e : g.edges()) {
            assertThat(g.layer()[e[1]]).isGreaterThan(g.layer()[e[0]]);
        }
        // No two boxes at one place.
        List<Subgraph> nodes = g.nodes();
        assertThat(java.util.stream.IntStream.range(0, nodes.size())
                        .mapToObj(i -> g.layer()[i] + ":" + g.x()[i])
                        .distinct()
                        .count())
                .isEqualTo(nodes.size());
        assertThat(g.halfWidth()).isLessThan(8);
    }

    /// Answers every question with a place in a folder; the file to open is named.
    private record Answers(Path folder, String opened) implements FileChoices {
        Answers(Path folder) {
            this(folder, "");
        }

        @Override
        public Optional<Path> openFile(String title, List<Kind> kinds) {
            return Optional.of(folder.resolve(opened));
        }

        @Override
        public Optional<Path> openFolder(String title) {
            return Optional.of(folder);
        }

        @Override
        public Optional<Path> saveFile(String title, String name, Kind kind) {
            return Optional.of(folder.resolve(name));
        }

        @Override
        public boolean agrees(String what, List<knobscape.evaluate.report.FilePlan> plans) {
            return true;
        }
    }

    @Test
    void batchAndTemplatesChangeTheKernelsAndAreTakenBack() {
        GpuViewModel m = opened();
        set(m, GpuSettings.BATCH, "4");
        assertThat(m.network().get().orElseThrow().kernels().getFirst().work()).contains("conv2d_4x3x224x224");
        set(m, GpuSettings.TEMPLATES, "All (direct, Winograd)");
        assertThat(m.network().get().orElseThrow().kernels().size()).isEqualTo(12);
        assertThat(m.network().get().orElseThrow().title(4)).isEqualTo("T3 winograd");
        m.undo().undo();
        assertThat(m.network().get().orElseThrow().kernels()).hasSize(8);
        m.undo().undo();
        assertThat(m.form().text(GpuSettings.BATCH).get()).isEqualTo("1");
        assertThat(m.network().get().orElseThrow().kernels().getFirst().work()).contains("conv2d_1x3x224x224");
        assertThat(messages.shown()).isEmpty();
    }

    /// Three runs: what the table says of them, which curves are drawn, and that a note and the run looked at are
    /// there after closing.
    @Test
    void theTableOfRunsSaysWhatEachReachedAndKeepsWhatWasWrittenAboutIt() throws InterruptedException {
        GpuViewModel m = opened();
        m.form().text(RunForm.RUNS).set("3");
        m.tune();
        await(m);
        screen.await(() -> m.runs().best().get());
        RunTable table = m.tunings().table();
        assertThat(table.columns()).extracting(Column::title).containsExactly("Device", "Trials", "Network");
        for (RunRecord run : m.runs().runs()) {
            TuningState t = m.tunings().past().get().stream()
                    .filter(x -> x.id() == run.id())
                    .findFirst()
                    .orElseThrow();
            assertThat(table.columns())
                    .extracting(c -> c.words().apply(run))
                    .containsExactly(
                            t.device(), "96", GpuFigures.millis(t.latency().orElseThrow()));
        }
        assertThat(m.tunings().drawn()).hasSize(3);
        m.tunings().table().ticks().set(2, false);
        assertThat(m.tunings().drawn()).extracting(TuningState::id).containsExactly(1L, 3L);
        m.runs().notes().keep(2, "  too hot #again ");
        m.runs().show(2);
        screen.await(() -> m.tunings().shown().get().filter(t -> t.id() == 2).isPresent());
        m.close();

        GpuViewModel again = opened();
        screen.await(() -> again.tunings().shown().get().isPresent());
        assertThat(again.tunings().shown().get().orElseThrow().id()).isEqualTo(2);
        assertThat(again.runs().notes().of(2)).isEqualTo("too hot #again");
        assertThat(again.runs().notes().of(1)).isEmpty();
        assertThat(again.tunings().drawn()).extracting(TuningState::id).containsExactly(1L, 3L);
        again.runs().notes().keep(2, " ");
        assertThat(again.runs().notes().of(2)).isEmpty();
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void severalSeedsAreRunsOfTheirOwnAndComeBackTogether() throws InterruptedException {
        GpuViewModel m = opened();
        perTask(m, 2);
        m.form().text(RunForm.RUNS).set("3");
        m.tune();
        await(m);
        screen.await(() -> m.runs().best().get());
        assertThat(m.tunings().past().get()).extracting(p -> p.how().seed()).containsExactly(1L, 2L, 3L);
        m.close();
        GpuViewModel again = opened();
        assertThat(again.runs().runs()).extracting(r -> r.status().words()).containsOnly("completed");
        assertThat(again.tunings().past().get().stream().map(TuningState::id)).hasSize(3);
        again.runs().show(again.runs().runs().getLast().id());
        assertThat(again.tunings().past().get()).hasSize(2);
        List<GpuFigures.Curve> past = again.tunings().past().get().stream()
                .map(p -> new GpuFigures.Curve("g", p.title(), p.kernels().getFirst()))
                .toList();
        var figure = GpuFigures.convergence(
                new GpuFigures.Curve("g", "now", again.states().get().getFirst()), past, "GFLOPS", "");
        var band = figure.panels().getFirst().items().stream()
                .filter(Figure.Band.class::isInstance)
                .map(Figure.Band.class::cast)
                .findFirst()
                .orElseThrow();
        double[] last = again.states().get().getFirst().curve();
        for (int i = 0; i < band.x().length; i++) {
            assertThat(last[Math.min((int) band.x()[i], last.length) - 1]).isBetween(band.low()[i], band.high()[i]);
        }
    }

    @Test
    void measuredKernelsAreTunedAndHaveNoNetworkToSet() throws IOException, InterruptedException {
        var text = new StringBuilder("a,b,status,time_ms\n");
        for (int i = 0; i < 100; i++) {
            text.append(i / 10)
                    .append(',')
                    .append(i % 10)
                    .append(i == 55 ? ",run_failed,\n" : ",ok," + (1 + Math.abs(i - 42)) + "\n");
        }
        Path set = Files.writeString(folder.resolve("set.csv"), text);
        GpuViewModel m = opened();
        new GpuExport(screen, new Answers(folder, "set.csv"), messages, m).openMeasured();
        assertThat(m.network().get().orElseThrow().kernels()).hasSize(1);
        assertThat(m.form().toolchain().get().orElseThrow().name()).isEqualTo("replay:" + set);
        perTask(m, 100);
        m.tune();
        await(m);
        assertThat(m.states().get().getFirst().bestMilliseconds()).isEqualTo(1);
        assertThat(m.network().get().orElseThrow().kernels().getFirst().unit()).isEqualTo("calls/s");
        assertThat(m.states().get().getFirst().bestGflops()).isEqualTo(1000);
        assertThat(m.form().shown().get()).doesNotContain(GpuSettings.BATCH);
    }

    @Test
    void anAutoTvmLogLeavesAndComesBackAsARun() throws InterruptedException, IOException {
        GpuViewModel m = opened();
        m.tune();
        await(m);
        double best = m.states().get().getFirst().bestGflops();
        new GpuExport(screen, new Answers(folder), messages, m).autoTvm();
        Path log = folder.resolve("alexnet-autotvm.json");
        assertThat(log).content(StandardCharsets.UTF_8).hasLineCount(96);
        Files.writeString(log, Files.readString(log) + "not a record\n");
        new GpuExport(screen, new Answers(folder, "alexnet-autotvm.json"), messages, m).importLog();
        assertThat(m.tunings().shown().get().orElseThrow().how().toolchain()).isEqualTo("log:alexnet-autotvm.json");
        assertThat(m.states().get().getFirst().bestGflops())
                .isCloseTo(best, org.assertj.core.api.Assertions.within(best * 1e-6));
        assertThat(m.tunings().past().get()).hasSize(1);
        assertThat(m.runs().status().get().state()).isEqualTo(RunState.COMPLETED);
        assertThat(messages.shown())
                .anyMatch(x -> x.text().contains("96 records")
                        && x.text().contains("1 line is left out (alexnet-autotvm.json:97 is not JSON)"));
        m.open("zoo:squeezenet_v1.1");
        m.measurements().importLog(log);
        assertThat(messages.shown().getFirst().text()).contains("none is of a kernel of 'squeezenet_v1.1'");
        m.measurements().importLog(folder.resolve("gone.json"));
        assertThat(messages.shown()).anyMatch(x -> x.text().contains("gone.json"));
    }

    @Test
    void roofsAreKnownByNameOrAskedFor() {
        GpuViewModel m = opened();
        assertThat(m.roofs().of("model:t4").orElseThrow().memoryGbs()).isEqualTo(320);
        device(m, "cuda");
        assertThat(m.roofs().of("cuda")).isEmpty();
        m.roofs().peak().set(1000);
        assertThat(m.roofs().absence("cuda")).contains("cuda").contains("GB/s");
        m.roofs().memory().set(50);
        assertThat(m.roofs().of("cuda").orElseThrow().peakGflops()).isEqualTo(1000);
        device(m, "opencl");
        assertThat(m.roofs().peak().get()).isZero();
        device(m, "cuda");
        assertThat(m.roofs().peak().get()).isEqualTo(1000);
        assertThat(DevicePeaks.known("NVIDIA GeForce GTX 1080 Ti").orElseThrow().name())
                .isEqualTo("gtx1080ti");
        assertThat(DevicePeaks.known("NVIDIA H200").orElseThrow().name()).isEqualTo("h200");
        assertThat(DevicePeaks.known("NVIDIA A100-SXM4-40GB").orElseThrow().name())
                .isEqualTo("a100");
        assertThat(DevicePeaks.known("NVIDIA GeForce RTX 3090 Ti")).isEmpty();
        assertThat(DevicePeaks.known("pthread-haswell-Intel(R) Xeon(R)")).isEmpty();
    }

    @Test
    void aProjectBringsItsSettingsAndKeepsItsRuns() throws IOException, InterruptedException {
        Path project = Files.createDirectories(folder.resolve("mine"));
        Files.writeString(
                project.resolve("knobscape.json"),
                "{\"formatVersion\": 1, \"kind\": \"gpu\", \"source\": \"zoo:alexnet\", \"batch\": 2, \"device\":"
                        + " \"model:t4\", \"run\": {\"method\": \"grid\", \"trials\": 16, \"seed\": 5}}");
        GpuViewModel m = opened();
        m.open(project.toString());
        assertThat(m.form().method().get().orElseThrow().name()).isEqualTo("grid");
        assertThat(m.form().toolchain().get().orElseThrow().name()).isEqualTo("model:t4");
        assertThat(m.form().text(GpuSettings.TRIALS).get())
                .isEqualTo("" + 2 * m.network().get().orElseThrow().kernels().size());
        assertThat(m.form().text(GpuSettings.BATCH).get()).isEqualTo("2");
        m.tune();
        await(m);
        assertThat(project.resolve("runs.db")).exists();
        assertThat(m.states().get()).allMatch(s -> s.trials() >= 1);
        m.open(project.resolve("knobscape.json").toString());
        assertThat(m.tunings().shown().get().orElseThrow().how().seed()).isEqualTo(5);
        Files.writeString(project.resolve("knobscape.json"), "{\"formatVersion\": 1, \"kind\": \"gpu\"}");
        m.open(project.toString());
        assertThat(messages.shown().getFirst().text()).contains("names no source");
    }

    @Test
    void extentsFeaturesAndAKnownLogAreOptionsOfTheNextRun() throws IOException, InterruptedException {
        GpuViewModel m = opened();
        m.tune();
        await(m);
        new GpuExport(screen, new Answers(folder), messages, m).autoTvm();
        set(m, GpuSettings.EXTENTS, "batch four");
        assertThat(m.form().errors().get().get(GpuSettings.EXTENTS)).contains("NAME=N");
        set(m, GpuSettings.EXTENTS, "height=32, width=32");
        // A built-in network leaves no extent open.
        assertThat(messages.shown()).anyMatch(x -> x.text().contains("leaves no extent open"));
        assertThat(m.network().get().orElseThrow().what().dims()).isEmpty();
        messages.clear();
        // The form says again what the project says.
        assertThat(m.form().text(GpuSettings.EXTENTS).get()).isEmpty();
        choose(m, "random");
        perTask(m, 12);
        set(m, GpuSettings.FEATURES, "Loop by loop");
        set(m, GpuSettings.LOG, folder.resolve("alexnet-autotvm.json").toString());
        set(m, RunSettings.SEED, "7");
        m.tune();
        await(m);
        m.runs().show(m.runs().runs().getLast().id());
        assertThat(m.tunings().shown().get().orElseThrow().what().features()).isEqualTo("itervar");
        assertThat(m.states().get().stream().mapToInt(s -> s.effort().known()).sum())
                .isEqualTo(96);
        assertThat(m.states().get().stream().mapToInt(KernelState::trials).sum())
                .isEqualTo(96);
        set(m, GpuSettings.LOG, folder.resolve("gone.json").toString());
        m.tune();
        await(m);
        assertThat(messages.shown()).anyMatch(x -> x.text().contains("gone.json"));
    }

    @Test
    void aRunThatIsLeftByClosingIsStoredAndResumed() throws InterruptedException {
        GpuViewModel m = opened();
        perTask(m, 4000);
        m.tune();
        screen.await(
                () -> m.states().get().stream().mapToInt(KernelState::trials).sum() > 3);
        m.close();
        GpuViewModel again = opened();
        assertThat(again.tunings().shown().get()).isPresent();
        assertThat(again.runs().status().get().state().isResumable()).isTrue();
        int stored = again.states().get().stream().mapToInt(KernelState::trials).sum();
        assertThat(stored).isPositive();
        again.runs().resume();
        screen.await(() ->
                again.states().get().stream().mapToInt(KernelState::trials).sum() > stored);
        again.runs().stop();
        await(again);
        again.close();
    }

    @Test
    void whileStoredRunsAreReadNothingIsSaidOfThem() {
        var slow = new HeldBackground();
        var m = new GpuViewModel(slow, runner, messages, settings, "recent", source -> folder.resolve("slow"));
        made.add(m);
        m.open("zoo:alexnet");
        slow.until(() -> m.network().get().isPresent());
        assertThat(m.runs().reading().get()).isTrue();
        slow.all();
        assertThat(m.runs().reading().get()).isFalse();
        assertThat(m.runs().runs()).isEmpty();
    }
}
