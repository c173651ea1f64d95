package knobscape.fusion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.explore.RunEvent;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.evaluate.strip.StripEvaluator;
import knobscape.fusion.search.strip.Objective;
import knobscape.fusion.search.strip.StripAnswer;
import knobscape.project.Project;
import knobscape.project.RunResults;
import knobscape.project.RunSession;
import knobscape.project.RunStatus;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.space.Configuration;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Strips as stored runs.
class StripWorkbenchTest {
    @TempDir
    private Path folder;

    private static Area.BareProject bare(String network, Path own) {
        return FusionArea.bare("zoo:" + network, own);
    }

    private static FusionSettings settings(Project project) {
        return project.file()
                .work(FusionSettings.class)
                .with(FusionSettings.ACCELERATOR, "edge")
                .with(FusionSettings.BUFFER, 256_000L)
                .with(FusionSettings.BATCH, 1)
                .with(FusionSettings.PARETO, true);
    }

    private static Session<StripWorkbench> session(Project project, FusionSettings settings) {
        return Session.of(project, settings, s -> StripWorkbench.open(project, (FusionSettings) s));
    }

    private RunResults run(String store, FusionSettings settings, RunSettings run) throws InterruptedException {
        try (Project project = Project.scratch(bare("mobilenet_v2", folder), Optional.of(folder.resolve(store)));
                Runner runner = Runner.withSystemClocks()) {
            RunSession s = runner.start(session(project, settings), run, List.of());
            s.await();
            return s.results();
        }
    }

    private FusionSettings small() {
        try (Project project = Project.scratch(bare("mobilenet_v2", folder), Optional.of(folder.resolve("s")))) {
            return settings(project);
        }
    }

    private StripWorkbench bench(FusionSettings settings) {
        try (Project project = Project.scratch(bare("mobilenet_v2", folder), Optional.of(folder.resolve("b")))) {
            return StripWorkbench.open(project, settings);
        }
    }

    @ParameterizedTest
    @EnumSource(Objective.class)
    void theStoredAnswerIsTheSolversToTheByte(Objective objective) throws InterruptedException {
        FusionSettings settings =
                small().with(FusionSettings.OBJECTIVE, objective).with(FusionSettings.PARETO, false);
        RunResults results = run("o" + objective, settings, FusionWorkbench.defaultRun());
        assertThat(results.run().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(results.run().reason()).isEqualTo("the exact answer is found");
        StripWorkbench bench = bench(settings);
        StripAnswer solved = bench.work().solve(objective, new CancellationSignal());
        Configuration best = bench.best(results.designs().stream().flatMap(d -> d.evaluations().stream()))
                .orElseThrow();
        assertThat(bench.answers().apply(best)).contains(solved);
        assertThat(results.front()).hasSize(1);
    }

    @Test
    void theFrontIsOfWhatWasEvaluatedAndEachPointTakesNoMoreThanItsPart() throws InterruptedException {
        StripWorkbench bench = bench(small());
        RunResults results = run("f", small(), FusionWorkbench.defaultRun());
        List<StripAnswer> front = results.front().stream()
                .map(d -> {
                    StripAnswer a = bench.answers().apply(d.configuration()).orElseThrow();
                    Evaluation e = d.evaluations().getLast();
                    assertThat(e.value(FusionEvaluator.LATENCY).orElseThrow() * 1e-6)
                            .isCloseTo(a.total().seconds(), withPercentage(1e-9));
                    assertThat(e.value(StripEvaluator.TRAFFIC).orElseThrow() * 1e6)
                            .isCloseTo(a.total().offChip(), org.assertj.core.data.Offset.offset(1.0));
                    assertThat(a.room())
                            .isLessThanOrEqualTo(bench.groupings()
                                    .grouping(d.configuration())
                                    .room());
                    assertThat(a.total().offChip())
                            .isGreaterThanOrEqualTo(a.bound().offChip());
                    return a;
                })
                .toList();
        assertThat(front).hasSizeGreaterThan(4);
        for (StripAnswer a : front) {
            for (StripAnswer b : front) {
                assertThat(a != b
                                && a.total().seconds() <= b.total().seconds()
                                && a.total().offChip() <= b.total().offChip()
                                && a.total().joules() <= b.total().joules()
                                && a.room() <= b.room()
                                && !a.total().equals(b.total()))
                        .as(a + " dominates " + b)
                        .isFalse();
            }
        }
    }

    @Test
    void aRunStoppedAnywhereEndsAsAnUndisturbedOne() throws InterruptedException {
        RunResults whole = run("whole", small(), FusionWorkbench.defaultRun());
        for (int stop = 1; stop <= 2; stop++) {
            int after = stop;
            try (Project project =
                            Project.scratch(bare("mobilenet_v2", folder), Optional.of(folder.resolve("stop" + stop)));
                    Runner runner = Runner.withSystemClocks()) {
                var session = session(project, small());
                var box = new CompletableFuture<RunSession>();
                var seen = new ArrayList<RunEvent>();
                RunSession first = runner.start(session, FusionWorkbench.defaultRun(), List.of(e -> {
                    seen.add(e);
                    if (e instanceof RunEvent.Batch && seen.size() > after) {
                        box.join().stop();
                    }
                }));
                box.complete(first);
                first.await();
                RunSession second = runner.resume(session, first.id(), FusionWorkbench.defaultRun(), List.of());
                second.await();
                assertThat(second.results().run().status()).isEqualTo(RunStatus.COMPLETED);
                assertThat(second.results().designs().stream().map(d -> d.evaluations()))
                        .isEqualTo(whole.designs().stream()
                                .map(d -> d.evaluations())
                                .toList());
            }
        }
    }

    @Test
    void everyGroupingIsAConfigurationAndBackAndWhatDoesNotFitSaysSo() {
        StripWorkbench bench = bench(small());
        var evaluator =
                (StripEvaluator) bench.single(FusionWorkbench.defaultRun()).orElseThrow();
        var random = new SplittableRandom(7);
        int misfits = 0;
        for (int i = 0; i < 200; i++) {
            int[] levels = new int[bench.space().knobs().size()];
            for (int k = 0; k < levels.length; k++) {
                levels[k] = random.nextInt(bench.space().knobs().get(k).domain().size());
            }
            var grouping =
                    bench.groupings().grouping(Configuration.of(bench.space().knobs(), levels));
            Configuration canonical = bench.groupings().configuration(grouping);
            assertThat(bench.groupings().grouping(canonical)).isEqualTo(grouping);
            var answers = new ArrayList<Evaluation>();
            evaluator.evaluate(
                    Request.all(canonical, evaluator.info(), evaluator.info().top()),
                    answers::add,
                    new CancellationSignal());
            if (answers.getLast().outcome() instanceof Outcome.Failure f) {
                assertThat(f.kind()).isEqualTo(FailureKind.DOES_NOT_FIT);
                assertThat(evaluator.plans(grouping)).isEmpty();
                misfits++;
            } else {
                assertThat(bench.answers().apply(canonical).orElseThrow().room())
                        .isLessThanOrEqualTo(grouping.room());
            }
        }
        assertThat(misfits).isPositive();
    }

    @Test
    void aBufferThatALayerAloneDoesNotFitIsSaidBeforeAnythingIsStored() {
        StripWorkbench bench = bench(small().with(FusionSettings.BUFFER, 100L));
        assertThatThrownBy(() -> bench.plan(FusionWorkbench.defaultRun()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("fits the buffer of 100 B; the smallest that does is");
    }
}
