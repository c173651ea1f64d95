package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.explore.GridSpace;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import knobscape.space.Configuration;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.gp.GpSettings;
import knobscape.surrogate.gp.ProcessTrainer;
import org.junit.jupiter.api.Test;

/// What a search makes of designs that a tool of one stage refuses.
class ObservationsTest {
    private static final GridSpace SPACE = GridSpace.of(8, 6, 4);
    private static final Fidelity FULL = new Fidelity("full", 0);
    private static final EvaluatorInfo INFO = new EvaluatorInfo(
            "picky",
            "For tests.",
            Provenance.Source.MODEL,
            List.of(FULL),
            List.of(
                    new Metric("a", "a", "", Metric.Direction.MINIMISE, 10),
                    new Metric("b", "b", "", Metric.Direction.MINIMISE, 10)),
            Map.of("full", Set.of("a", "b")),
            List.of("a", "b"),
            Map.of("full", 10.0));

    /// Every third design, of which those that would be fast are refused.
    private static History history() {
        var history = new History();
        List<Configuration> all = SPACE.enumerate().toList();
        for (int i = 0; i < all.size(); i += 3) {
            Configuration c = all.get(i);
            history.add(new Evaluation(
                    c,
                    FULL,
                    isRefused(c)
                            ? new Outcome.Failure(FailureKind.DOES_NOT_FIT, "too large", Map.of())
                            : new Outcome.Measured(Map.of("a", fast(c), "b", 1.0 + c.level(0) + c.level(2))),
                    10,
                    new Provenance("picky", "1", 0, Provenance.Source.MODEL)));
        }
        return history;
    }

    private static boolean isRefused(Configuration c) {
        return c.level(0) == 6 && c.level(1) > 1;
    }

    private static double fast(Configuration c) {
        return 10 - c.level(0) + 0.2 * c.level(1);
    }

    private static Observations observations(BayesSettings settings) {
        History history = history();
        return Observations.of(
                history,
                INFO,
                Objectives.calibrate(INFO.metrics(), history.evaluations()),
                SPACE.encoder()::encode,
                0,
                settings);
    }

    private static Observations asExpected(Observations seen, FidelityLadder ladder) {
        return LadderPredictions.refusedAsExpected(
                seen, INFO, Objectives.calibrate(INFO.metrics(), history().evaluations()), ladder);
    }

    private static FidelityLadder fit(Observations seen) {
        return FidelityLadder.fit(seen.ladder(), new ProcessTrainer(GpSettings.DEFAULT), List.of(Optional.empty()), 1);
    }

    private static Posterior believed(FidelityLadder ladder, List<Configuration> designs) {
        return ladder.models()
                .getFirst()
                .posterior(designs.stream().map(SPACE.encoder()::encode).toArray(double[][]::new));
    }

    @Test
    void refusedDesignsCountAsExpectedAndAreDoubtedNoMore() {
        Observations seen = observations(BayesSettings.cgp(INFO, 2));
        FidelityLadder ladder = fit(seen);
        Observations full = asExpected(seen, ladder);
        List<Configuration> refused = seen.designs().stream()
                .filter(d -> d.state() == Observations.State.INVALID)
                .map(Observations.Design::configuration)
                .toList();
        assertThat(refused).hasSizeGreaterThan(3).allMatch(ObservationsTest::isRefused);
        assertThat(full.designs())
                .filteredOn(d -> d.state() == Observations.State.INVALID)
                .extracting(Observations.Design::configuration)
                .isEqualTo(refused);
        Posterior before = believed(ladder, refused);
        Posterior after = believed(ladder.given(full.ladder()), refused);
        for (int i = 0; i < refused.size(); i++) {
            for (int o = 0; o < 2; o++) {
                assertThat(after.deviation(i, o)).isLessThan(before.deviation(i, o));
                assertThat(after.mean(i, o))
                        .isBetween(
                                before.mean(i, o) - before.deviation(i, o), before.mean(i, o) + before.deviation(i, o));
            }
        }
    }

    /// A refused design that counts as ten times the worst makes all beside it look slow.
    @Test
    void theirNeighboursAreExpectedAtWhatTheyAre() {
        List<Configuration> beside = SPACE.enumerate()
                .filter(c -> (c.level(0) == 7 && c.level(1) > 1) || isRefused(c))
                .toList();
        Observations penalised = observations(BayesSettings.cgp(INFO, 2).with(BayesSettings.Invalid.PENALISED));
        Observations seen = observations(BayesSettings.cgp(INFO, 2));
        FidelityLadder ladder = fit(seen);
        double error = error(seen, ladder.given(asExpected(seen, ladder).ladder()), beside);
        assertThat(error).isLessThan(0.2 * error(penalised, fit(penalised), beside));
    }

    /// Mean error of the first objective, of which the logarithm to base 10 is modelled.
    private static double error(Observations seen, FidelityLadder ladder, List<Configuration> designs) {
        Posterior p = believed(ladder, designs);
        Observations.Design first = seen.designs().stream()
                .filter(d -> d.state() == Observations.State.MEASURED)
                .findFirst()
                .orElseThrow();
        double scale = first.values()[0][0] - Math.log10(fast(first.configuration()));
        double sum = 0;
        for (int i = 0; i < designs.size(); i++) {
            sum += Math.abs(p.mean(i, 0) - scale - Math.log10(fast(designs.get(i))));
        }
        return sum / designs.size();
    }
}
