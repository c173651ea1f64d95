package knobscape.app.ui.hls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import knobscape.app.ui.designs.DesignFilter;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.PlotsView;
import knobscape.app.ui.run.RunContinuation;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.HeldBackground;
import knobscape.app.ui.task.OwnScreen;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.Evaluator;
import knobscape.explore.BoxEvaluator;
import knobscape.hls.HlsTools;
import knobscape.hls.Toolchain;
import knobscape.project.BoxTools;
import knobscape.project.Runner;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole area without a display: the test's thread is the screen, and only runs have threads of their own.
class HlsViewModelTest {
    @TempDir
    private Path folder;

    private final Messages messages = new Messages();
    private final UndoStack undo = new UndoStack();
    private final Settings settings = Settings.inMemory();
    private final Answers answers = new Answers();
    private final Runner runner = Runner.withSystemClocks();
    private final OwnScreen screen = new OwnScreen();
    private Path source;

    private static final class Answers implements FileChoices {
        private Optional<Path> answer = Optional.empty();
        private boolean agrees = true;
        private List<knobscape.evaluate.report.FilePlan> seen = List.of();

        @Override
        public Optional<Path> openFile(String title, List<Kind> kinds) {
            return answer;
        }

        @Override
        public Optional<Path> openFolder(String title) {
            return answer;
        }

        @Override
        public Optional<Path> saveFile(String title, String name, Kind kind) {
            return answer;
        }

        @Override
        public boolean agrees(String what, List<knobscape.evaluate.report.FilePlan> plans) {
            seen = plans;
            return agrees;
        }
    }

    @BeforeEach
    void write() throws IOException {
        source = Files.writeString(folder.resolve("kernel.cpp"), "void f() { }\n");
    }

    @AfterEach
    void close() {
        runner.close();
    }

    private HlsViewModel model(HlsTools tools) {
        var model = new HlsViewModel(screen, tools, runner, messages, undo, settings, answers);
        model.open(source);
        model.runs().form().text(RunSettings.STEPS).set("6");
        model.runs().form().text(RunSettings.EARLY_STOP).set("0");
        model.runs().form().text(RunSettings.INITIAL).set("4");
        return model;
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        screen.await(condition);
    }

    private static RunState state(HlsViewModel m) {
        return m.runs().status().get().state();
    }

    private HlsViewModel ran() throws InterruptedException {
        HlsViewModel m = model(BoxTools.tools());
        m.runs().start();
        await(() -> state(m) == RunState.COMPLETED && !m.runs().anyActive());
        return m;
    }

    @Test
    void openedKernelShowsItsSourceSpaceAndBaseline() {
        HlsViewModel m = model(BoxTools.tools());
        assertThat(m.workbench().get()).isPresent();
        assertThat(m.source().page().get().orElseThrow().text()).startsWith("void f()");
        assertThat(m.space().tree().get().orElseThrow().pruned()).isEqualTo(216);
        assertThat(m.results().set().baseline()).isPresent();
        assertThat(settings.lines(HlsViewModel.RECENT_KEY)).containsExactly(source.toString());
        assertThat(messages.shown()).isEmpty();
    }

    @Test
    void whatCannotBeOpenedIsSaidAndWhatWasOpenStays() {
        HlsViewModel m = model(BoxTools.tools());
        m.open(folder.resolve("missing.cpp"));
        assertThat(messages.shown()).singleElement().satisfies(s -> {
            assertThat(s.kind()).isEqualTo(Message.Kind.ERROR);
            assertThat(s.text()).contains("missing.cpp");
        });
        assertThat(m.workbench().get().orElseThrow().project().name()).isEqualTo("kernel");
        assertThat(m.isOpen().get()).isTrue();
        assertThat(m.opening().get()).isEmpty();
    }

    @Test
    void runFillsTheTableCurvesAndLogAndIsKept() throws InterruptedException {
        HlsViewModel m = ran();
        assertThat(m.results().set().size()).isEqualTo(11);
        assertThat(m.pictures().curves().get().curves().getFirst().points()).isNotEmpty();
        assertThat(m.pictures().curves().get().reference()).startsWith("Reference point: Power 11.0 W");
        assertThat(m.runs().log())
                .extracting(l -> l.text())
                .anyMatch(l -> l.startsWith("Run begins"))
                .anyMatch(l -> l.startsWith("Run ended"));
        assertThat(m.runs().runs()).hasSize(1);
        var before = m.results().set();
        List<String> told = told(m);
        assertThat(told).hasSize(11).allMatch(l -> l.matches("(initial design|step \\d) #\\d+; .*Power .*"));

        m.close();
        assertThat(m.isOpen().get()).isFalse();
        assertThat(m.results().set().size()).isZero();
        m.open(source);
        assertThat(m.results().set().size()).isEqualTo(11);
        for (int i = 0; i < 11; i++) {
            assertThat(m.results().set().get(i)).isEqualTo(before.get(i));
            assertThat(m.results().set().standing(i)).isEqualTo(before.standing(i));
        }
        assertThat(state(m)).isEqualTo(RunState.COMPLETED);
        assertThat(told(m)).isEqualTo(told);
        assertThat(m.runs().log()).extracting(l -> l.at()).isSorted();
    }

    @Test
    void aWhatIfDesignStandsBesideTheRunWithItsPredictionAndThePinsStay() throws InterruptedException {
        HlsViewModel m = ran();
        long run = m.runs().shownNumber().orElseThrow();
        m.results().select(3);
        m.results().togglePin(3);
        int known = m.results().set().size();
        Configuration other = m.workbench()
                .get()
                .orElseThrow()
                .bench()
                .space()
                .enumerate()
                .filter(c -> java.util.Arrays.stream(m.results().set().designs())
                        .noneMatch(d -> d.configuration().equals(c)))
                .findFirst()
                .orElseThrow();
        await(() -> m.models().insight().insight().get().isPresent());
        m.models().insight().tryOut(other, "other");
        m.models().insight().evaluate();
        await(() -> m.results().set().size() == known + 1);

        assertThat(m.runs().shownNumber()).hasValue(run);
        assertThat(m.results().pins()).containsExactly(3);
        var tried = m.results().selectedDesign().orElseThrow();
        assertThat(tried.configuration()).isEqualTo(other);
        assertThat(tried.reason()).isEqualTo("what-if");
        assertThat(tried.value("delay")).isPresent();
        assertThat(tried.prediction().orElseThrow().metrics()).containsKey("delay");
        assertThat(m.results().set().trace()).isNotEmpty();
        assertThat(m.runs().runs()).hasSize(2);
    }

    @Test
    void theBarIsOfTheRunThatIsShown() throws InterruptedException {
        HlsViewModel m = ran();
        assertThat(m.runs().status().get().words()).startsWith("Finished");
        m.runs().start();
        await(() -> m.runs().best().get());
        assertThat(m.runs().status().get().words()).startsWith("The best of 2 runs. Finished");
        m.runs().show(1);
        assertThat(m.runs().status().get().words()).startsWith("Finished");
        m.runs().showBest();
        assertThat(m.runs().status().get().figures()).isEmpty();
        assertThat(m.runs().status().get().words()).isEqualTo("The best of 2 runs");
    }

    @Test
    void whatWasSaidOfAProjectGoesWithIt() {
        Messages window = messages;
        var m = new HlsViewModel(screen, BoxTools.tools(), runner, window.ofProject(), undo, settings, answers);
        window.show(Message.warning("of the window"));
        m.open(folder.resolve("missing.cpp"));
        assertThat(window.shown()).hasSize(2);
        m.open(source);
        assertThat(window.shown()).extracting(Message::text).containsExactly("of the window");
    }

    /// What the log says of designs.
    private static List<String> told(HlsViewModel m) {
        return m.runs().log().stream()
                .map(l -> l.text())
                .filter(t -> t.contains("#"))
                .toList();
    }

    @Test
    void severalRunsAreOneFrontAndAFinishedOneIsContinued() throws InterruptedException {
        HlsViewModel m = ran();
        int first = m.results().set().size();
        RunContinuation.of(m.runs()).more();
        await(() -> state(m) == RunState.COMPLETED && m.results().set().size() > first);
        assertThat(m.runs().runs()).hasSize(1);
        assertThat(m.runs().runs().getFirst().settings().steps()).isGreaterThan(40);

        assertThat(m.runs().form().text(RunSettings.SEED).get()).isEqualTo("2");
        m.runs().start();
        await(() -> m.runs().best().get());
        var all = m.results().set();
        assertThat(m.runs().current().get()).isEmpty();
        assertThat(m.pictures().reached().get().values()).hasSize(2);
        assertThat(m.pictures().reached().get().values()).allMatch(r -> r.share() > 0 && r.share() <= 1 + 1e-9);
        assertThat(m.pictures().curves().get().curves()).hasSize(2);
        // Every configuration once, and no member of a run's own front is better than the merged one.
        assertThat(java.util.Arrays.stream(all.designs()).map(d -> d.configuration()))
                .doesNotHaveDuplicates();
        for (var run : m.runs().runs()) {
            for (var d : m.workbench()
                    .get()
                    .orElseThrow()
                    .project()
                    .runs()
                    .orElseThrow()
                    .results(run.id())
                    .front()) {
                assertThat(all.designs()).anySatisfy(x -> {
                    assertThat(x.configuration()).isEqualTo(d.configuration());
                    assertThat(x.evaluations()).isEqualTo(d.evaluations());
                });
            }
        }
        // A line of the log is of its run, whose designs have other numbers than those of all runs.
        int told = m.runs().log().size();
        m.runs().withLogged(() -> m.results().select(3));
        await(() -> m.runs().current().get().isPresent());
        assertThat(m.runs().current().get().orElseThrow().id())
                .isEqualTo(m.runs().runs().getLast().id());
        assertThat(m.runs().best().get()).isFalse();
        assertThat(m.results().selected().get()).isEqualTo(3);
        assertThat(m.runs().log()).hasSize(told);
        m.runs().showBest();
        await(() -> m.runs().best().get());
        m.results().select(2);
        m.close();
        m.open(source);
        assertThat(m.runs().best().get()).isTrue();
        assertThat(m.results().selected().get()).isEqualTo(2);
        // Another space for the next run takes nothing of the designs away.
        m.runs().use(m.workbench().get().orElseThrow());
        assertThat(m.results().set().size()).isEqualTo(all.size());
    }

    @Test
    void wrongSettingsAreSaidAndNothingStarts() {
        HlsViewModel m = model(BoxTools.tools());
        m.runs().form().text(RunSettings.STEPS).set("many");
        m.runs().start();
        assertThat(messages.shown()).isEmpty();
        assertThat(m.runs().form().errors().get().values())
                .singleElement()
                .satisfies(e -> assertThat(e).startsWith("Steps must be"));
        assertThat(state(m)).isEqualTo(RunState.NONE);
    }

    @Test
    void pauseWaitsForWhatIsInFlightAndStopCanBeResumed() throws InterruptedException {
        var gate = new CountDownLatch(1);
        HlsViewModel m = model(BoxTools.tools(job -> slow(job, gate)));
        m.runs().start();
        // The user's own design comes out at once, the one after it waits for the gate.
        await(() -> m.results().set().size() == 2);
        m.runs().pause();
        assertThat(state(m)).isEqualTo(RunState.PAUSING);
        assertThat(m.runs().status().get().words()).contains("#2");
        gate.countDown();
        await(() -> state(m) == RunState.PAUSED);
        assertThat(m.results().set().get(0).evaluations()).isNotEmpty();

        m.runs().askStop();
        assertThat(m.runs().askingStop().get()).isTrue();
        m.runs().stop();
        assertThat(m.runs().askingStop().get()).isFalse();
        await(() -> state(m) == RunState.STOPPED && !m.runs().anyActive());
        m.runs().resume();
        await(() -> state(m) == RunState.COMPLETED);
        assertThat(m.results().set().size()).isEqualTo(11);
        assertThat(m.runs().runs()).hasSize(1);
    }

    /// Lets the baseline through at once; designs of the run wait for the gate.
    private static Evaluator slow(Toolchain.Job job, CountDownLatch gate) {
        return new BoxEvaluator() {
            @Override
            public void evaluate(
                    knobscape.evaluate.Request request,
                    java.util.function.Consumer<knobscape.evaluate.Evaluation> stageDone,
                    knobscape.evaluate.CancellationSignal cancel) {
                try {
                    if (!request.configuration().equals(job.space().baseline())) {
                        gate.await();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                super.evaluate(request, stageDone, cancel);
            }
        };
    }

    @Test
    void failureOfARunIsSaidWithWhatToDo() throws InterruptedException {
        HlsViewModel m = model(BoxTools.tools(job -> new BoxEvaluator() {
            private int asked;

            @Override
            public void evaluate(
                    knobscape.evaluate.Request request,
                    java.util.function.Consumer<knobscape.evaluate.Evaluation> stageDone,
                    knobscape.evaluate.CancellationSignal cancel) {
                if (++asked > 3) {
                    throw new knobscape.evaluate.UserError("The licence of the tool has run out.");
                }
                super.evaluate(request, stageDone, cancel);
            }
        }));
        m.runs().start();
        await(() -> state(m) == RunState.FAILED);
        assertThat(m.runs().status().get().words()).isEqualTo("Failed: The licence of the tool has run out.");
        assertThat(messages.shown().getFirst().text()).contains("The licence of the tool has run out.", "Resume");
    }

    @Test
    void deletedRunComesBackByUndo() throws InterruptedException {
        HlsViewModel m = ran();
        m.runs().delete(1);
        assertThat(m.runs().runs()).isEmpty();
        assertThat(m.results().set().size()).isZero();
        undo.undo();
        assertThat(m.runs().runs()).hasSize(1);
        assertThat(m.results().set().size()).isEqualTo(11);
    }

    @Test
    void whatPassesTheFilterIsExported() throws IOException, InterruptedException {
        HlsViewModel m = ran();
        m.results().setFilter(DesignFilter.none().withParetoOnly(true));
        answers.answer = Optional.of(folder.resolve("designs.csv"));
        m.export().csv();
        assertThat(Files.readAllLines(folder.resolve("designs.csv")))
                .hasSize(m.results().shown().get().count() + 1);
        assertThat(messages.shown().getFirst().text()).contains("designs.csv");

        answers.answer = Optional.of(folder.resolve("report.html"));
        m.export()
                .html(
                        Optional.of(new PlotsView.Pair(
                                m.results().set().objectives().get(0),
                                m.results().set().objectives().get(1),
                                true,
                                java.util.Set.of(DesignStanding.PREDICTED))),
                        m.models().insight().insight().get());
        assertThat(folder.resolve("report.html"))
                .content()
                .contains("data:image/svg+xml;base64,", "Source (SHA-256)", "knobscape explore", "<td class=\"n\">#");

        answers.answer = Optional.of(folder.resolve("plot.svg"));
        m.export()
                .plot(
                        new PlotsView.Pair(
                                m.results().set().objectives().get(0),
                                m.results().set().objectives().get(1),
                                true,
                                java.util.Set.of(DesignStanding.PREDICTED)),
                        true);
        assertThat(folder.resolve("plot.svg")).content().contains("<svg");

        answers.answer = Optional.of(folder);
        m.export().json();
        assertThat(messages.shown().getFirst().kind()).isEqualTo(Message.Kind.ERROR);
        answers.answer = Optional.empty();
        m.export().json();
        assertThat(messages.shown()).hasSize(1);
    }

    @Test
    void anExportIsShownFirstAndNeverReplacesASource() throws IOException, InterruptedException {
        HlsViewModel m = ran();
        m.results().select(1);
        Path out = folder.resolve("out");
        answers.answer = Optional.of(out);
        answers.agrees = false;
        m.export().tcl(knobscape.hls.export.Dialect.VITIS_HLS);
        assertThat(answers.seen.getFirst().summary()).contains(out.toString(), "new        directives.tcl");
        assertThat(out).doesNotExist();
        answers.agrees = true;
        m.export().tcl(knobscape.hls.export.Dialect.VITIS_HLS);
        assertThat(out.resolve("directives.tcl")).exists();
        m.export().tcl(knobscape.hls.export.Dialect.VITIS_HLS);
        assertThat(answers.seen.getFirst().summary()).contains("unchanged  directives.tcl");

        answers.answer = Optional.of(source);
        answers.seen = List.of();
        m.export().csv();
        assertThat(source).content().startsWith("void f()");
        assertThat(answers.seen).isEmpty();
        assertThat(messages.shown().getFirst().text()).contains("source of this project");

        Path mine = Files.writeString(folder.resolve("mine.csv"), "a,b\n");
        answers.answer = Optional.of(mine);
        answers.agrees = false;
        m.export().csv();
        assertThat(answers.seen.getFirst().differences()).contains("-a,b");
        assertThat(mine).hasContent("a,b\n");
    }

    @Test
    void anotherProjectAsksForTheRunToStopFirst() throws InterruptedException, IOException {
        var gate = new CountDownLatch(1);
        HlsViewModel m = model(BoxTools.tools(job -> slow(job, gate)));
        m.runs().start();
        await(() -> m.results().set().size() >= 1);
        Path other = Files.writeString(folder.resolve("other.cpp"), "void g() { }\n");
        m.open(other);
        assertThat(m.workbench().get().orElseThrow().project().name()).isEqualTo("kernel");
        assertThat(messages.shown().getFirst().action()).isPresent();
        m.runs().stop();
        gate.countDown();
        await(() -> !m.runs().anyActive());
        m.open(other);
        assertThat(m.workbench().get().orElseThrow().project().name()).isEqualTo("other");
    }

    @Test
    void valuesAreAddedToAKnobTakenBackAndThereAfterReopening() throws IOException {
        Files.writeString(source, "void f(int a[64]) {\nL:\n  for (int i = 0; i < 64; i++) a[i] = a[i] + 1;\n}\n");
        HlsViewModel m = model(HlsTools.standard());
        String knob = "unroll@f/L";
        assertThat(labels(m, knob)).doesNotContain("3", "12");
        m.space().add(knob, "3, 12");
        assertThat(messages.shown()).isEmpty();
        assertThat(labels(m, knob)).contains("1", "3", "12", "16");
        assertThat(undo.undoName().get()).hasValueSatisfying(n -> assertThat(n).contains("unroll"));
        m.close();
        m.open(source);
        assertThat(labels(m, knob)).contains("3", "12");
        m.space().add(knob, "5");
        assertThat(labels(m, knob)).contains("3", "5");
        undo.undo();
        assertThat(labels(m, knob)).contains("3", "12").doesNotContain("5");
        m.close();
        m.open(source);
        assertThat(labels(m, knob)).contains("3", "12").doesNotContain("5");
    }

    @Test
    void whatIsNoValueOfAKnobIsSaidAndTheSpaceStays() throws IOException {
        Files.writeString(source, "void f(int a[64]) {\nL:\n  for (int i = 0; i < 64; i++) a[i] = a[i] + 1;\n}\n");
        HlsViewModel m = model(HlsTools.standard());
        String knob = "unroll@f/L";
        List<String> before = labels(m, knob);
        for (String typed : List.of("many", "8..2", "1..1000", "2", "0", "100000")) {
            messages.clear();
            m.space().add(knob, typed);
            assertThat(messages.shown()).as(typed).hasSize(1);
            assertThat(labels(m, knob)).as(typed).isEqualTo(before);
        }
    }

    private static List<String> labels(HlsViewModel m, String knob) {
        KnobSet knobs =
                m.edits().base().orElseThrow().bench().directives().space().knobs();
        return knobs.get(knobs.indexOf(knob).orElseThrow()).domain().labels();
    }

    @Test
    void pinsAndFilterOfARunAreThereAfterReopening() throws InterruptedException {
        HlsViewModel m = ran();
        m.results().togglePin(3);
        m.results().setFilter(DesignFilter.none().withValidOnly(true));
        m.results().select(5);
        m.close();
        m.open(source);
        assertThat(m.results().pins()).containsExactly(3);
        assertThat(m.results().filter().get().validOnly()).isTrue();
        assertThat(m.results().selected().get()).isEqualTo(5);
        assertThat(undo.undoName().get()).isEmpty();
    }

    @Test
    void aRunIsStoppedOnlyWhenTheNextFileCouldBeRead() throws InterruptedException, IOException {
        var gate = new CountDownLatch(1);
        HlsViewModel m = model(BoxTools.tools(job -> slow(job, gate)));
        m.runs().start();
        await(() -> m.results().set().size() >= 1);
        m.open(folder.resolve("missing.cpp"));
        messages.shown().getFirst().action().orElseThrow().run().run();
        assertThat(messages.shown().getFirst().text()).contains("missing.cpp");
        assertThat(m.runs().anyActive()).isTrue();
        assertThat(state(m)).isEqualTo(RunState.RUNNING);
        m.runs().stop();
        gate.countDown();
        await(() -> !m.runs().anyActive());
    }

    @Test
    void aFolderThatCannotBeWrittenIsNamedWithWhereRunsGo() throws IOException {
        Path locked = Files.createDirectory(folder.resolve("locked"));
        Path there = Files.writeString(locked.resolve("k.cpp"), "void f() { }\n");
        assumeTrue(locked.toFile().setWritable(false) && !Files.isWritable(locked), "the user may write everywhere");
        try {
            var m = new HlsViewModel(screen, BoxTools.tools(), runner, messages, undo, settings, answers);
            m.open(there);
            assertThat(messages.shown().getFirst().text()).contains(locked + " cannot be written; runs are stored in ");
        } finally {
            assertThat(locked.toFile().setWritable(true)).isTrue();
        }
    }

    @Test
    void whileRunsAreReadTheWindowSaysSoAndNotThatThereAreNone() throws InterruptedException {
        ran().close();
        var later = new HeldBackground();
        var m = new HlsViewModel(later, BoxTools.tools(), runner, messages, undo, settings, answers);
        m.open(source);
        later.until(() -> m.workbench().get().isPresent());
        assertThat(m.runs().current().get()).isEmpty();
        assertThat(m.results().reading().get()).isTrue();
        assertThat(m.results().nothing("Nothing has been evaluated yet")).isEqualTo("Reading the runs");
        later.all();
        assertThat(m.results().reading().get()).isFalse();
        assertThat(m.results().set().size()).isEqualTo(11);
    }

    @Test
    void storedDesignsInSightStayWhileTheRunsAreReadAndWhyIsAskedOfThoseOnly() throws InterruptedException {
        ran().close();
        var later = new HeldBackground();
        var m = new HlsViewModel(later, BoxTools.tools(), runner, messages, undo, settings, answers);
        m.results().drawnBy(later::away);
        m.open(source);
        later.until(() -> m.results().set().size() > 0);
        var sizes = new ArrayList<Integer>();
        m.results().shown().addListener((o, was, is) -> sizes.add(is.set().size()));
        later.until(() -> m.workbench().get().isPresent());
        assertThat(m.runs().current().get()).isEmpty();
        assertThat(m.models().insight().insight().get()).isEmpty();
        later.all();
        assertThat(sizes).isNotEmpty().allMatch(n -> n == 11);
        assertThat(m.models().insight().insight().get()).isPresent();
    }
}
