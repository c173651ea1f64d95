package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.evaluate.CancellationSignal;
import knobscape.surrogate.ensemble.SummedTrees;
import knobscape.surrogate.graph.GraphArchitecture;
import knobscape.surrogate.graph.GraphModel;
import knobscape.surrogate.graph.GraphRows;
import knobscape.surrogate.graph.GraphTraining;

/// What tells an evolutionary search which schedules are worth measuring.
public sealed interface CostModel {

    /// A model of the schedules of a run.
    interface Scorer {
        /// How good schedules of a kernel are, at least 0, more being better.
        ///
        /// @param kernel its number in the records
        double[] score(int kernel, List<ScheduleFeatures> schedules);

        /// Whether it knows enough of a kernel to choose schedules of it; where not they are drawn at random.
        default boolean knows(int kernel) {
            return true;
        }

        /// Positions of at most `count` schedules to be measured together.
        ///
        /// @param schedules in the order of their scores, the best first
        default int[] pick(int kernel, List<ScheduleFeatures> schedules, int count) {
            return IntStream.range(0, Math.min(count, schedules.size())).toArray();
        }

        /// Predicted milliseconds; NaN where the model knows no unit.
        default double milliseconds(int kernel, ScheduleFeatures schedule) {
            return Double.NaN;
        }

        /// Figures for plots: `loss` by epoch of the last training, and `attention` by head and group of features
        /// ([FeatureGroups]).
        ///
        /// @param schedules of the kernel that the attention is averaged over
        default Map<String, double[]> diagnostics(int kernel, List<ScheduleFeatures> schedules) {
            return Map.of();
        }
    }

    /// Learns from the records of a run; empty as long as they are too few.
    Optional<Scorer> fit(RunRecords records, long seed);

    /// Measurements that may be added to so many before it is worth learning again.
    default int patience(int records) {
        return 1;
    }

    /// Ansor's boosted trees: by statement, summed, of throughput over the best of the kernel.
    record Trees() implements CostModel {
        /// Scores are random up to so many records. Ansor's release waits for 100; with 64 measurements of a kernel
        /// that made most of a search a draw.
        private static final int FEW = 24;

        @Override
        public Optional<Scorer> fit(RunRecords records, long seed) {
            return records.size() <= FEW ? Optional.empty() : fit(records.rows(), seed);
        }

        /// Learns from rows by kernel.
        Optional<Scorer> fit(List<List<RunRecords.Row>> kernels, long seed) {
            var programs = new ArrayList<List<double[]>>();
            var targets = new ArrayList<Double>();
            for (List<RunRecords.Row> rows : kernels) {
                double best =
                        rows.stream().mapToDouble(RunRecords.Row::score).max().orElse(0);
                for (RunRecords.Row r : rows) {
                    programs.add(r.features().rows());
                    targets.add(best > 0 ? r.score() / best : 0);
                }
            }
            SummedTrees trees = SummedTrees.fit(
                    programs, targets.stream().mapToDouble(t -> t).toArray(), seed);
            return Optional.of((kernel, schedules) -> schedules.stream()
                    .mapToDouble(s -> Math.max(0, trees.predict(s.rows())))
                    .toArray());
        }
    }

    /// A Gaussian process of each kernel's own measurements ([StatementProcess]), and Ansor's trees of all kernels
    /// while those of a kernel are few. Evolution goes by what the process expects; of what it comes by, expected
    /// improvement chooses.
    record Process() implements CostModel {
        /// Measurements of a kernel from which its process begins.
        private static final int FEW = 16;

        @Override
        public Optional<Scorer> fit(RunRecords records, long seed) {
            List<List<RunRecords.Row>> rows = records.rows();
            return Optional.of(new Scorer() {
                private final Map<Integer, StatementProcess> processes = new HashMap<>();
                private Optional<Scorer> trees = Optional.empty();

                /// Fitted when it is first asked for: a run has many kernels, and a turn is of one.
                private Optional<StatementProcess> process(int kernel) {
                    List<RunRecords.Row> own = rows.get(kernel);
                    return own.size() < FEW || own.stream().noneMatch(r -> r.score() > 0)
                            ? Optional.empty()
                            : Optional.of(processes.computeIfAbsent(kernel, _ -> new StatementProcess(own, seed)));
                }

                @Override
                public boolean knows(int kernel) {
                    return process(kernel).isPresent() || records.size() > Trees.FEW;
                }

                @Override
                public double[] score(int kernel, List<ScheduleFeatures> schedules) {
                    Optional<StatementProcess> process = process(kernel);
                    if (process.isPresent()) {
                        double best = process.get().best();
                        return Arrays.stream(process.get().means(schedules))
                                .map(m -> Math.exp(best - m))
                                .toArray();
                    }
                    if (trees.isEmpty()) {
                        trees = new Trees().fit(records, seed);
                    }
                    return trees.orElseThrow().score(kernel, schedules);
                }

                @Override
                public int[] pick(int kernel, List<ScheduleFeatures> schedules, int count) {
                    return process(kernel)
                            .map(p -> p.pick(schedules, count))
                            .orElseGet(() -> Scorer.super.pick(kernel, schedules, count));
                }

                @Override
                public double milliseconds(int kernel, ScheduleFeatures schedule) {
                    return process(kernel)
                            .map(p -> Math.exp(p.means(List.of(schedule))[0]))
                            .orElse(Double.NaN);
                }
            });
        }
    }

    /// GTuner's graph attention model, or one of its ablations: the model trained before the run, trained further on
    /// the run's own measurements; without such a model it is trained on these alone.
    ///
    /// @param ranks whether it is trained by rank; a stored model decides that itself
    /// @param steps of each training in a run from nothing; with a stored model fewer. More would take longer than
    /// measuring
    record Graph(GraphArchitecture architecture, boolean ranks, int steps) implements CostModel {
        /// Measurements of a run from which a model can begin.
        private static final int FEW = 32;

        private static final int STEPS = 150;
        /// Share of the steps with a stored model.
        private static final double TUNING = 0.4;

        private static final int BATCH = 128;
        private static final double RATE = 5e-4;
        private static final double TUNING_RATE = 1e-4;

        Graph(GraphArchitecture architecture, boolean ranks) {
            this(architecture, ranks, STEPS);
        }

        @Override
        public Optional<Scorer> fit(RunRecords records, long seed) {
            boolean isNothingKnown =
                    records.rows().stream().flatMap(List::stream).noneMatch(r -> r.score() > 0);
            if (isNothingKnown || (records.stored().isEmpty() && records.size() < FEW)) {
                return records.stored().map(m -> scorer(records, m, new double[0]));
            }
            GraphRows rows = records.graphRows();
            GraphTraining training = records.stored()
                    .map(m -> GraphTraining.from(
                            m, settings((int) (TUNING * steps), TUNING_RATE, m.ranks(), rows, seed), rows))
                    .orElseGet(() -> GraphTraining.begin(architecture, settings(steps, RATE, ranks, rows, seed), rows));
            training.advance(training.steps(), new CancellationSignal());
            return Optional.of(scorer(records, training.model(), training.curve()));
        }

        /// A quarter more, and never more than a round of Ansor's: most of a search's time is its model's training.
        @Override
        public int patience(int records) {
            return Math.clamp(records / 4, 1, EvolutionaryExplorer.ROUND);
        }

        private static GraphTraining.Settings settings(
                int steps, double rate, boolean ranks, GraphRows rows, long seed) {
            int perEpoch = Math.ceilDiv(rows.size(), BATCH);
            return new GraphTraining.Settings(Math.max(1, steps / perEpoch), BATCH, rate, ranks, seed);
        }

        private static Scorer scorer(RunRecords records, GraphModel model, double[] losses) {
            return new Scorer() {
                @Override
                public double[] score(int kernel, List<ScheduleFeatures> schedules) {
                    double[] y = predict(kernel, schedules);
                    double best = Arrays.stream(y).min().orElse(0);
                    return Arrays.stream(y).map(v -> Math.exp(best - v)).toArray();
                }

                private double[] predict(int kernel, List<ScheduleFeatures> schedules) {
                    return model.predict(
                            records.graph(kernel),
                            schedules.stream().map(ScheduleFeatures::joined).toArray(float[][]::new));
                }

                @Override
                public double milliseconds(int kernel, ScheduleFeatures schedule) {
                    return model.ranks() ? Double.NaN : Math.exp(predict(kernel, List.of(schedule))[0]);
                }

                @Override
                public Map<String, double[]> diagnostics(int kernel, List<ScheduleFeatures> schedules) {
                    var all = new HashMap<String, double[]>();
                    if (losses.length > 0) {
                        all.put("loss", losses);
                    }
                    if (!schedules.isEmpty()) {
                        all.put("attention", FeatureGroups.attention(model, records.graph(kernel), schedules));
                    }
                    return all;
                }
            };
        }
    }
}
