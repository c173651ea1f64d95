package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.explore.Objectives;
import knobscape.explore.Proposal;
import knobscape.numeric.Parallel;
import knobscape.numeric.Sobol;
import knobscape.pareto.NonDominatedBoxes;
import knobscape.space.Configuration;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Posterior;

/// One optimisation step in progress: what is believed, what has been chosen already, and what is best next.
///
/// Designs in flight are fantasised: taken as measured at their posterior mean with the hyper-parameters as
/// they are, which takes the gain of their neighbourhood away from the next choice (the constant liar of
/// Ginsbourger et al. 2010 with the mean for the lie).
final class BayesStep {
    /// Share of outcomes below, and above, the range told of what is promised, and how many are drawn for it.
    private static final double TAIL = 0.05;

    private static final int RANGE_DRAWS = 256;
    /// Improvements below this share of the reference box count as none: what is left is rounding.
    private static final double NOTHING = 1e-14;
    /// Fronts drawn from the posterior.
    private static final int FRONTS = 16;
    /// Outcomes of a lower stage considered, a power of two.
    private static final int OUTCOMES = 16;
    /// Candidates scored in full; of more, those with the largest rough gain.
    private static final int SHORT_LIST = 512;
    /// Candidates for which a screening at a lower stage is weighed: those with the largest gain.
    private static final int WEIGHED = 256;
    /// Runs in full without a new design of the front after which the exact gain takes over.
    private static final int STALLED = 3;

    private final BayesSettings settings;
    private final EvaluatorInfo info;
    private final Objectives objectives;
    private final Candidates candidates;
    private final int size;
    private final Candidates.Batch batch;
    private final Set<Configuration> taken;
    private final StageCosts costs;
    private final Validity validity;
    private final Deadline deadline;
    private final LongSupplier nanoClock;
    private final long seed;
    private final boolean isStalled;
    private double promise;
    private double[] promisedRange = {Double.NaN, Double.NaN};
    private final Map<Configuration, Integer> ranks = new HashMap<>();
    private final double[] best;
    private final double[][] normals;
    private final double[][] frontNormals;
    /// Draws of outcomes, and of what follows each of them.
    private final double[][] outcomeNormals;
    private final double[][] laterNormals;
    private Observations observations;
    private FidelityLadder ladder;
    private Beliefs beliefs;
    private Optional<FrontCover.Drawn> fronts = Optional.empty();
    private long posteriorNanos;

    BayesStep(
            BayesSettings settings,
            EvaluatorInfo info,
            Objectives objectives,
            Candidates candidates,
            Observations observations,
            FidelityLadder ladder,
            Candidates.Batch batch,
            Set<Configuration> finished,
            long seed,
            StageCosts costs,
            Validity validity,
            Deadline deadline,
            LongSupplier nanoClock) {
        int m = objectives.count();
        this.settings = settings;
        this.info = info;
        this.objectives = objectives;
        this.candidates = candidates;
        this.observations = observations;
        this.ladder = ladder;
        this.taken = new HashSet<>(finished);
        this.costs = costs;
        this.validity = validity;
        this.deadline = deadline;
        this.nanoClock = nanoClock;
        this.seed = seed;
        this.isStalled = settings.stall() == BayesSettings.Stall.EXACT && observations.sinceGain() >= STALLED;
        this.best = new double[observations.levels().size()];
        this.normals = Sobol.normals(settings.samples(), m, seed);
        this.frontNormals = Sobol.normals(FRONTS, m, seed + 1);
        double[][] both = Sobol.normals(OUTCOMES, 2 * m, seed + 2);
        this.outcomeNormals = Arrays.stream(both).map(r -> Arrays.copyOf(r, m)).toArray(double[][]::new);
        this.laterNormals =
                Arrays.stream(both).map(r -> Arrays.copyOfRange(r, m, 2 * m)).toArray(double[][]::new);
        observations.designs().forEach(d -> ranks.put(d.configuration(), d.highestRank()));
        this.size = batch.configurations().size();
        this.batch = isSorted() && size > SHORT_LIST ? shortList(batch) : batch;
        this.beliefs = believe(this.batch, false);
    }

    /// Probability, by candidate, to be built and to keep all bounds, times what a deadline makes of its gain.
    private double[] chances(Beliefs believed, Candidates.Batch about, int[] listed) {
        return Scores.weighed(
                believed.chances(listed, validity),
                Arrays.stream(listed)
                        .mapToDouble(i -> deadline.worth(about.configurations().get(i)))
                        .toArray());
    }

    private Beliefs believe(Candidates.Batch about, boolean rough) {
        long before = nanoClock.getAsLong();
        Beliefs now = new Beliefs(observations, objectives, ladder, about, rough);
        posteriorNanos += nanoClock.getAsLong() - before;
        return now;
    }

    private boolean isStaged() {
        return settings.fidelity() == BayesSettings.FidelityRule.STAGED
                && settings.gain() != BayesSettings.Gain.ENTROPY;
    }

    /// Whether candidates are sorted out by rough gains first.
    private boolean isSorted() {
        return isStaged()
                || (settings.fidelity() == BayesSettings.FidelityRule.TOP_FRONT
                        && settings.gain() == BayesSettings.Gain.HYPERVOLUME);
    }

    /// Whether it is the growth of the hypervolume that chooses.
    private boolean isVolume() {
        return isStalled || settings.gain() == BayesSettings.Gain.HYPERVOLUME;
    }

    /// The open candidates with the largest rough gain, at most [#SHORT_LIST]; where every stage is weighed by its
    /// cost, the largest of any stage. Where distances to fronts are the gain, those that are on a front drawn from
    /// rough beliefs, by the gain over the few draws of the fronts.
    private Candidates.Batch shortList(Candidates.Batch all) {
        int m = objectives.count();
        int topRank = info.top().rank();
        int[] open = IntStream.range(0, size)
                .filter(i -> !taken.contains(all.configurations().get(i))
                        && ranks.getOrDefault(all.configurations().get(i), -1) < topRank)
                .toArray();
        Candidates.Batch few = Candidates.only(all, open);
        Beliefs rough = believe(few, true);
        Posterior p = rough.objectives(top(), new double[m]);
        if (isVolume()) {
            double[] gain = isStaged()
                    ? Scores.weighed(
                            Eipv.exact(boxes(rough, top(), new double[m]), scales())
                                    .score(p),
                            chances(rough, few, IntStream.range(0, open.length).toArray()))
                    : bestOfLevels(few, rough);
            return isStaged() || Arrays.stream(gain).anyMatch(g -> g > 0)
                    ? Candidates.only(
                            few, Scores.largest(gain, SHORT_LIST).sorted().toArray())
                    : few;
        }
        FrontCover.Drawn drawn = drawFronts(rough, p);
        int[] members = drawn.members();
        double[] gain = Scores.weighed(
                new FrontCover(drawn, frontNormals).score(GaussianPosterior.some(p, members)),
                chances(rough, few, members));
        int[] chosen =
                Scores.largest(gain, SHORT_LIST).map(i -> members[i]).sorted().toArray();
        return Candidates.only(
                few,
                chosen.length > 0
                        ? chosen
                        : IntStream.range(0, Math.min(SHORT_LIST, open.length)).toArray());
    }

    /// By candidate the largest penalised score of any level that it may still be run to.
    private double[] bestOfLevels(Candidates.Batch few, Beliefs rough) {
        double[] largest = new double[few.x().length];
        for (int k = 0; k < observations.levels().size(); k++) {
            int rank = observations.levels().get(k).fidelity().rank();
            double[] scores = improvements(rough, k);
            double factor = costs.advantage(rank);
            for (int i = 0; i < largest.length; i++) {
                if (ranks.getOrDefault(few.configurations().get(i), -1) < rank) {
                    largest[i] = Math.max(largest[i], factor * scores[i]);
                }
            }
        }
        return largest;
    }

    /// Number of candidates before any were sorted out.
    int size() {
        return size;
    }

    private int candidates() {
        return batch.configurations().size();
    }

    /// Largest score at level `k` of the last choice.
    double best(int k) {
        return best[k];
    }

    /// What the next hour of tool time is expected to bring, by how much the front found would come relatively nearer
    /// to the true one on average; NaN where the gain is something else.
    double promise() {
        double hours = costs.fullSeconds() / 3600;
        return settings.gain() != BayesSettings.Gain.ENTROPY && hours > 0 ? promise / hours : Double.NaN;
    }

    /// Range of [#promise()] over what the design it is expected of may turn out to be: 5 % and 95 % quantiles.
    double[] promisedRange() {
        double hours = costs.fullSeconds() / 3600;
        // A screening may promise more than any outcome of a full run at once.
        return new double[] {promisedRange[0] / hours, Math.max(promisedRange[1], promise) / hours};
    }

    /// Time spent in posteriors.
    double posteriorSeconds() {
        return posteriorNanos * 1e-9;
    }

    /// Takes a design in flight as measured at the posterior mean, with the hyper-parameters as they are.
    void imagine(Configuration configuration, Fidelity upTo) {
        taken.add(configuration);
        double[] x = candidates.features(configuration);
        Beliefs own = new Beliefs(
                observations, objectives, ladder, new Candidates.Batch(List.of(configuration), new double[][] {x}));
        int level = 0;
        while (level + 1 < observations.levels().size()
                && observations.levels().get(level + 1).fidelity().rank() <= upTo.rank()) {
            level++;
        }
        observations = observations.imagine(
                info, configuration, x, own.expected(0, level, info.fidelities().size()), upTo.rank());
        ladder = ladder.given(observations.ladder());
        beliefs = believe(batch, false);
        fronts = Optional.empty();
    }

    /// Fills `slots`, each with one run, or with a bundle of shorter runs that cost no more together than one
    /// run to the highest fidelity.
    List<Proposal> choose(int slots) {
        List<Proposal> all = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            List<Proposal> next = choose();
            if (next.isEmpty()) {
                break;
            }
            all.addAll(next);
            if (slot + 1 < slots) {
                next.forEach(p -> imagine(p.configuration(), p.upTo()));
            }
        }
        return List.copyOf(all);
    }

    private List<Proposal> choose() {
        if (deadline.isOver()) {
            return List.of();
        }
        List<Proposal> chosen = switch (settings.gain()) {
            case ENTROPY -> penalised(k -> MaxValueEntropy.score(beliefs, k, top(), observations.smallest()), "MES");
            case HYPERVOLUME, COVERAGE ->
                isStaged()
                        ? staged()
                        : penalised(
                                k -> improvements(beliefs, k),
                                settings.cost() == BayesSettings.CostRule.PENALISED ? "PEIPV" : "EIPV");
        };
        return chosen.isEmpty() ? leastKnown().stream().toList() : chosen;
    }

    /// The least known candidate at the highest fidelity.
    private Optional<Proposal> leastKnown() {
        int bestCandidate = -1;
        double[] uncertainty = beliefs.uncertainty();
        if (!settings.bounds().isEmpty() || !deadline.isNone()) {
            Scores.weighed(
                    uncertainty,
                    chances(
                            beliefs,
                            batch,
                            IntStream.range(0, uncertainty.length).toArray()));
        }
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < uncertainty.length; i++) {
            if (!taken.contains(batch.configurations().get(i)) && uncertainty[i] > largest) {
                largest = uncertainty[i];
                bestCandidate = i;
            }
        }
        return bestCandidate < 0
                ? Optional.empty()
                : Optional.of(proposal(
                        bestCandidate, info.top(), 0, "largest deviation: no candidate promises an improvement"));
    }

    /// Algorithm 2 of the thesis: the candidate and fidelity of the largest score weighed by cost; none where nothing
    /// scores.
    ///
    /// @param level scores of all candidates at a level
    private List<Proposal> penalised(IntFunction<double[]> level, String reason) {
        int bestCandidate = -1;
        int bestLevel = -1;
        double bestScore = NOTHING
                * Arrays.stream(objectives.referencePoint()).map(Math::abs).reduce(1, (a, b) -> a * b);
        for (int k = 0; k < observations.levels().size(); k++) {
            int rank = observations.levels().get(k).fidelity().rank();
            double[] scores = level.apply(k);
            double factor = costs.advantage(rank);
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
        return bestCandidate < 0
                ? List.of()
                : List.of(proposal(
                        bestCandidate, observations.levels().get(bestLevel).fidelity(), bestScore, reason));
    }

    private double[] improvements(Beliefs believed, int k) {
        double[] none = new double[objectives.count()];
        double[] alignment =
                settings.alignment() == BayesSettings.Alignment.MEDIAN_RATIO ? observations.alignment(k) : none;
        if (k == top() || settings.fidelity() == BayesSettings.FidelityRule.OWN_FRONT) {
            return acquisition(boxes(believed, k, alignment), normals).score(believed.objectives(k, alignment));
        }
        if (settings.fidelity() == BayesSettings.FidelityRule.TOP_ONLY) {
            return new double[candidates()];
        }
        NonDominatedBoxes boxes = boxes(believed, top(), none);
        Posterior resolved = believed.resolved(k);
        double[] scores = acquisition(boxes, normals).score(resolved);
        double[] y = new double[objectives.count()];
        for (int i = 0; i < scores.length; i++) {
            for (int j = 0; j < y.length; j++) {
                y[j] = scales().get(j).toObjective(resolved.mean(i, j));
            }
            scores[i] = Math.max(0, scores[i] - boxes.improvement(y));
        }
        return scores;
    }

    // Gain per tool time, continuing only where a lower stage does not disappoint.

    private List<Proposal> staged() {
        int m = objectives.count();
        int topRank = info.top().rank();
        Posterior all = beliefs.objectives(top(), new double[m]);
        int[] listed = IntStream.range(0, candidates())
                .filter(i -> !taken.contains(batch.configurations().get(i)) && done(i) < topRank)
                .toArray();
        Posterior few = GaussianPosterior.some(all, listed);
        double[] chance = chances(beliefs, batch, listed);
        double[] direct = Scores.weighed(gain(normals).score(few), chance);
        var screenings = new Screenings(settings, costs, observations, topRank);
        List<Screenings.Choice> choices = new ArrayList<>();
        double bestDirect = 0;
        int nearest = -1;
        for (int i = 0; i < listed.length; i++) {
            double rate = direct[i] / costs.share(done(listed[i]), topRank);
            if (rate > NOTHING) {
                choices.add(new Screenings.Choice(rate, listed[i], top()));
            }
            if (rate > bestDirect) {
                bestDirect = rate;
                nearest = i;
            }
        }
        best[top()] = bestDirect;
        if (isVolume()) {
            bestCover(listed, few, chance);
        } else {
            promise = bestDirect;
            range(listed, few, chance, nearest);
        }
        Acquisition later = gain(laterNormals);
        int[] weighed = Scores.largest(direct, WEIGHED).toArray();
        for (int k = 0; k < top(); k++) {
            int rank = observations.levels().get(k).fidelity().rank();
            best[k] = 0;
            if (!screenings.mayEndAt(rank)) {
                continue;
            }
            Posterior resolved = GaussianPosterior.some(beliefs.resolved(k), listed);
            double[] rates = new double[weighed.length];
            double toBeat = bestDirect;
            Parallel.chunks(weighed.length, 8, (from, to) -> {
                for (int l = from; l < to; l++) {
                    int i = weighed[l];
                    int done = done(listed[i]);
                    // However lucky the screening, it cannot earn more than running further always would at no
                    // further cost.
                    if (done < rank && direct[i] > costs.share(done, rank) * toBeat) {
                        double[] gains = later.score(StagedRate.outcomes(few, resolved, i, outcomeNormals));
                        rates[l] = StagedRate.of(
                                Arrays.stream(gains).map(v -> v * chance[i]).toArray(),
                                costs.share(done, rank),
                                costs.share(rank, topRank));
                    }
                }
            });
            for (int l = 0; l < rates.length; l++) {
                best[k] = Math.max(best[k], rates[l]);
                promise = isVolume() ? promise : Math.max(promise, rates[l]);
                if (rates[l] > bestDirect) {
                    choices.add(new Screenings.Choice(rates[l], listed[weighed[l]], k));
                }
            }
        }
        return screenings.best(choices, this::done).stream()
                .map(c -> proposal(
                        c.candidate(),
                        observations.levels().get(c.level()).fidelity(),
                        c.rate(),
                        c.level() == top() ? "gain per tool time" : "low-fidelity screening before a full run"))
                .toList();
    }

    /// Promises the largest fall of the distance to the drawn fronts per full run, where another gain chooses.
    private void bestCover(int[] listed, Posterior few, double[] chance) {
        double[] gains = Scores.weighed(cover(normals).score(few), chance);
        promise = 0;
        int nearest = -1;
        for (int i = 0; i < gains.length; i++) {
            double rate = gains[i] / costs.share(done(listed[i]), info.top().rank());
            if (rate > promise) {
                promise = rate;
                nearest = i;
            }
        }
        range(listed, few, chance, nearest);
    }

    /// Sets the range of the promise of a candidate (-1: nothing is promised).
    private void range(int[] listed, Posterior few, double[] chance, int candidate) {
        if (settings.gain() == BayesSettings.Gain.ENTROPY || candidate < 0) {
            promisedRange = new double[2];
            return;
        }
        double[] gains =
                cover(Sobol.normals(RANGE_DRAWS, objectives.count(), seed + 3)).byDraw(few, candidate);
        double share = costs.share(done(listed[candidate]), info.top().rank());
        promisedRange = DoubleStream.of(TAIL, 1 - TAIL)
                .map(q -> FrontCover.quantile(gains, chance[candidate], q) / share)
                .toArray();
    }

    /// Position of the highest level.
    private int top() {
        return observations.levels().size() - 1;
    }

    private int done(int i) {
        return ranks.getOrDefault(batch.configurations().get(i), -1);
    }

    private Acquisition gain(double[][] draws) {
        int m = objectives.count();
        if (settings.gain() == BayesSettings.Gain.HYPERVOLUME) {
            return acquisition(boxes(beliefs, top(), new double[m]), draws);
        }
        if (isStalled) {
            return Eipv.exact(boxes(beliefs, top(), new double[m]), scales());
        }
        return cover(draws);
    }

    private FrontCover cover(double[][] draws) {
        int m = objectives.count();
        if (fronts.isEmpty()) {
            fronts = Optional.of(drawFronts(beliefs, beliefs.objectives(top(), new double[m])));
        }
        return new FrontCover(fronts.get(), draws);
    }

    private FrontCover.Drawn drawFronts(Beliefs believed, Posterior p) {
        int m = objectives.count();
        double[][] measured = measured(believed);
        double[] unit = new double[m];
        double[] range = observations.ranges();
        for (int j = 0; j < m; j++) {
            unit[j] = observations.scales().get(j) == Scale.LOG10 ? Scale.LN10 : 1 / range[j];
        }
        return believed == beliefs && settings.fronts() == BayesSettings.Fronts.JOINT
                ? FrontCover.of(believed.functions(FRONTS, validity, seed), measured, unit)
                : FrontCover.draw(p, measured, unit, frontNormals, keeps(observations.limits()));
    }

    /// Whether a vector of objectives keeps the bounds of objectives.
    private Predicate<double[]> keeps(List<Quantities.Limit> limits) {
        return y -> limits.stream().allMatch(l -> l.quantity() >= y.length || l.keeps(y[l.quantity()]));
    }

    /// The front measured at the highest fidelity, modelled.
    private double[][] measured(Beliefs believed) {
        int m = objectives.count();
        return believed.front(top(), new double[m], Collections.nCopies(m, Scale.LINEAR))
                .vectors();
    }

    /// From modelled values to those whose volume is taken.
    private List<Scale> scales() {
        return settings.volume() == BayesSettings.Volume.MODELLED
                ? Collections.nCopies(objectives.count(), Scale.LINEAR)
                : observations.scales();
    }

    private double[] reference() {
        return settings.volume() == BayesSettings.Volume.MODELLED
                ? observations.reference()
                : objectives.referencePoint();
    }

    private NonDominatedBoxes boxes(Beliefs believed, int k, double[] alignment) {
        return NonDominatedBoxes.of(believed.front(k, alignment, scales()).vectors(), reference());
    }

    private Acquisition acquisition(NonDominatedBoxes boxes, double[][] draws) {
        boolean exact = switch (settings.acquisition()) {
            case EXACT -> true;
            case SAMPLED -> false;
            case AUTOMATIC -> settings.objectives() == BayesSettings.ObjectiveModel.INDEPENDENT;
        };
        return exact ? Eipv.exact(boxes, scales()) : Eipv.sampled(boxes, scales(), draws);
    }

    private Proposal proposal(int i, Fidelity upTo, double score, String reason) {
        return new Proposal(
                batch.configurations().get(i),
                upTo,
                score,
                Optional.of(new Forecast(info, objectives, observations, ladder, beliefs).of(i)),
                reason);
    }
}
