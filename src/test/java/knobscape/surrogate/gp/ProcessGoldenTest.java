package knobscape.surrogate.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.Golden;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.PriorSlopes;
import knobscape.surrogate.TrainingData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Holds every structure of process to the figures that its class gave before all were made one. They are written anew,
/// where a change is meant, with `-Dknobscape.write=true`.
class ProcessGoldenTest {
    private static final String FILE = "surrogate/processes.json";

    /// A process at given hyper-parameters, or fitted.
    ///
    /// @param trainer which a warm start from the hyper-parameters leaves where it is
    /// @param theta hyper-parameters; empty: fitted
    private record Case(String name, Model.Trainer trainer, TrainingData data, double[] theta) {
        @Override
        public String toString() {
            return name;
        }

        Model model() {
            return trainer.fit(data, theta.length == 0 ? Optional.empty() : Optional.of(theta), 11);
        }
    }

    private static double[][] points(long seed, int n, int d) {
        var random = new SplittableRandom(seed);
        double[][] x = new double[n][d];
        for (double[] row : x) {
            Arrays.setAll(row, _ -> Math.round(random.nextDouble() * 64) / 64.0);
        }
        return x;
    }

    /// Outputs that hang together, with gaps in the second one where asked for.
    private static TrainingData data(int n, int lower, int outputs, boolean gaps, boolean slopes) {
        double[][] x = points(3 + n, n, 3);
        double[][] g = new double[n][lower];
        double[][] y = new double[n][outputs];
        for (int i = 0; i < n; i++) {
            double base = x[i][0] * (2 - x[i][1]) + 0.5 * x[i][2] * x[i][2];
            for (int c = 0; c < lower; c++) {
                g[i][c] = 10 * base + c * x[i][1];
            }
            for (int a = 0; a < outputs; a++) {
                y[i][a] = gaps && a == 1 && i % 3 == 0 ? Double.NaN : 3 + 2 * base - a * x[i][2] + 0.3 * x[i][1] * base;
            }
        }
        int[] lowerOf = new int[outputs];
        Arrays.fill(lowerOf, lower - 1);
        double[][] known = new double[outputs][lower];
        if (slopes) {
            known[0][0] = 0.15;
        }
        return new TrainingData(x, g, y, lowerOf, PriorSlopes.learned(known));
    }

    /// Hyper-parameters spread about 0 in a fixed way, the last one a small noise; first the fitness, which a warm
    /// start
    /// is to keep.
    private static double[] theta(int count) {
        double[] all = new double[count + 1];
        for (int i = 1; i <= count; i++) {
            all[i] = 0.3 * ((i * 7) % 5 - 2);
        }
        all[count] = -4;
        all[0] = Double.NEGATIVE_INFINITY;
        return all;
    }

    private static final GpSettings STILL = GpSettings.DEFAULT.with(GpSettings.Effort.warm(0));

    private static Model.Trainer coregional(GpSettings settings) {
        return new ProcessTrainer(settings);
    }

    private static Model.Trainer chain(GpSettings settings) {
        return ProcessTrainer.chain(settings);
    }

    private static Model.Trainer knobs(int warmSweeps) {
        return GrowingProcess.trainer(
                new int[] {0, 1, 1}, new KnobGpSettings(0.35, 1.0, new NoisePrior(3e-3, 1.5, 1e-5), 60, 3, warmSweeps));
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case("one output", coregional(STILL), data(14, 0, 1, false, false), theta(5)),
                new Case("three outputs", coregional(STILL), data(14, 0, 3, false, false), theta(12)),
                new Case("three outputs with gaps", coregional(STILL), data(14, 0, 3, true, false), theta(12)),
                new Case("linked", coregional(STILL), data(12, 2, 1, false, false), theta(13)),
                new Case("linked, slopes known", coregional(STILL), data(12, 2, 1, false, true), theta(13)),
                new Case(
                        "two outputs linked by a curve",
                        coregional(STILL.with(GpSettings.LowerLink.CURVED)),
                        data(12, 2, 2, true, false),
                        theta(16)),
                new Case("chain, lowest", chain(STILL), data(12, 0, 1, false, false), theta(5)),
                new Case("chain", chain(STILL), data(12, 2, 1, false, false), theta(5)),
                new Case("knobs", knobs(0), data(25, 0, 1, false, false), new double[] {-0.9, 0.2, -4}),
                new Case("fitted one output", coregional(GpSettings.DEFAULT), data(20, 0, 1, false, false), NONE),
                new Case("fitted linked", coregional(GpSettings.DEFAULT), data(20, 1, 1, false, false), NONE),
                new Case("fitted chain", chain(GpSettings.DEFAULT), data(20, 1, 1, false, false), NONE),
                new Case("fitted knobs", knobs(1), data(90, 0, 1, false, false), NONE));
    }

    private static final double[] NONE = {};

    private static Map<String, double[]> figures(Case c) {
        Model model = c.model();
        int g = c.data.lowerOutputs();
        double[][] x = points(99, 5, 3);
        var lower = GaussianPosterior.blank(5, g);
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < g; j++) {
                lower.means()[i * g + j] = 4 + 2 * i + j;
                lower.covariances()[(i * g + j) * g + j] = i * 0.3;
            }
        }
        var all = new LinkedHashMap<String, double[]>();
        add(all, "posterior", model.posterior(x, lower));
        add(all, "screen", model.screen(x, lower));
        int[] most = IntStream.range(0, c.data.size() - 2).toArray();
        add(all, "given", model.given(c.data.rows(most)).posterior(x, lower));
        double[][][] below = new double[2][5][g];
        for (double[][] draw : below) {
            for (int i = 0; i < 5; i++) {
                Arrays.fill(draw[i], 5 + i);
            }
        }
        all.put(
                "paths",
                Arrays.stream(model.paths(x, below, 5))
                        .flatMap(Arrays::stream)
                        .flatMapToDouble(Arrays::stream)
                        .toArray());
        all.put("noise", model.noise());
        all.put("rest", new double[] {model.fitness()});
        all.put("parameters", model.parameters());
        return all;
    }

    private static void add(Map<String, double[]> all, String name, Posterior p) {
        int m = p.outputs();
        double[] flat = new double[p.size() * (m + 2 * m * m)];
        int at = 0;
        for (int i = 0; i < p.size(); i++) {
            for (int a = 0; a < m; a++) {
                flat[at++] = p.mean(i, a);
                for (int b = 0; b < m; b++) {
                    flat[at++] = p.covariance(i, a, b);
                    flat[at++] = p.inherited(i, a, b);
                }
            }
        }
        all.put(name, flat);
    }

    /// A growing process: rows, some measured several times, beliefs, rows taken back.
    private static Map<String, double[]> growing() {
        TrainingData data = data(18, 0, 1, false, false);
        double[] y = data.target();
        var gp = new GrowingProcess(new SharedLengths(new int[] {0, 1, 1}, new double[] {-0.7, 0.1}, 0.02), 0.25);
        var all = new LinkedHashMap<String, double[]>();
        for (int i = 0; i < 10; i++) {
            gp.add(data.x()[i], 1 + i % 3);
        }
        gp.outputs(Arrays.copyOf(y, 10));
        GrowingProcess.Block block = gp.watch(points(98, 6, 3));
        all.put("means of ten", block.means());
        all.put("variances of ten", block.variances());
        for (int i = 10; i < 18; i++) {
            gp.add(data.x()[i], 1);
        }
        gp.outputs(y);
        gp.believe(new double[] {0.5, 0.25, 0.75});
        all.put("variances beside a belief", block.variances());
        gp.truncate(18);
        gp.outputs(y);
        all.put("means", block.means());
        all.put("variances", block.variances());
        all.put("smoothed", gp.smoothed());
        all.put("left out", gp.leaveOneOut());
        all.put("density", new double[] {gp.leaveOneOutDensity()});
        return all;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void holdsItsFigures(Case c) {
        // A fit ends where its line searches end: the last digits are the processor's.
        compare(c.name, figures(c), c.theta.length == 0 ? 2e-3 : 1e-8);
    }

    @Test
    void holdsTheFiguresOfGrowing() {
        compare("growing", growing(), 1e-9);
    }

    private static void compare(String name, Map<String, double[]> figures, double share) {
        JsonNode golden = Golden.read(FILE).get(name);
        figures.forEach((key, values) -> {
            double[] expected = Golden.vector(golden.get(key));
            assertThat(values).as(key).hasSameSizeAs(expected);
            for (int i = 0; i < values.length; i++) {
                if (Double.isFinite(values[i])) {
                    assertThat(values[i])
                            .as("%s %d", key, i)
                            .isCloseTo(expected[i], within(share * Math.max(1e-3, Math.abs(expected[i]))));
                }
            }
        });
    }

    @Test
    void gradientsAreThoseOfFiniteDifferencesForEveryLayout() {
        for (Case c : cases().filter(c -> c.theta.length > 3).toList()) {
            StandardisedData s = StandardisedData.of(c.data);
            boolean isChain = c.name.startsWith("chain");
            ParameterLayout layout = isChain
                    ? ParameterLayout.chain(3, c.data.lowerOf()[0], STILL)
                    : new ParameterLayout(
                            3,
                            c.data.lowerOutputs(),
                            c.data.outputs(),
                            c.name.endsWith("curve") ? STILL.with(GpSettings.LowerLink.CURVED) : STILL);
            var likelihood = new MarginalLikelihood(layout, s.inputs(), s.y());
            double[] theta = Arrays.copyOfRange(c.theta, 1, c.theta.length);
            double[] gradient = new double[theta.length];
            likelihood.value(theta, gradient);
            for (int i = 0; i < theta.length; i++) {
                double[] up = theta.clone();
                double[] down = theta.clone();
                up[i] += 1e-5;
                down[i] -= 1e-5;
                double[] unused = new double[theta.length];
                double slope = (likelihood.value(up, unused) - likelihood.value(down, unused)) / 2e-5;
                assertThat(gradient[i])
                        .as("%s %d", c.name, i)
                        .isCloseTo(slope, within(2e-5 * Math.max(1, Math.abs(slope))));
            }
        }
    }

    /// Writes the figures where that is asked for.
    @Test
    void writesItsFiguresWhereAskedTo() throws IOException {
        if (Boolean.getBoolean("knobscape.write")) {
            var all = new LinkedHashMap<String, Object>();
            cases().forEach(c -> all.put(c.name, numbers(figures(c))));
            all.put("growing", numbers(growing()));
            Files.writeString(
                    Path.of("src/test/resources/golden", FILE),
                    JsonMapper.shared().writeValueAsString(all).replace("},", "},\n"));
        }
    }

    private static Map<String, List<Object>> numbers(Map<String, double[]> figures) {
        var all = new LinkedHashMap<String, List<Object>>();
        figures.forEach((k, v) -> {
            var row = new ArrayList<Object>();
            Arrays.stream(v)
                    .forEach(d -> row.add(Double.isFinite(d) ? d : Double.isNaN(d) ? null : Double.toString(d)));
            all.put(k, row);
        });
        return all;
    }
}
