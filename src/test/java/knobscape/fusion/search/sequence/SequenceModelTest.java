package knobscape.fusion.search.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.CostOptions;
import knobscape.fusion.source.FusionNetwork;
import knobscape.fusion.space.Strategy;
import knobscape.surrogate.neural.TorchRuntime;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SequenceModelTest {
    private static final SequenceModel.Provenance NONE = new SequenceModel.Provenance("", List.of(), 0, 0);

    static Architecture small(Architecture.Kind kind) {
        return kind == Architecture.Kind.SEQ2SEQ ? new Architecture(kind, 12, 1, 1) : new Architecture(kind, 16, 2, 2);
    }

    static void needsTorch() {
        Assumptions.assumeTrue(TorchRuntime.problem().isEmpty(), "LibTorch does not load here");
    }

    private static Lesson lesson(Architecture.Kind kind, long seed) {
        var random = new SplittableRandom(seed);
        var model = new FusionCostModel(
                FusionSamples.random(7, new java.util.Random(seed)),
                FusionSamples.toyAccelerator().withBuffer(2000),
                8);
        var teacher = new Teacher(model);
        return kind == Architecture.Kind.PUBLISHED
                ? PublishedFormulation.demonstration(model, teacher.best(2000))
                : teacher.lesson(2000, random);
    }

    private static float[][] plain(SequenceModel model, Lesson lesson) {
        float[][] fixed = Arrays.stream(lesson.states())
                .map(s -> Arrays.copyOf(s, StateEncoder.FIXED))
                .toArray(float[][]::new);
        SequenceModel.Pass pass = model.pass(fixed);
        return Arrays.stream(lesson.states()).map(pass::next).toArray(float[][]::new);
    }

    @ParameterizedTest
    @EnumSource
    void plainJavaAgreesWithLibTorch(Architecture.Kind kind) {
        needsTorch();
        for (Architecture a : List.of(small(kind), Architecture.of(kind))) {
            Lesson lesson = lesson(kind, 3);
            float[] weights = a.initial(5);
            float[] torch = new TorchGradient(a).outputs(weights, lesson);
            float[][] plain = plain(new SequenceModel(a, weights, NONE), lesson);
            for (int t = 0; t < plain.length; t++) {
                for (int k = 0; k < kind.outputs(); k++) {
                    assertThat(plain[t][k])
                            .isCloseTo(torch[t * kind.outputs() + k], org.assertj.core.api.Assertions.within(1e-4f));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsDecidedLaterDoesNotChangeEarlierOutputs(Architecture.Kind kind) {
        needsTorch();
        Architecture a = small(kind);
        Lesson lesson = lesson(kind, 4);
        var torch = new TorchGradient(a);
        float[] weights = a.initial(6);
        float[] before = torch.outputs(weights, lesson);
        int changed = 4;
        float[][] states = Arrays.stream(lesson.states()).map(float[]::clone).toArray(float[][]::new);
        for (int t = changed; t < states.length; t++) {
            // What follows from decisions; the part known beforehand is the encoder's of a Seq2Seq model, and
            // that may look ahead.
            for (int i = kind == Architecture.Kind.SEQ2SEQ ? StateEncoder.FIXED : 0; i < kind.inputs(); i++) {
                states[t][i] += 0.5f;
            }
        }
        float[] after = torch.outputs(weights, new Lesson(states, lesson.answers(), lesson.offered()));
        int border = changed * kind.outputs();
        for (int i = 0; i < border; i++) {
            assertThat(after[i]).isCloseTo(before[i], org.assertj.core.api.Assertions.within(1e-6f));
        }
        assertThat(Arrays.copyOfRange(after, border, after.length))
                .isNotEqualTo(Arrays.copyOfRange(before, border, before.length));
    }

    @ParameterizedTest
    @EnumSource
    void gradientAgreesWithFiniteDifferences(Architecture.Kind kind) {
        needsTorch();
        Architecture a = small(kind);
        var torch = new TorchGradient(a);
        List<Lesson> lessons = List.of(lesson(kind, 5), lesson(kind, 6));
        float[] weights = a.initial(7);
        float[] gradient = new float[weights.length];
        double loss = torch.loss(weights, lessons, gradient);
        assertThat(loss).isBetween(0.0, 5.0);
        float[] unused = new float[weights.length];
        int at = 0;
        for (Architecture.Parameter p : a.parameters()) {
            // Along the gradient of each matrix, so that rounding does not drown the difference.
            double norm = 0;
            for (int i = at; i < at + p.size(); i++) {
                norm += (double) gradient[i] * gradient[i];
            }
            norm = Math.sqrt(norm);
            if (norm > 1e-3) {
                double step = kind == Architecture.Kind.PUBLISHED ? 0.002 : 0.01;
                float[] up = weights.clone();
                float[] down = weights.clone();
                for (int i = at; i < at + p.size(); i++) {
                    up[i] += (float) (step * gradient[i] / norm);
                    down[i] -= (float) (step * gradient[i] / norm);
                }
                double slope = (torch.loss(up, lessons, unused) - torch.loss(down, lessons, unused)) / (2 * step);
                assertThat(slope)
                        .as(p.name())
                        .isCloseTo(norm, org.assertj.core.api.Assertions.within(0.05 * norm + 1e-3));
            }
            at += p.size();
        }
    }

    @Test
    void thePublishedModelLearnsATeachersStrategyByHeart() {
        needsTorch();
        FusionCostModel model = new FusionCostModel(
                FusionSamples.random(6, new java.util.Random(2)),
                FusionSamples.toyAccelerator().withBuffer(1500),
                8);
        Strategy taught = new Teacher(model).best(1500);
        var training = new SequenceTraining(
                small(Architecture.Kind.PUBLISHED),
                new SequenceTraining.Settings(400, 2, 0.01, 1),
                List.of(PublishedFormulation.demonstration(model, taught)),
                Optional.empty());
        double[] losses = new double[400];
        training.advance(400, (step, loss) -> losses[step - 1] = loss, new CancellationSignal());
        assertThat(losses[399]).isLessThan(0.01 * losses[0]);
        // Asked for the use that it was taught: the buffer is what the strategy needs.
        FusionCostModel asked = model.withBuffer(model.evaluate(taught).peakBytes());
        Mapping found = Mapping.search(new SequenceMapper(training.model(NONE)), asked, Constraint.LEXI, 10, 1);
        assertThat(found.evaluations()).isEqualTo(1);
        assertThat(found.strategy().toArray()).hasSameSizeAs(taught.toArray());
        for (int t = 1; t < taught.toArray().length; t++) {
            assertThat(found.strategy().toArray()[t] > 0).isEqualTo(taught.toArray()[t] > 0);
        }
    }

    @Test
    void actionsAreMicroBatchesOverTheBatchOrMinusOne() {
        assertThat(PublishedFormulation.entry(-0.01f, 3, 64)).isEqualTo(Strategy.SYNC);
        assertThat(PublishedFormulation.entry(-0.9f, 0, 64)).isEqualTo(1);
        assertThat(PublishedFormulation.entry(0.5f, 3, 64)).isEqualTo(32);
        assertThat(PublishedFormulation.entry(0.001f, 3, 64)).isEqualTo(1);
        assertThat(PublishedFormulation.entry(7, 3, 64)).isEqualTo(64);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PUBLISHED")
    void learnsATinyChainByHeart(Architecture.Kind kind) {
        needsTorch();
        FusionNetwork network = FusionSamples.random(6, new java.util.Random(2));
        FusionCostModel model =
                new FusionCostModel(network, FusionSamples.toyAccelerator().withBuffer(1500), 8);
        Lesson lesson = new Teacher(model).lesson(1500, new SplittableRandom(1));
        var training = new SequenceTraining(
                small(kind), new SequenceTraining.Settings(250, 2, 0.02, 1), List.of(lesson), Optional.empty());
        double[] last = new double[1];
        training.advance(1, (step, loss) -> last[0] = loss, new CancellationSignal());
        double first = last[0];
        training.advance(250, (step, loss) -> last[0] = loss, new CancellationSignal());
        assertThat(training.isDone()).isTrue();
        double entropy = 0;
        for (float[] p : lesson.answers()) {
            for (float v : p) {
                entropy -= v > 0 ? v * Math.log(v) / lesson.length() : 0;
            }
        }
        assertThat(last[0]).isLessThan(entropy + 0.1 * (first - entropy));
        double seconds = Mapping.search(new SequenceMapper(training.model(NONE)), model, Constraint.LEXI, 10, 1)
                .cost()
                .seconds();
        assertThat(seconds)
                .isLessThan(model.evaluate(new Teacher(model).best(1500)).seconds() * 1.05);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PUBLISHED")
    void aModelThatKnowsNothingStillAnswersWithWhatFits(Architecture.Kind kind) {
        var random = new SplittableRandom(9);
        for (int seed = 0; seed < 40; seed++) {
            Architecture a = small(kind);
            float[] weights = a.initial(seed);
            for (int i = 0; i < weights.length; i++) {
                weights[i] *= 5;
            }
            var mapper = new SequenceMapper(new SequenceModel(a, weights, NONE), 3);
            CostOptions options = CostOptions.defaults();
            options = random.nextBoolean() ? FusionSamples.with(options, CostOptions.Residuals.STAGED) : options;
            options = random.nextBoolean() ? FusionSamples.with(options, CostOptions.LastMicroBatch.PADDED) : options;
            options = random.nextBoolean() ? FusionSamples.with(options, CostOptions.Execution.SPATIAL) : options;
            Accelerator accelerator =
                    FusionSamples.with(FusionSamples.toyAccelerator(), options).withBuffer(1 + random.nextInt(5000));
            var model = new FusionCostModel(
                    FusionSamples.random(1 + random.nextInt(12), new java.util.Random(seed)),
                    accelerator,
                    1 + random.nextInt(200));
            Mapping found = Mapping.search(mapper, model, Constraint.LEXI, 10, seed);
            assertThat(found.isValid()).isTrue();
            assertThat(found.evaluations()).isEqualTo(3);
            Strategy again =
                    Mapping.search(mapper, model, Constraint.LEXI, 10, seed).strategy();
            assertThat(again).isEqualTo(found.strategy());
        }
    }

    @Test
    void branchingNetworksAreAnsweredToo() {
        var mapper = new SequenceMapper(new SequenceModel(
                small(Architecture.Kind.DNNFUSER),
                small(Architecture.Kind.DNNFUSER).initial(1),
                NONE));
        var model = new FusionCostModel(
                FusionSamples.zoo("inception_v3"), Accelerator.calibrated().withBuffer(20_000_000), 64);
        assertThat(Mapping.search(mapper, model, Constraint.LEXI, 10, 1).isValid())
                .isTrue();
    }

    @Test
    void impossibleShapesAreRefused() {
        assertThatThrownBy(() -> new Architecture(Architecture.Kind.DNNFUSER, 10, 1, 3))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Architecture(Architecture.Kind.SEQ2SEQ, 8, 2, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SequenceModel(small(Architecture.Kind.SEQ2SEQ), new float[3], NONE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
