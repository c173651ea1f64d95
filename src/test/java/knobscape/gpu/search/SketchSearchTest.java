package knobscape.gpu.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.explore.RandomExplorer;
import knobscape.explore.RunEvent;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.space.feature.SubgraphFeatures;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.space.FeatureEncoder;
import knobscape.surrogate.graph.GraphArchitecture;
import knobscape.surrogate.graph.GraphModel;
import knobscape.surrogate.graph.GraphTraining;
import knobscape.surrogate.neural.TorchRuntime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The searches over sketches on the model of a device.
class SketchSearchTest {
    private static final SketchSource SOURCE = SketchSource.of(new Workload.Dense(ElementType.FLOAT32, 256, 512, 128))
            .orElseThrow();
    private static final int BATCH = 24;
    /// So small that some rounds use the model of an earlier one.
    private static final int GRAPH_BATCH = 8;

    private static ScheduleEvaluator evaluator() {
        return new ScheduleEvaluator(SOURCE, Epilogue.NONE, ModelDevice.named("gtx1080ti"));
    }

    private static TuningProblem problem(long seed) {
        EvaluatorInfo info = evaluator().info();
        return new TuningProblem(
                        SOURCE.space(),
                        FeatureEncoder.numbers(SOURCE.space().knobs()),
                        FeatureEncoder.coordinates(SOURCE.space().knobs()),
                        info,
                        info.metric(info.objectives().getFirst()),
                        seed)
                .with(c -> SOURCE.obstacle(c).isEmpty()
                        && SOURCE.schedule(c).check(DeviceLimits.NVIDIA).isEmpty())
                .with(Optional.of(new KernelNests(SOURCE, Epilogue.NONE)));
    }

    private static Explorer explorer(String method, TuningProblem p) {
        return switch (method) {
            case "ansor" -> new EvolutionaryExplorer(method, p, new ScheduleScorer.Process(), 64);
            case "ansor-trees" -> new EvolutionaryExplorer(method, p, new ScheduleScorer.Trees(), 64);
            case "gtuner, trained before" ->
                new EvolutionaryExplorer(
                        method, p.with(new RunRecords(Optional.of(trained()))), ScheduleScorer.Graph.ours(), 64);
            case "gtuner" ->
                new EvolutionaryExplorer(
                        method, p, new ScheduleScorer.Graph(GraphArchitecture.GTUNER, false, false, 6), 64);
            default -> new RandomExplorer(p.space(), p.info().top(), BATCH, p.seed());
        };
    }

    /// A model of a few schedules drawn at random.
    private static GraphModel trained() {
        OneSearch draws = search("ansor", 9, 16);
        draws.run();
        List<RunRecords.Row> rows = draws.measured().stream()
                .map(e -> new RunRecords.Row(
                        ScheduleFeatures.of(SOURCE.schedule(e.configuration())),
                        1,
                        e.value("time").orElseThrow()))
                .toList();
        GraphTraining training = GraphTraining.begin(
                GraphArchitecture.GTUNER,
                new GraphTraining.Settings(4, 16, 1e-3, false, 1),
                RunRecords.graphRows(SubgraphFeatures.of(SOURCE.computation(Epilogue.NONE)), rows));
        training.advance(training.steps(), new CancellationSignal());
        return training.model();
    }

    private static OneSearch search(String method, long seed, int trials) {
        TuningProblem p = problem(seed);
        return new OneSearch(
                p,
                explorer(method, p),
                evaluator(),
                method.startsWith("gtuner") ? GRAPH_BATCH : BATCH,
                trials,
                List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ansor", "ansor-trees", "gtuner", "gtuner, trained before"})
    void resumedAnywhereItMeasuresTheSame(String method) {
        assumeThat(method.startsWith("gtuner") ? TorchRuntime.problem() : Optional.<String>empty())
                .as("LibTorch")
                .isEmpty();
        int trials = method.startsWith("gtuner") ? 58 : 150;
        OneSearch whole = search(method, 3, trials);
        whole.run();
        assertThat(whole.trials()).isEqualTo(trials);
        List<Evaluation> measured = whole.measured();
        assertThat(new HashSet<>(
                        measured.stream().map(Evaluation::configuration).toList()))
                .as("nothing is measured twice")
                .hasSize(trials);
        assertThat(measured.stream()
                        .filter(e -> e.outcome() instanceof Outcome.Failure f && f.kind() == FailureKind.REJECTED)
                        .count())
                .as("measured in vain")
                .isZero();
        if (method.startsWith("gtuner")) {
            var asked = whole.told().stream()
                    .filter(RunEvent.Asked.class::isInstance)
                    .map(RunEvent.Asked.class::cast)
                    .toList()
                    .getLast();
            assertThat(asked.diagnostics().containsKey("loss"))
                    .as("trained in the run")
                    .isEqualTo(method.equals("gtuner"));
            assertThat(asked.diagnostics().get("attention"))
                    .as("shares of groups, by head")
                    .hasSize(4 * FeatureGroups.names().size());
            assertThat(asked.proposals()).anyMatch(p -> p.prediction().isPresent());
        }
        for (int at : method.startsWith("gtuner") ? new int[] {trials - 14} : new int[] {10, trials - 30}) {
            List<RunEvent> past = whole.until(at);
            OneSearch second = search(method, 3, trials);
            second.run(past, _ -> {});
            assertThat(second.measured()).as("interrupted after " + at).isEqualTo(measured);
        }
    }

    @Test
    @Tag("slow")
    void ansorFindsFasterSchedulesThanChance() {
        double ansor = 0;
        double random = 0;
        for (long seed = 1; seed <= 3; seed++) {
            OneSearch a = search("ansor", seed, 200);
            a.run();
            ansor += a.curve().getLast();
            // Of uniform draws most cannot run; only those that can count here.
            OneSearch r = search("random", seed, 2000);
            r.run();
            random += r.curve().getLast();
        }
        assertThat(ansor).isGreaterThan(random);
    }

    @Test
    void aSetWithoutNestsIsRefusedInWords() {
        TuningProblem p = problem(1).with(Optional.<KernelNests>empty());
        assertThatThrownBy(() -> explorer("ansor", p))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("sketches");
    }
}
