package knobscape.gpu.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.evaluate.CancellationSignal;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.evaluate.model.ModelDevice;
import knobscape.gpu.space.nest.DeviceLimits;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;

/// Schedules of a product and their times by the model of a device.
class StatementProcessTest {
    private static final SketchSource SOURCE = SketchSource.of(new Workload.Dense(ElementType.FLOAT32, 256, 512, 128))
            .orElseThrow();

    private static List<RunRecords.Row> measured(int count, long seed) {
        var evaluator = new ScheduleEvaluator(SOURCE, Epilogue.NONE, ModelDevice.named("gtx1080ti"));
        var random = new SplittableRandom(seed);
        var records = new ArrayList<RunRecords.Row>();
        while (records.size() < count) {
            Configuration c = SOURCE.space().draw(random);
            if (SOURCE.obstacle(c).isEmpty()
                    && SOURCE.schedule(c).check(DeviceLimits.NVIDIA).isEmpty()) {
                double ms = evaluator
                        .evaluate(c, evaluator.info().top(), new CancellationSignal())
                        .getLast()
                        .value("time")
                        .orElse(Double.POSITIVE_INFINITY);
                if (Double.isFinite(ms)) {
                    records.add(new RunRecords.Row(ScheduleFeatures.of(SOURCE.schedule(c)), 1 / ms, ms));
                }
            }
        }
        return records;
    }

    private static List<ScheduleFeatures> features(List<RunRecords.Row> rows) {
        return rows.stream().map(RunRecords.Row::features).toList();
    }

    @Test
    void itPutsSchedulesThatItHasNotSeenInOrder() {
        List<RunRecords.Row> all = measured(120, 3);
        List<RunRecords.Row> rest = all.subList(48, 120);
        double[] expected = new StatementProcess(all.subList(0, 48), Optional.empty(), 1).means(features(rest));
        double[] truth = rest.stream().mapToDouble(r -> -r.milliseconds()).toArray();

        assertThat(DgpExplorer.pairs(Arrays.stream(expected).map(m -> -m).toArray(), truth))
                .as("share of pairs")
                .isGreaterThan(0.6);
    }

    @Test
    void whatIsPickedTogetherIsDistinctAndLeavesNoTrace() {
        List<RunRecords.Row> all = measured(60, 4);
        var process = new StatementProcess(all.subList(0, 20), Optional.empty(), 1);
        List<ScheduleFeatures> others = features(all.subList(20, 60));
        double[] before = process.means(others);

        int[] picked = process.pick(others, 15);

        assertThat(picked).hasSize(15).doesNotHaveDuplicates();
        assertThat(process.means(others)).isEqualTo(before);
        assertThat(process.pick(others, 15)).isEqualTo(picked);
        assertThat(process.pick(others, 100)).hasSize(40).doesNotHaveDuplicates();
        assertThat(process.pick(List.of(), 15)).isEmpty();
    }

    @Test
    void aFailureCountsAsTwiceTheLongest() {
        List<RunRecords.Row> rows = new ArrayList<>(measured(20, 5));
        double longest =
                rows.stream().mapToDouble(RunRecords.Row::milliseconds).max().orElseThrow();
        double best =
                rows.stream().mapToDouble(RunRecords.Row::milliseconds).min().orElseThrow();
        rows.add(new RunRecords.Row(measured(21, 6).getLast().features(), 0, Double.POSITIVE_INFINITY));

        assertThat(RunRecords.logMilliseconds(rows)[20]).isEqualTo(Math.log(2 * longest));
        assertThat(new StatementProcess(rows, Optional.empty(), 1).best()).isEqualTo(Math.log(best));
    }

    private static double inOrder(List<RunRecords.Row> known, List<RunRecords.Row> rest, StatementProcess.Prior prior) {
        double[] expected = new StatementProcess(known, Optional.of(prior), 1).means(features(rest));
        return DgpExplorer.pairs(
                Arrays.stream(expected).map(m -> -m).toArray(),
                rest.stream().mapToDouble(r -> -r.milliseconds()).toArray());
    }

    @Test
    void whatWasExpectedBeforehandCountsAsFarAsItProvesTrue() {
        List<RunRecords.Row> all = measured(120, 3);
        List<RunRecords.Row> known = all.subList(0, 12);
        List<RunRecords.Row> rest = all.subList(12, 120);
        Map<ScheduleFeatures, Double> truth = new HashMap<>();
        all.forEach(r -> truth.put(r.features(), Math.log(r.milliseconds())));
        StatementProcess.Prior half =
                s -> s.stream().mapToDouble(f -> 3 + 0.5 * at(truth, f)).toArray();
        StatementProcess.Prior opposite =
                s -> s.stream().mapToDouble(f -> -at(truth, f)).toArray();
        double without = DgpExplorer.pairs(
                Arrays.stream(new StatementProcess(known, Optional.empty(), 1).means(features(rest)))
                        .map(m -> -m)
                        .toArray(),
                rest.stream().mapToDouble(r -> -r.milliseconds()).toArray());

        assertThat(inOrder(known, rest, half))
                .as("of another size and place, but in order")
                .isGreaterThan(0.95)
                .isGreaterThan(without);
        assertThat(inOrder(known, rest, opposite))
                .as("in the opposite order, which the input still tells")
                .isGreaterThan(without - 0.05);
    }

    private static double at(Map<ScheduleFeatures, Double> values, ScheduleFeatures f) {
        return Optional.ofNullable(values.get(f)).orElseThrow();
    }
}
