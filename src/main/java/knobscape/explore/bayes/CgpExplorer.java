package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.RandomExplorer;
import knobscape.explore.StepRandom;
import knobscape.pareto.NonDominatedBoxes;
import knobscape.pareto.ParetoFront;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.IndependentOutputs;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.Surrogate;
import knobscape.surrogate.SurrogateTrainer;
import knobscape.surrogate.gp.CoregionalTrainer;
import knobscape.surrogate.numeric.Sobol;

/// Multi-objective, multi-fidelity Bayesian optimisation (thesis Algorithm 2): one surrogate and one acquisition per fidelity; each step runs the
/// candidate and fidelity of the largest penalised expected improvement of Pareto hypervolume. With correlated Gaussian processes it is CGP; another
/// [SurrogateTrainer] makes another method of it.
///
/// What the thesis leaves open: candidates see [BayesSettings#wholeSpace]; a design already run at a fidelity may be run at a higher one, never again at the
/// same; invalid designs are penalised at the fidelity that refused them and above, failed ones left alone; an objective that a fidelity does not report is
/// taken from the highest fidelity's belief; where no candidate promises any improvement the one of which the least is known is run. Several
/// proposals at once are chosen one after another, each taking those in flight as measured at their posterior mean.
public final class CgpExplorer implements Explorer {
    /// Improvements below this share of the reference box count as none: what is left is rounding.
    private static final double NOTHING = 1e-14;
    private static final double NINETY_PERCENT = 1.6448536269514722;
    /// Jitter above this share of the diagonal is worth a word.
    private static final double NOTABLE_JITTER = 1e-4;

    private final String name;
    private final DesignSpace space;
    private final EvaluatorInfo info;
    private final BayesSettings settings;
    private final SurrogateTrainer trainer;
    private final long seed;
    private final LongSupplier nanoClock;
    private final Candidates candidates;
    private final WarmStarts warmStarts = new WarmStarts();
    private Map<String, double[]> diagnostics = Map.of();

    /// CGP: correlated Gaussian processes (independent ones where the settings say so), timed by no clock.
    public CgpExplorer(DesignSpace space, Encoder encoder, EvaluatorInfo info, BayesSettings settings, long seed) {
        this("cgp", space, encoder, info, settings, gaussianProcesses(settings), seed, () -> 0);
    }

    /// Any surrogate.
    ///
    /// @param name as on the command line
    /// @param space what to search
    /// @param encoder features of a configuration
    /// @param info fidelities, metrics and typical costs
    /// @param settings see there
    /// @param trainer fits the surrogate of one fidelity
    /// @param seed of everything random
    /// @param nanoClock nanoseconds for the diagnostics' timings; decides nothing
    public CgpExplorer(String name, DesignSpace space, Encoder encoder, EvaluatorInfo info, BayesSettings settings, SurrogateTrainer trainer,
            long seed, LongSupplier nanoClock) {
        this.name = name;
        this.space = space;
        this.info = info;
        this.settings = settings;
        this.trainer = trainer;
        this.seed = seed;
        this.nanoClock = nanoClock;
        this.candidates = new Candidates(space, encoder, settings, seed);
    }

    /// The surrogate of CGP under these settings.
    public static SurrogateTrainer gaussianProcesses(BayesSettings settings) {
        var joint = new CoregionalTrainer(settings.gp());
        return switch (settings.objectives()) {
            case CORRELATED -> joint;
            case INDEPENDENT -> IndependentOutputs.trainer(joint);
        };
    }

    @Override
    public String name() {
        return name;
    }

    /// Nested random sets: [BayesSettings#initialUpward] designs to the highest fidelity, then the others to the lowest.
    @Override
    public List<Proposal> initial() {
        List<Configuration> drawn = RandomExplorer.draw(space, Set.of(), settings.initialDesigns(), StepRandom.of(seed, 0));
        List<Proposal> proposals = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            Fidelity upTo = i < settings.initialUpward() ? info.top() : info.fidelities().getFirst();
            proposals.add(new Proposal(drawn.get(i), upTo, Double.NaN, Optional.empty(), "initial design"));
        }
        return proposals;
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        Objectives objectives = history.objectives()
                .orElseThrow(() -> new IllegalStateException("the objectives have to be fixed before the first step"));
        objectives.metrics().stream().filter(m -> !info.reports(info.top(), m.name())).findFirst().ifPresent(m -> {
            throw new UserError("Objective '" + m.name() + "' is not reported at " + info.top() + " by " + info.name()
                    + "; choose objectives among what it reports there.");
        });
        SplittableRandom random = StepRandom.of(seed, history.steps() + 1);
        long started = nanoClock.getAsLong();
        Observations observations = Observations.of(history, info, objectives, candidates::features, settings);
        Set<Configuration> finished = new HashSet<>();
        for (Observations.Design d : observations.designs()) {
            if (d.state() != Observations.State.MEASURED || d.highestRank() == info.top().rank()) {
                finished.add(d.configuration());
            }
        }
        history.pending().forEach(p -> finished.add(p.configuration()));
        if (!topIsUsable(observations, objectives)) {
            Set<Configuration> known = new HashSet<>(finished);
            observations.designs().forEach(d -> known.add(d.configuration()));
            return RandomExplorer.draw(space, known, count, random).stream()
                    .map(c -> new Proposal(c, info.top(), Double.NaN, Optional.empty(), "random: too few results at " + info.top() + " to learn from"))
                    .toList();
        }
        FidelityLadder ladder = fit(observations);
        long fitted = nanoClock.getAsLong();
        Step step = new Step(objectives, observations, ladder, draw(random, observations, objectives, finished), finished, random.nextLong(),
                new StageCosts(info, history));
        for (Proposal p : history.pending()) {
            step.imagine(p.configuration(), p.upTo());
        }
        List<Proposal> proposals = new ArrayList<>();
        while (proposals.size() < count) {
            Optional<Proposal> next = step.choose();
            if (next.isEmpty()) {
                break;
            }
            proposals.add(next.get());
            if (proposals.size() < count) {
                step.imagine(next.get().configuration(), next.get().upTo());
            }
        }
        diagnose(ladder, observations, step, (fitted - started) * 1e-9, (nanoClock.getAsLong() - fitted) * 1e-9);
        return List.copyOf(proposals);
    }

    private boolean topIsUsable(Observations observations, Objectives objectives) {
        return !observations.levels().isEmpty() && observations.levels().getLast().fidelity().rank() == info.top().rank()
                && observations.levels().getLast().outputs().length == objectives.count();
    }

    private FidelityLadder fit(Observations observations) {
        List<String> names = observations.levels().stream().map(l -> l.fidelity().name()).toList();
        // The seed is the run's: a refit from several starts tries the same ones.
        FidelityLadder ladder = FidelityLadder.fit(observations.ladder(), trainer, names.stream().map(warmStarts::get).toList(), seed);
        for (int k = 0; k < names.size(); k++) {
            warmStarts.put(names.get(k), ladder.surrogates().get(k).parameters());
        }
        return ladder;
    }

    private Candidates.Batch draw(SplittableRandom random, Observations observations, Objectives objectives, Set<Configuration> finished) {
        var front = new ParetoFront<Configuration>(objectives.count());
        List<Configuration> upward = new ArrayList<>();
        for (Observations.Design d : observations.designs()) {
            if (d.state() == Observations.State.MEASURED && d.has(info.top().rank())
                    && Arrays.stream(d.values()[info.top().rank()]).noneMatch(Double::isNaN)) {
                front.add(d.values()[info.top().rank()], d.configuration());
            }
            if (!finished.contains(d.configuration())) {
                upward.add(d.configuration());
            }
        }
        return candidates.draw(random, front.members().stream().map(ParetoFront.Member::item).toList(), upward, finished);
    }

    /// One optimisation step in progress: what is believed, and what has been chosen already.
    private final class Step {
        private final Objectives objectives;
        private final Candidates.Batch batch;
        private final Set<Configuration> taken;
        private final double[][] normals;
        private final StageCosts costs;
        private final Map<Configuration, Integer> ranks = new HashMap<>();
        private Observations observations;
        private FidelityLadder ladder;
        private Beliefs beliefs;
        private double[] best;

        Step(Objectives objectives, Observations observations, FidelityLadder ladder, Candidates.Batch batch, Set<Configuration> finished,
                long seed, StageCosts costs) {
            this.objectives = objectives;
            this.observations = observations;
            this.ladder = ladder;
            this.batch = batch;
            this.taken = new HashSet<>(finished);
            this.normals = Sobol.normals(settings.samples(), objectives.count(), seed);
            this.costs = costs;
            this.beliefs = new Beliefs(observations, objectives, ladder, batch);
            this.best = new double[observations.levels().size()];
            observations.designs().forEach(d -> ranks.put(d.configuration(), d.highestRank()));
        }

        /// Takes a design in flight as measured at the posterior mean, with the hyper-parameters as they are.
        void imagine(Configuration configuration, Fidelity upTo) {
            taken.add(configuration);
            double[] x = candidates.features(configuration);
            Beliefs own = new Beliefs(observations, objectives, ladder, new Candidates.Batch(List.of(configuration), new double[][] {x}));
            int level = 0;
            while (level + 1 < observations.levels().size() && observations.levels().get(level + 1).fidelity().rank() <= upTo.rank()) {
                level++;
            }
            observations = observations.imagine(info, configuration, x, own.expected(0, level, info.fidelities().size()), upTo.rank());
            ladder = ladder.given(observations.ladder());
            beliefs = new Beliefs(observations, objectives, ladder, batch);
        }

        /// The candidate and fidelity of the largest penalised improvement, or, where there is none, the least known candidate at the highest fidelity.
        Optional<Proposal> choose() {
            int bestCandidate = -1;
            int bestLevel = -1;
            double bestScore = NOTHING * Arrays.stream(objectives.referencePoint()).map(Math::abs).reduce(1, (a, b) -> a * b);
            for (int k = 0; k < observations.levels().size(); k++) {
                double[] alignment = settings.alignment() == BayesSettings.Alignment.MEDIAN_RATIO ? observations.alignment(k)
                        : new double[objectives.count()];
                int rank = observations.levels().get(k).fidelity().rank();
                double[] scores = scores(k, alignment);
                double factor = settings.cost() == BayesSettings.CostRule.PENALISED ? costs.advantage(rank) : 1;
                best[k] = 0;
                for (int i = 0; i < scores.length; i++) {
                    Configuration c = batch.configurations().get(i);
                    if (taken.contains(c) || ranks.getOrDefault(c, -1) >= rank) {
                        continue;
                    }
                    double score = factor * scores[i];
                    best[k] = Math.max(best[k], score);
                    if (score > bestScore) {
                        bestScore = score;
                        bestCandidate = i;
                        bestLevel = k;
                    }
                }
            }
            if (bestCandidate >= 0) {
                return Optional.of(proposal(bestCandidate, observations.levels().get(bestLevel).fidelity(), bestScore,
                        settings.cost() == BayesSettings.CostRule.PENALISED ? "PEIPV" : "EIPV"));
            }
            double[] uncertainty = beliefs.uncertainty();
            double largest = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < uncertainty.length; i++) {
                if (!taken.contains(batch.configurations().get(i)) && uncertainty[i] > largest) {
                    largest = uncertainty[i];
                    bestCandidate = i;
                }
            }
            return bestCandidate < 0 ? Optional.empty()
                    : Optional.of(proposal(bestCandidate, info.top(), 0, "largest deviation: no candidate promises an improvement"));
        }

        private double[] scores(int k, double[] alignment) {
            int top = observations.levels().size() - 1;
            if (k == top || settings.fidelity() == BayesSettings.FidelityRule.OWN_FRONT) {
                return acquisition(boxes(k, alignment)).score(beliefs.objectives(k, alignment));
            }
            if (settings.fidelity() == BayesSettings.FidelityRule.TOP_ONLY) {
                return new double[batch.x().length];
            }
            NonDominatedBoxes boxes = boxes(top, new double[objectives.count()]);
            Posterior resolved = beliefs.resolved(k);
            double[] scores = acquisition(boxes).score(resolved);
            double[] y = new double[objectives.count()];
            for (int i = 0; i < scores.length; i++) {
                for (int j = 0; j < y.length; j++) {
                    y[j] = scales().get(j).toObjective(resolved.mean(i, j));
                }
                scores[i] = Math.max(0, scores[i] - boxes.improvement(y));
            }
            return scores;
        }

        /// From modelled values to those whose volume is taken.
        private List<Scale> scales() {
            return settings.volume() == BayesSettings.Volume.MODELLED ? Collections.nCopies(objectives.count(), Scale.LINEAR) : observations.scales();
        }

        private double[] reference() {
            return settings.volume() == BayesSettings.Volume.MODELLED ? observations.reference() : objectives.referencePoint();
        }

        private NonDominatedBoxes boxes(int k, double[] alignment) {
            return NonDominatedBoxes.of(beliefs.front(k, alignment, scales()).vectors(), reference());
        }

        private Acquisition acquisition(NonDominatedBoxes boxes) {
            boolean exact = switch (settings.acquisition()) {
                case EXACT -> true;
                case SAMPLED -> false;
                case AUTOMATIC -> settings.objectives() == BayesSettings.ObjectiveModel.INDEPENDENT;
            };
            return exact ? Eipv.exact(boxes, scales()) : Eipv.sampled(boxes, scales(), normals);
        }

        private Proposal proposal(int i, Fidelity upTo, double score, String reason) {
            return new Proposal(batch.configurations().get(i), upTo, score, Optional.of(predict(i)), reason);
        }

        private Prediction predict(int i) {
            Posterior p = beliefs.raw(observations.levels().size() - 1);
            double[] noise = ladder.surrogates().getLast().noise();
            int[] outputs = observations.levels().getLast().outputs();
            Map<String, Prediction.Interval> metrics = new LinkedHashMap<>();
            for (int o = 0; o < outputs.length; o++) {
                int j = outputs[o];
                double mean = p.mean(i, o);
                double reach = NINETY_PERCENT * Math.sqrt(p.covariance(i, o, o) + noise[o]);
                double a = raw(j, mean - reach);
                double b = raw(j, mean + reach);
                metrics.put(objectives.metrics().get(j).name(), new Prediction.Interval(raw(j, mean), Math.min(a, b), Math.max(a, b)));
            }
            return new Prediction(info.top().name(), metrics);
        }

        private double raw(int j, double modelled) {
            return objectives.raw(j, observations.scales().get(j).toObjective(modelled));
        }
    }

    private void diagnose(FidelityLadder ladder, Observations observations, Step step, double fitSeconds, double searchSeconds) {
        var all = new LinkedHashMap<String, double[]>();
        all.put("seconds.fit", new double[] {fitSeconds});
        all.put("seconds.search", new double[] {searchSeconds});
        all.put("candidates", new double[] {step.batch.configurations().size()});
        for (int k = 0; k < observations.levels().size(); k++) {
            String fidelity = observations.levels().get(k).fidelity().name();
            Surrogate surrogate = ladder.surrogates().get(k);
            all.put(fidelity + ".designs", new double[] {observations.levels().get(k).rows().length});
            all.put(fidelity + ".acquisition", new double[] {step.best[k]});
            all.put(fidelity + ".fitness", new double[] {surrogate.fitness()});
            surrogate.diagnostics().forEach((key, value) -> {
                if (!key.equals("jitter") || value[0] > NOTABLE_JITTER) {
                    all.put(fidelity + "." + key, value);
                }
            });
        }
        diagnostics = Map.copyOf(all);
    }

    @Override
    public String state() {
        return warmStarts.text();
    }

    @Override
    public void restore(String state) {
        warmStarts.restore(state);
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return diagnostics;
    }
}
