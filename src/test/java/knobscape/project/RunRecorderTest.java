package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.UserError;
import knobscape.explore.BoxEvaluator;
import knobscape.explore.GridSpace;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.hls.HlsSettings;
import knobscape.space.Configuration;
import knobscape.work.store.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a run tells, event by event, and what the store says of it afterwards.
class RunRecorderTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final GridSpace SPACE = GridSpace.of(6, 6, 6);
    private static final BoxEvaluator BOX = new BoxEvaluator();

    @TempDir
    private Path folder;

    private Project project;
    private RunStore store;
    private long run;
    private RunRecorder recorder;

    @BeforeEach
    void begin() throws Exception {
        BoxTools.makeProject(folder);
        project = Project.open(folder);
        store = project.lock();
        var subject = new StoredSubject(0, "part", 1, SPACE.knobs(), "216", BOX.info(), Optional.empty());
        run = store.create(HlsSettings.of("k.cpp"), BoxTools.settings(3), List.of(subject), "hash", "", "", NOW);
        recorder = recorder();
    }

    @AfterEach
    void close() {
        project.close();
    }

    private RunRecorder recorder() {
        return new RunRecorder(store, run, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static Configuration at(int rank) {
        return SPACE.at(BigInteger.valueOf(rank));
    }

    private static List<Evaluation> evaluated(int rank) {
        return BOX.evaluate(at(rank), BoxEvaluator.IMPL, new CancellationSignal());
    }

    private static Proposal proposal(int rank, double median) {
        return new Proposal(
                at(rank),
                BoxEvaluator.IMPL,
                median,
                median < 0
                        ? Optional.empty()
                        : Optional.of(new Prediction(
                                "impl", Map.of("delay", new Prediction.Interval(median, median - 1, median + 1)))),
                "because " + median);
    }

    private void ask(int step, Proposal... proposals) {
        recorder.onEvent(new RunEvent.Asked(0, step, List.of(proposals), "state", Map.of(), 0.5));
        for (int i = 0; i < proposals.length; i++) {
            recorder.onEvent(new RunEvent.Proposed(0, step, i, proposals[i]));
        }
    }

    private void answer(int step, int position, Proposal p, Evaluation e) {
        recorder.onEvent(new RunEvent.StageDone(0, step, position, p, e));
    }

    private static RunEvent.Progress progress(int step, double seconds) {
        return new RunEvent.Progress(step, 3, step, 0.25 * step, step, seconds, 0.5 * step, 1, 1);
    }

    /// Asked for twice, once with a prediction: it keeps why it was met first and what was last expected of it.
    @Test
    void aDesignThatIsProposedAgainKeepsItsOrigin() {
        Proposal plain = proposal(5, -1);
        Proposal guided = proposal(5, 40);
        ask(0, plain);
        ask(1, guided);
        ask(2, proposal(5, -1), proposal(7, 9));
        List<Design> designs = store.results(run).designs();
        assertThat(designs).extracting(Design::number).containsExactly(1, 2);
        Design d = designs.getFirst();
        assertThat(d.step()).isZero();
        assertThat(d.reason()).isEqualTo("because -1.0");
        assertThat(d.prediction()).isEqualTo(guided.prediction());
        assertThat(d.highest()).isEmpty();
        assertThat(d.value("delay")).isEmpty();
        assertThat(designs.getLast().step()).isEqualTo(2);
        assertThat(recorder.number(at(5).text())).isEqualTo(1);
        assertThat(recorder.number(at(7).text())).isEqualTo(2);
        assertThat(recorder.number(at(8).text())).isZero();
    }

    @Test
    void aValueIsThatOfTheHighestStageThatReportsIt() {
        Proposal p = proposal(3, -1);
        List<Evaluation> stages = evaluated(3);
        ask(0, p);
        answer(0, 0, p, stages.get(0));
        Design hls = store.results(run).designs().getFirst();
        assertThat(hls.value("delay").orElseThrow())
                .isEqualTo(stages.get(0).value("delay").orElseThrow());
        answer(0, 0, p, stages.get(1));
        Design syn = store.results(run).designs().getFirst();
        assertThat(syn.evaluations()).hasSize(2);
        assertThat(syn.value("delay").orElseThrow())
                .isEqualTo(stages.get(1).value("delay").orElseThrow());
        assertThat(syn.value("no such")).isEmpty();
        assertThat(syn.at(BoxEvaluator.HLS)).contains(stages.getFirst());
        assertThat(syn.at(BoxEvaluator.IMPL)).isEmpty();
        assertThat(syn.toolSeconds())
                .isEqualTo(stages.get(0).costSeconds() + stages.get(1).costSeconds());
        assertThat(store.find(run).orElseThrow().toolSeconds()).isEqualTo(syn.toolSeconds());
        assertThat(store.results(run).design(1)).contains(syn);
        assertThat(store.results(run).design(2)).isEmpty();
    }

    /// What was known comes first, one place in the order for each.
    @Test
    void theOrderIsThatOfTheEvents() {
        List<Evaluation> known = evaluated(1);
        recorder.onEvent(new RunEvent.Known(0, known));
        assertThat(store.lastSequence(run)).isEqualTo(known.size());
        Proposal p = proposal(2, 1);
        ask(0, p);
        assertThat(store.lastSequence(run)).isEqualTo(known.size() + 2);
        answer(0, 0, p, evaluated(2).getFirst());
        recorder.onEvent(new RunEvent.StepDone(0, 0, progress(0, 60), Map.of()));
        assertThat(store.lastSequence(run)).isEqualTo(known.size() + 4);
        // Another start goes on behind it.
        recorder = recorder();
        ask(1, proposal(4, 1));
        assertThat(store.lastSequence(run)).isEqualTo(known.size() + 6);
        assertThat(store.past(store.find(run).orElseThrow()))
                .extracting(e -> e.getClass().getSimpleName())
                .startsWith("Known")
                .endsWith("Asked", "Proposed", "StageDone", "Asked", "Proposed");
        Design first = store.results(run).designs().getFirst();
        assertThat(first.step()).isEqualTo(-1);
        assertThat(first.reason()).isEmpty();
    }

    @Test
    void aBatchIsStoredWithItsProgress() {
        var kept = new java.util.ArrayList<RunEvent.StageDone>();
        for (int i = 0; i < 3; i++) {
            kept.add(new RunEvent.StageDone(
                    0, 10 + i, 0, proposal(20 + i, -1), evaluated(20 + i).getLast()));
        }
        recorder.onEvent(new RunEvent.Batch(0, 12, kept, progress(2, 99)));
        RunResults results = store.results(run);
        assertThat(results.designs()).hasSize(3).extracting(Design::step).containsExactly(10, 11, 12);
        assertThat(results.designs()).allMatch(d -> d.highest().isPresent());
        assertThat(results.trace()).singleElement().satisfies(t -> {
            assertThat(t.step()).isEqualTo(12);
            assertThat(t.hypervolume()).isEqualTo(0.5);
            assertThat(t.toolSeconds()).isEqualTo(99);
            assertThat(t.algorithmSeconds()).isEqualTo(1);
            assertThat(t.frontSize()).isEqualTo(2);
        });
        RunRecord r = results.run();
        assertThat(r.step()).isEqualTo(2);
        assertThat(r.toolSeconds()).isEqualTo(99);
        assertThat(r.hypervolume()).isEqualTo(0.5);
    }

    @Test
    void theLogHasAStartNotesPausesAndTheEnd() {
        recorder.onEvent(new RunEvent.Started("random", 7, BOX.info(), 3, 4, 0));
        recorder.onEvent(new RunEvent.Note("a word"));
        recorder.onEvent(new RunEvent.Paused(progress(1, 1)));
        recorder.onEvent(new RunEvent.Resumed());
        recorder.onEvent(new RunEvent.Started("random", 7, BOX.info(), 3, 4, 12));
        assertThat(store.find(run).orElseThrow().status()).isEqualTo(RunStatus.RUNNING);
        recorder.onEvent(new RunEvent.Finished(RunEvent.Ending.FAILED, "no licence", progress(1, 1)));
        assertThat(store.results(run).events())
                .containsExactly(
                        new RunResults.LogLine(NOW, "Started."),
                        new RunResults.LogLine(NOW, "a word"),
                        new RunResults.LogLine(NOW, "Paused."),
                        new RunResults.LogLine(NOW, "Running again."),
                        new RunResults.LogLine(NOW, "Resumed after 12 stored evaluations."),
                        new RunResults.LogLine(NOW, "Ended: no licence."));
        assertThat(store.find(run).orElseThrow().status()).isEqualTo(RunStatus.FAILED);
        assertThat(store.find(run).orElseThrow().reason()).isEqualTo("no licence");
    }

    /// Folders inside the project move with it.
    @Test
    void theFolderOfTheResultsIsKept() throws Exception {
        assertThat(store.find(run).orElseThrow().results()).isEmpty();
        store.results(run, folder.resolve("out/x"));
        assertThat(store.find(run).orElseThrow().results())
                .contains(folder.toAbsolutePath().resolve("out/x"));
        store.results(run, folder);
        assertThat(store.find(run).orElseThrow().results()).contains(folder.toAbsolutePath());
        Path elsewhere = folder.toAbsolutePath().resolveSibling("elsewhere");
        store.results(run, elsewhere);
        assertThat(store.find(run).orElseThrow().results()).contains(elsewhere);
    }

    @Test
    void aDesignOfAMissingSubjectIsDamage() {
        Proposal p = proposal(3, -1);
        ask(0, p);
        ask(1, proposal(4, -1));
        try (Database d = Database.openForWriting(folder.resolve(RunStore.FILE_NAME))) {
            d.run("UPDATE designs SET subject=1 WHERE number=2");
        }
        RunResults left = store.results(run);
        assertThat(left.designs()).extracting(Design::number).containsExactly(1);
        assertThat(left.damaged()).isPositive();
        assertThatThrownBy(() -> store.past(store.find(run).orElseThrow()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("damaged");
        try (Database d = Database.openForWriting(folder.resolve(RunStore.FILE_NAME))) {
            d.run("UPDATE designs SET subject=-1 WHERE number=2");
        }
        assertThat(store.results(run).designs()).hasSize(1);
    }

    /// Evaluations made elsewhere, as a run of their own.
    @Test
    void whatWasMadeElsewhereIsACompletedRun() {
        Session<?> opened = BoxTools.opened(project, BoxTools.tools());
        try (Runner runner = new Runner(Clock.fixed(NOW, ZoneOffset.UTC), () -> 0)) {
            runner.store(
                    opened,
                    BoxTools.settings(2),
                    BOX.info(),
                    Map.of("part", SPACE),
                    List.of(List.of(
                            evaluated(1).getLast(),
                            evaluated(9).getLast(),
                            evaluated(30).getLast())),
                    "imported from elsewhere");
        }
        RunRecord r = store.newest().orElseThrow();
        assertThat(r.id()).isEqualTo(run + 1);
        assertThat(r.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(r.reason()).isEqualTo("imported from elsewhere");
        assertThat(r.created()).isEqualTo(NOW);
        assertThat(r.program()).isEqualTo(ProgramVersion.current());
        assertThat(r.objectives()).isPresent();
        RunResults results = store.results(r.id());
        assertThat(results.designs()).hasSize(3).extracting(Design::reason).containsOnly("initial design");
        double seconds = evaluated(1).getLast().costSeconds()
                + evaluated(9).getLast().costSeconds()
                + evaluated(30).getLast().costSeconds();
        assertThat(r.toolSeconds()).isEqualTo(seconds);
        assertThat(results.trace())
                .singleElement()
                .satisfies(t -> assertThat(t.toolSeconds()).isEqualTo(seconds));
        assertThat(r.step()).isZero();
        assertThat(store.lastSequence(r.id())).isEqualTo(1 + 2 * 3 + 1);
        assertThat(store.past(r))
                .extracting(e -> e.getClass().getSimpleName())
                .containsExactly("Asked", "Proposed", "StageDone", "Proposed", "StageDone", "Proposed", "StageDone");
        assertThat(ProgramVersion.current()).matches("\\d+\\.\\d+.*");
    }

    @Test
    void theSameSettingsOpenNothingAnew() {
        Session<?> opened = BoxTools.opened(project, BoxTools.tools());
        assertThat(opened.with(opened.bench().settings())).isSameAs(opened);
        HlsSettings other = ((HlsSettings) opened.bench().settings()).with(HlsSettings.CLOCK, 3.5);
        assertThat(opened.with(other)).isNotSameAs(opened);
        assertThat(opened.with(other).bench().settings()).isEqualTo(other);
    }
}
