package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.RunEvent;
import knobscape.hls.HlsTools;
import knobscape.work.RunSettings;
import knobscape.work.store.Database;
import knobscape.work.store.StoredForms;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs in the background, what of them is stored, and how they continue.
class RunStoreTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void makeProject() throws Exception {
        BoxTools.makeProject(folder);
    }

    @Test
    void anEmptyFileIsAStoreThatWasNotMade() throws Exception {
        java.nio.file.Files.createFile(folder.resolve(RunStore.FILE_NAME));
        try (Project project = Project.open(folder)) {
            assertThat(project.runs()).isEmpty();
            assertThat(project.lock().list()).isEmpty();
        }
    }

    private record Ran(RunEvent.Finished end, RunResults results) {}

    private Ran run(HlsTools tools, RunSettings settings) throws Exception {
        try (Project project = Project.open(folder);
                Runner runner = Runner.withSystemClocks()) {
            RunSession s = runner.start(BoxTools.opened(project, tools), settings, List.of());
            return new Ran(s.await(), s.results());
        }
    }

    private Ran resume(long id, HlsTools tools) throws Exception {
        try (Project project = Project.open(folder);
                Runner runner = Runner.withSystemClocks()) {
            RunSession s = runner.resume(BoxTools.opened(project, tools), id, List.of());
            return new Ran(s.await(), s.results());
        }
    }

    /// The tool is stopped by somebody after this many answers.
    private static HlsTools stoppingAfter(int answers) {
        var count = new AtomicInteger();
        return BoxTools.tools(job -> new Simulated() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                if (count.getAndIncrement() >= answers) {
                    throw new CancellationException();
                }
                super.evaluate(request, stageDone, cancel);
            }
        });
    }

    /// The tool, only telling the time it takes, so that runs with several designs in flight repeat.
    static class Simulated extends BoxEvaluator {
        @Override
        public EvaluatorInfo info() {
            return super.info().simulated();
        }
    }

    @Test
    void storesEverythingOfARun() throws Exception {
        Ran ran = run(BoxTools.tools(), BoxTools.settings(5));
        assertThat(ran.end().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        RunRecord run = ran.results().run();
        assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(run.reason()).isEqualTo("all 5 steps are done");
        assertThat(run.settings()).isEqualTo(BoxTools.settings(5));
        assertThat(run.spaceSize()).isEqualTo("216");
        assertThat(run.step()).isEqualTo(5);
        assertThat(run.info()).isEqualTo(new BoxEvaluator().info());
        assertThat(run.objectives()).isPresent();
        assertThat(run.hypervolume()).isEqualTo(ran.end().progress().hypervolume());
        assertThat(run.toolSeconds()).isEqualTo(ran.end().progress().toolSeconds());
        assertThat(run.command())
                .isEqualTo("knobscape explore " + folder.toRealPath()
                        + " --method random --toolchain box --seed 7 --init 4 --steps 5 --parallel 1 --stop-gain 1.5");
        assertThat(ran.results().designs())
                .hasSize(10)
                .extracting(Design::number)
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        assertThat(ran.results().designs()).extracting(Design::step).containsExactly(0, 0, 0, 0, 0, 1, 2, 3, 4, 5);
        assertThat(ran.results().trace())
                .extracting(RunResults.TracePoint::step)
                .containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(ran.results().front())
                .hasSize(ran.end().progress().frontSize())
                .isNotEmpty();
        assertThat(ran.results().events())
                .extracting(RunResults.LogLine::text)
                .contains("Started.", "Ended: all 5 steps are done.");
    }

    @Test
    void readsBackExactlyWhatTheToolSaid() throws Exception {
        var said = new ArrayList<Evaluation>();
        Ran ran = run(
                BoxTools.tools(job -> new BoxEvaluator() {
                    @Override
                    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                        super.evaluate(
                                request,
                                e -> {
                                    said.add(e);
                                    stageDone.accept(e);
                                },
                                cancel);
                    }
                }),
                BoxTools.settings(60));
        assertThat(ran.results().designs().stream()
                        .flatMap(d -> d.evaluations().stream())
                        .toList())
                .containsExactlyElementsOf(said);
        assertThat(said).as("some do not fit").anyMatch(e -> !e.isMeasured());
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 2", "1, 4", "1, 7", "3, 1", "3, 5", "3, 7"})
    void aStoppedRunContinuesToTheSameEnd(int parallel, int answers) throws Exception {
        RunSettings settings = BoxTools.settings(4).with(RunSettings.PARALLEL, parallel);
        HlsTools tools = BoxTools.tools(job -> new Simulated());
        Ran whole = run(tools, settings);
        Ran stopped = run(stoppingAfter(answers), settings);
        assertThat(stopped.results().run().status()).isEqualTo(RunStatus.STOPPED);
        Ran resumed = resume(stopped.results().run().id(), tools);
        assertThat(resumed.results().run().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(resumed.results().designs()).isEqualTo(whole.results().designs());
        assertThat(resumed.results().front()).isEqualTo(whole.results().front());
        assertThat(resumed.results().trace())
                .extracting(RunResults.TracePoint::hypervolume)
                .isEqualTo(whole.results().trace().stream()
                        .map(RunResults.TracePoint::hypervolume)
                        .toList());
        assertThat(resumed.results().run().toolSeconds())
                .isEqualTo(whole.results().run().toolSeconds());
    }

    @Test
    void aCompletedRunCanBeGivenMoreSteps() throws Exception {
        Ran whole = run(BoxTools.tools(), BoxTools.settings(6));
        Ran half = run(BoxTools.tools(), BoxTools.settings(3));
        try (Project project = Project.open(folder);
                Runner runner = Runner.withSystemClocks()) {
            var bench = BoxTools.opened(project, BoxTools.tools());
            long id = half.results().run().id();
            assertThatThrownBy(
                            () -> runner.resume(bench, id, BoxTools.settings(6).with(RunSettings.SEED, 8L), List.of()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("Only steps");
            RunSession s = runner.resume(bench, id, BoxTools.settings(6), List.of());
            s.await();
            assertThat(s.results().designs()).isEqualTo(whole.results().designs());
            assertThat(s.results().run().settings().steps()).isEqualTo(6);
        }
    }

    @Test
    void aRunOfOtherKnobsCannotResume() throws Exception {
        run(BoxTools.tools(), BoxTools.settings(2));
        assertThatThrownBy(() -> resume(1, BoxTools.withLastKnobOf(5)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("its knobs has changed since run 1");
        assertThat(resume(1, BoxTools.withLastKnobOf(6)).results().run().status())
                .isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void aRunOfAChangedSourceCannotResume() throws Exception {
        Ran stopped = run(stoppingAfter(5), BoxTools.settings(4));
        Files.writeString(folder.resolve("k.cpp"), "void k() { int changed; }\n");
        assertThatThrownBy(() -> resume(stopped.results().run().id(), BoxTools.tools()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has changed since run 1 began");
    }

    @Test
    void unknownNamesGetOneSentenceAndLeaveNoRun() throws Exception {
        assertThatThrownBy(() -> run(BoxTools.tools(), BoxTools.settings(3).with(RunSettings.METHOD, "randm")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("did you mean 'random'?");
        assertThatThrownBy(() -> run(BoxTools.tools(), BoxTools.settings(3).with(RunSettings.TOOLCHAIN, "bix")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("did you mean 'box'?");
        assertThatThrownBy(
                        () -> run(BoxTools.tools(), BoxTools.settings(3).with(RunSettings.OBJECTIVES, List.of("powr"))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("did you mean 'power'?");
        assertThatThrownBy(() ->
                        run(BoxTools.tools(), BoxTools.settings(3).with(RunSettings.OBJECTIVES, List.of("lut", "lut"))))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("twice");
        assertThat(folder.resolve(RunStore.FILE_NAME)).doesNotExist();
    }

    @Test
    void aRunLeftRunningByADeadProcessIsInterrupted() throws Exception {
        run(BoxTools.tools(), BoxTools.settings(2));
        try (var c = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(RunStore.FILE_NAME));
                var s = c.createStatement()) {
            s.execute("UPDATE runs SET status='RUNNING'");
        }
        try (Project reader = Project.open(folder)) {
            assertThat(reader.runs().orElseThrow().newest().orElseThrow().status())
                    .isEqualTo(RunStatus.INTERRUPTED);
        }
        try (Project writer = Project.open(folder)) {
            assertThat(writer.lock().newest().orElseThrow().status()).isEqualTo(RunStatus.INTERRUPTED);
        }
    }

    @Test
    void runsAreNamedDeletedAndBroughtBack() throws Exception {
        run(BoxTools.tools(), BoxTools.settings(2));
        run(BoxTools.tools(), BoxTools.settings(1));
        try (Project project = Project.open(folder)) {
            RunStore store = project.lock();
            assertThat(store.find(1).orElseThrow().title()).isEqualTo("run 1 (Random search, seed 7)");
            store.rename(1, " first try ");
            assertThat(store.find(1).orElseThrow().title()).isEqualTo("first try");
            store.delete(1);
            assertThat(store.list()).extracting(RunRecord::id).containsExactly(2L);
            store.undelete(1);
            assertThat(store.list()).extracting(RunRecord::id).containsExactly(1L, 2L);
            store.delete(2);
        }
        try (Project project = Project.open(folder)) {
            project.lock().undelete(2);
            assertThat(project.lock().list())
                    .as("gone for good when opened again")
                    .extracting(RunRecord::id)
                    .containsExactly(1L);
        }
        assertThat(run(BoxTools.tools(), BoxTools.settings(1)).results().run().id())
                .as("numbers are not given again")
                .isEqualTo(3);
    }

    @Test
    void aStoreFromBeforeTheFirstVersionIsNamedInOneSentence() throws Exception {
        Path store = folder.resolve(RunStore.FILE_NAME);
        try (var in = RunStoreTest.class.getResourceAsStream("runs-v2.db")) {
            Files.copy(in, store);
        }
        byte[] before = Files.readAllBytes(store);
        for (boolean writing : new boolean[] {false, true}) {
            assertThatThrownBy(() -> {
                        try (RunStore s = writing ? RunStore.openForWriting(folder) : RunStore.openReadOnly(folder)) {
                            s.list();
                        }
                    })
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("made by a Knobscape before 0.1 (format 2)")
                    .hasMessageContaining("move the file away");
        }
        assertThat(Files.readAllBytes(store)).startsWith(java.util.Arrays.copyOf(before, 16));
    }

    /// No licence when it began: the run failed. There is one now: resumed, it asks again and counts the
    /// attempts.
    @Test
    void whatFailedByTheToolsFaultIsAskedAgainWhenTheRunIsResumed() throws Exception {
        Ran failed = run(
                BoxTools.tools(job -> new BoxEvaluator() {
                    @Override
                    public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                        stageDone.accept(new Evaluation(
                                request.configuration(),
                                HLS,
                                new Outcome.Failure(FailureKind.LICENCE, "all seats are taken"),
                                1,
                                new Provenance("box", "1", 0, Provenance.Source.MODEL)));
                    }
                }),
                BoxTools.settings(3));
        assertThat(failed.end().ending()).isEqualTo(RunEvent.Ending.FAILED);
        assertThat(failed.end().reason()).contains("all seats are taken").contains("resume");
        Ran resumed = resume(1, BoxTools.tools());
        assertThat(resumed.end().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        assertThat(resumed.results().designs())
                .hasSize(8)
                .allMatch(d -> d.highest().isPresent());
        assertThat(resumed.results().front()).isNotEmpty();
        assertThat(resumed.results().designs())
                .extracting(Design::evaluations)
                .isEqualTo(run(BoxTools.tools(), BoxTools.settings(3)).results().designs().stream()
                        .map(Design::evaluations)
                        .toList());
        try (var c = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(RunStore.FILE_NAME));
                var s = c.createStatement();
                var r = s.executeQuery(
                        "SELECT attempt, count(*) FROM evaluations WHERE run=1 AND rank=0 GROUP BY attempt ORDER BY attempt")) {
            assertThat(r.next()).isTrue();
            assertThat(r.getInt(2)).isEqualTo(8);
            assertThat(r.next()).isTrue();
            assertThat(r.getInt(1)).isEqualTo(2);
            assertThat(r.getInt(2)).isEqualTo(5);
        }
    }

    /// What SQLite would read as options or as the end of a name.
    @ParameterizedTest
    @ValueSource(strings = {"what?mode=memory", "a#b", "50%41 off", "space and \u00fc"})
    void aFolderMayHaveAnyName(String name) throws Exception {
        Path project = Files.createDirectory(folder.resolve(name));
        Files.copy(folder.resolve("k.cpp"), project.resolve("k.cpp"));
        Files.copy(folder.resolve(ProjectFile.FILE_NAME), project.resolve(ProjectFile.FILE_NAME));
        folder = project;
        run(BoxTools.tools(), BoxTools.settings(1));
        assertThat(project.resolve(RunStore.FILE_NAME)).isRegularFile();
        try (Project reader = Project.open(project)) {
            assertThat(reader.runs().orElseThrow().list()).hasSize(1);
        }
    }

    @Test
    void whatTheExplorerTellsOfAStepIsStoredWithIt() {
        double[] longList =
                java.util.stream.IntStream.range(0, 5000).asDoubleStream().toArray();
        var back = StoredForms.diagnostics(StoredForms.diagnostics(
                java.util.Map.of("hls.noise", new double[] {0.1, Double.NaN}, "hls.loss", longList)));
        assertThat(back.get("hls.noise")).containsExactly(0.1, Double.NaN);
        assertThat(back.get("hls.loss"))
                .hasSize(400)
                .startsWith(0)
                .endsWith(4999)
                .isSorted();
        assertThat(StoredForms.diagnostics("")).isEmpty();
    }

    @Test
    void aStoreOfANewerProgramOrNoStoreGetsOneSentence() throws Exception {
        run(BoxTools.tools(), BoxTools.settings(1));
        try (var c = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(RunStore.FILE_NAME));
                var s = c.createStatement()) {
            s.execute("PRAGMA user_version=99");
        }
        try (Project p = Project.open(folder)) {
            assertThatThrownBy(p::runs).isInstanceOf(UserError.class).hasMessageContaining("newer Knobscape");
            assertThatThrownBy(p::lock).isInstanceOf(UserError.class).hasMessageContaining("newer Knobscape");
            assertThat(p.isLocked()).isFalse();
        }
        Files.writeString(
                folder.resolve(RunStore.FILE_NAME),
                "this is not a database, only words that are long enough to be read as one");
        try (Project p = Project.open(folder)) {
            assertThatThrownBy(p::runs).isInstanceOf(UserError.class).hasMessageContaining(RunStore.FILE_NAME);
        }
    }

    @Test
    void aReaderSeesWhatAWriterCommits() throws Exception {
        var third = new CountDownLatch(3);
        var go = new CountDownLatch(1);
        var tools = BoxTools.tools(job -> new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                third.countDown();
                if (third.getCount() == 0) {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        throw new CancellationException();
                    }
                }
                super.evaluate(request, stageDone, cancel);
            }
        });
        try (Project writer = Project.open(folder);
                Runner runner = Runner.withSystemClocks();
                Project reader = Project.open(folder)) {
            RunSession s = runner.start(BoxTools.opened(writer, tools), BoxTools.settings(3), List.of());
            assertThat(third.await(10, TimeUnit.SECONDS)).isTrue();
            RunResults seen = reader.runs().orElseThrow().results(s.id());
            assertThat(seen.run().status()).isEqualTo(RunStatus.RUNNING);
            assertThat(seen.designs())
                    .hasSize(3)
                    .last()
                    .satisfies(d -> assertThat(d.evaluations()).as("in flight").isEmpty());
            go.countDown();
            s.await();
            assertThat(reader.runs().orElseThrow().results(s.id()).designs()).hasSize(8);
        }
    }

    /// What is read belongs together although several questions are asked of the file meanwhile.
    @Test
    void aReaderSeesOneMomentOfARunThatIsWritten() throws Exception {
        try (Project writer = Project.open(folder);
                Runner runner = Runner.withSystemClocks();
                Project reader = Project.open(folder)) {
            RunSession s = runner.start(BoxTools.opened(writer, BoxTools.tools()), BoxTools.settings(200), List.of());
            RunResults seen;
            do {
                seen = reader.runs().orElseThrow().results(s.id());
                long answered = seen.designs().stream()
                        .filter(d -> !d.evaluations().isEmpty())
                        .count();
                assertThat(seen.designs().size() - answered).as("in flight").isBetween(0L, 5L);
                assertThat(seen.run().step())
                        .isEqualTo(
                                seen.trace().isEmpty()
                                        ? -1
                                        : seen.trace().getLast().step());
            } while (s.state() != RunSession.State.ENDED);
            s.await();
            assertThat(reader.runs().orElseThrow().results(s.id()).designs()).hasSize(205);
        }
    }

    /// What is damaged is left out and counted; everything else is there.
    @Test
    void whatCanBeReadOfADamagedStoreIsRead() throws Exception {
        run(BoxTools.tools(), BoxTools.settings(3));
        Ran second = run(BoxTools.tools(), BoxTools.settings(4));
        try (Database d = Database.openForWriting(folder.resolve(RunStore.FILE_NAME))) {
            d.run("UPDATE runs SET settings='{\"method' WHERE id=1");
            d.run("UPDATE evaluations SET metrics='{\"power\":x}' WHERE run=2 AND step=2 AND rank=1");
        }
        try (Project project = Project.open(folder)) {
            RunStore store = project.runs().orElseThrow();
            assertThat(store.list()).extracting(RunRecord::id).containsExactly(2L);
            assertThat(store.pages(_ -> {})).isEqualTo(1);
            assertThatThrownBy(() -> store.find(1))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is damaged");
            RunResults left = store.results(2);
            assertThat(left.damaged()).isEqualTo(1);
            assertThat(left.designs()).hasSameSizeAs(second.results().designs());
            assertThat(left.designs().stream()
                            .mapToInt(x -> x.evaluations().size())
                            .sum())
                    .isEqualTo(second.results().designs().stream()
                                    .mapToInt(x -> x.evaluations().size())
                                    .sum()
                            - 1);
            assertThatThrownBy(() -> store.past(store.find(2).orElseThrow()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is damaged");
        }
    }

    /// As where the disk fails: who waits for the run is told by the same sentence.
    @Test
    void aStoreThatFailsEndsTheRunWithItsSentence() throws Exception {
        try (Project project = Project.open(folder);
                Runner runner = Runner.withSystemClocks()) {
            RunSession s =
                    runner.start(BoxTools.opened(project, BoxTools.tools()), BoxTools.settings(20), List.of(e -> {
                        if (e instanceof RunEvent.Evaluated) {
                            try (Database d = Database.openForWriting(folder.resolve(RunStore.FILE_NAME))) {
                                d.run("DROP TABLE IF EXISTS evaluations");
                                d.run("DROP TABLE IF EXISTS runs");
                            }
                        }
                    }));
            assertThatThrownBy(s::await).isInstanceOf(UserError.class).hasMessageContaining("runs.db");
            assertThat(s.state()).isEqualTo(RunSession.State.ENDED);
        }
    }

    @Test
    void aWatcherThatFailsDoesNotHarmTheRun() throws Exception {
        var logger = (ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger(RunSession.class);
        logger.setLevel(ch.qos.logback.classic.Level.OFF);
        try (Project project = Project.open(folder);
                Runner runner = Runner.withSystemClocks()) {
            RunSession s = runner.start(BoxTools.opened(project, BoxTools.tools()), BoxTools.settings(2), List.of(e -> {
                throw new IllegalStateException("broken view");
            }));
            assertThat(s.await().ending()).isEqualTo(RunEvent.Ending.COMPLETED);
        } finally {
            logger.setLevel(null);
        }
    }

    @Test
    void closingTheRunnerStopsItsRuns() throws Exception {
        var atWork = new CountDownLatch(1);
        var tools = BoxTools.tools(job -> new BoxEvaluator() {
            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                var killed = new CountDownLatch(1);
                cancel.onCancel(killed::countDown);
                atWork.countDown();
                try {
                    killed.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                throw new CancellationException();
            }
        });
        try (Project project = Project.open(folder)) {
            RunSession s;
            try (Runner runner = Runner.withSystemClocks()) {
                s = runner.start(BoxTools.opened(project, tools), BoxTools.settings(2), List.of());
                assertThat(atWork.await(10, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(s.state()).isEqualTo(RunSession.State.ENDED);
            assertThat(s.results().run().status()).isEqualTo(RunStatus.STOPPED);
        }
    }
}
