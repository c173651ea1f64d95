package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultRuleTest {
    private static Metric metric(String name, String unit) {
        return new Metric(name, name, unit, Metric.Direction.MINIMISE, Double.NaN);
    }

    @ParameterizedTest
    @CsvSource({
        "delay, ns, -5, 5",
        "delay, ns, 0, 0.1",
        "power, W, 0, 0.4",
        "area, '', -1, 1",
        "time_ms, '', 0, 3",
        "lut, '', 12.5, 12",
        "ff, '', -1, 0",
        "bram, '', 2.25, 2.5",
        "accuracy, '', 1.5, 0.93",
        "accuracy, %, 101, 93",
        "latency, cycles, -1, 0",
        "total cycles, '', 0, 7",
        "share, '', -0.1, 0",
        "anything, '', Infinity, -3",
        "delay change, ns, NaN, -3",
        "lut, '', -1, 0",
        "bram, '', -0.5, 0",
        "accuracy, '', -0.1, 0",
        "accuracy, '', 1.01, 1",
        "accuracy, %, -1, 0",
        "accuracy, %, 100.5, 100",
    })
    void aMetricHasADomainThatFollowsFromItsNameAndUnit(String name, String unit, double outside, double inside) {
        var rule = ResultRule.of(List.of(metric(name, unit)));
        assertThat(rule.objection(name, outside))
                .hasValueSatisfying(w -> assertThat(w).startsWith(name + " is "));
        assertThat(rule.objection(name, inside)).isEmpty();
    }

    @Test
    void theObjectionNamesMetricValueAndDomain() {
        var rule = ResultRule.of(List.of(metric("delay", "ns")));
        assertThat(rule.objection(Map.of("delay", -5.0))).hasValue("delay is -5 and must be above 0");
    }

    @Test
    void aTableOnAScaleOfItsOwnIsNotDoubtedAndSentinelsAre() {
        var rule = ResultRule.of(List.of(metric("delay", "ns"), metric("area", ""), metric("accuracy", "")));
        rule.fit("delay", new double[] {-0.5, 1.25, -1.5, 0.3});
        rule.fit("area", new double[] {-1, 0, 5});
        rule.fit("accuracy", new double[] {93, 80, 1});
        assertThat(rule.objection("delay", -0.5)).isEmpty();
        assertThat(rule.objection("area", -1)).isPresent();
        assertThat(rule.objection("area", 0)).isPresent();
        assertThat(rule.objection("accuracy", 93)).isEmpty();
        assertThat(rule.objection("accuracy", 193)).isPresent();
    }

    /// Where exactly half of a column says so, nothing is changed.
    @Test
    void aTableChangesARuleByMostOfItsValues() {
        var rule = ResultRule.of(List.of(
                metric("lut", ""),
                metric("ff", ""),
                metric("bram", ""),
                metric("accuracy", ""),
                metric("delay", "ns")));
        rule.fit("lut", new double[] {12.5, 13.5, 14});
        rule.fit("ff", new double[] {12.5, 14});
        rule.fit("bram", new double[] {-2.25, -2.75, -1.25, 1});
        rule.fit("accuracy", new double[] {93, 1});
        rule.fit("delay", new double[] {-0.5, -0.5, -0.5, 1});
        assertThat(rule.objection("lut", 12.5)).isEmpty();
        assertThat(rule.objection("lut", -1)).isPresent();
        assertThat(rule.objection("ff", 12.5)).isPresent();
        assertThat(rule.objection("bram", 2.25)).isPresent();
        assertThat(rule.objection("accuracy", 93)).isPresent();
        assertThat(rule.objection("delay", -0.5)).hasValue("delay is -0.5 and must be above 0");
        assertThat(rule.objection("delay", -1e15)).hasValue("delay is -1.0E15 and must be above 0");
        rule.fit("delay", new double[] {-1, -2, -3, 1});
        assertThat(rule.objection("delay", -1))
                .as("whole numbers are sentinels")
                .isPresent();
        rule.fit("bram", new double[] {2.25, 2.75, 1});
        assertThat(rule.objection("bram", 2.25)).isEmpty();
    }

    @Test
    void whatWasStoredMayBeAMeanAndNeverNegative() {
        var rule = ResultRule.ofStored(List.of(metric("lut", ""), metric("delay", "ns")));
        var mean = new Outcome.Measured(Map.of("lut", 12.5, "delay", 3.0));
        assertThat(rule.checked(mean, "the store")).isSameAs(mean);
        assertThat(rule.checked(new Outcome.Measured(Map.of("delay", -3.0)), "the store"))
                .isInstanceOfSatisfying(
                        Outcome.Failure.class,
                        f -> assertThat(f.reason())
                                .isEqualTo("the store holds no result: delay is -3 and must be above 0"));
    }
}
