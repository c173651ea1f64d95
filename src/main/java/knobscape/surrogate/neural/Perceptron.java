package knobscape.surrogate.neural;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import knobscape.surrogate.Regressor;
import knobscape.surrogate.TrainingData;

/// Multilayer perceptron for regression: fully connected hidden layers with ReLU, one linear output, squared
/// error with weight decay, full-batch Adam (Kingma and Ba 2015) from He-scaled normal weights. Meant for tens
/// to hundreds of rows; the cost of an iteration is about `6 n * parameters` operations on one thread.
public final class Perceptron implements Regressor {

    /// How to train.
    ///
    /// @param hidden widths of the hidden layers
    /// @param learningRate Adam's step
    /// @param weightDecay penalty on squared weights (not biases), per row
    /// @param seed of the starting weights
    public record Options(int[] hidden, double learningRate, double weightDecay, long seed) {
        public Options {
            if (hidden.length == 0 || learningRate <= 0 || weightDecay < 0) {
                throw new IllegalArgumentException(
                        "a perceptron needs hidden layers, a positive learning rate and a weight decay of at least 0");
            }
            hidden = hidden.clone();
        }
    }

    private final DenseNetwork network;

    private Perceptron(DenseNetwork network) {
        this.network = network;
    }

    /// Trains for `iterations` steps and calls `checkpoint` after every `every` of them with the network and
    /// the number done.
    private static Perceptron fit(
            TrainingData data, Options options, int iterations, int every, ObjIntConsumer<Perceptron> checkpoint) {
        int[] widths = IntStream.concat(
                        IntStream.of(data.features()), IntStream.concat(IntStream.of(options.hidden), IntStream.of(1)))
                .toArray();
        var trained = new Perceptron(new DenseNetwork(
                widths,
                DenseNetwork.heScale(options.hidden[options.hidden.length - 1]),
                new SplittableRandom(options.seed)));
        var adam = new Adam(trained.network, options.learningRate);
        double[][] gradient = trained.network.zeros();
        double[] y = data.target();
        for (int t = 1; t <= iterations; t++) {
            trained.lossAndGradient(data.x(), y, options.weightDecay, gradient);
            adam.step(trained.network.parameters(), gradient);
            if (t % every == 0) {
                checkpoint.accept(trained, t);
            }
        }
        return trained;
    }

    /// A network of output 0 trained for `iterations` steps.
    public static Perceptron fit(TrainingData data, Options options, int iterations) {
        return fit(data, options, iterations, Integer.MAX_VALUE, (n, t) -> {});
    }

    /// Squared errors on held-out rows after every `every` of `iterations` training steps; entry i belongs to
    /// `(i + 1) * every` steps.
    public static double[] validationPath(
            TrainingData data, TrainingData heldOut, Options options, int iterations, int every) {
        double[] errors = new double[iterations / every];
        fit(data, options, iterations, every, (network, t) -> {
            for (int i = 0; i < heldOut.size(); i++) {
                double e = network.predict(heldOut.x()[i]) - heldOut.y()[i][0];
                errors[t / every - 1] += e * e;
            }
        });
        return errors;
    }

    @Override
    public double predict(double[] x) {
        double[][] a = network.forward(x);
        return a[a.length - 1][0];
    }

    /// Mean squared error / 2 plus weight decay / 2; overwrites `gradient` with its derivative.
    double lossAndGradient(double[][] x, double[] y, double weightDecay, double[][] gradient) {
        for (double[] g : gradient) {
            Arrays.fill(g, 0);
        }
        double loss = 0;
        for (int n = 0; n < x.length; n++) {
            double[][] a = network.forward(x[n]);
            double error = a[a.length - 1][0] - y[n];
            loss += 0.5 * error * error / x.length;
            network.backward(a, new double[] {error / x.length}, gradient);
        }
        double[][] parameters = network.parameters();
        for (int l = 0; l < parameters.length; l++) {
            for (int i = 0; i < network.weights(l); i++) {
                loss += 0.5 * weightDecay * parameters[l][i] * parameters[l][i];
                gradient[l][i] += weightDecay * parameters[l][i];
            }
        }
        return loss;
    }

    /// The weights and biases themselves, for gradient checks.
    double[][] layers() {
        return network.parameters();
    }

    /// Adam with the default constants 0.9, 0.999 and 1e-8.
    private static final class Adam {
        private final double[][] m;
        private final double[][] v;
        private final double rate;
        private int t;

        Adam(DenseNetwork network, double rate) {
            this.rate = rate;
            m = network.zeros();
            v = network.zeros();
        }

        void step(double[][] parameters, double[][] gradient) {
            t++;
            double c1 = 1 - Math.pow(0.9, t);
            double c2 = 1 - Math.pow(0.999, t);
            for (int l = 0; l < parameters.length; l++) {
                update(parameters[l], gradient[l], m[l], v[l], rate / c1, c2);
            }
        }

        private static void update(double[] p, double[] g, double[] m, double[] v, double rate, double c2) {
            for (int i = 0; i < p.length; i++) {
                m[i] = 0.9 * m[i] + 0.1 * g[i];
                v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
                p[i] -= rate * m[i] / (Math.sqrt(v[i] / c2) + 1e-8);
            }
        }
    }
}
