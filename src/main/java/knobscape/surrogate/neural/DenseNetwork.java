package knobscape.surrogate.neural;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/// A fully connected network with ReLU on all layers but the last, a row at a time, for tens to hundreds of
/// rows; whoever trains it changes [#parameters()].
public final class DenseNetwork {
    private final int[] widths;
    private final double[][] parameters;

    /// Normal weights with He's scale, biases 0.
    ///
    /// @param widths of the input and of each layer
    /// @param lastScale scale of the last layer's weights
    public DenseNetwork(int[] widths, double lastScale, RandomGenerator random) {
        this.widths = widths.clone();
        parameters = zeros();
        for (int l = 0; l < parameters.length; l++) {
            double scale = l == parameters.length - 1 ? lastScale : heScale(widths[l]);
            for (int i = 0; i < widths[l] * widths[l + 1]; i++) {
                parameters[l][i] = scale * random.nextGaussian();
            }
        }
    }

    /// He's scale of the weights behind `inputs` inputs.
    public static double heScale(int inputs) {
        return Math.sqrt(2.0 / inputs);
    }

    /// By layer its weights `[in][out]` row by row, then its biases.
    public double[][] parameters() {
        return parameters;
    }

    /// Number of weights of layer `l`, which stand before its biases.
    int weights(int l) {
        return widths[l] * widths[l + 1];
    }

    /// Numbers of the shape of the parameters, all 0.
    public double[][] zeros() {
        double[][] all = new double[widths.length - 1][];
        for (int l = 0; l < all.length; l++) {
            all[l] = new double[weights(l) + widths[l + 1]];
        }
        return all;
    }

    /// Activations of one row by layer, the input first, the outputs last.
    public double[][] forward(double[] x) {
        double[][] a = new double[widths.length][];
        a[0] = x;
        for (int l = 0; l < parameters.length; l++) {
            int out = widths[l + 1];
            double[] p = parameters[l];
            double[] y = Arrays.copyOfRange(p, weights(l), weights(l) + out);
            for (int i = 0; i < widths[l]; i++) {
                double v = a[l][i];
                if (v != 0) {
                    int at = i * out;
                    for (int j = 0; j < out; j++) {
                        y[j] += v * p[at + j];
                    }
                }
            }
            if (l < parameters.length - 1) {
                for (int j = 0; j < out; j++) {
                    y[j] = Math.max(0, y[j]);
                }
            }
            a[l + 1] = y;
        }
        return a;
    }

    /// Adds the gradient of one row to `gradients`, of the shape of the parameters.
    ///
    /// @param a its activations
    /// @param dOutput derivative of the loss by each output
    public void backward(double[][] a, double[] dOutput, double[][] gradients) {
        double[] d = dOutput;
        for (int l = parameters.length - 1; l >= 0; l--) {
            int out = widths[l + 1];
            double[] p = parameters[l];
            double[] g = gradients[l];
            double[] below = new double[widths[l]];
            for (int i = 0; i < below.length; i++) {
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
                g[weights(l) + j] += d[j];
            }
            d = below;
        }
    }
}
