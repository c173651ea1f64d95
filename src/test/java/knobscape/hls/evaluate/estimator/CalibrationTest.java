package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Calibration.Law;
import knobscape.hls.space.Directive;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {
    private static final Provenance TOOL = new Provenance("own", "1", 0, Provenance.Source.MEASURED);

    private static StageFigures figures(double lut, double watts) {
        return new StageFigures(watts, 1000, 8, new StageFigures.Resources(lut, 500, 4, 2, 0), 60, "");
    }

    private static Evaluation measured(double lut, double watts) {
        return new Evaluation(
                Configuration.of(new KnobSet(List.of()), new int[0]),
                EstimatorEvaluator.HLS,
                new Outcome.Measured(Map.of("lut", lut, "power", watts, "latency", 1000.0)),
                60,
                TOOL);
    }

    private static Law lut(Calibration c) {
        return c.laws().stream()
                .filter(l -> l.figure().equals("lut"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void findsTheLawBehindNoisyDesigns() {
        var random = new Random(3);
        var fit = new CalibrationFit(Part.byDefault());
        for (int i = 0; i < 60; i++) {
            double estimate = Math.exp(6 + 4 * random.nextDouble());
            double truth = 1.5 * 3000 * Math.pow(estimate / 3000, 0.9) * Math.exp(0.1 * random.nextGaussian());
            fit.add(List.of(figures(estimate, 0.5)), List.of(measured(truth, 0.5)));
        }
        Calibration c = fit.fit("test");
        Law law = lut(c);
        assertThat(law.exponent()).isCloseTo(0.9, within(0.03));
        assertThat(law.of(3000)).isCloseTo(4500, within(300.0));
        assertThat(law.low()).isLessThan(law.factor());
        assertThat(law.high() / law.low()).isBetween(1.02, 1.1);
        assertThat(law.errors().after()).isLessThan(0.5 * law.errors().before());
        // latency was right: no law is kept for it
        assertThat(c.laws()).noneMatch(l -> l.figure().equals("latency"));
        assertThat(c.apply(0, figures(3000, 0.5), Part.byDefault()).lut()).isCloseTo(4500, within(300.0));
    }

    @Test
    void twoDesignsMoveTheFactorAndHardlyTheExponent() {
        var fit = new CalibrationFit(Part.byDefault());
        fit.add(List.of(figures(1000, 0.5)), List.of(measured(2000, 0.5)));
        fit.add(List.of(figures(2000, 0.5)), List.of(measured(2600, 0.5)));
        Law law = lut(fit.fit("two"));
        assertThat(law.factor()).isBetween(1.3, 1.7);
        assertThat(law.exponent()).isBetween(0.75, 1.0);
        assertThat(law.high() / law.low()).isGreaterThan(1.5);
    }

    @Test
    void powerKeepsItsStaticShare() {
        Part part = Part.byDefault();
        var fit = new CalibrationFit(part);
        for (int i = 1; i <= 10; i++) {
            double dynamic = 0.1 * i;
            fit.add(
                    List.of(figures(100, part.staticWatts() + dynamic)),
                    List.of(measured(100, part.staticWatts() + 3 * dynamic)));
        }
        Calibration c = fit.fit("watts");
        StageFigures f = c.apply(0, figures(100, part.staticWatts() + 0.5), part);
        assertThat(f.powerWatts()).isCloseTo(part.staticWatts() + 1.5, within(0.05));
        assertThat(c.apply(1, figures(100, 0.9), part)).isEqualTo(figures(100, 0.9));
    }

    @Test
    void theEstimatorUsesIt() {
        var law = new Law(0, "lut", 10, 2, 1.9, 2.1, 1, 100, new Calibration.Errors(0.7, 0.1));
        var plain = new Estimator(Kernels.gemm(Kernels.DOUBLE, 8), EstimatorSettings.defaults());
        var calibrated = new Estimator(
                Kernels.gemm(Kernels.DOUBLE, 8),
                EstimatorSettings.defaults().withCalibration(new Calibration("ten", List.of(law))));
        List<Directive> none = List.of();
        StageFigures before = plain.estimate(none, 2).getFirst();
        StageFigures after = calibrated.estimate(none, 2).getFirst();
        assertThat(after.lut()).isEqualTo(2 * before.lut());
        assertThat(after.ff()).isEqualTo(before.ff());
        assertThat(calibrated.estimate(none, 2).get(2))
                .isEqualTo(plain.estimate(none, 2).get(2));
    }

    @Test
    void aFileIsReadBackAndADamagedOneNamed(@TempDir Path folder) throws Exception {
        assertThat(Calibration.in(folder)).isEqualTo(Calibration.NONE);
        var laws = new ArrayList<Law>();
        laws.add(new Law(2, "dynamic", 5, 1.2, 1.1, 1.3, 0.9, 0.3, new Calibration.Errors(0.2, 0.1)));
        var c = new Calibration("five", laws);
        Path file = folder.resolve(Calibration.FILE_NAME);
        Files.writeString(file, c.json());
        assertThat(Calibration.in(folder)).isEqualTo(c);
        Files.writeString(file, c.json().replace("1.2", "-1.2"));
        assertThatThrownBy(() -> Calibration.in(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no positive numbers");
        Files.writeString(file, "{");
        assertThatThrownBy(() -> Calibration.in(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is no calibration");
    }

    /// A tool that reports the last stage alone.
    @Test
    void aStageIsKnownByItsName() {
        assertThat(CalibrationFit.stage(new knobscape.evaluate.Fidelity("impl", 0)))
                .isEqualTo(2);
        assertThat(CalibrationFit.stage(new knobscape.evaluate.Fidelity("measured", 0)))
                .isZero();
    }
}
