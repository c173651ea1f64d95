package knobscape.surrogate.deepgp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/// A deep Gaussian process of one output (deep Gaussian transfer learning, ICCV 2021; thesis chapter 4). Rows and
/// outputs are standardised by what it was trained on first, also after [#tuned]. Beliefs are the mixture over a few
/// fixed samples of the hidden layers.
public final class DeepGp implements Model {
    private static final int ROWS = 2048;

    private final DeepGpSettings settings;
    private final DeepGpParameters parameters;
    private final double[] centre;
    private final double[] spread;
    private final double level;
    private final double scale;

    private DeepGp(
            DeepGpSettings settings,
            DeepGpParameters parameters,
            double[] centre,
            double[] spread,
            double level,
            double scale) {
        this.settings = settings;
        this.parameters = parameters;
        this.centre = centre;
        this.spread = spread;
        this.level = level;
        this.scale = scale;
    }

    /// Trains on one output; fits always start afresh.
    public static Trainer trainer(DeepGpSettings settings) {
        return (data, warmStart, seed) -> fit(data, settings, seed);
    }

    /// As [#trainer]; throws [knobscape.evaluate.UserError] where LibTorch cannot be used.
    public static DeepGp fit(TrainingData data, DeepGpSettings settings, long seed) {
        DeepGpGraph.requireTorch();
        int d = data.features();
        double[] centre = new double[d];
        double[] spread = new double[d];
        for (int j = 0; j < d; j++) {
            int column = j;
            double[] values =
                    Arrays.stream(data.x()).mapToDouble(r -> r[column]).toArray();
            centre[j] = mean(values);
            double deviation = deviation(values, centre[j]);
            spread[j] = deviation > 1e-9 ? deviation : 1;
        }
        double[] y = data.target();
        double level = mean(y);
        double deviation = deviation(y, level);
        var blank = new DeepGp(
                settings, new DeepGpParameters(List.of(), 0), centre, spread, level, deviation > 1e-12 ? deviation : 1);
        DeepGpTraining training = blank.training(data);
        return blank.with(training.run(training.start(seed), settings.training().steps(), Optional.empty(), seed));
    }

    /// This process after seeing a task of its kind: the most probable parameters where its own are the prior's mean.
    public DeepGp tuned(TrainingData data, long seed) {
        return with(training(data).run(parameters, settings.training().tuningSteps(), Optional.of(parameters), seed));
    }

    private DeepGpTraining training(TrainingData data) {
        return new DeepGpTraining(
                settings,
                standardised(data.x(), 0, data.size()),
                Arrays.stream(data.target()).map(v -> (v - level) / scale).toArray());
    }

    private DeepGp with(DeepGpParameters found) {
        return new DeepGp(settings, found, centre, spread, level, scale);
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    private static double deviation(double[] values, double mean) {
        return Math.sqrt(Arrays.stream(values)
                .map(v -> (v - mean) * (v - mean))
                .average()
                .orElse(0));
    }

    private double[][] standardised(double[][] x, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> IntStream.range(0, centre.length)
                        .mapToDouble(j -> (x[i][j] - centre[j]) / spread[j])
                        .toArray())
                .toArray(double[][]::new);
    }

    @Override
    public int outputs() {
        return 1;
    }

    /// The fixed samples of hidden layers: standard normals by sample and layer, 1 x P.
    private List<List<Tensor>> normals(DeepGpGraph graph) {
        var random = new SplittableRandom(1);
        var all = new ArrayList<List<Tensor>>();
        for (int s = 0; s < (graph.depth() == 1 ? 1 : settings.samples()); s++) {
            var one = new ArrayList<Tensor>();
            for (int l = 0; l < graph.depth() - 1; l++) {
                double[] e = new double[graph.width(l)];
                Arrays.setAll(e, i -> random.nextGaussian());
                one.add(DeepGpGraph.doubles(e, 1, e.length));
            }
            all.add(one);
        }
        return all;
    }

    /// Calls `of` for pieces of the rows.
    // Scopes act by being open; nothing refers to them.
    @SuppressWarnings("try")
    private void pieces(double[][] x, BiFunction<DeepGpGraph, Tensor, double[][]> of, double[][] into) {
        for (int from = 0; from < x.length; from += ROWS) {
            int to = Math.min(x.length, from + ROWS);
            try (PointerScope scope = new PointerScope();
                    NoGradGuard guard = new NoGradGuard()) {
                double[][] rows = standardised(x, from, to);
                double[][] found = of.apply(
                        new DeepGpGraph(parameters, DeepGpGraph.Jitter.INDUCING_ONLY),
                        DeepGpGraph.doubles(
                                Arrays.stream(rows)
                                        .flatMapToDouble(Arrays::stream)
                                        .toArray(),
                                to - from,
                                centre.length));
                for (int k = 0; k < into.length; k++) {
                    System.arraycopy(found[k], 0, into[k], from, to - from);
                }
            }
        }
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        double[][] moments = new double[2][x.length];
        pieces(
                x,
                (graph, rows) -> {
                    List<List<Tensor>> samples = normals(graph);
                    double[][] sums = new double[3][(int) rows.size(0)];
                    for (List<Tensor> s : samples) {
                        DeepGpGraph.Moments m = graph.forward(rows, s);
                        double[] mean = DeepGpGraph.read(m.mean());
                        double[] variance = DeepGpGraph.read(m.variance());
                        for (int i = 0; i < mean.length; i++) {
                            sums[0][i] += mean[i] / samples.size();
                            sums[1][i] += (variance[i] + mean[i] * mean[i]) / samples.size();
                        }
                    }
                    for (int i = 0; i < sums[0].length; i++) {
                        sums[1][i] = Math.max(0, sums[1][i] - sums[0][i] * sums[0][i]);
                    }
                    return sums;
                },
                moments);
        var p = GaussianPosterior.blank(x.length, 1);
        for (int i = 0; i < x.length; i++) {
            p.means()[i] = level + scale * moments[0][i];
            p.covariances()[i] = scale * scale * moments[1][i];
        }
        return p;
    }

    /// Means alone: no variance of the last layer.
    @Override
    public double[] score(double[][] x) {
        double[][] means = new double[1][x.length];
        pieces(
                x,
                (graph, rows) -> {
                    List<List<Tensor>> samples = normals(graph);
                    double[] sum = new double[(int) rows.size(0)];
                    int hidden = graph.depth() - 1;
                    Optional<DeepGpGraph.Moments> first =
                            hidden == 0 ? Optional.empty() : Optional.of(graph.layer(0, rows));
                    for (List<Tensor> s : samples) {
                        Tensor h = first.map(m -> DeepGpGraph.sample(m, s.getFirst()))
                                .orElse(rows);
                        for (int l = 1; l < hidden; l++) {
                            h = DeepGpGraph.sample(graph.layer(l, h), s.get(l));
                        }
                        double[] mean = DeepGpGraph.read(graph.lastMean(h));
                        for (int i = 0; i < mean.length; i++) {
                            sum[i] += mean[i] / samples.size();
                        }
                    }
                    return new double[][] {sum};
                },
                means);
        return Arrays.stream(means[0]).map(v -> level + scale * v).toArray();
    }

    @Override
    public double[] noise() {
        return new double[] {scale * scale * Math.exp(parameters.logNoise())};
    }
}
