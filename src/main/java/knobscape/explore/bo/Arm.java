package knobscape.explore.bo;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.explore.StepRandom;
import knobscape.explore.acquisition.ExpectedImprovement;
import knobscape.explore.bo.Pool.Part;
import knobscape.numeric.ShrunkSlope;
import knobscape.numeric.Shuffle;
import knobscape.space.Configuration;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.ensemble.TreeForest;
import knobscape.surrogate.ensemble.XgBoost;
import knobscape.surrogate.gp.GrowingProcess;
import knobscape.surrogate.gp.SharedLengths;

/// A model of a search and what it would measure next: a process, from some measurements on with boosted trees, or on
/// the residual of a prior, and expected improvement. Its only memory between questions, besides what follows from the
/// measurements, are the process's hyper-parameters and when they were fitted ([#state()]).
final class Arm {
    private static final double EXPECTED_VARIANCE = 0.25;
    private static final long STREAM = 1L << 41;
    private static final int FIRST_FIT = 8;

    private final Target target;
    private final BoSettings settings;
    private final KnobRows rows;
    private final Optional<Prior> prior;
    private final int[] group;
    private final Map<Configuration, Double> priors = new HashMap<>();

    private Optional<SharedLengths> parameters = Optional.empty();
    private int fittedAt;
    private Optional<GrowingProcess> process = Optional.empty();
    private List<Configuration> held = List.of();
    private int[] heldMeasurements = {};
    private final IdentityHashMap<Part, Watched> watched = new IdentityHashMap<>();
    private Optional<TreeForest> trees = Optional.empty();
    private int treesAt = -1;
    private double slope = 1;
    private double incumbent;
    /// Of what the process holds, what is expected where it ran; NaN where it failed.
    private double[] expected = {};

    private final class Watched {
        private final GrowingProcess.Block block;
        private final double[] prior;
        private double[] byTrees = {};
        private int byTreesAt = -1;

        Watched(Part part) {
            block = process.orElseThrow().watch(rows(part.members()));
            prior = priors(part.members());
        }

        /// Expected losses.
        double[] means(Part part) {
            double[] means = block.means();
            for (int i = 0; i < means.length; i++) {
                means[i] += slope * prior[i];
            }
            if (trees.isPresent()) {
                if (byTreesAt != treesAt) {
                    byTrees = part.members().stream()
                            .mapToDouble(c -> trees.get().predict(rows.of(c)))
                            .toArray();
                    byTreesAt = treesAt;
                }
                for (int i = 0; i < means.length; i++) {
                    means[i] = 0.5 * (means[i] + byTrees[i]);
                }
            }
            return means;
        }
    }

    /// A configuration with its expected improvement.
    ///
    /// @param logImprovement its natural logarithm
    /// @param mean expected loss
    /// @param deviation of it
    record Pick(Configuration configuration, double logImprovement, double mean, double deviation) {}

    /// @param prior what is known beforehand; an arm with one uses no trees of its own
    Arm(Target target, BoSettings settings, Optional<Prior> prior) {
        this.target = target;
        this.settings = settings;
        this.rows = new KnobRows(target.space().knobs());
        this.prior = prior;
        int[] knobs = rows.group();
        int groups = Arrays.stream(knobs).max().orElse(-1) + 1;
        group = prior.isEmpty()
                ? knobs
                : IntStream.concat(Arrays.stream(knobs), IntStream.of(groups)).toArray();
    }

    private double[] row(Configuration c) {
        double[] x = rows.of(c);
        return prior.isEmpty()
                ? x
                : DoubleStream.concat(Arrays.stream(x), DoubleStream.of(priors(List.of(c))[0]))
                        .toArray();
    }

    private double[][] rows(List<Configuration> configurations) {
        priors(configurations);
        return configurations.stream().map(this::row).toArray(double[][]::new);
    }

    /// The prior's expectations; 0 without one.
    private double[] priors(List<Configuration> configurations) {
        if (prior.isPresent()) {
            List<Configuration> fresh =
                    configurations.stream().filter(c -> !priors.containsKey(c)).toList();
            double[] values = fresh.isEmpty() ? new double[0] : prior.get().of(fresh);
            for (int i = 0; i < values.length; i++) {
                priors.put(fresh.get(i), values[i]);
            }
        }
        return configurations.stream()
                .mapToDouble(c -> priors.getOrDefault(c, 0.0))
                .toArray();
    }

    String state() {
        return parameters
                .map(p -> fittedAt + " "
                        + Arrays.stream(p.flat()).mapToObj(Double::toString).collect(Collectors.joining(" ")))
                .orElse("");
    }

    void restore(String state) {
        if (state.isBlank()) {
            return;
        }
        String[] words = state.strip().split(" ");
        double[] flat =
                Arrays.stream(words).skip(1).mapToDouble(Double::parseDouble).toArray();
        // A run of an earlier version has another number of length scales; they are found anew.
        if (flat.length == Arrays.stream(group).max().orElse(-1) + 2) {
            fittedAt = Integer.parseInt(words[0]);
            parameters = Optional.of(SharedLengths.of(group, flat));
        }
    }

    private static int interval(int n) {
        return n < 64 ? 4 : n < 128 ? 8 : n < 256 ? 16 : 32;
    }

    /// Takes what is known; fits what is due.
    void learn(List<Evaluation> evaluations, Losses all) {
        int n = evaluations.size();
        double[] p = priors(all.configurations());
        slope = prior.isEmpty() ? 0 : ShrunkSlope.of(p, all.losses());
        double[] y = IntStream.range(0, all.size())
                .mapToDouble(i -> all.losses()[i] - slope * p[i])
                .toArray();
        boolean due = n >= FIRST_FIT && n >= fittedAt + (parameters.isEmpty() ? 0 : interval(n));
        if (due) {
            fittedAt = n;
        }
        int[] active = active(evaluations, all);
        List<Configuration> wanted =
                Arrays.stream(active).mapToObj(all.configurations()::get).toList();
        double[] outputs = Arrays.stream(active).mapToDouble(i -> y[i]).toArray();
        int[] measurements =
                Arrays.stream(active).map(i -> all.measurements()[i]).toArray();
        if (due) {
            parameters = Optional.of(SharedLengths.fit(
                    rows(wanted), outputs, group, parameters, settings.models().process(), target.seed() + n));
        }
        boolean grows = held.size() <= wanted.size()
                && wanted.subList(0, held.size()).equals(held)
                && Arrays.equals(heldMeasurements, Arrays.copyOf(measurements, held.size()));
        if (due || !grows || process.isEmpty()) {
            process = Optional.of(new GrowingProcess(
                    parameters.orElseGet(
                            () -> SharedLengths.centre(group, settings.models().process())),
                    EXPECTED_VARIANCE));
            watched.clear();
            held = List.of();
        }
        GrowingProcess gp = process.get();
        for (int i = held.size(); i < active.length; i++) {
            gp.add(row(wanted.get(i)), measurements[i]);
        }
        held = wanted;
        heldMeasurements = measurements;
        gp.outputs(outputs);
        double[] smooth = all.isNoisy() ? gp.smoothed() : outputs;
        expected = new double[active.length];
        for (int i = 0; i < active.length; i++) {
            expected[i] = all.failed()[active[i]] ? Double.NaN : smooth[i] + slope * p[active[i]];
        }
        incumbent = least(_ -> true);
        if (prior.isEmpty() && n >= settings.models().treesFrom()) {
            growTrees(evaluations, n - n % (n < 2 * settings.models().treesFrom() ? 4 : 8));
        }
    }

    private double least(Predicate<Configuration> among) {
        return IntStream.range(0, expected.length)
                .filter(i -> !Double.isNaN(expected[i]) && among.test(held.get(i)))
                .mapToDouble(i -> expected[i])
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /// Rows of the process: all, or where there are too many the best and some of the others, as they were at the last
    /// fit, and all since.
    private int[] active(List<Evaluation> evaluations, Losses all) {
        if (all.size() <= settings.models().rows()) {
            return IntStream.range(0, all.size()).toArray();
        }
        Losses then = Losses.of(evaluations.subList(0, fittedAt), target);
        int half = settings.models().rows() / 2;
        List<Integer> order = Losses.order(then.losses());
        int[] others = order.stream().skip(half).mapToInt(i -> i).toArray();
        Shuffle.shuffle(others, StepRandom.of(target.seed(), STREAM + fittedAt));
        return IntStream.concat(
                        IntStream.concat(
                                        order.stream().limit(half).mapToInt(i -> i),
                                        Arrays.stream(others).limit(half))
                                .sorted(),
                        IntStream.range(then.size(), all.size()))
                .toArray();
    }

    private void growTrees(List<Evaluation> evaluations, int at) {
        if (at == treesAt) {
            return;
        }
        Losses then = Losses.of(evaluations.subList(0, at), target);
        trees = Optional.of(XgBoost.fit(
                TrainingData.single(rows.all(then.configurations()), then.losses()),
                settings.models().trees(),
                target.seed()));
        treesAt = at;
    }

    /// Counts on what is expected of a configuration in flight.
    void believe(Configuration c) {
        process.orElseThrow().believe(row(c));
    }

    /// Forgets what was believed.
    void settle() {
        process.ifPresent(g -> g.truncate(held.size()));
    }

    /// The candidate of the largest expected improvement that is allowed and can run.
    Optional<Pick> best(List<Part> parts, Predicate<Configuration> allowed) {
        watched.keySet().removeIf(p -> {
            boolean gone = parts.stream().noneMatch(q -> q == p);
            if (gone) {
                process.orElseThrow().drop(requireNonNull(watched.get(p)).block);
            }
            return gone;
        });
        var candidates = new ArrayList<Pick>();
        var seen = new HashSet<Configuration>();
        for (Part part : parts) {
            List<Pick> all = picks(watched.computeIfAbsent(part, Watched::new), part);
            for (int i = 0; i < all.size(); i++) {
                Configuration c = part.members().get(i);
                if (allowed.test(c) && seen.add(c)) {
                    candidates.add(all.get(i));
                }
            }
        }
        return first(candidates);
    }

    /// The candidate of a part of the space whose improvement over the best of that part is largest: a worse valley is
    /// searched for its own best.
    Optional<Pick> bestWithin(List<Part> parts, Predicate<Configuration> allowed, Predicate<Configuration> within) {
        double overall = incumbent;
        double own = least(within);
        incumbent = own < Double.POSITIVE_INFINITY ? own : overall;
        Optional<Pick> pick = best(parts, c -> allowed.test(c) && within.test(c));
        incumbent = overall;
        return pick;
    }

    private Optional<Pick> first(List<Pick> candidates) {
        var left = new ArrayList<>(candidates);
        while (!left.isEmpty()) {
            int best = 0;
            for (int i = 1; i < left.size(); i++) {
                best = left.get(i).logImprovement > left.get(best).logImprovement ? i : best;
            }
            Pick pick = left.get(best);
            if (target.canRun().test(pick.configuration)) {
                return Optional.of(pick);
            }
            left.set(best, left.getLast());
            left.removeLast();
        }
        return Optional.empty();
    }

    /// The best of some configurations that are asked about only once.
    Optional<Pick> best(List<Configuration> members, Set<Configuration> excluded) {
        List<Configuration> open =
                members.stream().filter(c -> !excluded.contains(c)).toList();
        if (open.isEmpty()) {
            return Optional.empty();
        }
        var part = new Part(open);
        var once = new Watched(part);
        List<Pick> picks = picks(once, part);
        process.orElseThrow().drop(once.block);
        return first(picks);
    }

    private List<Pick> picks(Watched w, Part part) {
        double[] means = w.means(part);
        double[] variances = w.block.variances();
        var picks = new ArrayList<Pick>(means.length);
        for (int i = 0; i < means.length; i++) {
            double s = Math.sqrt(variances[i]);
            double improvement = ExpectedImprovement.logNormal(incumbent, means[i], s);
            picks.add(new Pick(part.members().get(i), improvement, means[i], s));
        }
        return picks;
    }

    /// Expected losses of configurations measured, noise taken off, in their order.
    double[] smoothed(Losses all) {
        if (held.size() != all.size()) {
            return all.losses();
        }
        double[] p = priors(all.configurations());
        double[] residuals = process.orElseThrow().smoothed();
        return IntStream.range(0, p.length)
                .mapToDouble(i -> residuals[i] + slope * p[i])
                .toArray();
    }

    /// How well each measurement is predicted from all others: the sum of the logarithms of their densities.
    double evidence() {
        return process.orElseThrow().leaveOneOutDensity();
    }

    /// Length scales by knob, and the noise.
    Map<String, double[]> diagnostics() {
        return parameters
                .map(p -> Map.of(
                        "length-scales",
                        Arrays.stream(p.logLengths()).map(Math::exp).toArray(),
                        "noise",
                        new double[] {p.noise()}))
                .orElse(Map.of());
    }
}
