package knobscape.fusion.search.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionSamples;
import knobscape.fusion.search.BaselineStrategies;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.ExactSearch;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.FusionNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TeacherTest {
    @ParameterizedTest
    @CsvSource({"vgg16,20", "vgg16,45", "resnet18,20", "resnet18,45", "mnasnet,25"})
    void isWithinTwoPerCentOfTheBestThereIsAndBeatsTheSearches(String name, int megabytes) {
        FusionCostModel model = new FusionCostModel(
                FusionSamples.zoo(name), Accelerator.calibrated().withBuffer(megabytes * 1_000_000L), 64);
        var cost = model.evaluate(new Teacher(model).best(model.budget()));
        assertThat(model.isValid(cost)).isTrue();
        double seconds = cost.seconds();
        assertThat(seconds).isLessThan(ExactSearch.solve(model, () -> {}).cost().seconds() * 1.02);
        assertThat(seconds)
                .isLessThan(Mapping.search(BaselineStrategies.grouping(), model, Constraint.LEXI, 1, 1)
                                .cost()
                                .seconds()
                        * 1.0001);
        assertThat(seconds)
                .isLessThan(Mapping.search(FusionSamples.searcher("gsampler"), model, Constraint.LEXI, 2000, 1)
                                .cost()
                                .seconds()
                        * 1.0001);
    }

    @Test
    void itsOwnStrategyTakesNoLongerThanItSays() {
        for (int seed = 0; seed < 20; seed++) {
            var random = new SplittableRandom(seed);
            FusionCostModel model = new FusionCostModel(
                    SyntheticNetworks.draw(random),
                    Accelerator.calibrated().withBuffer((5 + random.nextInt(60)) * 1_000_000L),
                    64);
            var u = new Unfolding(new StateEncoder(model));
            var guide = new Completions(model).under(model.budget());
            double promised = guide.seconds();
            u.answer(u.offered().length - 1 - 32);
            while (!u.isDone()) {
                double[] values = guide.values(u);
                int best = 0;
                for (int k = 1; k < values.length; k++) {
                    best = values[k] < values[best] ? k : best;
                }
                assertThat(u.offered()[best]).isTrue();
                u.answer(best);
            }
            // It thinks again at every step and may find something between the points of the hull.
            assertThat(model.evaluate(u.strategy()).seconds()).isBetween(promised * 0.97, promised * 1.0005);
        }
    }

    @Test
    void lessonsAreProbabilitiesOfWhatIsOffered() {
        FusionCostModel model = new FusionCostModel(FusionSamples.zoo("resnet18"), Accelerator.calibrated(), 64);
        var teacher = new Teacher(model);
        for (int seed = 0; seed < 10; seed++) {
            Lesson lesson = teacher.lesson(20_000_000, new SplittableRandom(seed));
            assertThat(lesson.length()).isEqualTo(19);
            for (int t = 0; t < lesson.length(); t++) {
                double sum = 0;
                for (int k = 0; k < MicroBatches.ACTIONS; k++) {
                    sum += lesson.answers()[t][k];
                    assertThat(lesson.offered()[t][k] || lesson.answers()[t][k] == 0)
                            .isTrue();
                }
                assertThat(sum).isCloseTo(1, org.assertj.core.api.Assertions.within(1e-5));
            }
        }
    }

    @Test
    void microBatchesAreTheSmallestOfTheirLaunches() {
        var batches = new MicroBatches(64);
        assertThat(batches.count()).isEqualTo(15);
        int last = 0;
        for (int k = 0; k < batches.count(); k++) {
            int m = batches.size(k);
            assertThat(m).isGreaterThan(last);
            assertThat(m == 1 || batches.launches(m - 1) > batches.launches(m)).isTrue();
            assertThat(batches.sizeOf(batches.action(k))).isEqualTo(m);
            last = m;
        }
        assertThat(last).isEqualTo(64);
        assertThat(new MicroBatches(1).count()).isEqualTo(1);
        assertThat(new MicroBatches(FusionCostModel.MAX_BATCH).count()).isBetween(10, MicroBatches.ACTIONS - 1);
    }

    @Test
    void randomNetworksAreWhatTheySeem() {
        for (int seed = 0; seed < 60; seed++) {
            FusionNetwork network = SyntheticNetworks.draw(new SplittableRandom(seed));
            assertThat(network.hasLocalInputs()).isTrue();
            assertThat(network.layers()).isBetween(12, 54);
        }
    }
}
