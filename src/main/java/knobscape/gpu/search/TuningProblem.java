package knobscape.gpu.search;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.explore.Experience;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.bo.Target;
import knobscape.gpu.source.NetworkKernel;
import knobscape.gpu.space.feature.LoopFeatures;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;

/// A kernel to be made fast.
///
/// @param space its configurations
/// @param features what models see of them
/// @param coordinates where distances are measured
/// @param info of the evaluator that will answer; everything is run to its top fidelity
/// @param metric the one number that counts, maximised or minimised as it says
/// @param seed of everything random
/// @param canRun whether a configuration can run at all, as far as that is known without measuring
/// @param experience what was measured before of comparable kernels
/// @param run what it has of the run that it belongs to
public record TuningProblem(
        DesignSpace space,
        Encoder features,
        FeatureEncoder coordinates,
        EvaluatorInfo info,
        Metric metric,
        long seed,
        Predicate<Configuration> canRun,
        Experience experience,
        Surroundings run) {
    /// Configurations scored at a time, and the number of features from which on pieces are scored side by
    /// side.
    private static final int PIECE = 16;
    private static final int WIDE = 200;

    /// The surroundings of a search in the run that it belongs to.
    ///
    /// @param kernel what makes loop nests of its configurations; empty for a measured set
    /// @param records what the searches of its run share, for those that do
    /// @param part where kernels of its run learn from one another, its part
    public record Surroundings(Optional<KernelNests> kernel, Optional<RunRecords> records, Optional<GroupPart> part) {
        private static final Surroundings NONE = new Surroundings(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /// A kernel of which nothing is known.
    public TuningProblem(
            DesignSpace space,
            Encoder features,
            FeatureEncoder coordinates,
            EvaluatorInfo info,
            Metric metric,
            long seed) {
        this(space, features, coordinates, info, metric, seed, _ -> true, Experience.none(space), Surroundings.NONE);
    }

    /// The maker of loop nests of its configurations; empty for a measured set.
    public Optional<KernelNests> kernel() {
        return run.kernel;
    }

    /// The common records of its run's searches, for those that share them.
    public Optional<RunRecords> records() {
        return run.records;
    }

    /// Where kernels of its run learn from one another, its part.
    public Optional<GroupPart> part() {
        return run.part;
    }

    /// The same with an experience.
    public TuningProblem with(Experience earlier) {
        return new TuningProblem(space, features, coordinates, info, metric, seed, canRun, earlier, run);
    }

    /// The same where it is known what cannot run.
    public TuningProblem with(Predicate<Configuration> check) {
        return new TuningProblem(space, features, coordinates, info, metric, seed, check, experience, run);
    }

    private TuningProblem with(Surroundings other) {
        return new TuningProblem(space, features, coordinates, info, metric, seed, canRun, experience, other);
    }

    /// The same where configurations can be lowered.
    public TuningProblem with(Optional<KernelNests> nests) {
        return with(new Surroundings(nests, run.records, run.part));
    }

    /// The same of a kernel of a network, with the first of what is fused behind it.
    public TuningProblem lowered(NetworkKernel k) {
        return with(k.source().map(s -> new KernelNests(s, k.tails().getFirst().epilogue())));
    }

    /// The same with what the searches of its run share.
    public TuningProblem with(RunRecords shared) {
        return with(new Surroundings(run.kernel, Optional.of(shared), run.part));
    }

    /// The same as part of a run whose kernels learn from one another.
    ///
    /// @param trials measurements that it will get
    /// @param leader see [GroupPart]
    public TuningProblem part(int trials, Optional<Supplier<Optional<Experience>>> leader) {
        return with(new Surroundings(run.kernel, run.records, Optional.of(new GroupPart(trials, leader))));
    }

    /// A kernel of a network as one run searches it.
    ///
    /// @param features name of the setting `features`: what models see of a loop nest
    /// @param seed of the run
    public static TuningProblem of(NetworkKernel k, EvaluatorInfo info, String features, long seed) {
        // A sketch among templates, where there is no template, has no loop nest of its own that is known beforehand.
        boolean nest = k.source().filter(SketchSource.class::isInstance).isEmpty();
        Encoder seen = switch (nest ? features : "knob") {
            case "itervar" -> new LoopFeatures(k.source().orElseThrow(), LoopFeatures.Form.ITERVAR);
            case "curve" -> new LoopFeatures(k.source().orElseThrow(), LoopFeatures.Form.CURVE);
            default -> FeatureEncoder.numbers(k.space().knobs());
        };
        return new TuningProblem(
                        k.space(),
                        seen,
                        FeatureEncoder.coordinates(k.space().knobs()),
                        info,
                        info.metric(info.objectives().getFirst()),
                        // Kernels of one run must not draw alike, and each draws the same whatever the others are.
                        seed * 1_000_003L + k.id().hashCode())
                .lowered(k);
    }

    /// A problem whose models see the knobs.
    public static TuningProblem ofKnobs(DesignSpace space, EvaluatorInfo info, long seed) {
        return new TuningProblem(
                space,
                FeatureEncoder.numbers(space.knobs()),
                FeatureEncoder.coordinates(space.knobs()),
                info,
                info.metric(info.objectives().getFirst()),
                seed);
    }

    /// The same for a model-based search of any area.
    public Target target() {
        return new Target(space, info, metric, canRun, experience, seed);
    }

    /// How good an evaluation is: the metric (its reciprocal where small is good), 0 for every kind of failure.
    public double score(Evaluation evaluation) {
        return scored(metric, evaluation);
    }

    /// The same by a metric.
    static double scored(Metric metric, Evaluation evaluation) {
        double v = evaluation.value(metric.name()).orElse(0);
        return v <= 0 ? 0 : metric.direction() == Metric.Direction.MINIMISE ? 1 / v : v;
    }

    Proposal proposal(Configuration configuration, double expected, String reason) {
        return new Proposal(configuration, info.top(), expected, Optional.empty(), reason);
    }

    /// The known measurements, in order of arrival.
    ///
    /// @param configurations all of them
    /// @param scores of each, as in [#score], divided by the best of them
    record Data(
            List<Configuration> configurations,
            double[] scores,
            double best,
            Optional<Configuration> bestConfiguration) {
        int size() {
            return scores.length;
        }

        boolean hasSignal() {
            return best > 0;
        }
    }

    Data data(History history) {
        List<Evaluation> known = history.at(info.top());
        double[] scores = known.stream().mapToDouble(this::score).toArray();
        double best = Arrays.stream(scores).max().orElse(0);
        List<Configuration> configurations =
                known.stream().map(Evaluation::configuration).toList();
        Optional<Configuration> winner = best > 0
                ? Optional.of(configurations.get(
                        Arrays.stream(scores).boxed().toList().indexOf(best)))
                : Optional.empty();
        // In single precision, as the trees see them.
        return new Data(
                configurations,
                Arrays.stream(scores)
                        .map(s -> best > 0 ? (float) ((float) s / best) : 0)
                        .toArray(),
                best,
                winner);
    }

    /// Scores of configurations by a model of what is known.
    Annealing.Score fit(Data data, Model.Trainer trainer, long seed) {
        Model model = trainer.fit(TrainingData.single(features.encodeAll(data.configurations), data.scores), seed);
        return configurations -> {
            double[] scores = new double[configurations.size()];
            IntStream pieces = IntStream.range(0, Math.ceilDiv(scores.length, PIECE));
            // Rows do not depend on one another, so the result is the same on one thread and on several. Knob
            // features are too cheap to be worth it.
            (features.length() >= WIDE ? pieces.parallel() : pieces).forEach(p -> {
                for (int i = p * PIECE; i < Math.min(scores.length, (p + 1) * PIECE); i++) {
                    // Row by row: a thousand features leave no room for the next ones in the nearest cache.
                    scores[i] = model.score(new double[][] {features.encode(configurations.get(i))})[0];
                }
            });
            return scores;
        };
    }

    /// Configurations asked for so far, answered or not.
    static Set<Configuration> asked(History history) {
        Set<Configuration> asked = new HashSet<>();
        history.evaluations().forEach(e -> asked.add(e.configuration()));
        history.pending().forEach(p -> asked.add(p.configuration()));
        return asked;
    }
}
