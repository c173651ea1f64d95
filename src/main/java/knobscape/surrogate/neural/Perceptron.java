package knobscape.surrogate.neural;

import java.util.SplittableRandom;
import knobscape.surrogate.Regressor;

/// Multilayer perceptron for regression: fully connected hidden layers with ReLU, one linear output, squared error with weight decay,
/// full-batch Adam (Kingma and Ba 2015) from He-scaled normal weights. Meant for tens to hundreds of rows; the cost of an
/// iteration is about `6 n * parameters` operations on one thread.
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
                throw new IllegalArgumentException("a perceptron needs hidden layers, a positive learning rate and a weight decay of at least 0");
            }
            hidden = hidden.clone();
        }
    }

    private final int[] widths;
    /// Weights of layer l, row-major `[in][out]`, followed by the biases `[out]`.
    private final double[][] parameters;

    private Perceptron(int[] widths, double[][] parameters) {
        this.widths = widths;
        this.parameters = parameters;
    }

    /// Trains for `iterations` steps and calls `checkpoint` after every `every` of them with the number done, while the network passed to
    /// `observer` beforehand can be asked for predictions. Use [#fit(double[][], double[], Options, int)] where no checkpoints are needed.
    ///
    /// @param x rows, n x d
    /// @param y targets, n
    static Perceptron fit(double[][] x, double[] y, Options options, int iterations, int every, java.util.function.ObjIntConsumer<Perceptron> checkpoint) {
        int[] widths = new int[options.hidden.length + 2];
        widths[0] = x[0].length;
        System.arraycopy(options.hidden, 0, widths, 1, options.hidden.length);
        widths[widths.length - 1] = 1;
        var network = new Perceptron(widths, initial(widths, options.seed));
        var adam = new Adam(network.parameters, options.learningRate);
        double[][] gradient = new double[network.parameters.length][];
        for (int l = 0; l < gradient.length; l++) {
            gradient[l] = new double[network.parameters[l].length];
        }
        for (int t = 1; t <= iterations; t++) {
            network.lossAndGradient(x, y, options.weightDecay, gradient);
            adam.step(network.parameters, gradient);
            if (t % every == 0) {
                checkpoint.accept(network, t);
            }
        }
        return network;
    }

    /// A network trained for `iterations` steps.
    ///
    /// @param x rows, n x d
    /// @param y targets, n
    public static Perceptron fit(double[][] x, double[] y, Options options, int iterations) {
        return fit(x, y, options, iterations, Integer.MAX_VALUE, (n, t) -> { });
    }

    /// Squared errors on held-out rows after every `every` of `iterations` training steps; entry i belongs to `(i + 1) * every` steps.
    public static double[] validationPath(double[][] x, double[] y, double[][] heldOutX, double[] heldOutY, Options options, int iterations, int every) {
        double[] errors = new double[iterations / every];
        fit(x, y, options, iterations, every, (network, t) -> {
            for (int i = 0; i < heldOutX.length; i++) {
                double e = network.predict(heldOutX[i]) - heldOutY[i];
                errors[t / every - 1] += e * e;
            }
        });
        return errors;
    }

    private static double[][] initial(int[] widths, long seed) {
        var random = new SplittableRandom(seed);
        double[][] parameters = new double[widths.length - 1][];
        for (int l = 0; l < parameters.length; l++) {
            int weights = widths[l] * widths[l + 1];
            parameters[l] = new double[weights + widths[l + 1]];
            double scale = Math.sqrt(2.0 / widths[l]);
            for (int i = 0; i < weights; i++) {
                parameters[l][i] = scale * random.nextGaussian();
            }
        }
        return parameters;
    }

    @Override
    public double predict(double[] x) {
        double[] h = x;
        for (int l = 0; l < parameters.length; l++) {
            h = forward(l, h);
        }
        return h[0];
    }

    /// Activations of layer l + 1 for one row; ReLU on all but the last layer.
    private double[] forward(int l, double[] h) {
        int in = widths[l];
        int out = widths[l + 1];
        double[] w = parameters[l];
        double[] z = new double[out];
        System.arraycopy(w, in * out, z, 0, out);
        for (int i = 0; i < in; i++) {
            double hi = h[i];
            if (hi != 0) {
                int base = i * out;
                for (int o = 0; o < out; o++) {
                    z[o] += hi * w[base + o];
                }
            }
        }
        if (l < parameters.length - 1) {
            for (int o = 0; o < out; o++) {
                z[o] = Math.max(0, z[o]);
            }
        }
        return z;
    }

    /// Mean squared error / 2 plus weight decay / 2; overwrites `gradient` with its derivative.
    double lossAndGradient(double[][] x, double[] y, double weightDecay, double[][] gradient) {
        for (double[] g : gradient) {
            java.util.Arrays.fill(g, 0);
        }
        int layers = parameters.length;
        double loss = 0;
        double[][] h = new double[layers + 1][];
        for (int n = 0; n < x.length; n++) {
            h[0] = x[n];
            for (int l = 0; l < layers; l++) {
                h[l + 1] = forward(l, h[l]);
            }
            double error = h[layers][0] - y[n];
            loss += 0.5 * error * error / x.length;
            double[] delta = {error / x.length};
            for (int l = layers - 1; l >= 0; l--) {
                delta = backward(l, h[l], delta, gradient[l]);
            }
        }
        for (int l = 0; l < layers; l++) {
            int weights = widths[l] * widths[l + 1];
            for (int i = 0; i < weights; i++) {
                loss += 0.5 * weightDecay * parameters[l][i] * parameters[l][i];
                gradient[l][i] += weightDecay * parameters[l][i];
            }
        }
        return loss;
    }

    /// Adds one row's share to the gradient of layer l and returns the derivative with respect to that layer's input.
    private double[] backward(int l, double[] h, double[] delta, double[] gradient) {
        int in = widths[l];
        int out = widths[l + 1];
        double[] w = parameters[l];
        double[] below = new double[l == 0 ? 0 : in];
        for (int i = 0; i < in; i++) {
            double hi = h[i];
            int base = i * out;
            if (hi != 0) {
                for (int o = 0; o < out; o++) {
                    gradient[base + o] += hi * delta[o];
                }
            }
            if (l > 0 && hi > 0) {
                double s = 0;
                for (int o = 0; o < out; o++) {
                    s += w[base + o] * delta[o];
                }
                below[i] = s;
            }
        }
        int biases = in * out;
        for (int o = 0; o < out; o++) {
            gradient[biases + o] += delta[o];
        }
        return below;
    }

    /// The parameters themselves, for gradient checks.
    double[][] parameters() {
        return parameters;
    }

    /// Adam with the usual constants 0.9, 0.999 and 1e-8.
    private static final class Adam {
        private final double[][] m;
        private final double[][] v;
        private final double rate;
        private int t;

        Adam(double[][] parameters, double rate) {
            this.rate = rate;
            m = new double[parameters.length][];
            v = new double[parameters.length][];
            for (int l = 0; l < parameters.length; l++) {
                m[l] = new double[parameters[l].length];
                v[l] = new double[parameters[l].length];
            }
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
