package knobscape.surrogate.deepgp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.numeric.Shuffle;
import knobscape.numeric.SymmetricEigen;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;

/// Finds the parameters of a deep process on standardised rows: a start, then Adam on the bound of random batches, or
/// on the bound less the distance to the parameters of another process (maximum a posteriori, Eq. 6 of the paper).
final class DeepGpTraining {
    private static final double HIDDEN_FACTOR = Math.sqrt(1e-5);
    private static final double START_NOISE = 0.1;
    private static final int MEANS_ROUNDS = 5;
    private static final double VARIATIONAL_SHARE = 0.01;

    private final DeepGpSettings settings;
    private final double[][] x;
    private final double[] y;

    DeepGpTraining(DeepGpSettings settings, double[][] x, double[] y) {
        this.settings = settings;
        this.x = x;
        this.y = y;
    }

    /// Where training starts: inducing inputs by k-means, hidden layers close to the rows' principal components, length
    /// scales as long as the space is wide.
    DeepGpParameters start(long seed) {
        var layers = new ArrayList<DeepGpParameters.Layer>();
        double[][] z = means(Math.min(settings.shape().inducing(), x.length), new SplittableRandom(seed));
        for (int l = 0; l < settings.shape().layers(); l++) {
            boolean last = l == settings.shape().layers() - 1;
            int d = z[0].length;
            int p = last ? 1 : Math.min(settings.shape().width(), d);
            int m = z.length;
            int kernels = last || settings.shape().isShared() ? 1 : p;
            double[][] mean = last ? new double[0][] : l == 0 ? components(p) : identity(p);
            layers.add(new DeepGpParameters.Layer(
                    d,
                    p,
                    m,
                    flat(z),
                    filled(kernels * d, 0.5 * Math.log(d)),
                    new double[kernels],
                    new double[p * m],
                    factors(p, m, last ? 1 : HIDDEN_FACTOR),
                    last ? new double[0] : flat(mean)));
            if (!last) {
                z = product(z, mean);
            }
        }
        return new DeepGpParameters(layers, Math.log(START_NOISE));
    }

    private static double[] filled(int n, double value) {
        double[] all = new double[n];
        Arrays.fill(all, value);
        return all;
    }

    private static double[] flat(double[][] rows) {
        return Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
    }

    private static double[][] identity(int n) {
        double[][] all = new double[n][n];
        for (int i = 0; i < n; i++) {
            all[i][i] = 1;
        }
        return all;
    }

    private static double[] factors(int p, int m, double value) {
        double[] all = new double[p * m * m];
        for (int i = 0; i < p * m; i++) {
            all[i * m + i % m] = value;
        }
        return all;
    }

    private static double[][] product(double[][] a, double[][] b) {
        double[][] c = new double[a.length][b[0].length];
        for (int i = 0; i < a.length; i++) {
            for (int k = 0; k < b.length; k++) {
                for (int j = 0; j < c[i].length; j++) {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        return c;
    }

    /// Directions of the largest variance, D x P; the identity where there are as many as columns.
    private double[][] components(int p) {
        int d = x[0].length;
        if (p == d) {
            return identity(d);
        }
        double[] covariance = new double[d * d];
        for (double[] row : x) {
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    covariance[i * d + j] += row[i] * row[j] / x.length;
                }
            }
        }
        SymmetricEigen e = SymmetricEigen.of(covariance, d);
        int[] order = IntStream.range(0, d)
                .boxed()
                .sorted((a, b) -> Double.compare(e.values()[b], e.values()[a]))
                .mapToInt(i -> i)
                .toArray();
        double[][] w = new double[d][p];
        for (int j = 0; j < p; j++) {
            for (int i = 0; i < d; i++) {
                w[i][j] = e.vectors()[i * d + order[j]];
            }
        }
        return w;
    }

    private double[][] means(int count, SplittableRandom random) {
        int[] order = Shuffle.order(x.length, random);
        double[][] centres =
                IntStream.range(0, count).mapToObj(i -> x[order[i]].clone()).toArray(double[][]::new);
        for (int round = 0; round < MEANS_ROUNDS && count < x.length; round++) {
            double[][] sums = new double[count][x[0].length];
            int[] members = new int[count];
            for (double[] row : x) {
                int nearest = 0;
                double least = Double.POSITIVE_INFINITY;
                for (int c = 0; c < count; c++) {
                    double s = 0;
                    for (int j = 0; j < row.length && s < least; j++) {
                        double v = row[j] - centres[c][j];
                        s += v * v;
                    }
                    if (s < least) {
                        least = s;
                        nearest = c;
                    }
                }
                members[nearest]++;
                for (int j = 0; j < row.length; j++) {
                    sums[nearest][j] += row[j];
                }
            }
            for (int c = 0; c < count; c++) {
                for (int j = 0; j < sums[c].length && members[c] > 0; j++) {
                    centres[c][j] = sums[c][j] / members[c];
                }
            }
        }
        return centres;
    }

    /// Trains; ends early, with what it has, where a matrix can no longer be factored.
    ///
    /// @param near parameters not to go far from
    // Scopes act by being open; nothing refers to them.
    @SuppressWarnings("try")
    DeepGpParameters run(DeepGpParameters from, int steps, Optional<DeepGpParameters> near, long seed) {
        var random = new SplittableRandom(seed);
        try (PointerScope scope = new PointerScope()) {
            var graph = new DeepGpGraph(from, DeepGpGraph.Jitter.INDUCING_ONLY);
            List<Tensor> free = graph.free();
            var all = new TensorVector();
            free.forEach(t -> all.push_back(t.set_requires_grad(true)));
            var adam = new Adam(all, new AdamOptions(settings.training().rate()));
            List<Tensor> centre = near.map(p -> new DeepGpGraph(p, DeepGpGraph.Jitter.INDUCING_ONLY).free())
                    .orElse(List.of());
            int[] order = new int[0];
            int at = 0;
            int batch = Math.min(settings.training().batch(), x.length);
            for (int t = 0; t < steps; t++) {
                if (t == steps / 2 || t == steps * 3 / 4) {
                    adam.param_groups()
                            .get(0)
                            .options()
                            .set_lr(settings.training().rate() * (t == steps / 2 ? 0.5 : 0.25));
                }
                if (at + batch > order.length) {
                    order = Shuffle.order(x.length, random);
                    at = 0;
                }
                int[] rows = Arrays.copyOfRange(order, at, at + batch);
                at += batch;
                try (PointerScope step = new PointerScope()) {
                    adam.zero_grad();
                    Tensor loss = graph.bound(
                                    tensor(rows),
                                    DeepGpGraph.doubles(
                                            Arrays.stream(rows)
                                                    .mapToDouble(i -> y[i])
                                                    .toArray(),
                                            batch,
                                            1),
                                    List.of(normals(graph, batch, random)),
                                    (double) x.length / batch)
                            .neg();
                    for (int i = 0; i < centre.size(); i++) {
                        double weight = settings.training().lambda()
                                * (graph.variational().get(i) ? VARIATIONAL_SHARE : 1);
                        loss = loss.add(
                                free.get(i).sub(centre.get(i)).square().sum().mul(new Scalar(weight)));
                    }
                    loss.backward();
                    adam.step();
                } catch (ArithmeticException _) {
                    return from;
                }
            }
            return graph.parameters();
        }
    }

    private Tensor tensor(int[] rows) {
        return DeepGpGraph.doubles(
                flat(Arrays.stream(rows).mapToObj(i -> x[i]).toArray(double[][]::new)), rows.length, x[0].length);
    }

    private static List<Tensor> normals(DeepGpGraph graph, int rows, SplittableRandom random) {
        var all = new ArrayList<Tensor>();
        for (int l = 0; l < graph.depth() - 1; l++) {
            double[] e = new double[rows * graph.width(l)];
            Arrays.setAll(e, i -> random.nextGaussian());
            all.add(DeepGpGraph.doubles(e, rows, graph.width(l)));
        }
        return all;
    }
}
