package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.CgpExplorer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntervalCalibrationTest {
    private static IntervalCalibration.Score score(ReplaySet set, int n, int seeds) {
        var calibration = IntervalCalibration.of(set, BayesSettings.DEFAULT);
        var trainer = CgpExplorer.gaussianProcesses(BayesSettings.DEFAULT);
        return IntervalCalibration.Score.mean(IntStream.range(1, 1 + seeds)
                .mapToObj(s -> calibration.score(trainer, n, s))
                .toList());
    }

    /// Three knobs and two stages, with noise on each.
    ///
    /// @param shared deviation of what both stages have in common that the knobs do not tell
    private static ReplaySet smooth(Path folder, double shared) throws IOException {
        var random = new SplittableRandom(3);
        var csv = new StringBuilder("k1,k2,k3,h,d,p\n");
        for (int i = 0; i < 6 * 6 * 6; i++) {
            double a = i % 6 / 5.0;
            double b = i / 6 % 6 / 5.0;
            int third = i / 36;
            double c = third / 5.0;
            double f = 1 + Math.sin(2 * a) + b * b + 0.5 * a * c + shared * random.nextGaussian();
            csv.append(i % 6)
                    .append(',')
                    .append(i / 6 % 6)
                    .append(',')
                    .append(i / 36)
                    .append(',')
                    .append(100 * Math.exp(f + 0.05 * random.nextGaussian()))
                    .append(',')
                    .append(120 * Math.exp(1.1 * f + 0.3 * c + 0.1 * random.nextGaussian()))
                    .append(',')
                    .append(Math.exp(-0.5 * f + 0.1 * random.nextGaussian()))
                    .append('\n');
        }
        Files.writeString(folder.resolve("f.csv"), csv);
        Files.writeString(folder.resolve("f.yaml"), """
                replay: 1
                name: smooth
                knobs: {columns: ["k*"]}
                fidelities:
                  - {name: hls, metrics: {delay: h}}
                  - {name: impl, metrics: {delay: d, power: p}}
                objectives: [power, delay]
                """);
        return ReplaySet.open(folder.resolve("f.csv"));
    }

    /// The intervals have to hold about nine of ten values, and a surrogate that learned something errs by less
    /// than the spread.
    @Test
    void intervalsHoldNineOfTenValuesOfASmoothFlow(@TempDir Path folder) throws IOException {
        IntervalCalibration.Score s = score(smooth(folder, 0), 20, 4);
        assertThat(s.coverage()).isBetween(0.80, 0.97);
        assertThat(s.error()).isLessThan(0.6);
        assertThat(s.heldOut()).isEqualTo(216 - 60);
    }

    @Test
    void theReportOfTheFirstStageTellsWhatTheKnobsDoNot(@TempDir Path folder) throws IOException {
        IntervalCalibration.Score s = score(smooth(folder, 0.4), 20, 2);
        assertThat(s.reported()).isLessThan(0.9 * s.error());
    }

    @Test
    void intervalsHoldNineOfTenMeasuredValues() {
        Path data = Path.of(System.getProperty("knobscape.shared", "../shared")).resolve("data/hls/fudan_machsuite");
        Assumptions.assumeTrue(Files.isDirectory(data), "measured designs are not beside this checkout");
        for (String kernel : List.of("gemm_ncubed", "aes")) {
            assertThat(score(ReplaySet.open(data.resolve(kernel + ".csv")), 16, 2)
                            .coverage())
                    .as(kernel)
                    .isBetween(0.80, 0.97);
        }
    }
}
