package knobscape.explore.regression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import knobscape.explore.Proposal;
import knobscape.pareto.Adrs;
import knobscape.pareto.ParetoFront;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Encoder;
import knobscape.space.FeatureEncoder;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Regression explorers on a smooth two-objective trade-off over 8 x 8 x 8 designs whose front is known by
/// listing it.
class RegressionExplorerTest {
    private static final List<Integer> LEVELS = List.of(1, 2, 3, 4, 5, 6, 7, 8);
    private static final CartesianSpace SPACE = new CartesianSpace(new KnobSet(IntStream.range(0, 3)
            .mapToObj(i -> new Knob("k" + i, new Domain.Factors(LEVELS)))
            .toList()));
    private static final Encoder ENCODER = new FeatureEncoder(SPACE.knobs());
    private static final EvaluatorInfo INFO = new EvaluatorInfo(
            "test",
            "a test",
            Provenance.Source.MODEL,
            List.of(new Fidelity("low", 0), new Fidelity("high", 1)),
            List.of(
                    new Metric("delay", "Delay", "ns", Metric.Direction.MINIMISE, 100),
                    new Metric("lut", "LUT", "", Metric.Direction.MINIMISE, 100)),
            Map.of("low", Set.of("delay", "lut"), "high", Set.of("delay", "lut")),
            List.of("delay", "lut"),
            Map.of("low", 1.0, "high", 10.0));

    private static List<Evaluation> answer(Proposal p) {
        var evaluations = new ArrayList<Evaluation>();
        double[] v = IntStream.range(0, 3)
                .mapToDouble(i -> p.configuration().level(i) + 1.0)
                .toArray();
        double delay = 60 / v[0] + 20 / v[1] + Math.abs(v[2] - 4);
        double lut = 3 * v[0] + 2 * v[1] + 0.5 * v[2];
        for (int rank = 0; rank <= p.upTo().rank(); rank++) {
            double bias = rank == 0 ? 1.2 : 1;
            Outcome outcome = rank == 1 && lut > 41
                    ? new Outcome.Failure(FailureKind.REJECTED, "too large")
                    : new Outcome.Measured(Map.of("delay", delay * bias, "lut", lut * bias));
            evaluations.add(new Evaluation(
                    p.configuration(),
                    INFO.fidelities().get(rank),
                    outcome,
                    rank == 0 ? 1 : 10,
                    new Provenance("t", "1", 0, Provenance.Source.MODEL)));
        }
        return evaluations;
    }

    private static History run(RegressionExplorer explorer) {
        var history = new History();
        explorer.initial().forEach(p -> answer(p).forEach(history::add));
        history.fixObjectives(Objectives.calibrate(INFO.metrics(), history.evaluations()));
        for (List<Proposal> next = explorer.ask(history, 1); !next.isEmpty(); next = explorer.ask(history, 1)) {
            answer(next.getFirst()).forEach(history::add);
            history.countAsk();
            assertThat(history.asks()).isLessThan(512);
        }
        return history;
    }

    private static double adrs(History history) {
        var all = SPACE.enumerate()
                .map(c -> answer(new Proposal(c, INFO.top(), 0, java.util.Optional.empty(), ""))
                        .getLast())
                .toList();
        var objectives = history.objectives().orElseThrow();
        double[][] reference = ParetoFront.of(
                all.stream().flatMap(e -> objectives.vector(e).stream()).toArray(double[][]::new));
        double[][] found = ParetoFront.of(history.at(INFO.top()).stream()
                .flatMap(e -> objectives.vector(e).stream())
                .toArray(double[][]::new));
        return Adrs.of(reference, found, Adrs.Distance.RELATIVE_WORST);
    }

    private static RegressionExplorer explorer(String name, long seed) {
        return switch (name) {
            case "ridge" ->
                new RegressionExplorer(
                        name,
                        SPACE,
                        ENCODER,
                        INFO,
                        RegressionMethods.ridge(),
                        RegressionExplorer.Plan.random(48),
                        seed);
            case "trees" ->
                new RegressionExplorer(
                        name,
                        SPACE,
                        ENCODER,
                        INFO,
                        RegressionMethods.boostedTrees(3, 0.1),
                        RegressionExplorer.Plan.random(48),
                        seed);
            case "dac19" ->
                new RegressionExplorer(
                        name,
                        SPACE,
                        ENCODER,
                        INFO,
                        RegressionMethods.bestOf(
                                List.of(RegressionMethods.ridge(), RegressionMethods.boostedTrees(3, 0.1))),
                        RegressionExplorer.Plan.dac19(24, seed),
                        seed);
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"ridge", "trees", "dac19"})
    void runningThePredictedFrontBringsTheFoundFrontCloserThanTheInitialDesigns(String name) {
        var history = run(explorer(name, 1));
        var initialOnly = new History();
        explorer(name, 1).initial().forEach(p -> answer(p).forEach(initialOnly::add));
        initialOnly.fixObjectives(history.objectives().orElseThrow());
        assertThat(history.asks()).isPositive();
        assertThat(adrs(history)).isLessThan(adrs(initialOnly)).isLessThan(0.2);
    }

    @Test
    void theSameSeedGivesTheSameDesignsAndAResumedRunContinuesWithThem() {
        var full = run(explorer("trees", 3));
        assertThat(ids(run(explorer("trees", 3)))).isEqualTo(ids(full));
        var resumed = explorer("trees", 3);
        var history = new History();
        full.evaluations().stream().limit(2 * 48 + 4).forEach(history::add);
        history.fixObjectives(full.objectives().orElseThrow());
        history.countAsk();
        history.countAsk();
        var next = resumed.ask(history, 1).getFirst();
        assertThat(next.configuration())
                .isEqualTo(full.evaluations().get(2 * 48 + 4).configuration());
    }

    private static List<String> ids(History history) {
        return history.evaluations().stream()
                .map(e -> e.configuration().id() + e.fidelity())
                .toList();
    }

    @Test
    void dac19BuysLowFidelityReportsOfCandidatesAndDrawsThreeToElevenSets() {
        var initial = explorer("dac19", 4).initial();
        Map<String, Integer> byFidelity = new HashMap<>();
        initial.forEach(p -> byFidelity.merge(p.upTo().name(), 1, Integer::sum));
        assertThat(byFidelity.get("low") + byFidelity.get("high")).isEqualTo(300);
        assertThat(byFidelity.get("high")).isBetween(24, 24 * 7);
        assertThat(IntStream.range(0, 9)
                        .map(s -> RegressionExplorer.Plan.dac19(48, s).sets()))
                .containsExactly(3, 4, 5, 6, 7, 8, 9, 10, 11);
        assertThat(initial.stream().map(Proposal::configuration).map(Configuration::id))
                .doesNotHaveDuplicates();
    }
}
