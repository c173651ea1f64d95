package knobscape.fusion.search;

import java.util.Arrays;
import java.util.SplittableRandom;

/// A fully connected network with two hidden layers of ReLUs and linear outputs, trained by RMSprop on gradients of its outputs. Rows are the steps of one episode.
final class PolicyNetwork {
    private static final double DECAY = 0.99;
    private static final double EPSILON = 1e-5;

    private final int[] widths;
    /// Weights of layer l, `[in][out]` row-major, then the biases.
    private final double[][] parameters;
    private final double[][] gradients;
    private final double[][] squares;
    private final double rate;

    PolicyNetwork(int inputs, int hidden, int outputs, double rate, SplittableRandom random) {
        this.widths = new int[] {inputs, hidden, hidden, outputs};
        this.rate = rate;
        parameters = new double[3][];
        gradients = new double[3][];
        squares = new double[3][];
        for (int l = 0; l < 3; l++) {
            int in = widths[l];
            int out = widths[l + 1];
            parameters[l] = new double[in * out + out];
            gradients[l] = new double[in * out + out];
            squares[l] = new double[in * out + out];
            // He's scale; a small last layer lets the policy begin nearly uniform.
            double scale = l == 2 ? 0.01 : Math.sqrt(2.0 / in);
            for (int k = 0; k < in * out; k++) {
                parameters[l][k] = scale * random.nextGaussian();
            }
        }
    }

    /// Activations of one row by layer, the input first; what [#learn] goes back through.
    double[][] forward(double[] x) {
        double[][] a = new double[4][];
        a[0] = x;
        for (int l = 0; l < 3; l++) {
            int in = widths[l];
            int out = widths[l + 1];
            double[] p = parameters[l];
            double[] y = Arrays.copyOfRange(p, in * out, in * out + out);
            for (int i = 0; i < in; i++) {
                double v = a[l][i];
                if (v != 0) {
                    int at = i * out;
                    for (int j = 0; j < out; j++) {
                        y[j] += v * p[at + j];
                    }
                }
            }
            if (l < 2) {
                for (int j = 0; j < out; j++) {
                    y[j] = Math.max(0, y[j]);
                }
            }
            a[l + 1] = y;
        }
        return a;
    }

    /// Adds the gradient of one row to the sum.
    ///
    /// @param a its activations
    /// @param dOutput derivative of the loss by each output
    void backward(double[][] a, double[] dOutput) {
        double[] d = dOutput;
        for (int l = 2; l >= 0; l--) {
            int in = widths[l];
            int out = widths[l + 1];
            double[] p = parameters[l];
            double[] g = gradients[l];
            double[] below = new double[in];
            for (int i = 0; i < in; i++) {
                double v = a[l][i];
                // A unit that is off neither moves its weights nor passes anything down.
                if (v == 0) {
                    continue;
                }
                int at = i * out;
                double sum = 0;
                for (int j = 0; j < out; j++) {
                    g[at + j] += v * d[j];
                    sum += p[at + j] * d[j];
                }
                below[i] = sum;
            }
            for (int j = 0; j < out; j++) {
                g[in * out + j] += d[j];
            }
            d = below;
        }
    }

    /// One step of RMSprop down the mean of the gradients added since the last step, clipped to a norm of 0.5.
    void step(int rows) {
        double norm = 0;
        for (double[] g : gradients) {
            for (int k = 0; k < g.length; k++) {
                g[k] /= rows;
                norm += g[k] * g[k];
            }
        }
        double scale = Math.min(1, 0.5 / Math.max(1e-12, Math.sqrt(norm)));
        for (int l = 0; l < 3; l++) {
            double[] g = gradients[l];
            for (int k = 0; k < g.length; k++) {
                double v = g[k] * scale;
                squares[l][k] = DECAY * squares[l][k] + (1 - DECAY) * v * v;
                parameters[l][k] -= rate * v / (Math.sqrt(squares[l][k]) + EPSILON);
                g[k] = 0;
            }
        }
    }
}
