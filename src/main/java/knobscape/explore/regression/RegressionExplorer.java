package knobscape.explore.regression;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.explore.Candidates;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.explore.active.TransductiveDesign;
import knobscape.pareto.ParetoFront;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;

/// Measures a set of initial designs at the top fidelity, learns every objective from them once, predicts the
/// whole space and runs the predicted front, one design a step (thesis sections 3.6.3 and 3.6.4: ANN, BT and
/// DAC19). Targets are the normalised objectives divided by their mean among the initial designs. Designs that
/// could not be built are left out of the fit: ten times the worst, as Algorithm 2 has it, turns the slope of a
/// linear model and of a small network towards the wrong end.
///
/// With [Plan#dac19] the initial designs come from randomised transductive experimental design, several
/// training sets of them, every candidate's report at the lowest fidelity is an input as well, and each
/// training set's model gives a front of its own. The thesis counts the tool time of all training sets; the
/// reports are tool runs too and are counted here.
public final class RegressionExplorer implements Explorer {
    /// Most members of a space that are listed and predicted; a larger space is sampled.
    private static final int MOST_PREDICTED = 20_000;

    /// Which designs are measured before learning.
    ///
    /// @param designs rows of a training set (48 in the thesis)
    /// @param sets number of training sets; 1 is plain random sampling without reports
    /// @param reported most candidates whose lowest-fidelity report is bought, 0 for none
    public record Plan(int designs, int sets, int reported) {

        /// One random set, no reports: ANN and BT.
        public static Plan random(int designs) {
            return new Plan(designs, 1, 0);
        }

        /// DAC19: 3 to 11 training sets, by the seed, so that nine seeds in a row use each number once.
        public static Plan dac19(int designs, long seed) {
            return new Plan(designs, 3 + (int) Math.floorMod(seed, 9L), 300);
        }

        boolean usesReports() {
            return reported > 0;
        }
    }

    private final String name;
    private final DesignSpace space;
    private final Encoder encoder;
    private final EvaluatorInfo info;
    private final Model.Trainer method;
    private final Plan plan;
    private final long seed;
    private Optional<Plans> drawn = Optional.empty();
    private Optional<List<Proposal>> predictedFront = Optional.empty();

    /// The training sets and the candidates that will be predicted.
    private record Plans(List<List<Configuration>> sets, List<Configuration> candidates) {}

    /// @param name as on the command line
    /// @param space what to explore
    /// @param encoder its features
    /// @param info of the evaluator that will answer
    /// @param method how each objective is learned
    /// @param plan which designs are measured first
    /// @param seed of all draws
    public RegressionExplorer(
            String name,
            DesignSpace space,
            Encoder encoder,
            EvaluatorInfo info,
            Model.Trainer method,
            Plan plan,
            long seed) {
        this.name = name;
        this.space = space;
        this.encoder = encoder;
        this.info = info;
        this.method = method;
        this.plan = plan;
        this.seed = seed;
    }

    @Override
    public String name() {
        return name;
    }

    private Plans plans() {
        if (drawn.isEmpty()) {
            var random = StepRandom.of(seed, 0);
            List<Configuration> candidates = Candidates.sample(space, MOST_PREDICTED, MOST_PREDICTED, random);
            if (!plan.usesReports()) {
                drawn = Optional.of(
                        new Plans(List.of(Candidates.draw(space, Set.of(), plan.designs, random)), candidates));
            } else {
                if (candidates.size() > plan.reported) {
                    var pool = new ArrayList<>(candidates);
                    java.util.Collections.shuffle(pool, random);
                    candidates = List.copyOf(pool.subList(0, plan.reported));
                }
                double[][] features = encoder.encodeAll(candidates);
                var sets = new ArrayList<List<Configuration>>();
                for (int s = 0; s < plan.sets; s++) {
                    int[] chosen = TransductiveDesign.randomised(
                            features, plan.designs, 5, Math.max(plan.designs * 2, candidates.size() / 3), 0.1, random);
                    var all = candidates;
                    sets.add(Arrays.stream(chosen).mapToObj(all::get).toList());
                }
                drawn = Optional.of(new Plans(List.copyOf(sets), candidates));
            }
        }
        return drawn.get();
    }

    @Override
    public List<Proposal> initial() {
        var proposals = new LinkedHashMap<Configuration, Proposal>();
        for (List<Configuration> set : plans().sets) {
            set.forEach(c -> proposals.putIfAbsent(c, Proposal.of(c, info.top(), "initial design")));
        }
        if (plan.usesReports() && info.fidelities().size() > 1) {
            Fidelity lowest = info.fidelities().getFirst();
            plans().candidates.forEach(c -> proposals.putIfAbsent(c, Proposal.of(c, lowest, "report as input")));
        }
        return List.copyOf(proposals.values());
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        if (predictedFront.isEmpty()) {
            predictedFront = Optional.of(predict(history));
        }
        Set<Configuration> pending = history.inFlight();
        return predictedFront.get().stream()
                .filter(p -> history.highestRank(p.configuration()) < info.top().rank()
                        && !pending.contains(p.configuration()))
                .filter(p -> !stopped(history, p.configuration()))
                .limit(count)
                .toList();
    }

    /// True if a lower stage already refused the design, so that it cannot reach the top.
    private boolean stopped(History history, Configuration c) {
        int rank = history.highestRank(c);
        return rank >= 0
                && history.find(c, info.fidelities().get(rank))
                        .map(e -> !e.isMeasured())
                        .orElse(false);
    }

    private List<Proposal> predict(History history) {
        Objectives objectives = history.objectives()
                .orElseThrow(() -> new IllegalStateException("objectives are fixed before the first step"));
        Reports reports = Reports.of(plan.usesReports() ? plans().candidates : List.of(), history, info);
        List<Configuration> candidates = plans().candidates;
        double[][] features = reports.extend(encoder.encodeAll(candidates), candidates);
        var front = new LinkedHashMap<Configuration, Proposal>();
        for (int s = 0; s < plans().sets.size(); s++) {
            double[][] predicted = predictSet(plans().sets.get(s), history, objectives, reports, features, s);
            if (predicted.length == 0) {
                continue;
            }
            for (int i : ParetoFront.nonDominated(predicted)) {
                Prediction p = prediction(objectives, predicted[i]);
                front.putIfAbsent(
                        candidates.get(i),
                        new Proposal(candidates.get(i), info.top(), Double.NaN, Optional.of(p), "predicted front"));
            }
        }
        return List.copyOf(front.values());
    }

    /// Predicted normalised objectives of every candidate (n x M) from one training set; empty where too little
    /// was measured.
    private double[][] predictSet(
            List<Configuration> set,
            History history,
            Objectives objectives,
            Reports reports,
            double[][] features,
            int setIndex) {
        var rows = new ArrayList<Configuration>();
        var targets = new ArrayList<double[]>();
        for (Configuration c : set) {
            history.find(c, info.top()).flatMap(objectives::vector).ifPresent(y -> {
                rows.add(c);
                targets.add(y);
            });
        }
        if (rows.size() < 2) {
            return new double[0][];
        }
        double[][] x = reports.extend(encoder.encodeAll(rows), rows);
        double[][] predicted = new double[features.length][objectives.count()];
        for (int j = 0; j < objectives.count(); j++) {
            int objective = j;
            double[] y = targets.stream().mapToDouble(t -> t[objective]).toArray();
            double scale = Arrays.stream(y).map(Math::abs).average().orElse(1);
            double divisor = scale > 0 ? scale : 1;
            double[] scaled = Arrays.stream(y).map(v -> v / divisor).toArray();
            double[] scores = method.fit(
                            TrainingData.single(x, scaled),
                            StepRandom.of(seed, 1000L + 100L * setIndex + j).nextLong())
                    .score(features);
            for (int i = 0; i < predicted.length; i++) {
                predicted[i][j] = scores[i] * divisor;
            }
        }
        return predicted;
    }

    private Prediction prediction(Objectives objectives, double[] y) {
        Map<String, Prediction.Interval> metrics = new HashMap<>();
        for (int j = 0; j < y.length; j++) {
            double raw = objectives.raw(j, y[j]);
            metrics.put(objectives.metrics().get(j).name(), new Prediction.Interval(raw, Double.NaN, Double.NaN));
        }
        return new Prediction(info.top().name(), metrics);
    }

    /// Lowest-fidelity metrics as further columns, on a log scale, each brought to [0,1] over the candidates; a
    /// missing report reads as the middle.
    private record Reports(List<String> metrics, Map<Configuration, double[]> columns) {

        static Reports of(List<Configuration> candidates, History history, EvaluatorInfo info) {
            Fidelity lowest = info.fidelities().getFirst();
            if (candidates.isEmpty() || info.fidelities().size() < 2) {
                return new Reports(List.of(), Map.of());
            }
            List<String> names = info.metrics().stream()
                    .map(Metric::name)
                    .filter(m -> info.reports(lowest, m))
                    .toList();
            var raw = new LinkedHashMap<Configuration, double[]>();
            for (Configuration c : candidates) {
                Optional<Evaluation> e = history.find(c, lowest);
                if (e.isPresent() && e.get().isMeasured()) {
                    raw.put(
                            c,
                            names.stream()
                                    .mapToDouble(m -> Math.log1p(
                                            Math.max(0, e.get().value(m).orElse(0))))
                                    .toArray());
                }
            }
            for (int j = 0; j < names.size(); j++) {
                int column = j;
                double low =
                        raw.values().stream().mapToDouble(v -> v[column]).min().orElse(0);
                double high =
                        raw.values().stream().mapToDouble(v -> v[column]).max().orElse(1);
                raw.values().forEach(v -> v[column] = high > low ? (v[column] - low) / (high - low) : 0.5);
            }
            return new Reports(names, raw);
        }

        double[][] extend(double[][] features, List<Configuration> rows) {
            if (metrics.isEmpty()) {
                return features;
            }
            double[][] extended = new double[features.length][];
            for (int i = 0; i < features.length; i++) {
                extended[i] = Arrays.copyOf(features[i], features[i].length + metrics.size());
                double[] report = columns.get(rows.get(i));
                for (int j = 0; j < metrics.size(); j++) {
                    extended[i][features[i].length + j] = report == null ? 0.5 : report[j];
                }
            }
            return extended;
        }
    }
}
