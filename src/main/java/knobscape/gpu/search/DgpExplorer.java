package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.explore.Candidates;
import knobscape.explore.Experience;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.LevelText;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.space.Configuration;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.deepgp.DeepGp;
import knobscape.surrogate.deepgp.DeepGpSettings;

/// Deep Gaussian transfer learning (ICCV 2021; thesis chapter 4). A deep process is trained on what was
/// measured of the kernel's group; the tuning set, which it expects to be fastest, is measured; the process is
/// tuned on it with its own parameters as the prior's mean; annealing looks for the configurations that the
/// tuned process expects to be fastest, and these are measured, with a further tuning between rounds. A kernel
/// of which nothing comparable was measured is searched as AutoTVM does: its trace is the history of the others of its
/// group in the same run ([LeadersFirst]).
///
/// The paper's open points: of the tuning set a tenth is drawn at random, so that the process can notice that it is
/// wrong; what it learns is the speed as a share of the best of each kernel, 0 for failures.
public final class DgpExplorer implements Explorer {
    /// Settings.
    ///
    /// @param sample configurations scored for the tuning set
    /// @param tuning size of the tuning set, s
    /// @param randomShare share of it that is drawn; 1 for the ablation with a random tuning set
    /// @param isTuned whether the process is tuned; not for the ablation without tuning
    /// @param round final candidates per round
    /// @param model how the process is trained
    public record Settings(
            int sample, int tuning, double randomShare, boolean isTuned, int round, DeepGpSettings model) {
        /// 300 out of 20 000, a tenth at random, final candidates in rounds of 32.
        public static final Settings DEFAULT = new Settings(20_000, 300, 0.1, true, 32, DeepGpSettings.DEFAULT);

        /// How many of the tuning set are drawn; its last ones.
        int drawn() {
            return (int) Math.round(randomShare * tuning);
        }

        /// The same in proportion where a kernel gets fewer measurements than the tuning set and two rounds of final
        /// candidates.
        Settings within(int trials) {
            int tuned = Math.max(1, (int) ((long) trials * tuning / trials()));
            return trials >= trials()
                    ? this
                    : new Settings(sample, tuned, randomShare, isTuned, Math.max(1, (trials - tuned) / 2), model);
        }

        /// The tuning set and two rounds of final candidates.
        int trials() {
            return tuning + 2 * round;
        }
    }

    private static final int MOST_ROWS = 2000;
    private static final int FIRST = 8;
    private static final int CHAINS = 64;
    private static final int ITERATIONS = 120;
    private static final int PATIENCE = 30;
    private static final double NINETY = 1.6449;
    private static final long STREAM = 1L << 43;
    private static final int NAMED = 3;
    private static final String SCRATCH = "scratch ";

    private final String name;
    private final TuningProblem problem;
    private final Settings settings;
    private final AutoTvmExplorer scratch;
    private Optional<Experience> learned = Optional.empty();
    private Optional<DeepGp> pretrained = Optional.empty();
    private List<PlannedMeasurement> plan = List.of();
    private List<String> remarks = List.of();

    /// @param expected speed and its deviation, as shares of the best known
    private record PlannedMeasurement(Configuration configuration, double expected, double deviation) {}

    /// @param name as on the command line
    /// @param problem what to tune, with its experience
    /// @param settings how
    public DgpExplorer(String name, TuningProblem problem, Settings settings) {
        this.name = name;
        this.problem = problem;
        this.settings = problem.part().map(p -> settings.within(p.trials())).orElse(settings);
        this.scratch = new AutoTvmExplorer(name, problem, InitialDesign.random(), AutoTvmExplorer.Settings.DEFAULT);
    }

    @Override
    public String name() {
        return name;
    }

    /// The experience with the additions of the group's leader, or else without.
    private Experience experience() {
        if (learned.isEmpty()) {
            learned = leader().flatMap(Supplier::get);
        }
        return learned.orElse(problem.experience());
    }

    private Optional<Supplier<Optional<Experience>>> leader() {
        return problem.part().flatMap(GroupPart::leader);
    }

    private boolean hasHistory() {
        return !experience().isEmpty();
    }

    private DeepGp pretrained() {
        if (pretrained.isEmpty()) {
            pretrained = Optional.of(DeepGp.fit(history(), settings.model, problem.seed()));
        }
        return pretrained.get();
    }

    /// The experience as rows: an even share of each origin where they are too many.
    private TrainingData history() {
        List<Experience.Origin> ran =
                experience().origins().stream().filter(o -> o.best() > 0).toList();
        var x = new ArrayList<double[]>();
        var y = new ArrayList<Double>();
        for (Experience.Origin o : ran) {
            int share = Math.min(o.rows().size(), Math.max(1, MOST_ROWS / ran.size()));
            for (int i = 0; i < share; i++) {
                Experience.Row row = o.rows().get((int) ((long) i * o.rows().size() / share));
                x.add(row.features());
                y.add(row.score() / o.best());
            }
        }
        return TrainingData.single(
                x.toArray(double[][]::new), y.stream().mapToDouble(v -> v).toArray());
    }

    @Override
    public List<Proposal> initial() {
        if (leader().isPresent() && experience() == problem.experience()) {
            // A resumed run that is about to restore.
            return List.of();
        }
        if (!hasHistory()) {
            remarks = List.of(
                    "Nothing comparable was measured: the kernel is searched as AutoTVM does, for the history of the next.");
            return scratch.initial();
        }
        Experience e = experience();
        remarks = List.of("The deep process begins with " + e.size() + " measurements of "
                + e.origins().stream()
                        .limit(NAMED)
                        .map(o -> o.subject() + " on " + o.device())
                        .collect(Collectors.joining("; "))
                + (e.origins().size() > NAMED ? " and " + (e.origins().size() - NAMED) + " more" : "") + ".");
        plan = tuningSet();
        return plan.stream()
                .limit(FIRST)
                .map(p -> proposal(p, Double.NaN, "tuning set"))
                .toList();
    }

    private List<PlannedMeasurement> tuningSet() {
        SplittableRandom random = StepRandom.of(problem.seed(), STREAM);
        List<Configuration> sample = Candidates.draw(
                problem.space(),
                Set.of(),
                problem.space().size().bitLength() < 31
                        ? Math.min(settings.sample, problem.space().size().intValue())
                        : settings.sample,
                random);
        int drawn = settings.drawn();
        var set = new LinkedHashSet<Configuration>();
        if (drawn < settings.tuning) {
            double[] scores = pretrained().score(experience().features().encodeAll(sample));
            IntStream.range(0, scores.length)
                    .boxed()
                    .sorted((a, b) -> scores[b] != scores[a] ? Double.compare(scores[b], scores[a]) : a - b)
                    .map(sample::get)
                    .filter(problem.canRun())
                    .limit(settings.tuning - drawn)
                    .forEach(set::add);
        }
        sample.stream()
                .filter(c -> !set.contains(c))
                .filter(problem.canRun())
                .limit(drawn)
                .toList()
                .forEach(set::add);
        return planned(pretrained(), List.copyOf(set));
    }

    private List<PlannedMeasurement> planned(DeepGp model, List<Configuration> configurations) {
        Posterior p = model.posterior(experience().features().encodeAll(configurations));
        return IntStream.range(0, configurations.size())
                .mapToObj(i -> new PlannedMeasurement(configurations.get(i), p.mean(i, 0), p.deviation(i, 0)))
                .toList();
    }

    private Proposal proposal(PlannedMeasurement p, double best, String reason) {
        double unit = Double.isNaN(best)
                ? experience().origins().stream()
                        .mapToDouble(Experience.Origin::best)
                        .max()
                        .orElse(1)
                : best;
        var interval = new Prediction.Interval(
                metric(unit * p.expected),
                metric(unit * (p.expected - NINETY * p.deviation)),
                metric(unit * (p.expected + NINETY * p.deviation)));
        return new Proposal(
                p.configuration,
                problem.info().top(),
                p.expected,
                Double.isNaN(best)
                        ? Optional.empty()
                        : Optional.of(new Prediction(
                                problem.info().top().name(),
                                Map.of(problem.metric().name(), interval))),
                reason);
    }

    private double metric(double score) {
        double s = Math.max(1e-12, score);
        return problem.metric().direction() == knobscape.evaluate.Metric.Direction.MINIMISE ? 1 / s : s;
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        remarks = List.of();
        if (!hasHistory()) {
            return scratch.ask(history, count);
        }
        Set<Configuration> asked = TuningProblem.asked(history);
        TuningProblem.Data data = problem.data(history);
        List<PlannedMeasurement> open = open(asked);
        if (open.isEmpty()) {
            if (!history.pending().isEmpty()) {
                return List.of();
            }
            plan = data.hasSignal() ? finals(history, data, asked) : List.of();
            open = open(asked);
        }
        List<PlannedMeasurement> next = open;
        if (next.isEmpty()) {
            return Candidates.draw(problem.space(), asked, count, StepRandom.of(problem.seed(), history.asks() + 1L))
                    .stream()
                    .map(c -> problem.proposal(c, Double.NaN, "random"))
                    .toList();
        }
        plan = next.subList(Math.min(count, next.size()), next.size());
        boolean tunes = data.size() < settings.tuning;
        int left = next.size();
        double best = data.hasSignal() ? data.best() : Double.NaN;
        return IntStream.range(0, Math.min(count, left))
                .mapToObj(i -> proposal(
                        next.get(i),
                        best,
                        !tunes
                                ? "annealed on the deep process"
                                : left - i <= settings.drawn() ? "tuning set, drawn" : "tuning set"))
                .toList();
    }

    private List<PlannedMeasurement> open(Set<Configuration> asked) {
        return plan.stream().filter(p -> !asked.contains(p.configuration)).toList();
    }

    /// The next round of final candidates: tuned on all that is known, annealed.
    private List<PlannedMeasurement> finals(History history, TuningProblem.Data data, Set<Configuration> asked) {
        double[][] x = experience().features().encodeAll(data.configurations());
        DeepGp model = settings.isTuned
                ? pretrained().tuned(TrainingData.single(x, data.scores()), problem.seed())
                : pretrained();
        remarks = List.of(String.format(
                Locale.ROOT,
                "Of the %d measurements the deep process puts %.0f %% of all pairs into the right order before tuning%s.",
                data.size(),
                100 * pairs(pretrained().score(x), data.scores()),
                settings.isTuned
                        ? String.format(Locale.ROOT, ", %.0f %% after", 100 * pairs(model.score(x), data.scores()))
                        : ""));
        var annealing = new Annealing(problem.space(), new Annealing.Settings(CHAINS, ITERATIONS, 1, PATIENCE));
        List<Configuration> best = annealing
                .run(
                        c -> model.score(experience().features().encodeAll(c)),
                        data.bestConfiguration().stream().toList(),
                        4 * settings.round,
                        asked,
                        StepRandom.of(problem.seed(), STREAM + history.asks() + 1L))
                .best();
        List<Configuration> able =
                best.stream().filter(problem.canRun()).limit(settings.round).toList();
        Set<Configuration> taken = new HashSet<>(asked);
        taken.addAll(able);
        return planned(
                model,
                Stream.concat(
                                able.stream(),
                                Candidates.draw(
                                        problem.space(),
                                        taken,
                                        able.isEmpty() ? settings.round : 0,
                                        StepRandom.of(problem.seed(), STREAM - history.asks()))
                                        .stream())
                        .toList());
    }

    /// Share of pairs of different value in the right order; both larger being better.
    public static double pairs(double[] expected, double[] values) {
        long right = 0;
        long pairs = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < i; j++) {
                if (values[i] != values[j]) {
                    pairs++;
                    right += values[i] > values[j] == expected[i] > expected[j] ? 1 : 0;
                }
            }
        }
        return pairs == 0 ? 0.5 : (double) right / pairs;
    }

    @Override
    public String state() {
        return hasHistory()
                ? LevelText.write(plan.stream()
                                .map(PlannedMeasurement::configuration)
                                .toList()) + "|"
                        + plan.stream().map(p -> p.expected + " " + p.deviation).collect(Collectors.joining(" "))
                : (leader().isPresent() ? SCRATCH : "") + scratch.state();
    }

    @Override
    public void restore(String state) {
        // Where it learns from a leader, the trace may not be known yet.
        if (leader().isPresent() ? state.startsWith(SCRATCH) : !hasHistory()) {
            scratch.restore(leader().isPresent() ? state.substring(SCRATCH.length()) : state);
            return;
        }
        int bar = state.indexOf('|');
        List<Configuration> configurations =
                bar < 0 ? List.of() : LevelText.read(problem.space().knobs(), state.substring(0, bar));
        double[] numbers = configurations.isEmpty()
                ? new double[0]
                : Arrays.stream(state.substring(bar + 1).strip().split(" "))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
        plan = IntStream.range(0, configurations.size())
                .mapToObj(i -> new PlannedMeasurement(configurations.get(i), numbers[2 * i], numbers[2 * i + 1]))
                .toList();
    }

    @Override
    public List<String> remarks() {
        return remarks;
    }
}
