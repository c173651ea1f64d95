package knobscape.app.ui.insight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.evaluate.Metric;
import knobscape.explore.Prediction;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.KnobSet;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.gp.GrowingProcess;
import knobscape.surrogate.gp.KnobGpSettings;

/// A Gaussian process per objective over the knobs, fitted to everything known of the designs shown: results at the
/// top fidelity, and what a lower one says of it. Logarithms of objectives that are positive. Immutable.
public final class Surrogate {
    /// With fewer designs at the top fidelity nothing is fitted.
    public static final int ENOUGH = 8;

    /// Most designs it is fitted to: all of the front, others evenly.
    private static final int MOST = 240;
    /// So many deviations to either side hold about 90 %: 1.645 would if the process knew its length scales, and half
    /// as much more is what that costs (`src/lab/notes/what-if.md`).
    private static final double WIDTH = 1.5 * 1.645;
    private static final long SEED = 1;

    // Not the designs themselves: those of 10^5 would stay in memory beside the ones that a run has made of them since.
    private final KnobSet knobs;
    private final String fidelity;
    private final double[][] rows;
    private final List<Output> outputs;

    /// One objective.
    ///
    /// @param explained share of the variance explained, each design left out in turn
    private record Output(Metric metric, boolean log, GrowingProcess model, double[] y, double explained) {}

    private Surrogate(KnobSet knobs, String fidelity, double[][] rows, List<Output> outputs) {
        this.knobs = knobs;
        this.fidelity = fidelity;
        this.rows = rows;
        this.outputs = List.copyOf(outputs);
    }

    /// Fits; empty where too few designs are known.
    public static Optional<Surrogate> fit(DesignSet set) {
        return fit(set, () -> {});
    }

    /// Fits; empty where too few designs are known.
    ///
    /// @param check throws where nobody waits for it any more; called before each objective
    static Optional<Surrogate> fit(DesignSet set, Runnable check) {
        int[] known = IntStream.range(0, set.size())
                .filter(i -> isKnown(set, i) && set.objectives().stream().allMatch(m -> set.shows(i, m)))
                .toArray();
        if (known.length < ENOUGH || set.objectives().isEmpty()) {
            return Optional.empty();
        }
        int[] chosen = chosen(set, known);
        int[] group = groups(set.knobs());
        double[][] rows = Arrays.stream(chosen)
                .mapToObj(i -> encode(set.get(i).configuration()))
                .toArray(double[][]::new);
        var outputs = new ArrayList<Output>();
        for (Metric m : set.objectives()) {
            check.run();
            double[] raw = Arrays.stream(chosen)
                    .mapToDouble(i -> set.shownValue(i, m.name()).orElseThrow())
                    .toArray();
            boolean log = Arrays.stream(raw).allMatch(v -> v > 0);
            double[] y = log ? Arrays.stream(raw).map(Math::log).toArray() : raw;
            var model = (GrowingProcess)
                    GrowingProcess.trainer(group, KnobGpSettings.DEFAULT).fit(data(rows, y), SEED);
            outputs.add(new Output(m, log, model, y, explained(model, y)));
        }
        return Optional.of(
                new Surrogate(set.knobs(), set.info().map(i -> i.top().name()).orElse(""), rows, outputs));
    }

    private static boolean isKnown(DesignSet set, int i) {
        return switch (set.standing(i)) {
            case FRONT, DOMINATED -> true;
            case PREDICTED -> set.get(i).highest().isPresent();
            case LOWER, INVALID, PENDING -> false;
        };
    }

    private static int[] chosen(DesignSet set, int[] known) {
        int stride = Math.max(1, (known.length + MOST - 1) / MOST);
        return IntStream.range(0, known.length)
                .filter(k -> k % stride == 0 || set.standing(known[k]) == DesignStanding.FRONT)
                .map(k -> known[k])
                .limit(2L * MOST)
                .toArray();
    }

    private static TrainingData data(double[][] rows, double[] y) {
        return new TrainingData(
                rows,
                new double[rows.length][0],
                Arrays.stream(y).mapToObj(v -> new double[] {v}).toArray(double[][]::new),
                new int[] {-1});
    }

    private static double explained(GrowingProcess model, double[] y) {
        double[] guess = model.leaveOneOut();
        double mean = Arrays.stream(y).average().orElse(0);
        double left = 0;
        double all = 0;
        for (int i = 0; i < y.length; i++) {
            left += (y[i] - guess[i]) * (y[i] - guess[i]);
            all += (y[i] - mean) * (y[i] - mean);
        }
        return all > 0 ? Math.max(0, 1 - left / all) : 0;
    }

    /// By column the position of its knob: named alternatives have a column each, other knobs one.
    private static int[] groups(KnobSet knobs) {
        return IntStream.range(0, knobs.size())
                .flatMap(k ->
                        IntStream.generate(() -> k).limit(columns(knobs.get(k).domain())))
                .toArray();
    }

    private static int columns(Domain domain) {
        return domain instanceof Domain.Categories c && c.size() > 2 ? c.size() : 1;
    }

    private static double[] encode(Configuration c) {
        double[] x = new double
                [IntStream.range(0, c.knobs().size())
                        .map(k -> columns(c.knobs().get(k).domain()))
                        .sum()];
        int at = 0;
        for (int k = 0; k < c.knobs().size(); k++) {
            Domain domain = c.knobs().get(k).domain();
            int n = columns(domain);
            if (n > 1) {
                x[at + c.level(k)] = Math.sqrt(0.5);
            } else {
                x[at] = domain.size() < 2 ? 0 : c.level(k) / (domain.size() - 1.0);
            }
            at += n;
        }
        return x;
    }

    /// The knobs of the designs it was fitted to.
    public KnobSet knobs() {
        return knobs;
    }

    /// How many designs it was fitted to.
    public int designs() {
        return rows.length;
    }

    /// The objectives it predicts.
    public List<Metric> metrics() {
        return outputs.stream().map(Output::metric).toList();
    }

    /// Share of an objective's variance that it explains where each design is left out in turn.
    public double explained(int objective) {
        return outputs.get(objective).explained();
    }

    /// The prediction for a configuration, with central 90 % intervals.
    public Prediction predict(Configuration configuration) {
        double[][] x = {encode(configuration)};
        var metrics = new HashMap<String, Prediction.Interval>();
        for (Output o : outputs) {
            Posterior p = o.model().posterior(x);
            double half = WIDTH * p.deviation(0, 0);
            double mean = p.mean(0, 0);
            metrics.put(
                    o.metric().name(), new Prediction.Interval(raw(o, mean), raw(o, mean - half), raw(o, mean + half)));
        }
        return new Prediction(fidelity, metrics);
    }

    private static double raw(Output o, double v) {
        return o.log() ? Math.exp(v) : v;
    }

    /// The values at the top fidelity of those of some configurations that were measured there; one pass over
    /// the designs, the first design of a configuration counts and the baseline last.
    static Map<Configuration, Double> measured(DesignSet set, Set<Configuration> wanted, String metric) {
        var found = new HashMap<Configuration, Double>();
        for (int i = 0; i < set.size() && found.size() < wanted.size(); i++) {
            Configuration c = set.get(i).configuration();
            if ((set.standing(i) == DesignStanding.FRONT || set.standing(i) == DesignStanding.DOMINATED)
                    && wanted.contains(c)) {
                set.shownValue(i, metric).ifPresent(v -> found.putIfAbsent(c, v));
            }
        }
        set.baseline()
                .filter(b -> wanted.contains(b.configuration()))
                .ifPresent(b -> b.value(metric).ifPresent(v -> found.putIfAbsent(b.configuration(), v)));
        return found;
    }

    /// The means of an objective at many configurations, by a fit to designs drawn with replacement from those it
    /// was fitted to (all of them once for `draw` 0), with the hyper-parameters kept.
    double[] means(int objective, Collection<double[]> x, int draw) {
        Output o = outputs.get(objective);
        GrowingProcess model = o.model();
        if (draw > 0) {
            var random = new SplittableRandom(SEED + draw);
            int[] picked = IntStream.generate(() -> random.nextInt(rows.length))
                    .limit(rows.length)
                    .distinct()
                    .toArray();
            model = (GrowingProcess) model.given(data(
                    Arrays.stream(picked).mapToObj(i -> rows[i]).toArray(double[][]::new),
                    Arrays.stream(picked).mapToDouble(i -> o.y()[i]).toArray()));
        }
        Posterior p = model.posterior(x.toArray(double[][]::new));
        return IntStream.range(0, x.size()).mapToDouble(i -> p.mean(i, 0)).toArray();
    }

    /// The row of a configuration.
    double[] row(Configuration c) {
        return encode(c);
    }
}
