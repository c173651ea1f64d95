package knobscape.app.ui.fusion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.file.FileChoices.Kind;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.PlotExport;
import knobscape.app.ui.run.RunControls;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.run.RunTable;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.ExtentsQuestion;
import knobscape.app.ui.task.OwnScreen;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.fusion.FusionMethods;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.search.Search;
import knobscape.fusion.search.Searcher;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.fusion.search.strip.StripSearch;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.ByteSize;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.space.Strategy;
import knobscape.network.ImportOptions;
import knobscape.network.MissingExtents;
import knobscape.network.onnx.OpenNetwork;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.work.Choices;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The area without a display: the test's thread is the screen, only searches have threads of their own.
class FusionViewModelTest {
    @TempDir
    private Path folder;

    private final Messages messages = new Messages();
    private final Settings settings = Settings.inMemory();
    private final OwnScreen screen = new OwnScreen();

    private final Runner runner = Runner.withSystemClocks();
    private final List<FusionViewModel> made = new ArrayList<>();

    private FusionViewModel opened(String source, List<FusionMethod> methods) {
        var m = new FusionViewModel(
                screen, runner, new Choices<>("method", methods), messages, settings, "recent", folder.resolve("own"));
        made.add(m);
        m.open(source);
        return m;
    }

    @AfterEach
    void close() {
        runner.close();
        made.forEach(FusionViewModel::shutDown);
    }

    private FusionViewModel resnet() {
        return opened("zoo:resnet18", unproven());
    }

    /// All but the one that shows the best at once.
    private static List<FusionMethod> unproven() {
        return FusionMethod.builtIn().stream()
                .filter(m -> !m.name().equals("exact"))
                .toList();
    }

    @Test
    void aNetworkOpensOnTheProvenBestBesideNoFusion() {
        FusionViewModel m = opened("zoo:resnet18", FusionMethod.builtIn());
        assertThat(m.origin().get()).isEqualTo("Exact (proven)");
        assertThat(m.report().get().orElseThrow().isValid()).isTrue();
        assertThat(m.compared().get().orElseThrow().speedup()).isEqualTo(1);
        // It is no edit, and not kept as one made by hand.
        assertThat(m.undo().undoName().get()).isEmpty();
        double best = speedup(m);
        assertThat(best)
                .isGreaterThanOrEqualTo(m.model()
                        .get()
                        .orElseThrow()
                        .speedup(Mapping.search(
                                        FusionSamples.searcher("gsampler"),
                                        m.model().get().orElseThrow(),
                                        Constraint.LEXI,
                                        500,
                                        1)
                                .cost()
                                .seconds()));
        m.close();
        m.open("zoo:resnet18");
        assertThat(m.candidates()).hasSize(2);
    }

    private static StripAnswer exact(FusionViewModel m) {
        return m.strips().answer().get().orElseThrow().answer();
    }

    @Test
    void theSliderMovesAlongStoredExactAnswersToTheAnswerOfItsBuffer() throws Exception {
        FusionViewModel m = resnet();
        screen.await(() -> m.strips().curve().get().isPresent()
                && m.strips().answer().get().isPresent());
        m.setBuffer(1_000_000);
        // At once, of the largest size computed that fits.
        long at = m.strips().answer().get().orElseThrow().model().machine().buffer();
        assertThat(at).isBetween(500_000L, 1_000_000L);
        screen.await(() -> m.strips()
                .answer()
                .get()
                .filter(r -> r.model().machine().buffer() == 1_000_000)
                .isPresent());
        StripReport shown = m.strips().answer().get().orElseThrow();
        assertThat(shown.answer())
                .isEqualTo(StripSearch.solve(shown.model(), Objective.TIME, new CancellationSignal())
                        .orElseThrow());
        assertThat(shown.front().getFirst().total().seconds())
                .isEqualTo(shown.answer().total().seconds());
        assertThat(shown.sensitivities()).contains("off-chip bandwidth");
    }

    @Test
    void aRunInStripsStoresTheAnswerThatIsShownAndIsThereAgain() throws Exception {
        FusionViewModel m = opened("zoo:resnet18", FusionMethods.standard().all());
        m.setBuffer(2_000_000);
        m.setObjective(Objective.TRAFFIC);
        screen.await(() -> m.strips()
                .answer()
                .get()
                .filter(r ->
                        r.model().machine().buffer() == 2_000_000 && r.answer().objective() == Objective.TRAFFIC)
                .isPresent());
        StripAnswer shown = exact(m);
        screen.await(() -> m.strips().curve().get().isPresent());
        List<Object> before = told(m);
        m.search();
        screen.await(() -> runs(m).status().get().state() == RunState.COMPLETED && !runs(m).anyActive());
        RunRecord run = runs(m).runs().getFirst();
        assertThat(run.work(FusionSettings.class).isStrips())
                .as(run.command() + run.work())
                .isTrue();
        assertThat(run.work(FusionSettings.class).objective()).isEqualTo(Objective.TRAFFIC);
        assertThat(run.settings().method()).isEqualTo("auto");
        assertThat(run.reason()).isEqualTo("the exact answer is found");
        // Least traffic may be slower than every layer alone.
        assertThat(reached(m, run)).isEqualTo(StripView.times(Math.max(1, shown.speedup())));
        m.close();
        m.open("zoo:resnet18");
        assertThat(m.setup().get().orElseThrow().accelerator().bufferBytes()).isEqualTo(2_000_000);
        screen.await(() -> isWhole(m, shown));
        assertThat(told(m)).isEqualTo(before);
        screen.await(() -> reached(m, run).equals(StripView.times(Math.max(1, shown.speedup()))));
        // Another buffer is looked at; the run brings its own back.
        m.setBuffer(4_000_000);
        m.setObjective(Objective.TIME);
        m.search();
        screen.await(() -> runs(m).runs().size() == 2
                && !runs(m).anyActive()
                && m.strips().answer().get().isPresent());
        runs(m).show(run.id());
        screen.await(() -> m.setup().get().orElseThrow().accelerator().bufferBytes() == 2_000_000);
        screen.await(() -> isWhole(m, shown));
        assertThat(told(m)).isEqualTo(before);
        assertThat(messages.shown()).isEmpty();
    }

    /// True if an answer is shown with its curve and with what a little more would bring.
    private static boolean isWhole(FusionViewModel m, StripAnswer answer) {
        return m.strips().curve().get().isPresent()
                && m.strips()
                        .answer()
                        .get()
                        .filter(r ->
                                r.answer().equals(answer) && !r.sensitivities().isEmpty())
                        .isPresent();
    }

    /// Headline, proof, bound, front and curve as they are shown.
    private static List<Object> told(FusionViewModel m) {
        StripReport r = m.strips().answer().get().orElseThrow();
        return List.of(
                r.headline(),
                r.words(),
                r.front(),
                r.answer().bound(),
                m.strips().curve().get().orElseThrow().curve());
    }

    /// What the table of runs says.
    private static String reached(FusionViewModel m, RunRecord run) {
        return m.searches().table().columns().stream()
                .filter(c -> c.title().equals("Speedup"))
                .findFirst()
                .orElseThrow()
                .words()
                .apply(run);
    }

    /// They are asked for once, and are the run's from then on.
    @Test
    void extentsThatAFileLeavesOpenAreAskedFor() throws Exception {
        String file = OpenNetwork.write(folder.resolve("open.onnx")).toString();
        FusionViewModel m = opened(file, unproven());
        assertThat(m.network().get()).isEmpty();
        ExtentsQuestion asked = m.opener().question().getValue().orElseThrow();
        assertThat(asked.missing().extents())
                .extracting(MissingExtents.Extent::key)
                .containsExactly("height", "width");
        assertThat(messages.shown()).isEmpty();
        asked.declined().run();
        Message said = messages.shown().getFirst();
        assertThat(said.kind()).isEqualTo(Message.Kind.WARNING);
        assertThat(said.text()).contains("leaves open axis 2 of input 'x'");
        asked.answer().accept(new ImportOptions(OptionalLong.empty(), Map.of("height", 40L, "width", 0L)));
        assertThat(messages.shown())
                .singleElement()
                .satisfies(x -> assertThat(x.text()).contains("too small"));
        said.action().orElseThrow().run().run();
        m.opener()
                .question()
                .getValue()
                .orElseThrow()
                .answer()
                .accept(new ImportOptions(OptionalLong.of(2), Map.of("height", 40L, "width", 20L)));
        assertThat(m.setup().get().orElseThrow().batch()).isEqualTo(2);
        assertThat(m.network().get().orElseThrow().output(2)).isEqualTo(8 * 36 * 16);
        assertThat(messages.shown()).isEmpty();
        runs(m).form().text(FusionSettings.EVALUATIONS).set("20");
        m.search();
        screen.await(() -> !runs(m).anyActive() && m.candidates().size() == 2);
        m.close();
        m.open(file);
        assertThat(m.opener().question().getValue()).isEmpty();
        assertThat(m.network().get().orElseThrow().output(2)).isEqualTo(8 * 36 * 16);
    }

    @Test
    void aNetworkWithoutProjectOpensWithTheBufferItWasSearchedWithLast() throws InterruptedException {
        FusionViewModel m = resnet();
        assertThat(m.setup().get().orElseThrow().accelerator().bufferBytes()).isEqualTo(20_000_000);
        runs(m).form().text(FusionSettings.EVALUATIONS).set("50");
        m.setBuffer(30_000_000);
        m.setBatch(32);
        m.search();
        screen.await(() -> !runs(m).anyActive() && m.candidates().size() == 2);
        assertThat(RunControls.searched(runs(m).current().get().orElseThrow()))
                .contains("about 10^", "network zoo:resnet18", "buffer 30MB", "batch 32");
        m.close();
        assertThat(folder.resolve("own/resnet18-fusion.knobscape/knobscape.json"))
                .content()
                .contains("\"buffer\" : \"20MB\"");
        m.open(settings.lines("recent").getFirst());
        assertThat(m.setup().get().orElseThrow().accelerator().bufferBytes()).isEqualTo(30_000_000);
        assertThat(m.setup().get().orElseThrow().batch()).isEqualTo(32);
        assertThat(m.candidates().getFirst().strategy()).isEqualTo(Strategy.noFusion(18, 32));
        assertThat(m.candidates().getLast().target()).isEqualTo(30_000_000);
        assertThat(messages.shown()).isEmpty();
    }

    private static RunViewModel runs(FusionViewModel m) {
        return m.searches().runs();
    }

    private static double speedup(FusionViewModel m) {
        return m.report().get().orElseThrow().speedup();
    }

    @Test
    void aNetworkOpensWithoutFusionAndEveryEditIsEvaluatedAtOnce() {
        FusionViewModel m = resnet();
        assertThat(m.network().get().orElseThrow().layers()).isEqualTo(18);
        assertThat(speedup(m)).isEqualTo(1);
        assertThat(m.candidates()).hasSize(1);
        for (int i = 1; i < 18; i++) {
            m.setEntry(i, 8);
        }
        m.setEntry(18, Strategy.SYNC);
        // Vector R4 of the specification: 3.964796 with all layers at 8.
        assertThat(speedup(m)).isCloseTo(3.964796, within(0.01));
        m.undo().undo();
        assertThat(m.report().get().orElseThrow().strategy().get(17)).isEqualTo(Strategy.SYNC);
        m.undo().redo();
        assertThat(m.report().get().orElseThrow().strategy().get(17)).isEqualTo(8);
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void anImpossibleEntryIsSaidAndChangesNothing() {
        FusionViewModel m = resnet();
        m.setEntry(3, 65);
        m.setEntry(0, Strategy.SYNC);
        assertThat(messages.shown()).hasSize(2).allMatch(x -> x.text().contains("1 to 64"));
        assertThat(speedup(m)).isEqualTo(1);
        assertThatThrownBy(() -> m.setStrategy("64,8"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("18 layers");
        assertThatThrownBy(() -> m.setStrategy("64,frog"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("frog");
    }

    @Test
    void synchronisingAndScalingGoBackAndForth() {
        FusionViewModel m = resnet();
        m.toggleSync(4);
        assertThat(entry(m, 4)).isEqualTo(16);
        m.scaleEntry(4, 1);
        m.scaleEntry(4, 1);
        m.scaleEntry(4, 1);
        assertThat(entry(m, 4)).isEqualTo(64);
        m.scaleEntry(4, -1);
        m.toggleSync(5);
        assertThat(entry(m, 5)).isEqualTo(32);
        m.toggleSync(4);
        assertThat(entry(m, 4)).isEqualTo(Strategy.SYNC);
    }

    private static int entry(FusionViewModel m, int i) {
        return m.report().get().orElseThrow().strategy().get(i);
    }

    @Test
    void theStrategyFollowsTheBufferAsAsked() {
        FusionViewModel m = resnet();
        m.setStrategy("8^18,-1");
        m.setBuffer(5_000_000);
        assertThat(m.report().get().orElseThrow().isValid()).isFalse();
        m.followMode().set(BufferChangePolicy.REPAIR);
        assertThat(m.report().get().orElseThrow().isValid()).isTrue();
        assertThat(entry(m, 1)).isLessThan(8);
        // With room again the strategy wanted comes back whole.
        m.setBuffer(40_000_000);
        assertThat(entry(m, 1)).isEqualTo(8);
        m.followMode()
                .set(m.follows().stream()
                        .filter(f -> f.name().equals("dp"))
                        .findFirst()
                        .orElseThrow());
        double large = speedup(m);
        m.setBuffer(10_000_000);
        assertThat(m.report().get().orElseThrow().isValid()).isTrue();
        assertThat(speedup(m)).isLessThan(large);
        // Moves of one slider are one edit.
        m.undo().undo();
        assertThat(m.setup().get().orElseThrow().accelerator().bufferBytes()).isEqualTo(20_000_000);
    }

    @Tag("slow")
    @Test
    void aSequenceModelAnswersAtEveryBuffer() {
        FusionViewModel m = opened("zoo:resnet18", FusionMethods.standard().all());
        assertThat(runs(m).form().method().get().orElseThrow().name()).isEqualTo(FusionMethods.AUTO);
        m.followMode()
                .set(m.follows().stream()
                        .filter(f -> f.name().equals("dnnfuser"))
                        .findFirst()
                        .orElseThrow());
        for (long buffer : new long[] {10_000_000, 25_000_000, 50_000_000}) {
            m.setBuffer(buffer);
            assertThat(m.report().get().orElseThrow().isValid()).isTrue();
            assertThat(speedup(m)).isGreaterThan(2);
        }
        assertThat(m.origin().get()).contains("DNNFuser");
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void aSearchFillsTableFrontAndCurveAndItsBestIsSelected() throws InterruptedException {
        FusionViewModel m = resnet();
        runs(m).form().also().add("dp");
        runs(m).form().text(FusionSettings.EVALUATIONS).set("400");
        m.search();
        screen.await(() -> m.candidates().size() == 3 && !runs(m).anyActive());
        assertThat(m.candidates().get(1).origin()).isEqualTo("G-Sampler, seed 1");
        assertThat(m.candidates().get(1).evaluations()).isEqualTo(400);
        assertThat(m.searches().curves().get()).hasSize(2).noneMatch(SpeedupCurve::active);
        assertThat(m.searches().curves().get().getFirst().speedups()).isSorted();
        double best = m.candidates().stream()
                .mapToDouble(c -> m.model()
                        .get()
                        .orElseThrow()
                        .speedup(c.cost(m.model().get().orElseThrow())
                                .orElseThrow()
                                .seconds()))
                .max()
                .orElseThrow();
        assertThat(speedup(m)).isEqualTo(best);
        RunTable table = m.searches().table();
        assertThat(table.columns())
                .extracting(
                        c -> c.title() + " " + c.words().apply(runs(m).runs().getFirst()))
                .containsExactly(
                        "Cost model paper's",
                        "Batch 64",
                        "Buffer " + ByteSize.shown(m.model().get().orElseThrow().budget()),
                        "Evaluated 400",
                        String.format(
                                Locale.ROOT,
                                "Speedup %.2f\u00d7",
                                m.searches()
                                        .curves()
                                        .get()
                                        .getFirst()
                                        .speedups()
                                        .getLast()));
        // A run without its tick is not drawn.
        table.ticks().set(runs(m).runs().getFirst().id(), false);
        screen.await(() -> m.searches().curves().get().size() == 1);
        assertThat(messages.shown()).isEmpty();
    }

    /// A search that takes its time, so that it is found running.
    private static FusionMethod slow(String name, String label, Searcher searcher, long milliseconds) {
        return new FusionMethod(name, label, "Slow.", FusionMethod.Kind.SEARCH, (problem, random) -> {
            Search search = searcher.begin(problem, random);
            return new Search() {
                @Override
                public List<int[]> ask(int left) {
                    try {
                        Thread.sleep(milliseconds);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return search.ask(left);
                }

                @Override
                public void tell(List<Cost> costs) {
                    search.tell(costs);
                }
            };
        });
    }

    @Test
    void aSearchPausesResumesAndStopsKeepingItsBest() throws InterruptedException {
        FusionViewModel m =
                opened("zoo:resnet18", List.of(slow("gsampler", "Slow", FusionSamples.searcher("gsampler"), 100)));
        runs(m).form().text(FusionSettings.EVALUATIONS).set("100000");
        m.search();
        screen.await(() ->
                m.searches().curves().get().stream().anyMatch(c -> !c.speedups().isEmpty()));
        runs(m).togglePause();
        assertThat(runs(m).status().get().state()).isIn(RunState.PAUSING, RunState.PAUSED);
        runs(m).togglePause();
        assertThat(runs(m).status().get().state()).isEqualTo(RunState.RUNNING);
        runs(m).togglePause();
        runs(m).stop();
        screen.await(() -> !runs(m).anyActive() && m.candidates().size() == 2);
        assertThat(runs(m).status().get().state()).isEqualTo(RunState.STOPPED);
        assertThat(m.candidates().get(1).origin()).startsWith("Slow");
    }

    @Test
    void aSearchIsStoppedOnlyWhenWhatIsOpenedNextWasRead() throws IOException, InterruptedException {
        FusionViewModel m =
                opened("zoo:resnet18", List.of(slow("gsampler", "Slow", FusionSamples.searcher("gsampler"), 100)));
        runs(m).form().text(FusionSettings.EVALUATIONS).set("100000");
        m.search();
        screen.await(() -> runs(m).status().get().state() == RunState.RUNNING);
        m.open(Files.writeString(folder.resolve("broken.csv"), "type,K,C\n").toString());
        assertThat(messages.shown().getFirst().text()).contains("broken.csv");
        assertThat(runs(m).status().get().state()).isEqualTo(RunState.RUNNING);
        m.open("zoo:mnasnet");
        assertThat(runs(m).anyActive()).isFalse();
        m.open("zoo:resnet18");
        assertThat(runs(m).status().get().state()).isEqualTo(RunState.STOPPED);
    }

    @Test
    void anotherBatchMakesCostsAnewAndUndoBringsEverythingBack() {
        FusionViewModel m = resnet();
        m.setStrategy("8^18,-1");
        assertThat(m.compared().get().orElseThrow().speedup()).isEqualTo(1);
        m.models().results().togglePin(2);
        assertThat(m.compared().get().orElseThrow().speedup()).isEqualTo(speedup(m));
        m.setBatch(4);
        assertThat(entry(m, 1)).isEqualTo(4);
        assertThat(m.compared().get()).isEmpty();
        assertThat(m.models().results().pins()).containsExactly(2);
        assertThatThrownBy(() -> m.setBatch(0)).isInstanceOf(UserError.class);
        m.undo().undo();
        assertThat(entry(m, 1)).isEqualTo(8);
        assertThat(m.compared().get()).isPresent();
        m.undo().undo();
        assertThat(m.models().results().pins()).isEmpty();
    }

    @Test
    void theStrategyLookedAtIsADesignUntilAnotherOneIsLookedAtUnlessItIsKept() {
        FusionViewModel m = resnet();
        Results designs = m.models().results();
        assertThat(designs.selected().get()).isEqualTo(1);
        m.setStrategy("8^18,-1");
        assertThat(designs.selected().get()).isEqualTo(2);
        assertThat(designs.set().shownValue(1, FusionEvaluator.SPEEDUP).orElseThrow())
                .isEqualTo(speedup(m));
        // A knob in the list of knobs is an edit as any other.
        m.models().insight().tryOut(3, 4);
        assertThat(entry(m, 3)).isEqualTo(4);
        assertThat(m.candidates()).hasSize(2);
        m.keepCurrent();
        m.setStrategy("4^18,-1");
        assertThat(m.candidates()).hasSize(3);
        designs.select(2);
        assertThat(entry(m, 3)).isEqualTo(4);
        assertThat(m.candidates()).hasSize(2);
        m.undo().undo();
        assertThat(designs.selected().get()).isEqualTo(3);
        // What does not fit says so, and comes back with the buffer.
        m.setBuffer(10_000);
        assertThat(designs.set().standing(1)).isEqualTo(DesignStanding.INVALID);
        m.undo().undo();
        assertThat(designs.set().standing(1)).isNotEqualTo(DesignStanding.INVALID);
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void whatCannotBeOpenedIsSaidAndWhatWasOpenStays() throws IOException {
        FusionViewModel m = resnet();
        Path broken = Files.writeString(folder.resolve("broken.json"), "{\"format\": \"knobscape-layers\", ");
        m.open(broken.toString());
        assertThat(messages.shown().getFirst().text()).contains("broken.json");
        assertThat(m.network().get().orElseThrow().name()).isEqualTo("resnet18");
        assertThat(m.opener().isOpen().get()).isTrue();
        m.close();
        assertThat(m.report().get()).isEmpty();
        assertThat(m.opener().isOpen().get()).isFalse();
    }

    @Test
    void aProjectBringsItsAcceleratorBufferAndBatch() throws IOException {
        Files.writeString(folder.resolve("knobscape.json"), """
            {"formatVersion": 1, "name": "edge", "kind": "fusion", "source": "zoo:mnasnet", "buffer": "8MB", "batch": 16}
            """);
        FusionViewModel m = opened(folder.toString(), unproven());
        assertThat(messages.shown()).isEmpty();
        assertThat(m.model().get().orElseThrow().budget()).isEqualTo(8_000_000);
        assertThat(m.model().get().orElseThrow().batch()).isEqualTo(16);
        assertThat(settings.lines("recent"))
                .containsExactly(folder.toAbsolutePath().toString());
    }

    @Test
    void aProjectBringsWhatItsRunsFoundUnlessCostsHaveChangedSince() throws Exception {
        Path file = folder.resolve("knobscape.json");
        String text = "{\"formatVersion\": 1, \"kind\": \"fusion\", \"source\": \"zoo:mnasnet\", \"buffer\": \"8MB\","
                + " \"batch\": 16}";
        Files.writeString(file, text);
        try (Project project = Project.open(folder);
                Runner runner = Runner.withSystemClocks()) {
            var bench =
                    Session.of(project, project.file().work(), s -> FusionWorkbench.open(project, (FusionSettings) s));
            runner.start(
                            bench,
                            FusionWorkbench.defaultRun()
                                    .with(RunSettings.METHOD, "gsampler")
                                    .with(RunSettings.SEED, 2L)
                                    .with(RunSettings.STEPS, 100)
                                    .with(RunSettings.INITIAL, 1)
                                    .with(RunSettings.EARLY_STOP, 0),
                            List.of())
                    .await();
            runner.start(
                            bench,
                            FusionWorkbench.defaultRun()
                                    .with(RunSettings.METHOD, "gsampler")
                                    .with(RunSettings.STEPS, 200)
                                    .with(RunSettings.INITIAL, 1)
                                    .with(RunSettings.EARLY_STOP, 0),
                            List.of())
                    .await();
        }
        FusionViewModel m = opened(folder.toString(), unproven());
        assertThat(messages.shown()).isEmpty();
        assertThat(m.candidates())
                .extracting(Candidate::origin)
                .containsExactly("No fusion", "G-Sampler, seed 2", "G-Sampler, seed 1");
        assertThat(m.candidates().getLast().evaluations())
                .as("different strategies evaluated")
                .isBetween(100, 200);
        assertThat(speedup(m)).isGreaterThan(1);
        assertThat(runs(m).runs()).hasSize(2);
        m.undo().undo();
        assertThat(speedup(m)).as("opening is not an edit").isGreaterThan(1);

        Files.writeString(file, text.replace("zoo:mnasnet", "zoo:vgg11"));
        FusionViewModel changed = opened(folder.toString(), unproven());
        assertThat(changed.candidates()).hasSize(1);
    }

    @Test
    void aSearchIsStoredAndResumedAndClosingLosesNothing() throws InterruptedException {
        FusionViewModel m = opened("zoo:resnet18", List.of(slow("pso", "PSO", FusionSamples.searcher("pso"), 1)));
        runs(m).form().text(FusionSettings.EVALUATIONS).set("1500");
        m.setAccelerator(new Accelerator(
                "mine", 512, 1024, 1e9, 500e9, 5000e9, 20_000_000, 32_000_000, 100, 1, CostOptions.defaults()));
        m.search();
        screen.await(() -> runs(m).status().get().state() == RunState.RUNNING);
        m.close();
        assertThat(m.candidates()).isEmpty();
        assertThat(settings.lines("recent"))
                .singleElement()
                .asString()
                .startsWith(folder.resolve("own").toString());

        m.open(settings.lines("recent").getFirst());
        screen.await(() -> runs(m).status().get().state().isResumable());
        runs(m).resume();
        screen.await(() -> runs(m).status().get().state() == RunState.COMPLETED
                && m.candidates().getLast().evaluations() == 1500);
        Candidate found = m.candidates().getLast();
        assertThat(found.origin()).isEqualTo("PSO, seed 1");
        assertThat(found.evaluations()).isEqualTo(1500);
        var costs = new FusionCostModel(
                m.network().get().orElseThrow(),
                new Accelerator(
                        "mine", 512, 1024, 1e9, 500e9, 5000e9, 20_000_000, 32_000_000, 100, 1, CostOptions.defaults()),
                64);
        assertThat(found.strategy())
                .isEqualTo(Mapping.search(FusionSamples.searcher("pso"), costs, Constraint.LEXI, 1500, 1)
                        .strategy());
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void whatWasKeptByHandIsThereAgainWhenTheNetworkIsOpenedAgain() {
        FusionViewModel m = resnet();
        m.setStrategy("8^18,-1");
        m.keepCurrent();
        m.setStrategy("4^18,-1");
        m.keepCurrent();
        m.undo().undo();
        m.close();
        m.open("zoo:resnet18");
        assertThat(m.candidates()).extracting(c -> c.strategy().text()).containsExactly("64,-1^18", "8^18,-1");
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void aStrategyLeavesAndComesBackExactly() {
        FusionViewModel m = resnet();
        Path file = folder.resolve("s.json");
        var export = new FusionExport(
                screen,
                new FileChoices() {
                    @Override
                    public Optional<Path> openFile(String title, List<Kind> kinds) {
                        return Optional.of(file);
                    }

                    @Override
                    public Optional<Path> openFolder(String title) {
                        return Optional.empty();
                    }

                    @Override
                    public Optional<Path> saveFile(String title, String name, Kind kind) {
                        return Optional.of(name.endsWith("csv") ? folder.resolve(name) : file);
                    }

                    @Override
                    public boolean agrees(String what, List<knobscape.evaluate.report.FilePlan> plans) {
                        return true;
                    }
                },
                messages,
                m);
        m.setAccelerator(Accelerator.paperLiteral().withBuffer(33_000_000));
        m.setStrategy("2,3,4,-1,5^14,-1");
        Setup before = m.setup().get().orElseThrow();
        export.json();
        export.csv();
        export.table();
        assertThat(messages.shown()).allMatch(x -> x.text().contains("written"));
        assertThat(folder.resolve("resnet18-strategies.csv"))
                .content()
                .contains("2,3,4,-1,5^14,-1".split(",", 2)[0])
                .contains("No fusion");
        m.setStrategy("8^18,-1");
        m.setAccelerator(Accelerator.calibrated());
        export.open();
        assertThat(m.setup().get().orElseThrow()).isEqualTo(before);
    }

    @Tag("slow")
    @Test
    void figuresAreDrawnAndExported() throws InterruptedException {
        FusionViewModel m = opened("zoo:resnet50", FusionMethod.builtIn());
        m.followMode().set(BufferChangePolicy.REPAIR);
        var model = m.model().get().orElseThrow();
        m.choose(
                new knobscape.fusion.search.Repair(model).repair(Strategy.parse("4^" + (model.layers()) + ",-1")),
                "test");
        var r = m.report().get().orElseThrow();
        screen.await(() -> m.strips().curve().get().isPresent()
                && m.strips().answer().get().isPresent());
        StripReport exact = m.strips().answer().get().orElseThrow();
        for (StripReport.Group g : exact.groups()) {
            double longest = exact.seconds(g, g.waits());
            assertThat(g.plan().cost().seconds()).isGreaterThanOrEqualTo(longest * (1 - 1e-9));
            assertThat(StripReport.Wait.values()).allMatch(w -> exact.seconds(g, w) <= longest);
        }
        for (Figure f : List.of(
                StripFigures.curve(m.strips().curve().get().orElseThrow().curve(), Optional.of(exact)),
                StripFigures.groups(exact),
                StripFigures.front(exact),
                StripFigures.timeline(exact),
                FusionFigures.layers(model, r, 3),
                FusionFigures.roofline(model, r, 3),
                FusionFigures.comparison(model, r, "a", r, "b"),
                FusionFigures.convergence(List.of(
                        new SpeedupCurve("x", List.of(1, 5), List.of(1.0, 2.0), true),
                        new SpeedupCurve("y", List.of(), List.of(), false))))) {
            assertThat(PlotExport.png((w, h) -> f)).hasSizeGreaterThan(10_000);
        }
        byte[] svg = PlotExport.svg((w, h) -> FusionFigures.layers(model, r, 3));
        assertThat(new String(svg, java.nio.charset.StandardCharsets.UTF_8).contains("</svg"))
                .isTrue();
    }
}
