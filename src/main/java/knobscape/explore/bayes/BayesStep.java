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
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
    /// Draws of a sampled acquisition, a power of two.
    private static final int SAMPLES = 128;
    /// Outcomes drawn for the range of what is promised.
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
    private final CandidatePool candidates;
    private final int size;
    private final CandidatePool.Batch batch;
    /// The source of [#batch], and what is roughly believed of it; the same where nothing was sorted out.
    private final CandidatePool.Batch open;
    private final LadderPredictions ofOpen;
    private final Set<Configuration> taken;
    private final StageCosts costs;
    private final ValidityModel validity;
    private final Deadline deadline;
    private final LongSupplier nanoClock;
    private final long seed;
    private final boolean isStalled;
    private ExpectedGain promise = ExpectedGain.UNKNOWN;
    private final Map<Configuration, Integer> ranks = new HashMap<>();
    private final double[] best;
    private final double[][] normals;
    private final double[][] frontNormals;
    /// Draws of outcomes, and of what follows each of them.
    private final double[][] outcomeNormals;
    private final double[][] laterNormals;
    private Observations observations;
    private FidelityLadder ladder;
    private LadderPredictions beliefs;
    private Optional<FrontCover.FrontSample> fronts = Optional.empty();
    private long posteriorNanos;

    BayesStep(
            BayesSettings settings,
            EvaluatorInfo info,
            Objectives objectives,
            CandidatePool candidates,
            Observations observations,
            FidelityLadder ladder,
            CandidatePool.Batch batch,
            Set<Configuration> finished,
            long seed,
            StageCosts costs,
            ValidityModel validity,
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
        this.isStalled = settings.choosing().stall() != BayesSettings.Stall.NONE && observations.sinceGain() >= STALLED;
        this.best = new double[observations.levels().size()];
        this.normals = Sobol.normals(SAMPLES, m, seed);
        this.frontNormals = Sobol.normals(FRONTS, m, seed + 1);
        double[][] both = Sobol.normals(OUTCOMES, 2 * m, seed + 2);
        this.outcomeNormals = Arrays.stream(both).map(r -> Arrays.copyOf(r, m)).toArray(double[][]::new);
        this.laterNormals =
                Arrays.stream(both).map(r -> Arrays.copyOfRange(r, m, 2 * m)).toArray(double[][]::new);
        observations.designs().forEach(d -> ranks.put(d.configuration(), d.highestRank()));
        this.size = batch.configurations().size();
        boolean isLong = isSorted() && size > SHORT_LIST;
        this.open = isLong ? open(batch) : batch;
        this.ofOpen = believe(open, isLong);
        this.batch = isLong ? shortList(open, ofOpen) : batch;
        this.beliefs = isLong ? believe(this.batch, false) : ofOpen;
    }

    /// Probability, by candidate, to be built and to keep all bounds, times what a deadline makes of its gain.
    private double[] chances(LadderPredictions believed, CandidatePool.Batch about, int[] listed) {
        return Scores.weighed(
                believed.chances(listed, validity),
                Arrays.stream(listed)
                        .mapToDouble(i -> deadline.worth(about.configurations().get(i)))
                        .toArray());
    }

    private LadderPredictions believe(CandidatePool.Batch about, boolean rough) {
        long before = nanoClock.getAsLong();
        LadderPredictions now = new LadderPredictions(observations, objectives, ladder, about, rough);
        posteriorNanos += nanoClock.getAsLong() - before;
        return now;
    }

    private boolean isStaged() {
        return settings.choosing().fidelity() == BayesSettings.FidelityRule.STAGED
                && settings.choosing().gain() != BayesSettings.Gain.ENTROPY;
    }

    /// True if candidates are sorted out by rough gains first.
    private boolean isSorted() {
        return isStaged()
                || (settings.choosing().fidelity() == BayesSettings.FidelityRule.TOP_FRONT
                        && settings.choosing().gain() == BayesSettings.Gain.HYPERVOLUME);
    }

    /// True if it is the growth of the hypervolume that chooses.
    private boolean isVolume() {
        return isStalled || settings.choosing().gain() == BayesSettings.Gain.HYPERVOLUME;
    }

    /// The open candidates with the largest rough gain, at most [#SHORT_LIST]; where every stage is weighed by its
    /// cost, the largest of any stage. Where distances to fronts are the gain, those that are on a front drawn from
    /// rough beliefs, by the gain over the few draws of the fronts.
    private CandidatePool.Batch shortList(CandidatePool.Batch few, LadderPredictions rough) {
        int m = objectives.count();
        int count = few.configurations().size();
        Posterior p = rough.objectives(top(), new double[m]);
        if (isVolume()) {
            double[] gain = isStaged()
                    ? Scores.weighed(
                            Eipv.exact(boxes(rough, top(), new double[m]), scales())
                                    .score(p),
                            chances(rough, few, IntStream.range(0, count).toArray()))
                    : bestOfLevels(few, rough);
            return isStaged() || Arrays.stream(gain).anyMatch(g -> g > 0)
                    ? CandidatePool.only(
                            few, Scores.largest(gain, SHORT_LIST).sorted().toArray())
                    : few;
        }
        FrontCover.FrontSample drawn = drawFronts(rough, p);
        int[] members = drawn.members();
        double[] gain = Scores.weighed(
                new FrontCover(drawn, frontNormals).score(GaussianPosterior.some(p, members)),
                chances(rough, few, members));
        int[] chosen =
                Scores.largest(gain, SHORT_LIST).map(i -> members[i]).sorted().toArray();
        return CandidatePool.only(
                few,
                chosen.length > 0
                        ? chosen
                        : IntStream.range(0, Math.min(SHORT_LIST, count)).toArray());
    }

    /// The candidates that may still be run to the highest stage.
    private CandidatePool.Batch open(CandidatePool.Batch all) {
        return CandidatePool.only(
                all,
                IntStream.range(0, all.configurations().size())
                        .filter(i -> !taken.contains(all.configurations().get(i))
                                && rank(all.configurations().get(i))
                                        < info.top().rank())
                        .toArray());
    }

    /// Rank of the highest stage a design has been through, -1 for none.
    private int rank(Configuration c) {
        return ranks.getOrDefault(c, -1);
    }

    /// By candidate the largest penalised score of any level that it may still be run to.
    private double[] bestOfLevels(CandidatePool.Batch few, LadderPredictions rough) {
        double[] largest = new double[few.x().length];
        for (int k = 0; k < observations.levels().size(); k++) {
            int rank = observations.levels().get(k).fidelity().rank();
            double[] scores = improvements(rough, k);
            double factor = costs.advantage(rank);
            for (int i = 0; i < largest.length; i++) {
                if (rank(few.configurations().get(i)) < rank) {
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

    /// Largest score at level `k` of the last choice.
    double best(int k) {
        return best[k];
    }

    /// True if run after run brought no new design of the front.
    boolean isStalled() {
        return isStalled;
    }

    /// The gain expected of the next run to the highest stage; unknown where the gain is something else.
    ExpectedGain promise() {
        return fronts.isPresent() && runSeconds() > 0 ? promise : ExpectedGain.UNKNOWN;
    }

    /// Tool time of a run to the highest stage.
    double runSeconds() {
        return costs.fullSeconds();
    }

    /// Distance to the front that is believed; NaN where no gain is told.
    double left() {
        return fronts.map(FrontCover.FrontSample::distance).orElse(Double.NaN);
    }

    /// Time spent in posteriors.
    double posteriorSeconds() {
        return posteriorNanos * 1e-9;
    }

    /// Takes a design in flight as measured at the posterior mean, with the hyper-parameters as they are.
    void imagine(Configuration configuration, Fidelity upTo) {
        taken.add(configuration);
        double[] x = candidates.features(configuration);
        LadderPredictions own = new LadderPredictions(
                observations, objectives, ladder, new CandidatePool.Batch(List.of(configuration), new double[][] {x}));
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
        List<Proposal> chosen = switch (settings.choosing().gain()) {
            case ENTROPY -> penalised(k -> MaxValueEntropy.score(beliefs, k, top(), observations.smallest()), "MES");
            case HYPERVOLUME, COVERAGE -> isStaged() ? staged() : penalised(k -> improvements(beliefs, k), "PEIPV");
        };
        return chosen.isEmpty()
                ? leastKnown().stream().toList()
                : Stream.concat(chosen.stream(), look(chosen).stream()).toList();
    }

    /// Where runs bring no new design of the front, beside one in full the lowest stage of the design of which it is
    /// least known. A gain is expected only of what the processes are not sure of; where they are sure and wrong no
    /// other run would tell them. That stage is charged ([Screenings#paysLook]).
    private Optional<Proposal> look(List<Proposal> beside) {
        boolean isInFull = beside.size() == 1
                && beside.getFirst().upTo().rank() == info.top().rank();
        Fidelity lowest = observations.levels().getFirst().fidelity();
        if (settings.choosing().stall() != BayesSettings.Stall.EXACT_AND_LOOK
                || !(isStalled && isStaged() && isInFull && top() > 0)) {
            return Optional.empty();
        }
        var screenings =
                new Screenings(settings, costs, observations, info.top().rank());
        if (!screenings.mayEndAt(lowest.rank())
                || !screenings.paysLook(lowest.rank(), observations.sinceGain() - STALLED)) {
            return Optional.empty();
        }
        Configuration run = beside.getFirst().configuration();
        double[] uncertainty = ofOpen.uncertainty(0);
        return Scores.largest(uncertainty, uncertainty.length)
                .filter(i -> isNew(open.configurations().get(i))
                        && !run.equals(open.configurations().get(i)))
                .boxed()
                .findFirst()
                .map(i -> proposal(open, ofOpen, i, lowest, 0, CgpExplorer.LOOK));
    }

    private boolean isNew(Configuration c) {
        return !taken.contains(c) && rank(c) < 0;
    }

    /// The least known candidate at the highest fidelity.
    private Optional<Proposal> leastKnown() {
        double[] uncertainty = beliefs.uncertainty(top());
        if (!settings.limits().bounds().isEmpty() || !deadline.isNone()) {
            Scores.weighed(
                    uncertainty,
                    chances(
                            beliefs,
                            batch,
                            IntStream.range(0, uncertainty.length).toArray()));
        }
        return Scores.largest(uncertainty, uncertainty.length)
                .filter(i -> !taken.contains(batch.configurations().get(i)))
                .boxed()
                .findFirst()
                .map(i -> proposal(i, info.top(), 0, "largest deviation: no candidate promises an improvement"));
    }

    /// Algorithm 2 of the thesis: the candidate and fidelity of the largest score weighed by cost; none where
    /// nothing scores.
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
                if (taken.contains(c) || rank(c) >= rank) {
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

    private double[] improvements(LadderPredictions believed, int k) {
        double[] none = new double[objectives.count()];
        double[] alignment = settings.choosing().alignment() == BayesSettings.Alignment.MEDIAN_RATIO
                ? observations.alignment(k)
                : none;
        if (k == top() || settings.choosing().fidelity() == BayesSettings.FidelityRule.OWN_FRONT) {
            return acquisition(boxes(believed, k, alignment), normals).score(believed.objectives(k, alignment));
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

    // Gain per hour, continuing only where a lower stage does not disappoint.

    private List<Proposal> staged() {
        int m = objectives.count();
        int topRank = info.top().rank();
        Posterior all = beliefs.objectives(top(), new double[m]);
        int[] listed = IntStream.range(0, batch.configurations().size())
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
            promise = promised(bestDirect, listed, few, chance, nearest);
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
                promise = isVolume() ? promise : promise.orMore(rates[l]);
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
                        c.level() == top() ? "gain per " + info.source().hour() : "screening at a low fidelity"))
                .toList();
    }

    /// Promises the largest fall of the distance to the drawn fronts per full run, where another gain chooses.
    private void bestCover(int[] listed, Posterior few, double[] chance) {
        double[] gains = Scores.weighed(cover(normals).score(few), chance);
        double most = 0;
        int nearest = -1;
        for (int i = 0; i < gains.length; i++) {
            double rate = gains[i] / costs.share(done(listed[i]), info.top().rank());
            if (rate > most) {
                most = rate;
                nearest = i;
            }
        }
        promise = promised(most, listed, few, chance, nearest);
    }

    /// The gain promised of a candidate (-1: nothing is).
    private ExpectedGain promised(double gain, int[] listed, Posterior few, double[] chance, int candidate) {
        if (settings.choosing().gain() == BayesSettings.Gain.ENTROPY || candidate < 0) {
            return new ExpectedGain(gain, 0, 0);
        }
        double[] gains =
                cover(Sobol.normals(RANGE_DRAWS, objectives.count(), seed + 3)).byDraw(few, candidate);
        return ExpectedGain.of(
                gain,
                gains,
                chance[candidate],
                costs.share(done(listed[candidate]), info.top().rank()));
    }

    /// Position of the highest level.
    private int top() {
        return observations.levels().size() - 1;
    }

    private int done(int i) {
        return rank(batch.configurations().get(i));
    }

    private Acquisition gain(double[][] draws) {
        int m = objectives.count();
        if (settings.choosing().gain() == BayesSettings.Gain.HYPERVOLUME) {
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

    private FrontCover.FrontSample drawFronts(LadderPredictions believed, Posterior p) {
        double[][] measured = measured(believed);
        double[] unit = observations.units();
        return believed == beliefs && settings.choosing().fronts() == BayesSettings.Fronts.JOINT
                ? FrontCover.of(believed.functions(FRONTS, validity, seed), measured, unit)
                : FrontCover.draw(p, measured, unit, frontNormals, keeps(observations.limits()));
    }

    /// True for a vector of objectives that keeps the bounds of objectives.
    private Predicate<double[]> keeps(List<Quantities.Limit> limits) {
        return y -> limits.stream().allMatch(l -> l.quantity() >= y.length || l.keeps(y[l.quantity()]));
    }

    /// The front measured at the highest fidelity, modelled.
    private double[][] measured(LadderPredictions believed) {
        int m = objectives.count();
        return believed.front(top(), new double[m], Collections.nCopies(m, Scale.LINEAR))
                .vectors();
    }

    /// From modelled values to those whose volume is taken.
    private List<Scale> scales() {
        return settings.choosing().volume() == BayesSettings.Volume.MODELLED
                ? Collections.nCopies(objectives.count(), Scale.LINEAR)
                : observations.scales();
    }

    private double[] reference() {
        return settings.choosing().volume() == BayesSettings.Volume.MODELLED
                ? observations.reference()
                : objectives.referencePoint();
    }

    private NonDominatedBoxes boxes(LadderPredictions believed, int k, double[] alignment) {
        return NonDominatedBoxes.of(believed.front(k, alignment, scales()).vectors(), reference());
    }

    private Acquisition acquisition(NonDominatedBoxes boxes, double[][] draws) {
        // The closed form leaves correlations out.
        boolean exact = settings.learning().objectives() == BayesSettings.ObjectiveModel.INDEPENDENT;
        return exact ? Eipv.exact(boxes, scales()) : Eipv.sampled(boxes, scales(), draws);
    }

    private Proposal proposal(int i, Fidelity upTo, double score, String reason) {
        return proposal(batch, beliefs, i, upTo, score, reason);
    }

    private Proposal proposal(
            CandidatePool.Batch about, LadderPredictions believed, int i, Fidelity upTo, double score, String reason) {
        return new Proposal(
                about.configurations().get(i),
                upTo,
                score,
                Optional.of(new Forecast(info, objectives, observations, ladder, believed).of(i)),
                reason);
    }
}
