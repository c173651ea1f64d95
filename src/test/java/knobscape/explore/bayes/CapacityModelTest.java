package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
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
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;

/// Whether a design fits its part, as the lowest stage's report lets one believe.
class CapacityModelTest {
    private static final List<Configuration> DESIGNS =
            GridSpace.of(6, 5, 4, 3).enumerate().toList();
    private static final Fidelity FAST = new Fidelity("fast", 0);
    private static final Fidelity FULL = new Fidelity("full", 1);
    private static final EvaluatorInfo INFO = new EvaluatorInfo(
            "part",
            "For tests.",
            Provenance.Source.MODEL,
            List.of(FAST, FULL),
            List.of(
                    new Metric("lut", "LUT", "", Metric.Direction.MINIMISE, 1000),
                    new Metric("delay", "Delay", "ns", Metric.Direction.MINIMISE, Double.NaN)),
            Map.of("fast", Set.of("lut", "delay"), "full", Set.of("lut", "delay")),
            List.of("lut", "delay"),
            Map.of("fast", 1.0, "full", 10.0));

    private final History history = new History();
    private int designs;

    private Configuration told(double lut, boolean isBuilt) {
        Configuration c = DESIGNS.get(designs++);
        add(c, FAST, new Outcome.Measured(Map.of("lut", lut, "delay", 5.0)));
        add(
                c,
                FULL,
                isBuilt
                        ? new Outcome.Measured(Map.of("lut", lut, "delay", 5.0))
                        : new Outcome.Failure(FailureKind.DOES_NOT_FIT, "too large"));
        return c;
    }

    private void add(Configuration c, Fidelity f, Outcome outcome) {
        history.add(new Evaluation(c, f, outcome, 1, new Provenance("part", "1", 0, Provenance.Source.MODEL)));
    }

    private double chance(double share) {
        return CapacityModel.of(history, INFO).fits(Math.log(share), 0);
    }

    @Test
    void doubtsAFullReportBeforeAnythingIsKnown() {
        assertThat(chance(0.2)).isGreaterThan(0.95);
        assertThat(chance(1)).isBetween(0.4, 0.8);
        assertThat(chance(4)).isBetween(0.01, 0.1);
    }

    @Test
    void oneRefusalClosesNothingAndManyDo() {
        double before = chance(0.7);
        told(700, false);
        assertThat(chance(0.7)).isBetween(0.3, before);
        for (int i = 0; i < 8; i++) {
            told(700, false);
        }
        assertThat(chance(0.7)).isLessThan(0.15);
        assertThat(chance(0.1)).as("far smaller ones stay open").isGreaterThan(0.8);
    }

    @Test
    void designsThatWereBuiltOpenWhatTheReportCallsTooLarge() {
        double before = chance(2);
        for (int i = 0; i < 6; i++) {
            told(2500, true);
        }
        assertThat(chance(2)).isGreaterThan(0.8).isGreaterThan(before);
    }

    @Test
    void saysNothingWithoutAReport() {
        assertThat(CapacityModel.load(history, INFO, DESIGNS.getFirst())).isNaN();
        assertThat(CapacityModel.load(history, INFO, told(500, true))).isEqualTo(Math.log(0.5));
    }
}
