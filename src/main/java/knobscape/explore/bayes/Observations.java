package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import knobscape.space.Configuration;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.LadderData;

/// The history as a surrogate sees it: per design and fidelity one vector of modelled objectives.
///
/// An invalid design gets, at the fidelity that found it invalid and at all above,
/// [BayesSettings#invalidFactor] times the worst value measured there in every objective. A design whose tool
/// failed or timed out teaches nothing there. A fidelity's outputs are the objectives of which it has at least
/// two values; a fidelity without any is left out of the ladder.
final class Observations {
    /// Fewest values of an objective that make it an output.
    private static final int FEWEST = 2;

    private final Objectives objectives;
    private final List<Scale> scales;
    private final List<Design> designs;
    private final Map<Configuration, Integer> index = new HashMap<>();
    private final List<Level> levels;

    /// How a design came out.
    enum State {
        /// Measured at every fidelity it was run at.
        MEASURED,
        /// Cannot be built.
        INVALID,
        /// The tool failed or was stopped.
        FAILED
    }

    /// One design. `values` holds a vector of M modelled objectives per fidelity rank (NaN where missing), an
    /// empty one where there is none.
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

    /// One usable fidelity.
    ///
    /// @param outputs the objectives it reports, by position
    /// @param rows the designs it has, by position
    record Level(Fidelity fidelity, int[] outputs, int[] rows) {}

    private Observations(EvaluatorInfo info, Objectives objectives, List<Scale> scales, List<Design> designs) {
        this.objectives = objectives;
        this.scales = scales;
        this.designs = List.copyOf(designs);
        for (int i = 0; i < designs.size(); i++) {
            index.put(designs.get(i).configuration(), i);
        }
        List<Level> usable = new ArrayList<>();
        for (Fidelity f : info.fidelities()) {
            int[] outputs = IntStream.range(0, objectives.count())
                    .filter(j -> designs.stream()
                                    .filter(d -> d.state() != State.INVALID
                                            && d.has(f.rank())
                                            && !Double.isNaN(d.values()[f.rank()][j]))
                                    .count()
                            >= FEWEST)
                    .toArray();
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

    static Observations of(
            History history,
            EvaluatorInfo info,
            Objectives objectives,
            Function<Configuration, double[]> features,
            BayesSettings settings) {
        Map<Configuration, List<Evaluation>> byDesign = new LinkedHashMap<>();
        for (Evaluation e : history.evaluations()) {
            byDesign.computeIfAbsent(e.configuration(), c -> new ArrayList<>());
        }
        byDesign.replaceAll((c, none) -> info.fidelities().stream()
                .flatMap(f -> history.find(c, f).stream())
                .toList());
        List<Scale> scales = scales(byDesign.values(), objectives, settings);
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
                        values[rank] = vector(measured, objectives, scales);
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
            if (d.state() == State.INVALID) {
                for (int rank = 0; rank < stages; rank++) {
                    if (!d.has(rank)) {
                        d.values()[rank] = penalty(worst[rank], scales, settings.invalidFactor());
                    }
                }
            }
        }
        return new Observations(info, objectives, scales, designs);
    }

    private static List<Scale> scales(
            java.util.Collection<List<Evaluation>> evaluations, Objectives objectives, BayesSettings settings) {
        return objectives.metrics().stream()
                .map(metric -> {
                    boolean positive = evaluations.stream()
                            .flatMap(List::stream)
                            .allMatch(e -> e.value(metric.name()).isEmpty()
                                    || e.value(metric.name()).getAsDouble() > 0);
                    return settings.output() == BayesSettings.OutputScale.LOGARITHMIC
                                    && metric.direction() != Metric.Direction.MAXIMISE
                                    && positive
                            ? Scale.LOG10
                            : Scale.LINEAR;
                })
                .toList();
    }

    private static double[] vector(Outcome.Measured measured, Objectives objectives, List<Scale> scales) {
        double[] y = new double[objectives.count()];
        for (int j = 0; j < y.length; j++) {
            var raw = measured.value(objectives.metrics().get(j).name());
            y[j] = raw.isPresent() ? scales.get(j).toModel(objectives.normalise(j, raw.getAsDouble())) : Double.NaN;
        }
        return y;
    }

    /// The worst values made worse by `factor`; NaN where nothing was measured.
    private static double[] penalty(double[] worst, List<Scale> scales, double factor) {
        double[] y = new double[worst.length];
        for (int j = 0; j < y.length; j++) {
            y[j] = switch (scales.get(j)) {
                case LOG10 -> worst[j] + Math.log10(factor);
                case LINEAR -> worst[j] == 0 ? factor - 1 : worst[j] + (factor - 1) * Math.abs(worst[j]);
            };
        }
        return y;
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
        return new Observations(info, objectives, scales, more);
    }

    /// Designs in order of first arrival.
    List<Design> designs() {
        return designs;
    }

    /// Usable fidelities, lowest first.
    List<Level> levels() {
        return levels;
    }

    /// How each objective is modelled.
    List<Scale> scales() {
        return scales;
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

    /// What the surrogates learn from.
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
            data.add(new LadderData.Level(x, y, lowerRow, level.outputs()));
            below = here;
        }
        return new LadderData(data);
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
