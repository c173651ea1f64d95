package knobscape;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.explore.Budget;
import knobscape.explore.Candidates;
import knobscape.explore.Experience;
import knobscape.explore.Explorer;
import knobscape.explore.ExplorerContractTest;
import knobscape.explore.GridSpace;
import knobscape.explore.SyntheticFlow;
import knobscape.explore.bo.BoSettings;
import knobscape.explore.bo.RankWeightedExplorer;
import knobscape.explore.bo.RankedExplorer;
import knobscape.gpu.search.DgpExplorer;
import knobscape.gpu.search.PlannedRival;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.search.TuningProblem;
import knobscape.hls.HlsMethods;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.FeatureEncoder;
import knobscape.surrogate.deepgp.DeepGpSettings;
import knobscape.surrogate.neural.TorchRuntime;
import knobscape.work.Method;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/// Every explorer keeps to the same contract.
class ExplorerContractsTest {
    private static final int INITIAL = 8;

    /// A method for kernels, on a made-up flow of three stages.
    private abstract static class ForKernels extends ExplorerContractTest {
        private final SyntheticFlow flow = new SyntheticFlow(true);
        private final String method;

        ForKernels(String method) {
            this.method = method;
        }

        @Override
        protected Explorer explorer(long seed) {
            return HlsMethods.standard()
                    .named(method)
                    .factory()
                    .create(new Method.Problem(
                            space(),
                            new FeatureEncoder(space().knobs()),
                            flow.info(),
                            flow.info().metrics(),
                            seed,
                            INITIAL,
                            List.of(),
                            Budget.NONE,
                            Optional.empty()));
        }

        @Override
        protected DesignSpace space() {
            return SyntheticFlow.SPACE;
        }

        @Override
        protected Evaluator evaluator() {
            return flow;
        }
    }

    @Nested
    class Random extends ForKernels {
        Random() {
            super("random");
        }
    }

    @Nested
    class Cgp extends ForKernels {
        Cgp() {
            super("cgp");
        }
    }

    @Nested
    class Fpl18 extends ForKernels {
        Fpl18() {
            super("fpl18");
        }
    }

    @Nested
    @Tag("slow")
    class MaxValueEntropy extends ForKernels {
        MaxValueEntropy() {
            super("mes");
        }

        @Override
        protected int steps() {
            return 2;
        }
    }

    @Nested
    @Tag("slow")
    class DeepCgp extends ForKernels {
        DeepCgp() {
            super("dcgp");
        }

        @Override
        protected int steps() {
            return 2;
        }
    }

    @Nested
    @Tag("slow")
    class BoostedTrees extends ForKernels {
        BoostedTrees() {
            super("bt");
        }

        @Override
        protected int steps() {
            return 1;
        }
    }

    @Nested
    @Tag("slow")
    class NeuralNetwork extends ForKernels {
        NeuralNetwork() {
            super("ann");
        }

        @Override
        protected int steps() {
            return 1;
        }
    }

    @Tag("slow")
    @Nested
    class Dac19 extends ForKernels {
        Dac19() {
            super("dac19");
        }

        @Override
        protected int steps() {
            return 2;
        }
    }

    /// One hill with forbidden places.
    private static final class Hill implements Evaluator {
        private static final Fidelity RUN = new Fidelity("run", 0);

        @Override
        public EvaluatorInfo info() {
            return new EvaluatorInfo(
                            "hill",
                            "For tests.",
                            Provenance.Source.MODEL,
                            List.of(RUN),
                            List.of(new Metric("gflops", "GFLOPS", "", Metric.Direction.MAXIMISE, Double.NaN)),
                            Map.of("run", Set.of("gflops")),
                            List.of("gflops"),
                            Map.of("run", 1.0))
                    .simulated();
        }

        @Override
        public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
            Configuration c = request.configuration();
            int sum = IntStream.of(c.levels()).sum();
            double height = 100
                    - IntStream.range(0, c.knobs().size())
                            .mapToDouble(i -> Math.pow(c.level(i) - 3.0 - i % 2, 2))
                            .sum();
            Outcome o = sum % 9 == 8
                    ? new Outcome.Failure(FailureKind.REJECTED, "too wide")
                    : new Outcome.Measured(Map.of("gflops", Math.max(1, height)));
            stageDone.accept(new Evaluation(c, RUN, o, 1, new Provenance("hill", "1", 0, Provenance.Source.MODEL)));
        }
    }

    /// A method for schedules, on a hill.
    private abstract static class ForSchedules extends ExplorerContractTest {
        private static final GridSpace SPACE = GridSpace.of(8, 8, 8, 8);
        private final String method;

        ForSchedules(String method) {
            this.method = method;
        }

        @Override
        protected Explorer explorer(long seed) {
            return TuningMethod.standard().all().stream()
                    .filter(m -> m.name().equals(method))
                    .findFirst()
                    .orElseThrow()
                    .factory()
                    .apply(TuningProblem.ofKnobs(SPACE, new Hill().info(), seed));
        }

        @Override
        protected DesignSpace space() {
            return SPACE;
        }

        @Override
        protected Evaluator evaluator() {
            return new Hill();
        }

        @Override
        protected int batch() {
            return 16;
        }
    }

    @Nested
    class ModelBased extends ForSchedules {
        ModelBased() {
            super("bo");
        }

        @Override
        protected int batch() {
            return 3;
        }
    }

    /// With the experience of the same hill, measured a little off.
    @Nested
    class Transferred extends ForSchedules {
        Transferred() {
            super("transfer");
        }

        @Override
        protected Explorer explorer(long seed) {
            return TuningMethod.standard().named("transfer").factory().apply(problem(seed));
        }

        static TuningProblem problem(long seed) {
            var space = ForSchedules.SPACE;
            var drawn = Candidates.draw(space, Set.of(), 200, new SplittableRandom(3));
            double[] scores = drawn.stream()
                    .mapToDouble(c -> 100 - Math.pow(c.level(0) - 4.0, 2) - Math.pow(c.level(2) - 3.0, 2))
                    .toArray();
            var experience = Experience.of(
                    space,
                    Experience.NOTHING,
                    List.of(new Experience.Earlier(
                            "hill", "other", false, space.knobs(), Experience.NOTHING, drawn, scores)));
            return TuningProblem.ofKnobs(space, new Hill().info(), seed).with(experience);
        }

        @Override
        protected int batch() {
            return 3;
        }
    }

    @Nested
    class RankWeighted extends ForSchedules {
        RankWeighted() {
            super("rgpe");
        }

        @Override
        protected Explorer explorer(long seed) {
            return new RankWeightedExplorer(Transferred.problem(seed).target(), BoSettings.DEFAULT);
        }

        @Override
        protected int batch() {
            return 3;
        }
    }

    @Nested
    class AutoTvmTransfer extends ForSchedules {
        AutoTvmTransfer() {
            super("autotvm transfer");
        }

        @Override
        protected Explorer explorer(long seed) {
            return new PlannedRival(PlannedRival.Kind.AUTOTVM_TRANSFER, Transferred.problem(seed), INITIAL);
        }

        @Override
        protected int batch() {
            return INITIAL;
        }
    }

    @Nested
    class GuidedGenetic extends ForSchedules {
        GuidedGenetic() {
            super("guided genetic");
        }

        @Override
        protected Explorer explorer(long seed) {
            return new PlannedRival(PlannedRival.Kind.GUIDED_GENETIC, Transferred.problem(seed), INITIAL);
        }

        @Override
        protected int batch() {
            return INITIAL;
        }
    }

    @Nested
    class AdaptiveSampling extends ForSchedules {
        AdaptiveSampling() {
            super("adaptive sampling");
        }

        @Override
        protected Explorer explorer(long seed) {
            return new PlannedRival(PlannedRival.Kind.ADAPTIVE_SAMPLING, Transferred.problem(seed), INITIAL);
        }

        @Override
        protected int batch() {
            return INITIAL;
        }
    }

    @Nested
    class RankedByTrees extends ForSchedules {
        RankedByTrees() {
            super("trees");
        }

        @Override
        protected Explorer explorer(long seed) {
            return new RankedExplorer("trees", Transferred.problem(seed).target(), RankedExplorer.By.TREES);
        }
    }

    @Nested
    class RankedByMeasurements extends ForSchedules {
        RankedByMeasurements() {
            super("top");
        }

        @Override
        protected Explorer explorer(long seed) {
            return new RankedExplorer("top", Transferred.problem(seed).target(), RankedExplorer.By.MEASURED);
        }
    }

    @Tag("slow")
    @Nested
    class DeepTransfer extends ForSchedules {
        DeepTransfer() {
            super("dgp");
        }

        @Override
        protected Explorer explorer(long seed) {
            var small = new DeepGpSettings(
                    new DeepGpSettings.Shape(2, 2, 16, true), new DeepGpSettings.Training(64, 20, 10, 1e-2, 1), 2);
            return new DgpExplorer(
                    "dgp", Transferred.problem(seed), new DgpExplorer.Settings(500, 16, 0.25, true, 16, small));
        }

        @BeforeEach
        void torchIsThere() {
            assumeThat(TorchRuntime.problem()).as("LibTorch").isEmpty();
        }
    }

    @Nested
    class AutoTvm extends ForSchedules {
        AutoTvm() {
            super("autotvm");
        }
    }

    @Nested
    class Bted extends ForSchedules {
        Bted() {
            super("bted");
        }
    }

    @Nested
    class Bao extends ForSchedules {
        Bao() {
            super("bted+bao");
        }

        @Override
        protected int batch() {
            return 1;
        }
    }

    @Nested
    class Genetic extends ForSchedules {
        Genetic() {
            super("ga");
        }
    }

    @Nested
    class Grid extends ForSchedules {
        Grid() {
            super("grid");
        }
    }
}
