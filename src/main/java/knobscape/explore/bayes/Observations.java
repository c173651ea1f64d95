package knobscape.explore.bayes;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import knobscape.pareto.ParetoFront;
import knobscape.space.Configuration;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.LadderData;
import knobscape.surrogate.PriorSlopes;

/// The history as a surrogate sees it: per design and fidelity one vector of modelled objectives.
///
/// An invalid design gets, at the fidelity that found it invalid and at all above,
/// ten times the worst value measured there in every objective, or nothing
/// ([BayesSettings.Invalid]). A design whose tool
/// failed or timed out teaches nothing there. A fidelity's outputs are the objectives of which it has at least
/// two values, and with [BayesSettings.Report#WHOLE] whatever else it reports; a fidelity without any is left out of
/// the ladder.
final class Observations {
    /// Fewest values of an objective that make it an output.
    private static final int FEWEST = 2;

    /// A design that cannot be built counts as this many times the worst (thesis).
    private static final double INVALID = 10;

    /// Reports correlated more than this say the same.
    private static final double SAME = 0.9999;

    private final Objectives objectives;
    private final Quantities quantities;
    private final BayesSettings settings;
    /// Guessed objectives behind the features of a design, 0 for none.
    private final int guessed;
    private final List<Design> designs;
    /// Designs run at the highest fidelity, in order of arrival there.
    private final List<Configuration> topOrder;
    private final Map<Configuration, Integer> index = new HashMap<>();
    private final List<Level> levels;
    /// True if the lowest fidelity counts cycles.
    private final boolean hasCycles;

    /// How a design came out.
    enum State {
        /// Measured at every fidelity it was run at.
        MEASURED,
        /// Cannot be built.
        INVALID,
        /// The tool failed or was stopped.
        FAILED
    }

    /// One design. `values` holds a vector per fidelity rank of M modelled objectives and what else is reported (NaN
    /// where missing), an empty one where there is none.
    record Design(
            Configuration configuration,
            double[] x,
            double[][] values,
            int highestRank,
            State state,
            boolean imagined) {
        boolean has(int rank) {
            return values[rank].length > 0;
        }
    }

    /// Mean and deviation of a modelled value over designs that have it, 0 where none has.
    ///
    /// @param rank of the fidelity
    /// @param output its place among the values of that fidelity
    static Spread spread(Stream<Design> designs, int rank, int output) {
        double[] seen = designs.mapToDouble(d -> d.values()[rank][output])
                .filter(v -> !Double.isNaN(v))
                .toArray();
        double mean = Arrays.stream(seen).average().orElse(0);
        return new Spread(
                mean,
                Math.sqrt(Arrays.stream(seen)
                        .map(v -> (v - mean) * (v - mean))
                        .average()
                        .orElse(0)));
    }

    /// Mean and population deviation.
    record Spread(double mean, double deviation) {}

    /// One usable fidelity.
    ///
    /// @param outputs what it reports, by position: objectives first
    /// @param rows the designs it has, by position
    record Level(Fidelity fidelity, int[] outputs, int[] rows) {}

    private Observations(
            EvaluatorInfo info,
            Objectives objectives,
            BayesSettings settings,
            Quantities quantities,
            List<Design> designs,
            List<Configuration> topOrder,
            int guessed) {
        this.objectives = objectives;
        this.settings = settings;
        this.quantities = quantities;
        this.designs = List.copyOf(designs);
        this.topOrder = topOrder;
        this.guessed = guessed;
        this.hasCycles = info.reports(info.fidelities().getFirst(), KnownSlopes.CYCLES);
        for (int i = 0; i < designs.size(); i++) {
            index.put(designs.get(i).configuration(), i);
        }
        List<Level> usable = new ArrayList<>();
        for (Fidelity f : info.fidelities()) {
            boolean isTop = f.rank() == info.top().rank();
            if (!isTop && (!settings.learning().report().shows(true) || tellsNothing(f.rank(), info))) {
                continue;
            }
            int[] outputs = outputs(f.rank(), isTop);
            int[] rows = IntStream.range(0, designs.size())
                    .filter(i -> designs.get(i).has(f.rank()))
                    .filter(i -> Arrays.stream(outputs)
                            .anyMatch(j -> !Double.isNaN(designs.get(i).values()[f.rank()][j])))
                    .toArray();
            if (outputs.length > 0) {
                usable.add(new Level(f, outputs, rows));
            }
        }
        this.levels = List.copyOf(usable);
    }

    /// True if a stage between lowest and highest is passed over: no design ended there, so that what it tells
    /// of a new design has to be guessed from the lowest as well as the highest stage's result itself. On
    /// measured designs the chain without it predicts as well (RMSE over deviation .424 against .415 at 40
    /// designs, three pools).
    private boolean tellsNothing(int rank, EvaluatorInfo info) {
        return settings.learning().report().shows(false)
                && settings.choosing().screening().longest() < 1
                && rank > 0
                && designs.stream()
                        .noneMatch(d -> d.has(rank) && !d.has(info.top().rank()));
    }

    /// The outputs of a fidelity; of metrics that are no objectives those that vary and do not repeat another.
    private int[] outputs(int rank, boolean isTop) {
        List<Integer> chosen = new ArrayList<>();
        for (int j = 0; j < quantities.count(); j++) {
            double[] column = column(rank, j);
            long seen = Arrays.stream(column).filter(v -> !Double.isNaN(v)).count();
            boolean isWanted = quantities.isObjective(j)
                    || (isTop
                            ? isBounded(quantities.metric(j))
                            : varies(column) && chosen.stream().noneMatch(c -> isSame(column(rank, c), column)));
            if (seen >= FEWEST && isWanted) {
                chosen.add(j);
            }
        }
        return chosen.stream().mapToInt(Integer::intValue).toArray();
    }

    private boolean isBounded(String metric) {
        return settings.limits().bounds().stream().anyMatch(b -> b.metric().equals(metric));
    }

    private double[] column(int rank, int j) {
        return designs.stream()
                .filter(d -> d.state() != State.INVALID && d.has(rank))
                .mapToDouble(d -> d.values()[rank][j])
                .toArray();
    }

    private static boolean varies(double[] column) {
        return Arrays.stream(column).filter(v -> !Double.isNaN(v)).distinct().count() > 1;
    }

    private static boolean isSame(double[] a, double[] b) {
        double n = 0;
        double[] sums = new double[5];
        for (int i = 0; i < a.length; i++) {
            if (!Double.isNaN(a[i] + b[i])) {
                n++;
                sums[0] += a[i];
                sums[1] += b[i];
                sums[2] += a[i] * a[i];
                sums[3] += b[i] * b[i];
                sums[4] += a[i] * b[i];
            }
        }
        double product = (sums[2] - sums[0] * sums[0] / n) * (sums[3] - sums[1] * sums[1] / n);
        return product > 0 && Math.abs(sums[4] - sums[0] * sums[1] / n) > SAME * Math.sqrt(product);
    }

    static Observations of(
            History history,
            EvaluatorInfo info,
            Objectives objectives,
            Function<Configuration, double[]> features,
            int guessed,
            BayesSettings settings) {
        Map<Configuration, List<Evaluation>> byDesign = new LinkedHashMap<>();
        for (Evaluation e : history.evaluations()) {
            byDesign.computeIfAbsent(e.configuration(), c -> new ArrayList<>());
        }
        byDesign.replaceAll((c, none) -> info.fidelities().stream()
                .flatMap(f -> history.find(c, f).stream())
                .toList());
        Quantities quantities = Quantities.of(byDesign.values(), info, objectives, settings);
        int stages = info.fidelities().size();
        int m = objectives.count();
        double[][] worst = new double[stages][m];
        for (double[] row : worst) {
            Arrays.fill(row, Double.NaN);
        }
        List<Design> designs = new ArrayList<>();
        byDesign.forEach((c, evaluations) -> {
            double[][] values = new double[stages][0];
            State state = State.MEASURED;
            int highest = -1;
            for (Evaluation e : evaluations) {
                int rank = e.fidelity().rank();
                highest = Math.max(highest, rank);
                switch (e.outcome()) {
                    case Outcome.Measured measured -> {
                        values[rank] = quantities.of(measured);
                        for (int j = 0; j < m; j++) {
                            worst[rank][j] = Double.isNaN(worst[rank][j])
                                    ? values[rank][j]
                                    : Math.max(worst[rank][j], values[rank][j]);
                        }
                    }
                    case Outcome.Failure f when f.kind().isInvalid() -> state = State.INVALID;
                    case Outcome.Failure _ -> state = state == State.INVALID ? state : State.FAILED;
                }
            }
            designs.add(new Design(c, features.apply(c), values, highest, state, false));
        });
        for (int i = 0; i < designs.size(); i++) {
            Design d = designs.get(i);
            if (d.state() == State.INVALID && settings.learning().invalid() == BayesSettings.Invalid.PENALISED) {
                for (int rank = 0; rank < stages; rank++) {
                    if (!d.has(rank)) {
                        d.values()[rank] = quantities.penalty(worst[rank], INVALID);
                    }
                }
            }
        }
        List<Configuration> topOrder = history.evaluations().stream()
                .filter(e -> e.fidelity().rank() == info.top().rank())
                .map(Evaluation::configuration)
                .distinct()
                .toList();
        return new Observations(info, objectives, settings, quantities, designs, topOrder, guessed);
    }

    /// These and one imagined design, its values (one vector per rank, empty where not run) taken as if
    /// measured.
    Observations imagine(
            EvaluatorInfo info, Configuration configuration, double[] x, double[][] values, int highestRank) {
        List<Design> more = new ArrayList<>(designs);
        Integer at = index.get(configuration);
        double[][] merged = values.clone();
        if (at != null) {
            Design d = designs.get(at);
            for (int r = 0; r < merged.length; r++) {
                merged[r] = d.has(r) ? d.values()[r] : values[r];
            }
        }
        Design imagined = new Design(configuration, x, merged, highestRank, State.MEASURED, true);
        if (at != null) {
            more.set(at, imagined);
        } else {
            more.add(imagined);
        }
        return new Observations(info, objectives, settings, quantities, more, topOrder, guessed);
    }

    /// These with some designs in place of what they were, by configuration.
    Observations with(EvaluatorInfo info, Collection<Design> changed) {
        List<Design> all = new ArrayList<>(designs);
        changed.forEach(d -> all.set(requireNonNull(index.get(d.configuration())), d));
        return new Observations(info, objectives, settings, quantities, all, topOrder, guessed);
    }

    /// Designs in order of first arrival.
    List<Design> designs() {
        return designs;
    }

    /// A design, where it was seen.
    Optional<Design> find(Configuration configuration) {
        return Optional.ofNullable(index.get(configuration)).map(designs::get);
    }

    /// By objective what a step of 1 on the modelled scale counts in relative distances; of an objective that is not
    /// modelled as a logarithm the inverse of its range.
    double[] units() {
        double[] range = ranges();
        return IntStream.range(0, range.length)
                .mapToDouble(j -> scales().get(j) == Scale.LOG10 ? Scale.LN10 : 1 / range[j])
                .toArray();
    }

    /// Usable fidelities, lowest first.
    List<Level> levels() {
        return levels;
    }

    /// Number of modelled quantities: objectives and what else is reported.
    int quantities() {
        return quantities.count();
    }

    /// The bounds that a design has to keep. Throws [UserError] where the highest fidelity has no such metric.
    List<Quantities.Limit> limits() {
        return settings.limits().bounds().stream().map(quantities::limit).toList();
    }

    /// True if a design keeps all bounds as far as the highest fidelity has told.
    boolean keepsBounds(Design d) {
        int top = levels.getLast().fidelity().rank();
        return settings.limits().bounds().isEmpty()
                || !d.has(top)
                || limits().stream()
                        .allMatch(l ->
                                Double.isNaN(d.values()[top][l.quantity()]) || l.keeps(d.values()[top][l.quantity()]));
    }

    /// Designs run at the highest fidelity since one was new on its front.
    int sinceGain() {
        int top = levels.getLast().fidelity().rank();
        int since = 0;
        var front = new ParetoFront<Configuration>(objectives.count());
        for (Configuration c : topOrder) {
            Design d = designs.get(requireNonNull(index.get(c)));
            double[] y = d.has(top) ? Arrays.copyOf(d.values()[top], objectives.count()) : new double[] {Double.NaN};
            boolean isNew = d.state() == State.MEASURED
                    && Arrays.stream(y).noneMatch(Double::isNaN)
                    && keepsBounds(d)
                    && !front.covers(y);
            if (isNew) {
                front.add(y, c);
            }
            since = isNew ? 0 : since + 1;
        }
        return since;
    }

    /// How each objective is modelled.
    List<Scale> scales() {
        return quantities.scales();
    }

    /// The outputs of level `k` at some configurations as far as they were observed, NaN elsewhere:
    /// configurations x outputs.
    double[][] known(int k, List<Configuration> configurations) {
        Level level = levels.get(k);
        double[][] table = FidelityLadder.unknown(configurations.size(), level.outputs().length);
        for (int i = 0; i < table.length; i++) {
            Integer at = index.get(configurations.get(i));
            if (at != null && designs.get(at).has(level.fidelity().rank())) {
                table[i] = outputs(designs.get(at), level);
            }
        }
        return table;
    }

    private static double[] outputs(Design d, Level level) {
        return Arrays.stream(level.outputs())
                .mapToDouble(j -> d.values()[level.fidelity().rank()][j])
                .toArray();
    }

    /// The data that the surrogates learn from.
    LadderData ladder() {
        List<LadderData.Level> data = new ArrayList<>();
        Map<Integer, Integer> below = Map.of();
        for (Level level : levels) {
            Map<Integer, Integer> here = new HashMap<>();
            int n = level.rows().length;
            double[][] x = new double[n][];
            double[][] y = new double[n][];
            int[] lowerRow = new int[n];
            for (int i = 0; i < n; i++) {
                Design d = designs.get(level.rows()[i]);
                x[i] = d.x();
                y[i] = outputs(d, level);
                lowerRow[i] = below.getOrDefault(level.rows()[i], -1);
                here.put(level.rows()[i], i);
            }
            data.add(new LadderData.Level(x, y, lowerRow, level.outputs(), slopes(data.size())));
            below = here;
        }
        return new LadderData(data, guessed);
    }

    /// The slopes of the lowest level's outputs on the objectives guessed, and of the highest level's on those
    /// of the lowest, where the one stands on the other.
    private PriorSlopes slopes(int k) {
        int[] outputs = levels.get(k).outputs();
        if (k == 0 && guessed > 0) {
            return PriorSlopes.learned(
                    Arrays.stream(outputs).mapToObj(this::asGuessed).toArray(double[][]::new));
        }
        int[] lower = k == 0 ? new int[0] : levels.get(k - 1).outputs();
        double[][] slopes = new double[outputs.length][lower.length];
        boolean[] exact = new boolean[outputs.length];
        if (k == 1 && levels.size() == 2 && settings.learning().prior() == BayesSettings.Prior.SLOPES) {
            List<String> reports = Arrays.stream(lower)
                    .mapToObj(c -> quantities.isLog(c) ? quantities.metric(c) : "")
                    .toList();
            for (int a = 0; a < outputs.length; a++) {
                if (quantities.isLog(outputs[a])) {
                    slopes[a] = KnownSlopes.of(quantities.metric(outputs[a]), reports, hasCycles);
                    exact[a] = KnownSlopes.isExact(quantities.metric(outputs[a]), hasCycles);
                }
            }
        }
        return new PriorSlopes(slopes, exact);
    }

    /// In step with the guess of the same objective; a latency with that of a delay.
    private double[] asGuessed(int output) {
        double[] slopes = new double[guessed];
        for (int c = 0; c < guessed && quantities.isLog(output); c++) {
            slopes[c] = quantities.metric(output).equals(quantities.metric(c))
                            || (quantities.metric(output).equals("latency")
                                    && quantities.metric(c).equals("delay"))
                    ? 1
                    : 0;
        }
        return slopes;
    }

    /// By how much level `k` has to be raised, by objective, to meet the highest level in the median over
    /// designs measured at both; 0 where there is none.
    double[] alignment(int k) {
        int rank = levels.get(k).fidelity().rank();
        int top = levels.getLast().fidelity().rank();
        double[] shift = new double[objectives.count()];
        if (rank == top) {
            return shift;
        }
        for (int j : levels.get(k).outputs()) {
            if (j >= shift.length) {
                break;
            }
            double[] differences = designs.stream()
                    .filter(d -> d.state() == State.MEASURED && !d.imagined() && d.has(rank) && d.has(top))
                    .mapToDouble(d -> d.values()[top][j] - d.values()[rank][j])
                    .filter(v -> !Double.isNaN(v))
                    .sorted()
                    .toArray();
            if (differences.length > 0) {
                shift[j] = (differences[(differences.length - 1) / 2] + differences[differences.length / 2]) / 2;
            }
        }
        return shift;
    }

    /// A reference point on the modelled scale: by objective the worst value measured at the highest level plus
    /// a tenth of the range measured there (of its size, where the values do not differ).
    double[] reference() {
        return byObjective(values -> {
            double range = values[values.length - 1] - values[0];
            return values[values.length - 1] + 0.1 * (range > 0 ? range : Math.max(0.1, Math.abs(values[0])));
        });
    }

    /// By objective the range of the values measured at the highest level; 1 where they do not differ.
    double[] ranges() {
        return byObjective(values -> values[values.length - 1] > values[0] ? values[values.length - 1] - values[0] : 1);
    }

    /// By objective the smallest value measured at the highest level.
    double[] smallest() {
        return byObjective(values -> values.length == 0 ? 0 : values[0]);
    }

    /// A figure of the values of each objective that were measured at the highest level, in ascending order.
    private double[] byObjective(ToDoubleFunction<double[]> figure) {
        int top = levels.getLast().fidelity().rank();
        return IntStream.range(0, objectives.count())
                .mapToDouble(j -> figure.applyAsDouble(designs.stream()
                        .filter(d -> d.state() == State.MEASURED && d.has(top))
                        .mapToDouble(d -> d.values()[top][j])
                        .filter(v -> !Double.isNaN(v))
                        .sorted()
                        .toArray()))
                .toArray();
    }
}
