package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.explore.acquisition.ExpectedImprovement;
import knobscape.explore.population.Evolution;
import knobscape.explore.population.Recombination;
import knobscape.pareto.CrowdedOrder;
import knobscape.space.Configuration;
import knobscape.space.Encoder;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;

/// How well-known methods choose the next design, each in its plainest form.
public final class SelectionRules {
    /// Share of the designs that a tree-structured Parzen estimator calls good, and its draws.
    private static final double GOOD = 0.25;
    private static final int DRAWS = 24;
    /// Knobs of a child that are drawn anew on average, and how often a child that is known is mutated.
    private static final double MUTATIONS = 1;
    private static final int TRIES = 20;

    private SelectionRules() {}

    /// Multi-objective tree-structured Parzen estimator (Bergstra et al. 2011; Ozaki et al. 2022): every knob
    /// by itself, good designs being those of the best non-domination ranks; of candidates drawn as the good
    /// ones are, the one whose likelihood among them exceeds that among the others most.
    public static PoolExplorer.Rule parzen() {
        return state -> {
            List<Configuration> measured = List.copyOf(state.measured().keySet());
            List<Configuration> sorted = best(measured, measured.size(), state.measured());
            int good = Math.max(2, (int) Math.ceil(GOOD * sorted.size()));
            List<Configuration> best = sorted.subList(0, Math.min(good, sorted.size()));
            List<Configuration> rest = new ArrayList<>(sorted.subList(best.size(), sorted.size()));
            rest.addAll(state.refused());
            double[] likely = logLikelihood(best, state.candidates());
            double[] unlikely = logLikelihood(rest, state.candidates());
            double most = Arrays.stream(likely).max().orElse(0);
            double[] weights =
                    Arrays.stream(likely).map(v -> Math.exp(v - most)).toArray();
            double sum = Arrays.stream(weights).sum();
            int chosen = -1;
            for (int draw = 0; draw < DRAWS; draw++) {
                double left = state.random().nextDouble() * sum;
                int i = 0;
                while (i + 1 < weights.length && left > weights[i]) {
                    left -= weights[i++];
                }
                if (chosen < 0 || likely[i] - unlikely[i] > likely[chosen] - unlikely[chosen]) {
                    chosen = i;
                }
            }
            return state.candidates().get(chosen);
        };
    }

    /// By candidate the sum over knobs of the logarithm of how often its level was seen, one more seen of each.
    private static double[] logLikelihood(List<Configuration> seen, List<Configuration> candidates) {
        int knobs = candidates.getFirst().knobs().size();
        double[] sums = new double[candidates.size()];
        for (int k = 0; k < knobs; k++) {
            double[] counts = new double
                    [candidates.getFirst().knobs().get(k).domain().labels().size()];
            Arrays.fill(counts, 1.0 / counts.length);
            for (Configuration c : seen) {
                counts[c.level(k)]++;
            }
            for (int i = 0; i < sums.length; i++) {
                sums[i] += Math.log(counts[candidates.get(i).level(k)] / (seen.size() + 1));
            }
        }
        return sums;
    }

    /// NSGA-II (Deb et al. 2002), the first population drawn: uniform crossover of two parents, each the better
    /// of two by non-domination rank and crowding, and mutation. The best of parents and children live on; a
    /// design that was refused does not. A child that was asked for before is mutated again, and one that is not
    /// in the space gives way to the candidate nearest to it.
    ///
    /// @param population members that live on
    /// @param children of a generation: as many as members in the paper, one in the steady-state form (Durillo
    /// et al. 2009), which learns more from few designs
    public static PoolExplorer.Rule nsga2(int population, int children) {
        return state -> {
            List<Configuration> arrived = List.copyOf(state.measured().keySet());
            if (arrived.size() < population) {
                return state.candidates()
                        .get(state.random().nextInt(state.candidates().size()));
            }
            List<Configuration> parents = best(arrived.subList(0, population), population, state.measured());
            for (int from = population; from + children <= arrived.size(); from += children) {
                parents = best(
                        Stream.concat(parents.stream(), arrived.subList(from, from + children).stream())
                                .toList(),
                        population,
                        state.measured());
            }
            Set<Configuration> open = new HashSet<>(state.candidates());
            List<Evolution.Member<Configuration>> members = new ArrayList<>();
            for (Configuration c : parents) {
                members.add(new Evolution.Member<>(c, -members.size()));
            }
            Configuration child = Evolution.breed(
                            members,
                            1,
                            Evolution.tournament(2),
                            (parent, random) -> {
                                Configuration c =
                                        mutated(Recombination.uniform(parent.get(), parent.get(), random), random);
                                for (int t = 0; t < TRIES && !open.contains(c); t++) {
                                    c = mutated(c, random);
                                }
                                return Optional.of(c);
                            },
                            state.random())
                    .getFirst();
            return open.contains(child) ? child : nearest(child.levels(), state.candidates());
        };
    }

    private static Configuration mutated(Configuration c, SplittableRandom random) {
        return Recombination.mutate(c, MUTATIONS / c.knobs().size(), random);
    }

    /// The best of some designs by rank and crowding, the best first.
    private static List<Configuration> best(
            List<Configuration> designs, int count, Map<Configuration, double[]> measured) {
        return CrowdedOrder.of(designs.stream()
                        .map(c -> measured.getOrDefault(c, NONE))
                        .toList())
                .stream()
                .limit(count)
                .map(designs::get)
                .toList();
    }

    private static Configuration nearest(int[] levels, List<Configuration> candidates) {
        return candidates.stream()
                .min(Comparator.comparingInt(c -> (int) IntStream.range(0, levels.length)
                        .filter(k -> c.level(k) != levels[k])
                        .count()))
                .orElseThrow();
    }

    /// Coordinate search as AutoDSE does it (Sohrabizadeh et al. 2022), without its ranking of knobs by the
    /// bottleneck that a report names: from the best design of the objective whose turn it is the nearest
    /// candidate, those that change one knob upwards first.
    public static PoolExplorer.Rule neighbours() {
        return state -> {
            int objectives = state.measured().values().iterator().next().length;
            int turn = state.measured().size() % objectives;
            Configuration from = state.measured().entrySet().stream()
                    .min(Comparator.comparingDouble(e -> e.getValue()[turn]))
                    .orElseThrow()
                    .getKey();
            return state.candidates().stream()
                    .min(Comparator.comparingDouble(c -> distance(from, c)))
                    .orElseThrow();
        };
    }

    private static double distance(Configuration from, Configuration to) {
        double sum = 0;
        for (int k = 0; k < from.knobs().size(); k++) {
            int step = to.level(k) - from.level(k);
            sum += step == 0 ? 0 : 1 + 0.01 * Math.abs(step) + (step < 0 ? 0.005 : 0);
        }
        return sum;
    }

    /// Expected improvement of a random augmented Chebyshev sum of logarithms by bagged trees, as HyperMapper does it
    /// (Nardi et al. 2019).
    ///
    /// @param trees model of one output that is uncertain where its members disagree
    public static PoolExplorer.Rule forest(Encoder encoder, Model.Trainer trees) {
        return state -> {
            List<Configuration> designs = List.copyOf(state.measured().keySet());
            int m = state.measured().values().iterator().next().length;
            double[] weights =
                    state.random().doubles(m).map(v -> -Math.log(1 - v)).toArray();
            double[] low = new double[m];
            double[] high = new double[m];
            Arrays.fill(low, Double.POSITIVE_INFINITY);
            Arrays.fill(high, Double.NEGATIVE_INFINITY);
            state.measured().values().forEach(y -> {
                for (int j = 0; j < m; j++) {
                    low[j] = Math.min(low[j], Math.log(Math.max(1e-12, y[j])));
                    high[j] = Math.max(high[j], Math.log(Math.max(1e-12, y[j])));
                }
            });
            double[] target = designs.stream()
                    .mapToDouble(c -> {
                        double[] y = state.measured().getOrDefault(c, new double[m]);
                        double highest = 0;
                        double sum = 0;
                        for (int j = 0; j < m; j++) {
                            double v = weights[j]
                                    * (Math.log(Math.max(1e-12, y[j])) - low[j])
                                    / Math.max(1e-12, high[j] - low[j]);
                            highest = Math.max(highest, v);
                            sum += v;
                        }
                        return highest + 0.05 * sum;
                    })
                    .toArray();
            // Refused designs count as the worst measured.
            List<Configuration> all =
                    Stream.concat(designs.stream(), state.refused().stream()).toList();
            double worst = Arrays.stream(target).max().orElse(1);
            double[] targets = Arrays.copyOf(target, all.size());
            Arrays.fill(targets, target.length, targets.length, worst);
            Model model = trees.fit(
                    TrainingData.single(encoder.encodeAll(all), targets),
                    state.random().nextLong());
            double[][] x = encoder.encodeAll(state.candidates());
            Posterior p = model.posterior(x, GaussianPosterior.blank(x.length, 0));
            double best = Arrays.stream(target).min().orElse(0);
            int chosen = 0;
            double largest = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < x.length; i++) {
                double deviation = Math.max(1e-9, p.deviation(i, 0));
                double gain = ExpectedImprovement.logNormal(best, p.mean(i, 0), deviation);
                if (gain > largest) {
                    largest = gain;
                    chosen = i;
                }
            }
            return state.candidates().get(chosen);
        };
    }

    private static final double[] NONE = {};
}
