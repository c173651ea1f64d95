package knobscape.gpu.search;

import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.surrogate.graph.GraphModel;

/// Scores by a graph model. Not thread-safe.
class GraphScorer implements ScheduleScorer.Scorer {
    private final RunRecords records;
    private final GraphModel model;
    private final double[] losses;
    /// By schedule: evolution asks for the same ones several times.
    private final IdentityHashMap<ScheduleFeatures, Double> known = new IdentityHashMap<>();

    /// @param losses by epoch of the model's last training
    GraphScorer(RunRecords records, GraphModel model, double[] losses) {
        this.records = records;
        this.model = model;
        this.losses = losses.clone();
    }

    /// The model's predictions: logarithms of milliseconds, or no unit if it was trained by rank.
    double[] predict(int kernel, List<ScheduleFeatures> schedules) {
        List<ScheduleFeatures> fresh =
                schedules.stream().filter(s -> !known.containsKey(s)).toList();
        if (!fresh.isEmpty()) {
            double[] y = model.predict(
                    records.graph(kernel),
                    fresh.stream().map(ScheduleFeatures::joined).toArray(float[][]::new));
            for (int i = 0; i < y.length; i++) {
                known.put(fresh.get(i), y[i]);
            }
        }
        return schedules.stream()
                .mapToDouble(s -> known.getOrDefault(s, Double.NaN))
                .toArray();
    }

    @Override
    public double[] score(int kernel, List<ScheduleFeatures> schedules) {
        return Arrays.stream(predict(kernel, schedules)).map(v -> Math.exp(-v)).toArray();
    }

    @Override
    public double milliseconds(int kernel, ScheduleFeatures schedule) {
        return model.ranks() ? Double.NaN : Math.exp(predict(kernel, List.of(schedule))[0]);
    }

    @Override
    public Map<String, double[]> diagnostics(int kernel, List<ScheduleFeatures> schedules) {
        var all = new HashMap<String, double[]>();
        if (losses.length > 0) {
            all.put("loss", losses.clone());
        }
        if (!schedules.isEmpty()) {
            all.put("attention", FeatureGroups.attention(model, records.graph(kernel), schedules));
        }
        return all;
    }

    /// The same, but what is measured together is drawn without repetition, in proportion to speed to the power of
    /// `1 / temperature`: a process learns little from schedules that are nearly the same. Of few the fastest count
    /// more than what is learned, so the temperature falls with the square root of how many there are.
    static final class RandomScorer extends GraphScorer {
        private final double temperature;
        private final long seed;

        RandomScorer(RunRecords records, GraphModel model, double temperature, long seed) {
            super(records, model, new double[0]);
            this.temperature = temperature;
            this.seed = seed;
        }

        @Override
        public int[] pick(int kernel, List<ScheduleFeatures> schedules, int count) {
            double[] expected = predict(kernel, schedules);
            double heat = temperature * Math.sqrt(Math.min(1, count / (double) ScheduleScorer.AT_ONCE));
            var random = new SplittableRandom(seed * 1_000_003L + kernel);
            // The largest of weights with Gumbel noise are such a draw.
            double[] keys = Arrays.stream(expected)
                    .map(v -> -v / heat - Math.log(-Math.log(1 - random.nextDouble())))
                    .toArray();
            return IntStream.range(0, keys.length)
                    .boxed()
                    .sorted((a, b) -> Double.compare(keys[b], keys[a]))
                    .limit(count)
                    .mapToInt(i -> i)
                    .toArray();
        }
    }
}
