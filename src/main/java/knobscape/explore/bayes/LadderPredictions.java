package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.Objectives;
import knobscape.numeric.StandardNormal;
import knobscape.pareto.ParetoFront;
import knobscape.space.Configuration;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Posterior;

/// The beliefs of a fitted ladder about a batch of candidates, objective by objective, at every fidelity. A
/// fidelity that does not report an objective borrows the highest fidelity's belief about it, taken as
/// independent of the others.
final class LadderPredictions {
    private final Observations observations;
    private final Objectives objectives;
    private final List<Posterior> candidates;
    private final FidelityLadder ladder;
    private final CandidatePool.Batch batch;

    LadderPredictions(
            Observations observations, Objectives objectives, FidelityLadder ladder, CandidatePool.Batch batch) {
        this(observations, objectives, ladder, batch, false);
    }

    /// @param rough whether candidates are only to be sorted out
    LadderPredictions(
            Observations observations,
            Objectives objectives,
            FidelityLadder ladder,
            CandidatePool.Batch batch,
            boolean rough) {
        this.observations = observations;
        this.objectives = objectives;
        this.candidates = posteriors(ladder, batch.configurations(), batch.x(), rough);
        this.ladder = ladder;
        this.batch = batch;
    }

    /// Observations with every refused design at what is expected of it where it was not measured, so that nothing is
    /// to be learned beside it; it is on no front still.
    ///
    /// @param ladder fitted to them
    static Observations refusedAsExpected(
            Observations observations, EvaluatorInfo info, Objectives objectives, FidelityLadder ladder) {
        List<Observations.Design> refused = observations.designs().stream()
                .filter(d -> d.state() == Observations.State.INVALID)
                .toList();
        if (refused.isEmpty()) {
            return observations;
        }
        var beliefs = new LadderPredictions(observations, objectives, ladder, CandidatePool.Batch.of(refused));
        List<Observations.Design> expected = new ArrayList<>();
        for (int i = 0; i < refused.size(); i++) {
            Observations.Design d = refused.get(i);
            double[][] values = beliefs.expected(i, observations.levels().size() - 1, d.values().length);
            for (int rank = 0; rank < values.length; rank++) {
                values[rank] = d.has(rank) ? d.values()[rank] : values[rank];
            }
            expected.add(new Observations.Design(
                    d.configuration(), d.x(), values, d.highestRank(), Observations.State.INVALID, true));
        }
        return observations.with(info, expected);
    }

    private List<Posterior> posteriors(
            FidelityLadder ladder, List<Configuration> configurations, double[][] x, boolean rough) {
        double[][][] known = known(configurations);
        return rough ? ladder.screened(x, known) : ladder.posteriors(x, known);
    }

    private double[][][] known(List<Configuration> configurations) {
        double[][][] known = new double[observations.levels().size()][][];
        for (int k = 0; k < known.length; k++) {
            known[k] = observations.known(k, configurations);
        }
        return known;
    }

    /// The surrogate's own posterior at level `k` over the outputs of that level.
    Posterior raw(int k) {
        return candidates.get(k);
    }

    /// Beliefs about all M objectives at level `k`, raised by `alignment`.
    Posterior objectives(int k, double[] alignment) {
        int m = objectives.count();
        Posterior own = candidates.get(k);
        Posterior top = candidates.getLast();
        int[] place = place(k);
        int[] topPlace = place(candidates.size() - 1);
        GaussianPosterior all = GaussianPosterior.blank(own.size(), m);
        for (int i = 0; i < own.size(); i++) {
            for (int a = 0; a < m; a++) {
                int at = (i * m + a) * m;
                if (place[a] < 0) {
                    all.means()[i * m + a] = top.mean(i, topPlace[a]);
                    all.covariances()[at + a] = top.covariance(i, topPlace[a], topPlace[a]);
                    continue;
                }
                all.means()[i * m + a] = own.mean(i, place[a]) + alignment[a];
                for (int b = 0; b < m; b++) {
                    all.covariances()[at + b] = place[b] < 0 ? 0 : own.covariance(i, place[a], place[b]);
                }
            }
        }
        return all;
    }

    /// Draws of all candidates' objectives at the highest fidelity as functions of the candidate: by draw the
    /// vectors one after another; a vector that does not keep the bounds, or cannot be built in this draw,
    /// begins with positive infinity.
    double[][] functions(int draws, ValidityModel validity, long seed) {
        int m = objectives.count();
        int top = observations.levels().size() - 1;
        int[] outputs = observations.levels().get(top).outputs();
        double[][][] known = known(batch.configurations());
        for (double[] row : known[top]) {
            Arrays.fill(row, Double.NaN);
        }
        double[][][] drawn = ladder.paths(batch.x(), known, draws, seed);
        int[] place = place(top);
        List<Quantities.Limit> limits = observations.limits();
        double[] chance = validity.of(batch.x().length, i -> batch.x()[i]);
        var random = new SplittableRandom(seed);
        double[][] flat = new double[draws][batch.x().length * m];
        for (int s = 0; s < draws; s++) {
            for (int i = 0; i < batch.x().length; i++) {
                double[] y = drawn[s][i];
                boolean keeps = random.nextDouble() <= chance[i]
                        && limits.stream().allMatch(l -> {
                            int at = Arrays.binarySearch(outputs, l.quantity());
                            return at < 0 || l.keeps(y[at]);
                        });
                for (int j = 0; j < m; j++) {
                    flat[s][i * m + j] = keeps ? y[place[j]] : Double.POSITIVE_INFINITY;
                }
            }
        }
        return flat;
    }

    /// How the posterior mean at the highest level would spread if level `k` were run: the part of the highest
    /// level's covariance that it would resolve.
    Posterior resolved(int k) {
        Posterior top = objectives(candidates.size() - 1, new double[objectives.count()]);
        Posterior own = candidates.getLast();
        int m = objectives.count();
        int[] place = place(candidates.size() - 1);
        GaussianPosterior all = GaussianPosterior.blank(own.size(), m);
        for (int i = 0; i < own.size(); i++) {
            double share = 1;
            for (int l = k + 1; l < candidates.size() - 1; l++) {
                Posterior p = candidates.get(l);
                double sum = 0;
                for (int j = 0; j < p.outputs(); j++) {
                    sum += p.inherited(i, j, j) / p.covariance(i, j, j);
                }
                share *= Math.min(1, sum / p.outputs());
            }
            for (int a = 0; a < m; a++) {
                all.means()[i * m + a] = top.mean(i, a);
                for (int b = 0; b < m; b++) {
                    all.covariances()[(i * m + a) * m + b] = share * own.inherited(i, place[a], place[b]);
                }
            }
        }
        return all;
    }

    /// By objective its position among the outputs of level `k`, -1 where it is not reported there.
    private int[] place(int k) {
        int[] place = new int[objectives.count()];
        Arrays.fill(place, -1);
        int[] outputs = observations.levels().get(k).outputs();
        for (int p = 0; p < outputs.length; p++) {
            if (outputs[p] < place.length) {
                place[outputs[p]] = p;
            }
        }
        return place;
    }

    /// The front at level `k` in objectives on the given scales, raised by `alignment`: designs measured there,
    /// an objective that is missing taken from the highest fidelity's measurement or else its belief.
    ParetoFront<Configuration> front(int k, double[] alignment, List<Scale> scales) {
        int m = objectives.count();
        int rank = observations.levels().get(k).fidelity().rank();
        int topRank = observations.levels().getLast().fidelity().rank();
        int[] topPlace = place(observations.levels().size() - 1);
        Optional<Posterior> top = Optional.empty();
        var front = new ParetoFront<Configuration>(m);
        for (int i = 0; i < observations.designs().size(); i++) {
            Observations.Design d = observations.designs().get(i);
            if (!d.has(rank) || d.state() == Observations.State.INVALID || !observations.keepsBounds(d)) {
                continue;
            }
            double[] y = new double[m];
            for (int j = 0; j < m; j++) {
                double v = d.values()[rank][j] + alignment[j];
                if (Double.isNaN(v)) {
                    v = d.has(topRank) ? d.values()[topRank][j] : Double.NaN;
                }
                if (Double.isNaN(v)) {
                    // Seldom needed: only where a design has not been run to where the objective is measured.
                    if (top.isEmpty()) {
                        top = Optional.of(ofDesigns());
                    }
                    v = top.get().mean(i, topPlace[j]);
                }
                y[j] = scales.get(j).toObjective(v);
            }
            front.add(y, d.configuration());
        }
        return front;
    }

    /// Beliefs at the highest fidelity about the designs observed.
    private Posterior ofDesigns() {
        var seen = CandidatePool.Batch.of(observations.designs());
        return posteriors(ladder, seen.configurations(), seen.x(), false).getLast();
    }

    /// Probability, by candidate, that it can be built and keeps all bounds.
    double[] chances(int[] listed, ValidityModel validity) {
        double[] chance = validity.of(listed.length, i -> batch.x()[listed[i]]);
        for (Quantities.Limit limit : observations.limits()) {
            int[] outputs = observations.levels().getLast().outputs();
            int place = IntStream.range(0, outputs.length)
                    .filter(p -> outputs[p] == limit.quantity())
                    .findFirst()
                    .orElse(-1);
            if (place < 0) {
                continue;
            }
            Posterior top = raw(observations.levels().size() - 1);
            double noise = ladder.models().getLast().noise()[place];
            for (int i = 0; i < chance.length; i++) {
                double mean = top.mean(listed[i], place);
                double deviation = Math.sqrt(top.covariance(listed[i], place, place) + noise);
                chance[i] *= StandardNormal.cumulative((limit.high() - mean) / deviation)
                        - StandardNormal.cumulative((limit.low() - mean) / deviation);
            }
        }
        return chance;
    }

    /// The sum over the objectives that level `k` reports of their posterior deviation there, each in units of the
    /// deviation of its observed values.
    double[] uncertainty(int k) {
        Posterior own = candidates.get(k);
        Observations.Level level = observations.levels().get(k);
        double[] sum = new double[own.size()];
        for (int p = 0; p < level.outputs().length; p++) {
            int j = level.outputs()[p];
            if (j >= objectives.count()) {
                continue;
            }
            double deviation = Observations.spread(
                            Arrays.stream(level.rows()).mapToObj(observations.designs()::get),
                            level.fidelity().rank(),
                            j)
                    .deviation();
            for (int i = 0; i < sum.length; i++) {
                sum[i] += deviation > 0 ? own.deviation(i, p) / deviation : 0;
            }
        }
        return sum;
    }

    /// The values of candidate `i` if the means came true: a vector per fidelity rank up to that of level
    /// `upTo`, empty for fidelities without outputs.
    double[][] expected(int i, int upTo, int stages) {
        double[][] values = new double[stages][0];
        for (int k = 0; k <= upTo; k++) {
            double[] y = new double[observations.quantities()];
            Arrays.fill(y, Double.NaN);
            int[] outputs = observations.levels().get(k).outputs();
            for (int p = 0; p < outputs.length; p++) {
                y[outputs[p]] = candidates.get(k).mean(i, p);
            }
            values[observations.levels().get(k).fidelity().rank()] = y;
        }
        return values;
    }
}
