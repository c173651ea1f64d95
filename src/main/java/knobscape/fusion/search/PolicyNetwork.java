package knobscape.fusion.search;

import java.util.SplittableRandom;
import knobscape.surrogate.neural.DenseNetwork;

/// A network with two hidden layers, trained by RMSprop on gradients of its outputs. Rows are the steps of one
/// episode.
final class PolicyNetwork {
    private static final double DECAY = 0.99;
    private static final double EPSILON = 1e-5;
    /// A small last layer lets the policy begin nearly uniform.
    private static final double LAST_SCALE = 0.01;

    private final DenseNetwork network;
    private final double[][] gradients;
    private final double[][] squares;
    private final double rate;

    PolicyNetwork(int inputs, int hidden, int outputs, double rate, SplittableRandom random) {
        this.rate = rate;
        network = new DenseNetwork(new int[] {inputs, hidden, hidden, outputs}, LAST_SCALE, random);
        gradients = network.zeros();
        squares = network.zeros();
    }

    /// Activations of one row by layer, the input first; what [#backward] needs.
    double[][] forward(double[] x) {
        return network.forward(x);
    }

    /// Adds the gradient of one row to the sum.
    ///
    /// @param dOutput derivative of the loss by each output
    void backward(double[][] a, double[] dOutput) {
        network.backward(a, dOutput, gradients);
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
        for (int l = 0; l < gradients.length; l++) {
            double[] g = gradients[l];
            for (int k = 0; k < g.length; k++) {
                double v = g[k] * scale;
                squares[l][k] = DECAY * squares[l][k] + (1 - DECAY) * v * v;
                network.parameters()[l][k] -= rate * v / (Math.sqrt(squares[l][k]) + EPSILON);
                g[k] = 0;
            }
        }
    }
}
