package knobscape.gpu.search;

import java.util.ArrayList;
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

/// The scorer that tells an evolutionary search which schedules are worth measuring.
public sealed interface ScheduleScorer {
    /// Sketches measured at once. Ansor's release takes a [#ROUND]: half of what a kernel is often given, before its
    /// model has seen any of them.
    int AT_ONCE = 16;

    /// Sketches that Ansor's release measures at once.
    int ROUND = 64;

    /// A model of the schedules of a run.
    interface Scorer {
        /// How good schedules of a kernel are, at least 0, more being better.
        ///
        /// @param kernel its number in the records
        double[] score(int kernel, List<ScheduleFeatures> schedules);

        /// True if it knows enough of a kernel to choose schedules of it; where not they are drawn at random.
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

    /// Measurements that may be added before it is worth learning again.
    ///
    /// @param records of the run
    /// @param learned how many it has learned from
    default int patience(RunRecords records, int learned) {
        return 1;
    }

    /// Ansor's boosted trees: by statement, summed, of throughput over the best of the kernel.
    record Trees() implements ScheduleScorer {
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

    /// A Gaussian process of each kernel's own measurements ([ProcessScorer]), and Ansor's trees of all kernels while
    /// those of a kernel are few.
    record Process() implements ScheduleScorer {
        /// Measurements of a kernel from which its process begins.
        private static final int FEW = 16;

        @Override
        public Optional<Scorer> fit(RunRecords records, long seed) {
            var trees = new Scorer() {
                private Optional<Scorer> fitted = Optional.empty();

                @Override
                public boolean knows(int kernel) {
                    return records.size() > Trees.FEW;
                }

                @Override
                public double[] score(int kernel, List<ScheduleFeatures> schedules) {
                    if (fitted.isEmpty()) {
                        fitted = new Trees().fit(records, seed);
                    }
                    return fitted.orElseThrow().score(kernel, schedules);
                }
            };
            return Optional.of(new ProcessScorer(records.rows(), FEW, _ -> Optional.empty(), trees, seed));
        }
    }

    /// GTuner's graph attention model, or one of its ablations. Without a model trained before the run it is
    /// trained on the run's own measurements. As published a model trained before is trained further on them;
    /// ours leaves it as it is, and a process of each kernel's own measurements learns what it misses by.
    ///
    /// @param ranks whether it is trained by rank; a stored model decides that itself, and is trained further if it
    /// was
    /// @param isPublished whether a model trained before is trained further
    /// @param steps of each training in a run from nothing; with a stored model fewer. More would take longer than
    /// measuring
    record Graph(GraphArchitecture architecture, boolean ranks, boolean isPublished, int steps)
            implements ScheduleScorer {
        /// Measurements of a run from which a model can begin.
        private static final int FEW = 32;
        /// Measurements of a kernel from which its process begins.
        private static final int FEW_MISSED = 8;
        /// Of the draw that is measured before that, in the logarithm of time.
        private static final double TEMPERATURE = 0.3;

        private static final int STEPS = 150;
        /// Share of the steps with a stored model.
        private static final double TUNING = 0.4;

        private static final int BATCH = 128;
        private static final double RATE = 5e-4;
        private static final double TUNING_RATE = 1e-4;

        /// As published.
        public Graph(GraphArchitecture architecture, boolean ranks) {
            this(architecture, ranks, true, STEPS);
        }

        /// GTuner's model with ours of what it misses by.
        static Graph ours() {
            return new Graph(GraphArchitecture.GTUNER, false, false, STEPS);
        }

        @Override
        public Optional<Scorer> fit(RunRecords records, long seed) {
            Optional<GraphModel> leader = leader(records);
            if (leader.isPresent()) {
                var trained = new GraphScorer.RandomScorer(records, leader.get(), TEMPERATURE, seed);
                return Optional.of(new ProcessScorer(
                        records.rows(), FEW_MISSED, k -> Optional.of(s -> trained.predict(k, s)), trained, seed));
            }
            boolean isNothingKnown =
                    records.rows().stream().flatMap(List::stream).noneMatch(r -> r.score() > 0);
            if (isNothingKnown || (records.stored().isEmpty() && records.size() < FEW)) {
                return records.stored().map(m -> new GraphScorer(records, m, new double[0]));
            }
            GraphRows rows = records.graphRows();
            GraphTraining training = records.stored()
                    .map(m -> GraphTraining.from(
                            m, settings((int) (TUNING * steps), TUNING_RATE, m.ranks(), rows, seed), rows))
                    .orElseGet(() -> GraphTraining.begin(architecture, settings(steps, RATE, ranks, rows, seed), rows));
            training.advance(training.steps(), new CancellationSignal());
            return Optional.of(new GraphScorer(records, training.model(), training.curve()));
        }

        /// The stored model, where it stays as it is: one trained by rank has no unit that a process could add to.
        private Optional<GraphModel> leader(RunRecords records) {
            return records.stored().filter(m -> !isPublished && !m.ranks());
        }

        /// Where it is trained, a quarter more, and never more than a round of Ansor's: most of a search's time is its
        /// model's training.
        @Override
        public int patience(RunRecords records, int learned) {
            return leader(records).isPresent() ? 1 : Math.clamp(learned / 4, 1, ROUND);
        }

        private static GraphTraining.Settings settings(
                int steps, double rate, boolean ranks, GraphRows rows, long seed) {
            int perEpoch = Math.ceilDiv(rows.size(), BATCH);
            return new GraphTraining.Settings(Math.max(1, steps / perEpoch), BATCH, rate, ranks, seed);
        }
    }
}
